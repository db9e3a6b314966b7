"""The command line of the benchmark of Story Generation."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.generation.measuring import QUICK, Effort, measure_plotting
from tests.benchmarks.milestones import build
from tests.benchmarks.options import check_chapters, command_line, notice

DESCRIPTION = """Measure what the plot of a chapter costs while a story of 200 people grows.

Prints a table of medians, with their ratios to the first of the chapters measured.
docs/BENCHMARKS.md says what is measured."""

CHAPTERS = (20, 200, 1_000, 2_770)
QUICK_CHAPTERS = (20, 200)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    effort = QUICK if asked.quick else Effort()
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        milestones = build(Path(folder), asked.chapters, notice)
        figures = measure_plotting(milestones, Path(folder), effort, notice)
    print(figures.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(figures.as_json())
    return 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line("generation", DESCRIPTION, "chapters 20 and 200; under a minute")
    asked = parser.parse_args(arguments)
    if asked.chapters is None:
        asked.chapters = QUICK_CHAPTERS if asked.quick else CHAPTERS
    check_chapters(parser, asked.chapters)
    return asked
