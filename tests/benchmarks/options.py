"""What the command lines of the benchmarks have in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise


def plain_command_line(program: str, description: str) -> argparse.ArgumentParser:
    """Return a command line that takes `--json`."""
    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object on one line; the table goes to the error output",
    )
    return parser


def command_line(program: str, description: str, quick: str) -> argparse.ArgumentParser:
    """Return a command line that takes `--quick`, `--json` and `--chapters`."""
    parser = plain_command_line(program, description)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument(
        "--chapters", type=int, nargs="+", metavar="N", help="the chapters to measure at"
    )
    return parser


def check_chapters(parser: argparse.ArgumentParser, chapters: Sequence[int]) -> None:
    """End with a message where a story cannot be measured at these chapters."""
    if any(later - earlier < 2 for earlier, later in pairwise((0, *chapters))):
        parser.error("chapters go up from 2, by 2 at least")


def notice(words: str) -> None:
    """Say what is done now, apart from the figures."""
    print(words, file=sys.stderr, flush=True)
