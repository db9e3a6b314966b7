"""What a branch shares with the one that it left: the tellings of the chapters before it left.

Nothing is copied when a branch starts. It reads the goals, candidates, verdicts, plans and texts
of its parent as they stood at that moment: each row says which was the story's newest branch when
it was kept, and a branch reads what was kept before it was there itself. What its parent changes
in place later on is first set aside for the branch, as a row of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeVar

import sqlite_utils
from pydantic import BaseModel, Field

from store.database.database import Database
from store.database.records import Records
from store.database.rows import Value, from_row, to_row
from store.models.base import Id, Record
from store.prototype.lineage import UNBOUNDED

R = TypeVar("R", bound=BaseModel)

SHARED = f"""
WITH RECURSIVE line (branch_id, last_chapter, before_branch) AS (
    SELECT :branch, {UNBOUNDED}, {UNBOUNDED}
    UNION
    SELECT branches.parent, min(line.last_chapter, branches.fork_chapter),
           min(line.before_branch, branches.number)
    FROM line JOIN branches ON branches.id = line.branch_id
    WHERE branches.parent IS NOT NULL
)
"""
"""Yields each branch of a line with the last chapter of it that is shared, and until when.

`UNION` drops repeated rows, so that even a damaged library cannot make it run for ever.
"""

_NEWEST_BRANCH = """
SELECT max(number) AS number FROM branches
WHERE story = (SELECT story FROM branches WHERE id = :branch)
"""
_SET_ASIDE = """
INSERT INTO {table} ({columns})
SELECT {values} FROM {table} AS t JOIN branches AS child
  ON child.parent = t.branch AND child.fork_chapter >= t.chapter AND child.number > t.newest_branch
WHERE {condition}
"""
_FRESH: Mapping[str, str] = {
    "branch": "child.id",
    "id": "lower(hex(randomblob(11)))",
    "plan": "NULL",
}
"""Of a row that is set aside, the columns that are not those of the row it is taken from."""


StampedTable = Literal["goals", "candidates", "verdicts", "plans", "drafts", "outlines"]


class Stamp(Record):
    """When a row was kept: which was the story's newest branch then."""

    id: Id
    """Of a verdict, its chapter; of an outline, its version."""
    newest_branch: Annotated[int, Field(ge=0, lt=2**53)]


def along(table: str, columns: str = "t.*") -> str:
    """Return the beginning of a query for the rows `t` of a table that a line has."""
    return f"""{SHARED}
    SELECT {columns} FROM line CROSS JOIN {table} AS t ON t.branch = line.branch_id
       AND t.chapter <= line.last_chapter AND t.newest_branch < line.before_branch
    """


def newest_branch(database: Database, branch: str) -> int:
    """Return the number of the newest branch of a branch's story."""
    row = database.row(_NEWEST_BRANCH, {"branch": branch})
    return (row["number"] or 0) if row else 0


def set_aside(
    database: sqlite_utils.Database, table: str, condition: str, values: Mapping[str, Value]
) -> None:
    """Keep a row `t`, which is about to change, as it is for the branches that share it."""
    columns = list(database.table(table).columns_dict)
    sql = _SET_ASIDE.format(
        table=table,
        columns=", ".join(columns),
        values=", ".join(_FRESH.get(column, f"t.{column}") for column in columns),
        condition=condition,
    )
    database.execute(sql, dict(values))


class SharedRecords(Records[R]):
    """Records of chapters, which belong to a branch and are shared with those that start later."""

    def along(self, branch: str, condition: str, values: Mapping[str, object]) -> list[R]:
        """Return the records `t` along a line that meet an SQL condition, which may have an order."""
        sql = f"{along(self._table)} WHERE {condition}"
        rows = self._database.rows(sql, {**values, "branch": branch})
        return [from_row(self._model, row) for row in rows]

    def first_along(self, branch: str, condition: str, values: Mapping[str, object]) -> R | None:
        """Return the first record along a line that meets an SQL condition."""
        return next(iter(self.along(branch, f"{condition} LIMIT 1", values)), None)

    def add(self, record: R, **more: Value) -> R:
        """Keep a new record. `more` are columns that are no field."""
        stamp = self.stamp(str(to_row(record)["branch"]))
        return self.save(record, **more, newest_branch=stamp)

    def revise(self, record_id: str, **values: Value) -> R:
        """Set some columns of a record and return it; who shares it keeps it as it was.

        Raises:
            NotFound: if there is none.
        """
        with self._database.write() as database:
            branch = str(to_row(self.get(record_id))["branch"])
            set_aside(database, self._table, "t.id = :id", {"id": record_id})
            return self.update(record_id, **values, newest_branch=self.stamp(branch))

    def stamp(self, branch: str) -> int:
        """Return what tells when a row is kept that is kept now."""
        return newest_branch(self._database, branch)


_STAMPED: Mapping[StampedTable, str] = {
    "goals": "id",
    "candidates": "id",
    "verdicts": "CAST(chapter AS TEXT)",
    "plans": "id",
    "drafts": "id",
    "outlines": "CAST(version AS TEXT)",
}
"""The tables of what a story file holds, and what tells a branch's rows apart."""


def read_stamps(database: Database, branch: str) -> dict[StampedTable, tuple[Stamp, ...]]:
    """Return when the rows of a branch were kept; those from before any other branch are left out."""
    stamps: dict[StampedTable, tuple[Stamp, ...]] = {}
    for table, key in _STAMPED.items():
        rows = database.rows(
            f"SELECT {key} AS id, newest_branch FROM {table} "
            "WHERE branch = :branch AND newest_branch > 0 ORDER BY rowid",
            {"branch": branch},
        )
        if rows:
            stamps[table] = tuple(from_row(Stamp, row) for row in rows)
    return stamps


def write_stamps(
    database: sqlite_utils.Database, branch: str, stamps: Mapping[StampedTable, Iterable[Stamp]]
) -> None:
    """Set when the rows of a branch were kept, as a story that is taken in says it of itself."""
    for table, key in _STAMPED.items():
        values = [
            {"id": stamp.id, "newest": stamp.newest_branch} for stamp in stamps.get(table, ())
        ]
        database.execute(
            f"UPDATE {table} SET newest_branch = 0 WHERE branch = :branch", {"branch": branch}
        )
        database.conn.executemany(
            f"UPDATE {table} SET newest_branch = :newest WHERE branch = :branch AND {key} = :id",
            [{**value, "branch": branch} for value in values],
        )


def number_branches(database: sqlite_utils.Database, numbers: Mapping[str, int]) -> None:
    """Set in which order the branches of a story started, by their ids."""
    for branch, number in numbers.items():
        database.table("branches").update(branch, {"number": number})
