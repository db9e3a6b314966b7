"""Bring a story from a library that has no other into another one, a little at a time.

The story is hidden until all of it is there (see `store.records.imports`). Between two transactions
others come to write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import sqlite_utils

from store.database.database import Database
from store.database.model_tables import TABLES
from store.database.records import add_all
from store.database.rows import from_row
from store.database.word_index import Wording, insert_wordings, wording_of
from store.errors import StoreError
from store.models.prototype import ENTITY_TYPES, EntityKind
from store.open import Store

Row = dict[str, Any]
Write = Callable[[sqlite_utils.Database], None]

_ROWS, _BYTES = 400, 1_000_000
"""The most rows of a transaction, and about the most bytes of text: some tens of milliseconds."""
_PAUSE = 0.03
"""Seconds in which others can write, after each as long as that in which they could not. Who waits for
the lock looks for it several times a second."""

COMMIT_COLUMNS: Mapping[str, str] = {
    "commits": "id",
    **dict.fromkeys(TABLES.values(), "commit_id"),
    "stale_marks": "commit_id",
}
"""Where the numbers of commits are, which are others in another library."""

COPIED = (
    *("commits", *TABLES.values(), "configurations", "goals", "candidates", "scores", "verdicts"),
    *(
        "writing_notes",
        "plans",
        "drafts",
        "margin_notes",
        "contents",
        "tellings",
        "mysteries",
        "outlines",
        "stale_marks",
        "intended",
    ),
)
"""The tables that are copied after a story and its branches, each after those it refers to."""

INDEXED = ("shelves", "wordings", "words", "terms", "names")
"""The tables that are made from what is copied."""

_WORDINGS = """
SELECT v.*, wordings.number AS wording FROM wordings JOIN shelves
  ON shelves.number = wordings.number >> 40
JOIN {table} AS v ON v.branch_id = shelves.branch_id AND v.id = wordings.id
  AND v.chapter = wordings.chapter AND v.commit_id = wordings.commit_id
WHERE shelves.kind = :kind ORDER BY wordings.number
"""


class Transfer:
    """One story on its way from its own library into another."""

    def __init__(self, source: Database, target: Store, story: str) -> None:
        self._source = source
        self._target = target
        self._story = story
        self._first_commit = 0
        self._left = self._whole = self._count()

    def run(self, on_share: Callable[[float], None]) -> None:
        """Copy the story; `on_share` is told how much of it is done, from 0 to 1.

        Raises:
            LibraryUnavailable: if the library stays busy, or the disk is full.
            ImportLost: if another process took this one for dead.
        """
        with self._target.database.write() as database:
            self._begin(database)
        held = 0.0
        try:
            for rows, write in self._batches():
                began = time.monotonic()
                with self._target.database.write() as database:
                    self._target.imports.renew(database, self._story)
                    write(database)
                self._left -= rows
                on_share(1 - self._left / self._whole)
                held += time.monotonic() - began
                if held >= _PAUSE:
                    time.sleep(_PAUSE)
                    held = 0.0
            with self._target.database.write() as database:
                self._finish(database)
        except BaseException:
            self._give_up()
            raise

    def _begin(self, database: sqlite_utils.Database) -> None:
        add_all(database, "stories", self._source.rows("SELECT * FROM stories"))
        for branch in self._source.rows("SELECT * FROM branches ORDER BY rowid"):
            add_all(database, "branches", [branch | {"fork_commit": None}])
        self._target.imports.begin(database, self._story)
        [[count]] = self._source.tuples("SELECT coalesce(max(id), 0) FROM commits")
        [[used]] = database.execute(
            "SELECT max(coalesce((SELECT max(id) FROM commits), 0),"
            " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'commits'), 0))"
        ).fetchall()
        self._first_commit = used
        # Nobody else gets these numbers from now on.
        database.execute("DELETE FROM sqlite_sequence WHERE name = 'commits'")
        database.execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('commits', ?)", (used + count,)
        )

    def _finish(self, database: sqlite_utils.Database) -> None:
        for branch in self._source.rows("SELECT * FROM branches WHERE fork_commit IS NOT NULL"):
            database.table("branches").update(
                branch["id"], {"fork_commit": branch["fork_commit"] + self._first_commit}
            )
        self._target.imports.finish(database, self._story)

    def _give_up(self) -> None:
        try:
            self._target.imports.sweep(self._story)
        except StoreError:
            return  # the library is busy or full; the next start sweeps it up

    def _batches(self) -> Iterator[tuple[int, Write]]:
        for table in COPIED:
            for rows in self._pieces(f"SELECT * FROM {table} ORDER BY rowid", {}):
                renewed = [self._renewed(table, row) for row in rows]
                yield len(rows), partial(add_all, table=table, rows=renewed)
        # One shelf after the other: see `store.database.word_index`.
        for [kind] in self._source.tuples(
            "SELECT kind FROM shelves GROUP BY kind ORDER BY min(number)"
        ):
            for rows in self._pieces(_WORDINGS.format(table=TABLES[kind]), {"kind": kind}):
                wordings = [self._wording(kind, row) for row in rows]
                yield len(rows), partial(insert_wordings, wordings=wordings)

    def _pieces(self, sql: str, values: Mapping[str, str]) -> Iterator[list[Row]]:
        """Yield the rows of a query in pieces of a bounded size."""
        cursor = self._source.read().conn.execute(sql, values)
        names = [column[0] for column in cursor.description]
        piece: list[Row] = []
        size = 0
        for found in cursor:
            row = dict(zip(names, found, strict=True))
            piece.append(row)
            size += sum(len(value) for value in found if isinstance(value, str))
            if len(piece) >= _ROWS or size >= _BYTES:
                yield piece
                piece, size = [], 0
        if piece:
            yield piece

    def _renewed(self, table: str, row: Row) -> Row:
        if table == "outlines":  # whose numbers count for all stories
            return {name: value for name, value in row.items() if name != "number"}
        column = COMMIT_COLUMNS.get(table)
        return row | {column: row[column] + self._first_commit} if column else row

    def _wording(self, kind: EntityKind, row: Row) -> Wording:
        entity = from_row(ENTITY_TYPES[kind], row)
        commit = row["commit_id"] + self._first_commit
        return wording_of(entity, row["branch_id"], row["chapter"], commit)

    def _count(self) -> int:
        counts = [
            self._source.tuples(f"SELECT count(*) FROM {table}")[0][0]
            for table in (*COPIED, "wordings")
        ]
        return sum(counts) or 1
