"""Continuity: where a story contradicts itself, and which of that the writer intends."""

from __future__ import annotations

from graph_flow.cognition.continuity.check import ContinuityChecker
from graph_flow.scoring.scores import score_continuity_again
from graph_flow.views import FindingView, finding_views
from store.models.plot import Thread
from store.open import Store


class ContinuityService:
    """The findings of the continuity check."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checker = ContinuityChecker(store)

    def findings(self, branch_id: str, chapter: int | None = None) -> list[FindingView]:
        """Return where a branch, as it is now, breaks its continuity, in the order of its chapters.

        With `chapter`, return only findings about that chapter. Findings that the writer intends
        are included, with the reason.
        """
        story_id = self._store.library.branch(branch_id).story
        found = self._checker.findings(branch_id)
        asked = [one for one in found if chapter is None or chapter in one.chapters]
        return list(finding_views(story_id, asked, self._store.intended.reasons(story_id)))

    def open_threads(self, branch_id: str) -> list[Thread]:
        """Return the threads that the story has planted but neither paid off nor dropped."""
        return self._checker.open_threads(branch_id)

    def mark_intended(self, story_id: str, key: str, reason: str) -> None:
        """Mark a finding as intended by the writer, on every branch of the story.

        Candidates that are still open are scored again without it.

        Raises:
            ValidationError: if the reason is empty or too long.
        """
        self._store.intended.mark(story_id, key, reason)
        score_continuity_again(self._store, story_id)

    def take_back_intended(self, story_id: str, key: str) -> None:
        """Mark a finding as no longer intended."""
        self._store.intended.take_back(story_id, key)
        score_continuity_again(self._store, story_id)
