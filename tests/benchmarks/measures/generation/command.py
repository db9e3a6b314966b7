"""The command line of the benchmark of Story Generation."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.generation.measuring import QUICK, Bench, Effort, measure_generation
from tests.benchmarks.measures.generation.plotting import Way
from tests.benchmarks.measures.generation.report import AllWays, GenerationFigures
from tests.benchmarks.milestones import build
from tests.benchmarks.options import check_chapters, command_line, notice

DESCRIPTION = """Measure what a chapter costs while a story of 200 people grows: its plot with a small
model, its plot and its text with an able one, woven or told before it is plotted.

Prints tables of medians, with their ratios to the first of the chapters measured.
docs/BENCHMARKS.md says what is measured."""

CHAPTERS = (20, 200, 1_000, 2_770)
QUICK_CHAPTERS = (20, 200)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    effort = QUICK if asked.quick else Effort()
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        milestones = build(Path(folder), asked.chapters, notice)

        def measured(way: Way) -> GenerationFigures:
            own = Path(folder) / way.value
            own.mkdir()
            return measure_generation(Bench(milestones, own, effort, way), notice)

        figures = AllWays({way: measured(way) for way in Way})
    print(figures.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(figures.as_json())
    return 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line("generation", DESCRIPTION, "chapters 20 and 200; in a minute or two")
    asked = parser.parse_args(arguments)
    if asked.chapters is None:
        asked.chapters = QUICK_CHAPTERS if asked.quick else CHAPTERS
    check_chapters(parser, asked.chapters)
    return asked
