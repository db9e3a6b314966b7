"""The command line of the benchmark of the Story Prototype."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.prototype.graphs_page import PageTimes, page_times
from tests.benchmarks.measures.prototype.measuring import QUICK, Effort, measure
from tests.benchmarks.measures.prototype.report import Report
from tests.benchmarks.milestones import build
from tests.benchmarks.options import check_chapters, command_line, notice
from tests.e2e.find_chromium import ChromiumMissing

DESCRIPTION = """Measure what the Story Prototype costs while a story of 200 people grows.

Prints a table of medians, with their ratios to the first of the chapters measured.
docs/BENCHMARKS.md says what is measured."""

CHAPTERS = (20, 200, 2_000, 2_770)
NODES = (50, 500, 2_000)
QUICK_CHAPTERS = (20, 200)
QUICK_NODES = (50,)
ROUNDS, QUICK_ROUNDS = 3, 1
"""How often the app is started for each picture."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        effort = QUICK if asked.quick else Effort()
        story = measure(build(Path(folder), asked.chapters, notice), Path(folder), effort, notice)
        rounds = QUICK_ROUNDS if asked.quick else ROUNDS
        page = _measure_page(Path(folder) / "app", asked.nodes, rounds)
    report = Report(story, page)
    print(report.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(report.as_json())
    return 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command_line(
        "prototype", DESCRIPTION, "a shorter story and fewer rounds; under a minute"
    )
    parser.add_argument(
        "--nodes",
        type=int,
        nargs="*",
        metavar="N",
        help="the sizes of the pictures; none: no browser",
    )
    asked = parser.parse_args(arguments)
    if asked.chapters is None:
        asked.chapters = QUICK_CHAPTERS if asked.quick else CHAPTERS
    if asked.nodes is None:
        asked.nodes = QUICK_NODES if asked.quick else NODES
    check_chapters(parser, asked.chapters)
    if any(nodes < 5 for nodes in asked.nodes):
        parser.error("a picture has 5 nodes at least")
    return asked


def _measure_page(folder: Path, sizes: Sequence[int], rounds: int) -> PageTimes:
    """Return no times where no picture is asked for, or there is no browser."""
    if not sizes:
        return PageTimes({}, {})
    try:
        return page_times(folder, sizes, rounds, notice)
    except ChromiumMissing as problem:
        notice(f"no browser, so no pictures: {problem}")
        return PageTimes({}, {})
