"""The command line of the benchmark of what a writer can rely on."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measures.generation.timed_server import running
from tests.benchmarks.measures.trust import growth, report, stopping, updates
from tests.benchmarks.measures.trust.kills.killing import kill_all
from tests.benchmarks.measures.trust.load import measuring
from tests.benchmarks.measures.trust.load.visiting import prepare
from tests.benchmarks.options import notice

DESCRIPTION = """Measure what a writer can rely on.

Kills at every kind of moment, and what is there afterwards; how long a stop takes; memory and library of
a long story; changes by several programs at once; many writers at once at one site."""

PARTS = ("kills", "stops", "growth", "updates", "load")


@dataclass(frozen=True)
class Extent:
    """How much of everything is done."""

    kills: int
    chapters: int
    changes: int
    writers: int
    seconds: float
    prepared: int
    """Chapters of the story that is there before."""
    latency: float


WHOLE = Extent(
    kills=200, chapters=200, changes=60, writers=50, seconds=600, prepared=6, latency=5.0
)
QUICK = Extent(kills=20, chapters=20, changes=10, writers=5, seconds=20, prepared=2, latency=1.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print what was found, and return 1 where a writer could not rely on something."""
    asked = _asked(arguments)
    with tempfile.TemporaryDirectory(prefix="tellwright-trust-") as folder:
        found = measure(Path(folder), QUICK if asked.quick else WHOLE, asked.parts)
    print("\n\n".join(report.tables(found)), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps(report.figures(found)))
    for words in report.wrong(found):
        print(f"wrong: {words}", file=sys.stderr)
    return 1 if list(report.wrong(found)) else 0


def measure(folder: Path, extent: Extent, parts: Sequence[str]) -> report.Found:
    """Measure the parts that are asked for, each in a folder of its own."""
    for part in PARTS:
        (folder / part).mkdir()
    library, found = folder / "prepared.db", report.Found()
    with running(folder / "asked.jsonl", 0.0) as model:
        notice("making a story")
        story = prepare(library, model.url, extent.prepared)
    if "load" in parts:
        found.load = measuring.measure(
            folder / "load",
            measuring.Prepared(library, story, extent.prepared),
            extent.writers,
            extent.seconds,
            extent.latency,
        )
    if "kills" in parts:
        found.killed = kill_all(folder / "kills", extent.kills, library, story, extent.prepared)
    if "stops" in parts:
        notice("stopping runs")
        found.stops = stopping.measure(folder / "stops", library, story)
    if "updates" in parts:
        notice("changing one library from all sides")
        found.updates = updates.measure(folder / "updates", library, extent.changes)
    if "growth" in parts:
        notice(f"plotting {extent.chapters} chapters")
        found.growth = growth.measure(folder / "growth", extent.chapters)
    return found


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="trust",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--quick", action="store_true", help="20 kills, 20 chapters, 5 writers for 20 seconds"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object on one line; the tables go to the error output",
    )
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure: all of it"
    )
    return parser.parse_args(arguments)
