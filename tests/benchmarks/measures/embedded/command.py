"""The command line of the benchmark of the embedded model."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.embedded.report import EmbeddedFigures
from tests.benchmarks.measures.embedded.stories import PREMISES, told
from tests.benchmarks.options import notice, plain_command_line

DESCRIPTION = """Have the model that comes along tell stories, with the command and the settings that a
writer has, and measure how long three written chapters take and how many answers cannot be used.

docs/BENCHMARKS.md says what is measured."""

CHAPTERS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    premises = PREMISES[:1] if asked.quick else PREMISES
    stories = []
    for number, premise in enumerate(premises, start=1):
        notice(f"telling story {number} of {len(premises)}")
        with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
            stories.append(told(premise, asked.chapters, Path(folder)))
    figures = EmbeddedFigures.of(stories, asked.chapters)
    print(figures.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(figures.as_json())
    return 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = plain_command_line("embedded", DESCRIPTION)
    parser.add_argument("--quick", action="store_true", help="one story, in some minutes")
    parser.add_argument(
        "--chapters", type=int, default=CHAPTERS, metavar="N", help="chapters of each story"
    )
    asked = parser.parse_args(arguments)
    if asked.chapters < 1:
        parser.error("a story has at least one chapter")
    return asked
