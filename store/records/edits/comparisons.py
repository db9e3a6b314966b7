"""Comparisons of a chapter's text with the story, on each branch."""

from __future__ import annotations

from store.database.database import Database
from store.database.rows import to_row
from store.models.edits.comparison import TextComparison
from store.records.sharing import SharedRecords

_NEWEST = "t.chapter = :chapter ORDER BY t.id DESC"
_DECIDED = "t.chapter = :chapter AND t.state IN ('taken', 'refused') ORDER BY t.id DESC"


class Comparisons:
    """Keeps every comparison; a branch shares those of its parent from before it began."""

    def __init__(self, database: Database) -> None:
        self._comparisons = SharedRecords(
            database, TextComparison, "comparisons", "This comparison is gone."
        )

    def add(self, comparison: TextComparison) -> TextComparison:
        """Keep a new comparison."""
        return self._comparisons.add(comparison)

    def change(self, comparison: TextComparison) -> TextComparison:
        """Keep a comparison in place of how it was kept before.

        Raises:
            NotFound: if it was not kept.
        """
        row = to_row(comparison)
        return self._comparisons.revise(str(row.pop("id")), **row)

    def get(self, comparison_id: str) -> TextComparison:
        """Return a comparison by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._comparisons.get(comparison_id)

    def newest(self, branch: str, chapter: int) -> TextComparison | None:
        """Return the newest comparison of a chapter's text; None if there is none."""
        return self._comparisons.first_along(branch, _NEWEST, {"chapter": chapter})

    def newest_decided(self, branch: str, chapter: int) -> TextComparison | None:
        """Return the newest comparison that the writer has taken or refused; None if there is none."""
        return self._comparisons.first_along(branch, _DECIDED, {"chapter": chapter})
