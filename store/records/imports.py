"""Stories that are being imported: not listed until they are whole, swept up if they never will be."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlite_utils

from store.database.database import Database
from store.database.model_tables import TABLES
from store.database.records import put
from store.database.rows import column, now
from store.database.troubles import plain_errors
from store.database.word_index import SHELF_BITS
from store.errors import StoreError
from store.records.runs import Owners

_FOLDER = "tellwright-import-"
"""How the folders beside a library begin in which stories that are imported are made."""
_OWNER = "owner.txt"
"""The file in such a folder that names the process that works there."""

SILENCE = timedelta(minutes=10)
"""How long an import may write nothing before it counts as dead, whatever its process does."""

_ROWS = 2_000
"""Rows that are deleted in one transaction."""

_OF_COMMITS = (*TABLES.values(), "names")
_OF_BRANCHES = (
    *("stale_marks", "configurations", "goals", "candidates", "verdicts", "writing_notes"),
    *(
        "plans",
        "drafts",
        "margin_notes",
        "contents",
        "tellings",
        "mysteries",
        "outlines",
        "commits",
    ),
)
_BRANCHES = "(SELECT id FROM branches WHERE story = :story)"
_CANDIDATES = f"(SELECT id FROM candidates WHERE branch IN {_BRANCHES})"
_SHELVES = f"""(
    SELECT wordings.number FROM shelves JOIN wordings
      ON wordings.number >= shelves.number << {SHELF_BITS}
     AND wordings.number < (shelves.number + 1) << {SHELF_BITS}
    WHERE shelves.branch_id IN {_BRANCHES}
)"""
_CONTENT: Mapping[str, str] = {
    "wordings": f"number IN {_SHELVES}",
    "scores": f"candidate IN {_CANDIDATES}",
    "intended": "story = :story",
    **{table: f"branch_id IN {_BRANCHES}" for table in _OF_COMMITS},
    **{table: f"branch IN {_BRANCHES}" for table in _OF_BRANCHES},
}
"""The tables that hold what a story consists of, with which rows are those of one story."""


class ImportLost(StoreError):
    """An import was given up because another process took it for dead."""


class Imports:
    """Knows which stories are being imported, by which process."""

    def __init__(self, database: Database, owners: Owners | None = None) -> None:
        self._database = database
        self._owners = owners or Owners()

    @contextmanager
    def workplace(self) -> Iterator[Path]:
        """Return a new folder beside the library, where there is room for a story; it is temporary.

        Raises:
            LibraryUnavailable: if there can be none, or the disk is full.
        """
        folder = self._database.path.parent
        with (
            plain_errors(folder),
            TemporaryDirectory(prefix=_FOLDER, dir=folder, ignore_cleanup_errors=True) as made,
        ):
            Path(made, _OWNER).write_text(self._owners.process, encoding="utf-8")
            yield Path(made)

    def begin(self, database: sqlite_utils.Database, story: str) -> None:
        """Hide a story that is about to be kept; call this in the transaction that begins it."""
        moment = column(now())
        row = {"story": story, "owner": self._owners.process, "heartbeat": moment}
        put(database, "imports", row, ("story",))

    def renew(self, database: sqlite_utils.Database, story: str) -> None:
        """Record that an import goes on.

        Raises:
            ImportLost: if it was swept up.
        """
        values = {"story": story, "moment": column(now())}
        cursor = database.execute(
            "UPDATE imports SET heartbeat = :moment WHERE story = :story AND is_swept = 0", values
        )
        if cursor.rowcount != 1:
            raise ImportLost(
                "The import was interrupted for too long, so it was given up. Nothing was "
                "imported; please import the file again."
            )

    def finish(self, database: sqlite_utils.Database, story: str) -> None:
        """List a story: all of it is there."""
        self.renew(database, story)
        database.execute("DELETE FROM imports WHERE story = :story", {"story": story})

    def sweep_dead(self) -> None:
        """Delete what imports have left whose process has ended."""
        rows = self._database.rows("SELECT * FROM imports WHERE is_swept = 0")
        since = column(now() - SILENCE)
        for row in rows:
            if row["heartbeat"] < str(since) or not self._owners.is_alive(row["owner"]):
                self.sweep(row["story"])
        for folder in self._database.path.parent.glob(f"{_FOLDER}*"):
            if self._is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def _is_left(self, folder: Path) -> bool:
        """Return whether nobody works in a folder any more."""
        try:
            newest = max(file.stat().st_mtime for file in (folder, *folder.iterdir()))
            owner = Path(folder, _OWNER).read_text(encoding="utf-8")
        except OSError:  # it is just being made, or just going
            return False
        return newest < (now() - SILENCE).timestamp() or not self._owners.is_alive(owner)

    def sweep(self, story: str) -> None:
        """Delete what an import has left, a little at a time; nobody ever saw it."""
        with self._unchecked():
            with self._database.write() as database:
                database.execute(
                    "UPDATE branches SET fork_commit = NULL WHERE story = :story", {"story": story}
                )
            for table, condition in _CONTENT.items():
                while self._delete_some(table, condition, story):
                    pass
            with self._database.write() as database:
                database.execute(
                    "UPDATE imports SET is_swept = 1 WHERE story = :story", {"story": story}
                )

    def _delete_some(self, table: str, condition: str, story: str) -> bool:
        values = {"story": story, "most": _ROWS}
        chosen = condition
        if table != "names":  # which has no numbers of rows; it is small
            chosen = f"rowid IN (SELECT rowid FROM {table} WHERE {condition} LIMIT :most)"
        with self._database.write() as database:
            return database.execute(f"DELETE FROM {table} WHERE {chosen}", values).rowcount > 0

    @contextmanager
    def _unchecked(self) -> Iterator[None]:
        """Switch the check of references off: for each commit it would read every table."""
        connection = self._database.read().conn
        connection.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            connection.execute("PRAGMA foreign_keys = ON")
