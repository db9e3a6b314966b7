"""What agents have suggested for passages of texts, on each branch."""

from __future__ import annotations

from collections.abc import Callable

from store.database.database import Database
from store.database.records import Records
from store.models.desk.suggestion import Suggestion

_OPEN = "branch = :branch AND chapter = :chapter AND state = 'open' ORDER BY id"


class Suggestions:
    """Keeps every suggestion, also those that were left: each was paid for."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._suggestions = Records(database, Suggestion, "suggestions", "This suggestion is gone.")

    def add(self, suggestion: Suggestion) -> Suggestion:
        """Keep a new suggestion."""
        return self._suggestions.save(suggestion)

    def get(self, suggestion_id: str) -> Suggestion:
        """Return a suggestion by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._suggestions.get(suggestion_id)

    def change(self, suggestion_id: str, change: Callable[[Suggestion], Suggestion]) -> Suggestion:
        """Change a suggestion as it is kept now.

        Raises:
            NotFound: if there is none.
        """
        with self._database.write():
            return self._suggestions.save(change(self._suggestions.get(suggestion_id)))

    def open(self, branch: str, chapter: int) -> list[Suggestion]:
        """Return the suggestions for a chapter that the writer has neither taken nor left, in order."""
        return self._suggestions.all(_OPEN, {"branch": branch, "chapter": chapter})
