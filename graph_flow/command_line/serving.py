"""`tellwright serve`: the app for several writers, who sign in, each with a library of their own.

What serves them belongs to the pages, which stand above the command line: it is another program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from graph_flow.command_line.ending import WRONG_USE, say

ABOUT = "serve the app to several writers, who sign in"
_SERVER = "pages.serving"
_ROOT = Path(__file__).resolve().parents[2]


def run(arguments: Sequence[str]) -> int:
    """Become the server, with what was given to the command; return an exit code if it is not here."""
    if not (_ROOT / "app.py").is_file():
        say("The app itself is not here: serve from a checkout of Tellwright.")
        return WRONG_USE
    return _become(arguments)


def _become(arguments: Sequence[str]) -> NoReturn:
    os.environ["PYTHONPATH"] = str(_ROOT)
    os.execv(sys.executable, [sys.executable, "-m", _SERVER, *arguments])  # noqa: S606 - no shell
