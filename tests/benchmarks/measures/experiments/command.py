"""The command line of the benchmark of experiments."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.experiments.measuring import (
    Size,
    calls_repeated_after_kill,
    experiment_ratio,
)
from tests.benchmarks.options import notice
from tests.benchmarks.table import line, told

DESCRIPTION = """Measure an experiment of 24 stories of 6 chapters on 8 workers, every call of which takes
0.25 s, against the time that its calls alone would take; and what the death of a worker costs."""

LATENCY = 0.25
WHOLE, KILLED = Size(24, 6, 8), Size(4, 2, 4)
QUICK = Size(2, 1, 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(
        prog="experiments",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="two stories of one chapter")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object on one line; the table goes to the error output",
    )
    asked = parser.parse_args(arguments)
    whole, killed = (QUICK, QUICK) if asked.quick else (WHOLE, KILLED)
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        notice("An experiment …")
        found = experiment_ratio(Path(folder, "whole"), whole, LATENCY)
        notice("One whose worker is killed …")
        repeated = calls_repeated_after_kill(Path(folder, "killed"), killed, LATENCY)
    rows = {
        "stories, chapters each, workers": ", ".join(map(str, whole)),
        "seconds": told(found.seconds),
        "seconds that its calls alone would take": told(found.ideal),
        "ratio": told(found.ratio),
        "calls repeated after a worker was killed": str(repeated),
    }
    table = [line(f"every call takes {LATENCY} s", [""]), line("---", ["---:"])]
    table += [line(name, [value]) for name, value in rows.items()]
    print("\n".join(table), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        figures = {"experiment_ratio": found.ratio, "calls_repeated_after_kill": repeated}
        print(json.dumps(figures))
    return 0
