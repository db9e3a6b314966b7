"""What the writer means in spite of the continuity check, with the reason; for a whole story."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import StringConstraints

from store.database import Database
from store.models.base import Id, Record
from store.rows import from_row, now, to_row

Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
"""Why the writer means it so: never empty, for a reader of the list wants to know."""


class Intention(Record):
    """That the writer means a finding, by its key, to be so."""

    finding: Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
    reason: Reason


class Intended(Intention):
    """An intention in a story."""

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
        """Have a finding intended no longer."""
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
        """Return the reasons by the key of the finding."""
        return {one.finding: one.reason for one in self.of(story)}
