"""Stale marks: kept until what they mark is made anew, or the writer says that it still fits."""

from __future__ import annotations

from collections.abc import Iterable

from store.database import Database
from store.models.staleness import StaleMark, TargetKind
from store.records import Records
from store.rows import to_row


class Staleness:
    """Keeps what is stale on each branch."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marks = Records(
            database, StaleMark, "stale_marks", "This mark is not in the library."
        )

    def add(self, branch: str, marks: Iterable[StaleMark]) -> None:
        """Keep marks on a branch. What is marked for the same reason already is marked once."""
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
        """Say that something still fits, or was seen to.

        Raises:
            NotFound: if there is no such mark.
        """
        return self._marks.update(mark_id, is_settled=1)

    def settle_made_anew(self, branch: str, kind: TargetKind, target: str) -> None:
        """Take the marks from something that was made anew."""
        values = {"branch": branch, "kind": kind, "target": target}
        with self._database.write() as database:
            database.execute(
                "UPDATE stale_marks SET is_settled = 1 "
                "WHERE branch = :branch AND target_kind = :kind AND target = :target",
                values,
            )

    def settle_commit(self, branch: str, commit_id: int) -> None:
        """Take the marks that a commit made, because it was undone."""
        with self._database.write() as database:
            database.execute(
                "UPDATE stale_marks SET is_settled = 1 "
                "WHERE branch = :branch AND commit_id = :commit",
                {"branch": branch, "commit": commit_id},
            )


def _said(mark: StaleMark) -> tuple[str, str, str]:
    return mark.target_kind, mark.target, mark.reason
