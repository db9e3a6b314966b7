"""The command line of the benchmark of the editor."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measures.writing.measuring import Book, measure
from tests.benchmarks.options import notice, plain_command_line
from tests.e2e.find_chromium import ADVICE, find

DESCRIPTION = """Measure the editor in a browser, in a book of 120 chapters of 10,000 words: from a key to
its letter, from a pause to a saved paragraph, from another page to the text, and from a click to the first
words of a suggestion whose model takes no time."""

WHOLE = Book(chapters=120, words=10_000)
QUICK = Book(chapters=4, words=1_000)
_KEYS, _VISITS = 200, 7
_QUICK_KEYS, _QUICK_VISITS = 20, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    parser = plain_command_line("writing", DESCRIPTION)
    parser.add_argument("--quick", action="store_true", help="a short book, and a few keys")
    asked = parser.parse_args(arguments)
    if find() is None:
        notice(ADVICE)
        return 1
    book, keys, visits = (
        (QUICK, _QUICK_KEYS, _QUICK_VISITS) if asked.quick else (WHOLE, _KEYS, _VISITS)
    )
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as folder:
        times = measure(Path(folder), book, keys, visits)
    print(times.as_table(), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(times.as_json())
    return 0
