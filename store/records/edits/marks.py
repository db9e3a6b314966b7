"""Marks beside the story: what an edit made stale, and which findings the writer intends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from pydantic import StringConstraints

from store.database.database import Database
from store.database.records import Records
from store.database.rows import from_row, now, to_row
from store.models.base import Id, Record
from store.models.edits.staleness import StaleMark, TargetKind


class Staleness:
    """Keeps what is stale on each branch."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marks = Records(
            database, StaleMark, "stale_marks", "This mark is not in the library."
        )

    def add(self, branch: str, marks: Iterable[StaleMark]) -> None:
        """Keep marks on a branch, each only once for the same reason."""
        with self._database.write() as database:
            standing = {_said(mark) for mark in self.open_marks(branch)}
            new = {_said(mark): mark for mark in marks}
            rows = [to_row(mark) for said, mark in new.items() if said not in standing]
            database.table("stale_marks").insert_all(rows)

    def open_marks(self, branch: str) -> list[StaleMark]:
        """Return what is stale on a branch, by chapter."""
        return self._marks.all(
            "branch = :branch AND is_settled = 0 ORDER BY chapter, rowid", {"branch": branch}
        )

    def settle(self, mark_id: str) -> StaleMark:
        """Settle a mark: what it marks still fits, or has been dealt with.

        Raises:
            NotFound: if there is no such mark.
        """
        return self._marks.update(mark_id, is_settled=1)

    def settle_made_anew(self, branch: str, kind: TargetKind, target: str) -> None:
        """Settle the marks of something that was made again."""
        values = {"branch": branch, "kind": kind, "target": target}
        with self._database.write() as database:
            database.execute(
                "UPDATE stale_marks SET is_settled = 1 "
                "WHERE branch = :branch AND target_kind = :kind AND target = :target",
                values,
            )

    def settle_commit(self, branch: str, commit_id: int) -> None:
        """Settle the marks of a commit that was undone."""
        with self._database.write() as database:
            database.execute(
                "UPDATE stale_marks SET is_settled = 1 "
                "WHERE branch = :branch AND commit_id = :commit",
                {"branch": branch, "commit": commit_id},
            )


def _said(mark: StaleMark) -> tuple[str, str, str, tuple[str, ...]]:
    return mark.target_kind, mark.target, mark.reason, mark.events


Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
"""Why the writer intends it: never empty, because a reader of the list wants to know."""


class Intention(Record):
    """A finding, by its key, that the writer intends."""

    finding: Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
    reason: Reason


class Intended(Intention):
    """An intended finding of a story."""

    story: Id
    created: datetime


class IntendedFindings:
    """Keeps which findings of a story are intended, on all of its branches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def mark(self, story: str, finding: str, reason: str) -> Intended:
        """Keep a finding as intended, in place of an earlier reason.

        Raises:
            ValidationError: if the reason is empty or too long.
        """
        intended = Intended(story=story, finding=finding, reason=reason, created=now())
        with self._database.write() as database:
            database.table("intended").upsert(to_row(intended), pk=("story", "finding"))
        return intended

    def take_back(self, story: str, finding: str) -> None:
        """Stop intending a finding."""
        with self._database.write() as database:
            database.execute(
                "DELETE FROM intended WHERE story = :story AND finding = :finding",
                {"story": story, "finding": finding},
            )

    def of(self, story: str) -> list[Intended]:
        """Return what is intended in a story, in the order in which it was marked."""
        rows = self._database.rows(
            "SELECT * FROM intended WHERE story = :story ORDER BY created, finding",
            {"story": story},
        )
        return [from_row(Intended, row) for row in rows]

    def reasons(self, story: str) -> dict[str, str]:
        """Return the reasons by the key of their finding."""
        return {one.finding: one.reason for one in self.of(story)}
