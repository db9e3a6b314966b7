"""The command line of the benchmark of books: exports and an import, each in a process of its own."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from store.formats.exports import FORMATS, BookFormat, Source
from store.formats.reading.files import NamedFile, read_files
from store.formats.reading.keeping import keep_as_story
from store.open import Store
from tests.benchmarks.measures.books.typed_book import keep_book
from tests.benchmarks.options import notice
from tests.benchmarks.table import line, told

DESCRIPTION = """Measure what it takes to write a long book as a file, format by format, and to bring a
novella as a Word file: seconds, and the most memory of the process (of its child, for PDF), in MB."""

WORDS, NOVELLA_WORDS = 300_000, 25_000
QUICK_WORDS = 6_000


class Taken(NamedTuple):
    """What a step took."""

    seconds: float
    megabytes: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    asked = _asked(arguments)
    words, novella = (QUICK_WORDS, QUICK_WORDS) if asked.quick else (WORDS, NOVELLA_WORDS)
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as name:
        folder = Path(name)
        notice(f"Typing {words:,} words …")
        branch = keep_book(folder / "long.db", words)
        exports = {}
        for key in (key for key, form in FORMATS.items() if isinstance(form, BookFormat)):
            notice(f"Writing {key} …")
            exports[key] = _in_a_process(export_book, folder / "long.db", branch, key)
        notice(f"Bringing {novella:,} words …")
        word_file = folder / "novella.docx"
        short = keep_book(folder / "short.db", novella)
        _in_a_process(export_book, folder / "short.db", short, "docx", word_file)
        brought = _in_a_process(bring_book, folder / "new.db", word_file)
    print(_table(exports, brought), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps(_figures(exports, brought)))
    return 0


def export_book(library: Path, branch: str, key: str, target: Path | None = None) -> Taken:
    """Write a book as a file, and return what that took."""
    with closing(Store.open(library)) as store:
        began = time.perf_counter()
        content = FORMATS[key].export(Source(store, branch))
        taken = _since(began)
    if target is not None:
        target.write_bytes(content)
    return taken


def bring_book(library: Path, file: Path) -> Taken:
    """Import a file into a new library, and return what that took."""
    with closing(Store.open(library)) as store:
        began = time.perf_counter()
        keep_as_story(store, read_files([NamedFile(file.name, file.read_bytes())]))
        return _since(began)


def _since(began: float) -> Taken:
    most = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return Taken(time.perf_counter() - began, most / 1_000)


def _in_a_process(measure: Callable[..., Taken], *given: object) -> Taken:
    # What another step has taken would count for this one.
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawning) as pool:
        return pool.submit(measure, *given).result()


def _table(exports: dict[str, Taken], brought: Taken) -> str:
    rows = [line("step", ("s", "MB")), line("---", ("---:", "---:"))]
    steps = {**{f"export {key}": taken for key, taken in exports.items()}, "import docx": brought}
    rows += [line(step, map(told, taken)) for step, taken in steps.items()]
    return "\n".join(rows)


def _figures(exports: dict[str, Taken], brought: Taken) -> dict[str, object]:
    return {
        "export_s": {key: round(taken.seconds, 3) for key, taken in exports.items()},
        "export_mb": {key: round(taken.megabytes, 1) for key, taken in exports.items()},
        "import_s": round(brought.seconds, 3),
    }


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="books",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"measure with {QUICK_WORDS:,} words each"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object on one line; the table goes to the error output",
    )
    return parser.parse_args(arguments)
