"""Which version of Tellwright makes a story: two that differ in anything are two versions."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]
_OF_STORIES = ("graph_flow", "store")
_DIGITS = 12


@cache
def this_version() -> str:
    """Return the version of the package, and a checksum of the code and the prompts that make stories."""
    found = hashlib.sha256()
    for folder in _OF_STORIES:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in {".py", ".md", ".txt"}:
                found.update(path.relative_to(_ROOT).as_posix().encode())
                found.update(hashlib.sha256(path.read_bytes()).digest())
    try:
        number = version("tellwright")
    except PackageNotFoundError:  # a checkout that was never installed
        number = "0"
    return f"{number}+{found.hexdigest()[:_DIGITS]}"
