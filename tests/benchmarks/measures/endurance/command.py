"""The command line of the endurance run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from store.models.story import StorySettings
from tests.benchmarks.measures.endurance.enduring import Endured, endure

DESCRIPTION = """Plot chapters on autopilot through a model of which three calls in ten fail.

5 % each of: 429, 500, streams that are cut, broken JSON, answers that are refused, calls that hang.
Whenever the run pauses it is continued. At the end there must be no gap, no double and no lost call."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the run, print what it took, and return 1 where something is wrong at its end."""
    asked = _asked(arguments)
    settings = StorySettings(goals=asked.goals, roles=asked.roles)
    with tempfile.TemporaryDirectory(prefix="tellwright-endurance-") as folder:
        endured = endure(Path(folder), asked.chapters, settings, _notice)
    print(as_table(endured), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps(asdict(endured)))
    for problem in endured.problems:
        print(f"wrong: {problem}", file=sys.stderr)
    return 1 if endured.problems else 0


def as_table(endured: Endured) -> str:
    """Return what a run took, as Markdown."""
    faults = ", ".join(f"{count:,} × {fault}" for fault, count in sorted(endured.faults.items()))
    memory = ", ".join(f"{size:,.0f} at {at:,}" for at, size in sorted(endured.megabytes.items()))
    blocks = ", ".join(f"{count:,} at {at:,}" for at, count in sorted(endured.blocks.items()))
    rows = {
        "chapters": f"{endured.chapters:,}",
        "requests to the model": f"{endured.requests:,}",
        "of these with a fault": faults,
        "calls in the ledger": f"{endured.calls:,}",
        "of these failed, repeated": f"{endured.failed:,}, {endured.repeated:,}",
        "pauses": f"{endured.pauses:,}",
        "checkpoints at most, and writes": f"{endured.most_checkpoints:,}, {endured.most_writes:,}",
        "file of the checkpoints, bytes": f"{endured.checkpoint_bytes:,}",
        "library, bytes": f"{endured.library_bytes:,}",
        "resident memory, MB, at a chapter": memory,
        "pieces of memory in use, at a chapter": blocks,
        "refused answers still in memory": f"{endured.refusals_left:,}",
        "seconds": f"{endured.seconds:,.0f}",
        "wrong at the end": f"{len(endured.problems):,}",
    }
    lines = (f"| {name} | {value} |" for name, value in rows.items())
    return "\n".join(["| | |", "|---|---:|", *lines])


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="endurance",
        description=DESCRIPTION.replace("%", "%%"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--chapters", type=int, default=200, metavar="N")
    parser.add_argument("--goals", type=int, default=3, metavar="N", help="ways into a chapter")
    parser.add_argument("--roles", type=int, default=3, metavar="N", help="people for each")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object on one line; the table goes to the error output",
    )
    asked = parser.parse_args(arguments)
    if asked.chapters < 1:
        parser.error("a run has 1 chapter at least")
    return asked


def _notice(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
