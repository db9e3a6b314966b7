"""Library files that are made once in a process, and copied wherever a test needs one.

A copy of a file costs a fiftieth of what it took to make it: the migrations of an empty library, or
the calls to a model that a story took to come to where a test begins.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from graph_flow.machine.checkpoints import open_checkpoints
from store.open import Store


def checkpoints_of(library: Path) -> Path:
    """Return where the machine keeps the checkpoints of a library."""
    return library.with_name(f"{library.stem}.checkpoints.db")


def put_empty_library(library: Path) -> Path:
    """Put a library at a path as the app leaves it after its first start: no story, no settings."""
    content, checkpoints = _empty()
    library.parent.mkdir(parents=True, exist_ok=True)
    library.write_bytes(content)
    checkpoints_of(library).write_bytes(checkpoints)
    return library


def is_untouched(library: Path) -> bool:
    """Return whether a library is still as `put_empty_library` made it."""
    with closing(sqlite3.connect(library)) as connection:
        count = "SELECT (SELECT count(*) FROM stories) + (SELECT count(*) FROM settings)"
        return bool(connection.execute(count).fetchone() == (0,))


@contextmanager
def temporary_store() -> Iterator[Store]:
    """Open an empty library that is gone afterwards: for each example of a property."""
    with TemporaryDirectory() as folder:
        store = Store.open(put_empty_library(Path(folder, "library.db")))
        try:
            yield store
        finally:
            store.close()


class KeptLibrary:
    """What a library held at a moment, with its checkpoints, in memory."""

    def __init__(self, library: Path) -> None:
        self._content = _in_memory(library)
        self._checkpoints = _in_memory(checkpoints_of(library))

    def copy_into(self, library: Path) -> None:
        """Replace what a library holds; whoever has it open sees the new content."""
        _copy(self._content, library)
        _copy(self._checkpoints, checkpoints_of(library))


@cache
def _empty() -> tuple[bytes, bytes]:
    with TemporaryDirectory() as folder:
        library = Path(folder, "library.db")
        Store.open(library).close()
        open_checkpoints(library).conn.close()
        # The last connection that closes leaves everything in the file itself.
        return library.read_bytes(), checkpoints_of(library).read_bytes()


def _in_memory(file: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(file)) as connection:
        connection.backup(memory)
    return memory


def _copy(memory: sqlite3.Connection, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        memory.backup(connection)
