"""The command line of the measures of structure: what the code is made of, and what a journey passes."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.measures.structure.journeys import Passed, walk_journeys
from tests.benchmarks.measures.structure.source_tree import (
    Package,
    Source,
    packages_of,
    read_sources,
)
from tests.benchmarks.table import line

DESCRIPTION = """Measure the structure of the code.

Prints two tables: the size, the grain and the imports of each package, and how many calls,
functions, modules and SQL statements each of six journeys of a writer passes."""

ROOT = Path(__file__).parents[4]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(
        "structure", description=DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--static", action="store_true", help="leave the journeys out")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    asked = parser.parse_args(arguments)
    source = read_sources(ROOT)
    packages = packages_of(source)
    journeys: list[Passed] = []
    if not asked.static:
        with tempfile.TemporaryDirectory(prefix="structure-") as folder:
            journeys = walk_journeys(Path(folder), ROOT)
    out = sys.stderr if asked.json else sys.stdout
    print("\n".join([*_of_packages(packages, source), "", *_of_journeys(journeys)]), file=out)
    if asked.json:
        print(
            json.dumps({"packages": [*map(asdict, packages)], "journeys": [*map(asdict, journeys)]})
        )
    return 0


def _of_packages(packages: Iterable[Package], source: Source) -> Iterable[str]:
    yield line(
        "package",
        ("modules", "lines", "median file", "function: median / p90 / max", "widest folder"),
    )
    yield line("---", ["---:"] * 5)
    for one in packages:
        functions = f"{one.function_median} / {one.function_p90} / {one.function_max}"
        figures = (one.modules, f"{one.lines:,}", one.file_median, functions, one.widest)
        yield line(one.name, map(str, figures))
    yield ""
    yield f"module cycles: {len(source.cycles)}"
    yield f"modules with exactly one importer: {len(source.with_one_importer)}"
    yield f"modules with exactly one public definition: {len(source.with_one_definition)}"


def _of_journeys(journeys: Iterable[Passed]) -> Iterable[str]:
    yield line("journey", ("calls", "functions", "modules", "pages + graph_flow + store", "SQL"))
    yield line("---", ["---:"] * 5)
    for one in journeys:
        shares = " + ".join(str(share) for share in one.modules_by_package.values())
        figures = (f"{one.calls:,}", one.functions, one.modules, shares, one.statements)
        yield line(one.name, map(str, figures))
