"""Prompts of chapters that nobody works on any more: summed up, as the writer wishes.

A call goes only when no run can ask for it again: its chapter is followed by others, and its run is
done, or is one of several chapters and went on to the next. All writes are short, and each leaves everything in order if it is the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import sqlite_utils

from store.database.database import Database, Row
from store.database.packing import PACKED, SHORT, packed_row
from store.database.rows import Value
from store.models.run import KeptPrompts, PromptKeeping
from store.prototype.lineage import newest_chapter
from store.records.calls import LONG, CallRecords
from store.records.library import Library

SETTING = "prompts"
"""The key under which the library keeps `PromptKeeping`."""

BATCH = 40
"""Rows that are packed in one transaction."""

Goes = Callable[[], bool]
"""Says whether there is still time for one more step."""

_OLD = """
SELECT CAST(step AS INTEGER) AS chapter FROM calls WHERE branch = :branch
GROUP BY chapter ORDER BY max(created) DESC, chapter DESC LIMIT -1 OFFSET :kept
"""
_FINISHED = """
calls.branch = :branch AND calls.step >= :first AND calls.step < :after AND NOT EXISTS (
    SELECT 1 FROM runs WHERE runs.id = calls.run AND runs.state <> 'done'
      AND json_extract(runs.task, '$.kind') <> 'plot' AND coalesce(runs.at_chapter, 0) <= :chapter
)
"""
_SUM_UP = f"""
INSERT INTO spent
SELECT branch, :chapter, agent, outcome, coalesce(run, ''), count(*), sum(tokens_in),
       sum(tokens_out), sum(milliseconds), sum(cost)
FROM calls WHERE {_FINISHED} GROUP BY branch, agent, outcome, run
ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls, tokens_in = tokens_in + excluded.tokens_in,
    tokens_out = tokens_out + excluded.tokens_out,
    milliseconds = milliseconds + excluded.milliseconds, cost = cost + excluded.cost
"""
_DELETE = f"DELETE FROM calls WHERE {_FINISHED}"
_SPACE = """
SELECT count(*) AS calls,
       coalesce(sum(length(prompt) + length(answer) + length(sources)), 0) AS bytes
FROM calls
"""


class OldPrompts:
    """Sums up what is too old to be kept, and packs what an earlier version kept as it was."""

    def __init__(self, database: Database, calls: CallRecords, library: Library) -> None:
        self._database = database
        self._calls = calls
        self._library = library

    @property
    def keeping(self) -> PromptKeeping:
        """The prompts that the writer wants kept."""
        return self._library.read_setting(SETTING, PromptKeeping) or PromptKeeping()

    def change_keeping(self, chapters: int | None) -> None:
        """Keep from now on the prompts of so many chapters of each branch; None: of all."""
        wanted = PromptKeeping(chapters=chapters)
        self._library.change_setting(SETTING, wanted, lambda _: wanted)

    def kept(self) -> KeptPrompts:
        """Return how many calls are kept whole in the library, and what they take."""
        row = self._database.row(_SPACE) or {"calls": 0, "bytes": 0}
        return KeptPrompts(**row)

    def thin(self, branch: str) -> int:
        """Sum up the calls for all chapters of a branch but those that were worked on last.

        Return how many calls went.
        """
        chapters = self.keeping.chapters
        if chapters is None:
            return 0
        old = self._database.rows(_OLD, {"branch": branch, "kept": chapters})
        plotted = newest_chapter(self._database, branch) if old else 0
        chapters_old = [row["chapter"] for row in old if row["chapter"] < plotted]
        return sum(self._sum_up(branch, chapter) for chapter in chapters_old)

    def thin_all(self, goes_on: Goes) -> int:
        """Thin every branch of the library; return how many calls went."""
        rows = self._database.rows("SELECT id FROM branches ORDER BY rowid")
        return sum(self.thin(row["id"]) for row in rows if goes_on())

    def pack(self, goes_on: Goes) -> int:
        """Pack what an earlier version kept as it was, a few rows at a time; return how many."""
        tables = {"calls": frozenset(LONG), **PACKED}
        return sum(sum(self._batches(table, tables[table], goes_on)) for table in tables)

    def _batches(self, table: str, columns: frozenset[str], goes_on: Goes) -> Iterator[int]:
        """Pack a table from its beginning to its end, yielding how many rows each step packed."""
        values = {"after": 0, "short": SHORT, "most": BATCH}
        while goes_on():
            with self._database.write() as database:
                rows = self._database.rows(_unpacked(table, columns), values)
                for row in rows:
                    packed = self._packed(database, table, row)
                    changes = {name: packed[name] for name in columns} | {"place": row["place"]}
                    database.execute(_replacing(table, columns), changes)
            if not rows:
                return
            values["after"] = rows[-1]["place"]
            yield len(rows)

    def _packed(self, database: sqlite_utils.Database, table: str, row: Row) -> Mapping[str, Value]:
        if table == "calls":
            return self._calls.packed(database, row)
        return packed_row(table, row)

    def _sum_up(self, branch: str, chapter: int) -> int:
        """Sum up the calls for one chapter, all of them or none."""
        values = {
            "branch": branch,
            "chapter": chapter,
            "first": f"{chapter}/",
            "after": f"{chapter}0",
        }
        with self._database.write() as database:
            database.execute(_SUM_UP, values)
            return database.execute(_DELETE, values).rowcount


def _unpacked(table: str, columns: frozenset[str]) -> str:
    """Return a query for the next rows that have a long text as it was."""
    is_long = " OR ".join(
        f"(typeof({name}) = 'text' AND length({name}) > :short)" for name in sorted(columns)
    )
    return (
        f"SELECT rowid AS place, * FROM {table} WHERE rowid > :after AND ({is_long}) "
        "ORDER BY rowid LIMIT :most"
    )


def _replacing(table: str, columns: frozenset[str]) -> str:
    changes = ", ".join(f"{name} = :{name}" for name in sorted(columns))
    return f"UPDATE {table} SET {changes} WHERE rowid = :place"
