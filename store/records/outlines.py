"""Outlines, with a row for each version.

A branch without one of its own reads its parent's, as it was when the branch started.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlite_utils

from store.database.database import Database
from store.database.rows import from_row, to_row
from store.errors import NotFound, StoryMoved
from store.models.base import Id, Record, dump_json
from store.models.outline import Outline, OutlineState
from store.models.proposals import Telling
from store.prototype.lineage import LINE, bounds, head_at
from store.records.sharing import SHARED, along, newest_branch

_KEPT = 30
"""The versions of a branch's outlines that are kept, besides the last one in each state."""

_MARKS = f"""{SHARED}
SELECT t.number, t.id, t.version, t.state, t.origin
FROM line CROSS JOIN outlines AS t ON t.branch = line.branch_id
  AND t.newest_branch < line.before_branch
ORDER BY t.version DESC
"""
_PRUNE = """
DELETE FROM outlines WHERE branch = :branch AND version <= :version AND version NOT IN (
    SELECT max(version) FROM outlines WHERE branch = :branch GROUP BY id, newest_branch, state
)
"""
"""A branch that shares outlines reads the last one of a state that was saved before it started."""

_TELLING = f"""
SELECT t.id, t.chapter, t.tells FROM ({along("candidates")} WHERE t.tells <> '[]') AS t
"""
_ORIGINS = f"""{LINE}
SELECT c.chapter, c.origin FROM line CROSS JOIN commits AS c
  ON c.branch = line.branch_id AND c.chapter <= line.last_chapter AND c.id <= line.last_commit
WHERE c.kind = 'chapter' AND c.chapter IN (SELECT value FROM json_each(:chapters)) ORDER BY c.id
"""
_MOVED = (
    "The outline has been changed since, perhaps in another window. This is how it is now; "
    "please make your change again."
)
_IN_USE = (OutlineState.ACCEPTED, OutlineState.LAID_ASIDE)


class ToldPart(Record):
    """A sub-event of an outline, and the event of a chapter that tells it."""

    part: Id
    event: Id
    chapter: int


class _Mark(NamedTuple):
    """A version without its content."""

    number: int
    id: str
    version: int
    state: OutlineState
    origin: str


class Outlines:
    """Keeps the outlines of each branch; a draft that is thrown away can be taken up again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self, branch: str) -> Outline | None:
        """Return the current draft, or else the accepted outline, as the branch's own.

        An earlier draft is current again when a later one has been discarded.
        """
        return self._read(branch, _newest(self._marks(branch)))

    def accepted(self, branch: str) -> Outline | None:
        """Return the outline that the story is plotted by, as the branch's own."""
        return self._read(branch, _accepted(self._marks(branch)))

    def save(self, outline: Outline) -> Outline:
        """Keep an outline as the newest version, and return it as it is kept.

        Raises:
            StoryMoved: if another version was saved since the one that it was made from.
        """
        with self._database.write() as database:
            marks = self._marks(outline.branch)
            newest = _newest(marks)
            if outline.version != (newest.version if newest else 0):
                raise StoryMoved(_MOVED)
            return self._append(database, outline, marks)

    def save_draft(self, outline: Outline, round_: str, step: str) -> Outline:
        """Keep an outline as agents made it, in place of theirs of the same round.

        So a draft that was rejected leaves nothing behind; what the writer changed is kept.
        """
        with self._database.write() as database:
            marks = self._marks(outline.branch)
            if marks and marks[0].id == outline.id and marks[0].origin.startswith(f"{round_}/"):
                database.execute("DELETE FROM outlines WHERE number = ?", (marks[0].number,))
            return self._append(database, outline, marks, f"{round_}/{step}")

    def is_drafted(self, branch: str, round_: str, step: str) -> bool:
        """Return whether agents saved this step of a round last, with nothing saved since."""
        marks = self._marks(branch)
        return bool(marks) and marks[0].origin == f"{round_}/{step}"

    def drafted(self, branch: str) -> Outline | None:
        """Return the outline as agents saved it last, if that version is still kept."""
        mark = next((one for one in self._marks(branch) if one.origin), None)
        return self._read(branch, mark)

    def take_up(self, branch: str) -> Outline:
        """Bring back the outline that was discarded or laid aside last.

        Raises:
            NotFound: if something was saved since, or nothing was discarded.
        """
        with self._database.write() as database:
            marks = self._marks(branch)
            states = {
                OutlineState.DISCARDED: OutlineState.DRAFT,
                OutlineState.LAID_ASIDE: OutlineState.ACCEPTED,
            }
            outline = self._read(branch, marks[0] if marks else None)
            if outline is None or outline.state not in states:
                raise NotFound("There is no outline to bring back.")
            back = outline.model_copy(update={"state": states[outline.state]})
            return self._append(database, back, marks)

    def told(self, branch: str) -> list[ToldPart]:
        """Return the parts of outlines that the chapters of a branch tell, in order of chapters."""
        head = head_at(self._database, branch)
        rows = self._database.rows(_TELLING, {"branch": branch})
        chapters = sorted(
            {row["chapter"] for row in rows if head and row["chapter"] <= head.chapter}
        )
        if not chapters:
            return []
        origins = self._database.rows(_ORIGINS, bounds(branch) | {"chapters": dump_json(chapters)})
        # A chapter's origin ends with its candidate; the newest commit is the one that counts.
        chosen = {row["chapter"]: row["origin"].rpartition("-")[2] for row in origins}
        telling = [row for row in rows if chosen.get(row["chapter"]) == row["id"]]
        return [
            ToldPart(part=one.part, event=one.event, chapter=row["chapter"])
            for row in sorted(telling, key=lambda row: int(row["chapter"]))
            for one in from_row(_Tells, row).tells
        ]

    def versions(self, branch: str) -> list[Outline]:
        """Return the kept versions of a branch's own outlines, in order, for a story file."""
        rows = self._database.rows(
            "SELECT * FROM outlines WHERE branch = :branch ORDER BY version", {"branch": branch}
        )
        return [from_row(Outline, row) for row in rows]

    def import_outlines(self, outlines: Iterable[Outline]) -> None:
        """Keep the versions of outlines from a story file, each under its number."""
        with self._database.write() as database:
            database.table("outlines").insert_all(to_row(outline) for outline in outlines)

    def _append(
        self,
        database: sqlite_utils.Database,
        outline: Outline,
        marks: list[_Mark],
        origin: str = "",
    ) -> Outline:
        version = marks[0].version + 1 if marks else 1
        kept = Outline.model_validate({**dict(outline), "version": version})
        stamp = newest_branch(self._database, outline.branch)
        row = to_row(kept) | {"origin": origin, "newest_branch": stamp}
        database.table("outlines").insert(row)
        database.execute(_PRUNE, {"branch": outline.branch, "version": version - _KEPT})
        return kept

    def _read(self, branch: str, mark: _Mark | None) -> Outline | None:
        if mark is None:
            return None
        row = self._database.row(
            "SELECT * FROM outlines WHERE number = :number", {"number": mark.number}
        )
        return from_row(Outline, row | {"branch": branch}) if row else None

    def _marks(self, branch: str) -> list[_Mark]:
        rows = self._database.rows(_MARKS, {"branch": branch})
        return [_Mark(**{**row, "state": OutlineState(row["state"])}) for row in rows]


class _Tells(Record):
    tells: tuple[Telling, ...] = ()


def _accepted(marks: Iterable[_Mark]) -> _Mark | None:
    newest = next((mark for mark in marks if mark.state in _IN_USE), None)
    return newest if newest and newest.state is OutlineState.ACCEPTED else None


def _newest(marks: list[_Mark]) -> _Mark | None:
    latest: dict[str, _Mark] = {}
    for mark in marks:
        if mark.state in _IN_USE:
            break
        latest.setdefault(mark.id, mark)
    drafts = (mark for mark in latest.values() if mark.state is OutlineState.DRAFT)
    return next(drafts, None) or _accepted(marks)
