"""Read whatever can still be read of a damaged database, row by row where it must be."""

from __future__ import annotations

import shutil
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from store.database.packing import unpack_row

Row = dict[str, Any]

_LAST = 2**62
_LEAST_BYTES = 16
"""A row takes at least as many, which bounds how many there can be where the end cannot be read."""
_TRIES = 200_000
"""How often a piece of a table is tried at most; each takes some millionths of a second."""


class Rescued(NamedTuple):
    """The rows of a table that can be read, in order, and whether some cannot."""

    rows: list[Row]
    has_gaps: bool


class DamagedFile:
    """A copy of a damaged database. The original is only read."""

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._connection = connection
        self._most_rows = size // _LEAST_BYTES

    def rows(self, table: str) -> Rescued:
        """Return the rows of a table; none if there is no such table any more."""
        if self._is_of_later_version(table):
            return Rescued([], has_gaps=False)
        try:
            cursor = self._connection.execute(f"SELECT * FROM {table} NOT INDEXED LIMIT 0")
            names = [column[0] for column in cursor.description]
        except sqlite3.Error:
            return Rescued([], has_gaps=True)
        try:
            found, has_gaps = self._between(table, 0, _LAST), False
        except sqlite3.Error:
            found, has_gaps = self._pieces(table, min(self._last(table), self._most_rows)), True
        rows = [unpack_row(dict(zip(names, row[1:], strict=True))) for row in found]
        return Rescued(rows, has_gaps)

    def _is_of_later_version(self, table: str) -> bool:
        """Return whether the library never had a table, because it is of an earlier version."""
        known = "SELECT count(*), sum(name = ?) FROM sqlite_master WHERE type = 'table'"
        try:
            [[count, found]] = self._connection.execute(known, (table,)).fetchall()
        except sqlite3.Error:
            return False
        return count > 0 and not found

    def _pieces(self, table: str, last: int) -> list[tuple[Any, ...]]:
        """Return the rows up to a row number; what cannot be read is halved again and again.

        The largest pieces come first, so what is sound is read before the tries are used up.
        """
        found: list[tuple[Any, ...]] = []
        ranges = deque([(0, last)])
        for _ in range(_TRIES):
            if not ranges:
                break
            start, end = ranges.popleft()
            try:
                found += self._between(table, start, end)
            except sqlite3.Error:
                if start < end:
                    middle = (start + end) // 2
                    ranges += [(start, middle), (middle + 1, end)]
        return sorted(found, key=_number)

    def _between(self, table: str, first: int, last: int) -> list[tuple[Any, ...]]:
        return self._connection.execute(
            f"SELECT rowid, * FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
            (first, last),
        ).fetchall()

    def _last(self, table: str) -> int:
        """Return a row number after which nothing can be read."""
        try:
            [[last]] = self._connection.execute(
                f"SELECT coalesce(max(rowid), 0) FROM {table} NOT INDEXED"
            ).fetchall()
            return int(last)
        except sqlite3.Error:
            return self._doubled(table)

    def _doubled(self, table: str) -> int:
        last = 1
        while last < self._most_rows:
            try:
                query = f"SELECT 1 FROM {table} NOT INDEXED WHERE rowid > ? LIMIT 1"
                if self._connection.execute(query, (last,)).fetchone() is None:
                    break
            except sqlite3.Error:
                pass  # there is something, whatever it is
            last *= 2
        return last


def _number(row: tuple[Any, ...]) -> int:
    return int(row[0])


@contextmanager
def damaged_file(path: Path) -> Iterator[DamagedFile]:
    """Open a copy of a damaged database.

    Raises:
        OSError: if the file cannot be copied.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder, "damaged.db")
        for ending in ("", "-wal"):
            file = path.with_name(f"{path.name}{ending}")
            if file.exists():
                shutil.copyfile(file, copy.with_name(f"{copy.name}{ending}"))
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            # Bytes that are no text any more make a row unreadable, not the table.
            connection.text_factory = lambda content: content.decode("utf-8", "replace")
            connection.execute("PRAGMA cell_size_check = ON")
            # So what is left of the list of tables counts, if a part of it cannot be read: the
            # first statement fails then, and the next ones have the tables before the damage.
            connection.execute("PRAGMA writable_schema = ON")
            with suppress(sqlite3.Error):
                connection.execute("SELECT count(*) FROM sqlite_master")
            yield DamagedFile(connection, copy.stat().st_size)
