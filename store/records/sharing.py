"""What a branch shares with its parent: what was made for the chapters before it started.

Nothing is copied when a branch starts. It reads the goals, candidates, verdicts, plans and texts of
its parent as they were at that moment: each row says which was the story's newest branch when it
was kept, and a branch reads what was kept before it existed. Before its parent changes a row in
place, a copy of it is set aside for the branch.
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
from store.models.desk.contents import FIRST_OF_TEXT_ALONE
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

`UNION` drops repeated rows, so not even a damaged library can make it run forever.
"""

IS_SHARED = f"(+t.chapter <= line.last_chapter OR +t.chapter >= {FIRST_OF_TEXT_ALONE})"
"""Whether a row `t` may be shared, by its chapter. What is kept of a chapter of text alone always may:
the contents of a branch say which of these it has (see `store.texts.contents`).
The signs keep SQLite from looking a row up twice, once for each of both.
"""

_NEWEST_BRANCH = """
SELECT max(number) AS number FROM branches
WHERE story = (SELECT story FROM branches WHERE id = :branch)
"""
_SET_ASIDE = f"""
INSERT INTO {{table}} ({{columns}})
SELECT {{values}} FROM {{table}} AS t JOIN branches AS child
  ON child.parent = t.branch AND child.number > t.newest_branch
 AND (child.fork_chapter >= t.chapter OR t.chapter >= {FIRST_OF_TEXT_ALONE})
WHERE {{condition}}
"""
_FRESH: Mapping[str, str] = {
    "branch": "child.id",
    "id": "lower(hex(randomblob(11)))",
    "plan": "NULL",
}
"""The columns in which a row that is set aside differs from the one it is copied from."""


StampedTable = Literal[
    "goals",
    "candidates",
    "verdicts",
    "plans",
    "drafts",
    "outlines",
    "margin_notes",
    "contents",
    "tellings",
]


class Stamp(Record):
    """When a row was kept, by what was the story's newest branch then."""

    id: Id
    """For a verdict, its chapter; for an outline, its version."""
    newest_branch: Annotated[int, Field(ge=0, lt=2**53)]


def along(table: str, columns: str = "t.*") -> str:
    """Return the beginning of a query for a line's rows `t` of a table."""
    return f"""{SHARED}
    SELECT {columns} FROM line CROSS JOIN {table} AS t ON t.branch = line.branch_id
       AND {IS_SHARED} AND t.newest_branch < line.before_branch
    """


def newest_branch(database: Database, branch: str) -> int:
    """Return the number of the newest branch of a branch's story."""
    row = database.row(_NEWEST_BRANCH, {"branch": branch})
    return (row["number"] or 0) if row else 0


def set_aside(
    database: sqlite_utils.Database, table: str, condition: str, values: Mapping[str, Value]
) -> None:
    """Copy a row `t` that is about to change, for the branches that share it."""
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
        """Return a line's records `t` that meet an SQL condition, which may end with ORDER BY."""
        sql = f"{along(self._table)} WHERE {condition}"
        rows = self._database.rows(sql, {**values, "branch": branch})
        return [from_row(self._model, row) for row in rows]

    def first_along(self, branch: str, condition: str, values: Mapping[str, object]) -> R | None:
        """Return the first record along a line that meets an SQL condition."""
        return next(iter(self.along(branch, f"{condition} LIMIT 1", values)), None)

    def add(self, record: R, **more: Value) -> R:
        """Keep a new record. `more` are columns that are not fields."""
        stamp = self.stamp(str(to_row(record)["branch"]))
        return self.save(record, **more, newest_branch=stamp)

    def revise(self, record_id: str, **values: Value) -> R:
        """Set some columns of a record and return it; branches that share it keep it as it was.

        Raises:
            NotFound: if there is none.
        """
        with self._database.write() as database:
            branch = str(to_row(self.get(record_id))["branch"])
            set_aside(database, self._table, "t.id = :id", {"id": record_id})
            return self.update(record_id, **values, newest_branch=self.stamp(branch))

    def stamp(self, branch: str) -> int:
        """Return the stamp of a row that is kept now."""
        return newest_branch(self._database, branch)


_STAMPED: Mapping[StampedTable, str] = {
    "goals": "id",
    "candidates": "id",
    "verdicts": "CAST(chapter AS TEXT)",
    "plans": "id",
    "drafts": "id",
    "outlines": "CAST(version AS TEXT)",
    "margin_notes": "id",
    "contents": "id",
    "tellings": "id",
}
"""The tables in a story file, and what identifies a row of a branch."""


def read_stamps(database: Database, branch: str) -> dict[StampedTable, tuple[Stamp, ...]]:
    """Return when a branch's rows were kept, except those from before any other branch."""
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
    """Set when the rows of a branch were kept, as an imported story says."""
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
    """Set the order in which the branches of a story started, by their ids."""
    for branch, number in numbers.items():
        database.table("branches").update(branch, {"number": number})
