"""The command line of the benchmark of the library's growth."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.library.growing import grown
from tests.benchmarks.milestones import build
from tests.benchmarks.options import notice, plain_command_line

DESCRIPTION = """Measure what a chapter adds to the library, table by table: an able model goes on
with a story of 200 people, and every chapter is plotted and written."""

FROM = 20
"""The chapter from which the able model goes on."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        [milestone] = build(Path(folder), [FROM], notice)
        growth = grown(milestone, Path(folder) / "growing.db", asked.chapters, notice)
    print(growth.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(growth.as_json())
    return 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = plain_command_line("library", DESCRIPTION)
    parser.add_argument("--chapters", type=int, default=60, metavar="N", help="chapters to make")
    asked = parser.parse_args(arguments)
    if asked.chapters < 1:
        parser.error("a story grows by 1 chapter at least")
    return asked
