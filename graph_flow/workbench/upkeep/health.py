"""Whether the library still is what was once written."""

from __future__ import annotations

from datetime import timedelta

from store.database.rows import now
from store.models.health import LIBRARY, Health
from store.open import Store
from store.upkeep.checks import OnStory, check_library, check_newest, check_story

_A_DAY = timedelta(days=1)


class HealthService:
    """What was found when stories and the library were last checked, and checks on demand."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, story_id: str) -> Health | None:
        """Return what the last check of a story found; None: it was never checked."""
        return self._store.health.of(story_id)

    def of_library(self) -> Health | None:
        """Return what the last check of the library's file found; None: it was never checked."""
        return self._store.health.of(LIBRARY)

    def all(self) -> dict[str, Health]:
        """Return what the last checks found, by the ids of stories."""
        return self._store.health.all()

    def check_newest(self, branch_id: str) -> tuple[str, ...]:
        """Check the newest chapters of a branch, when it opens; return what is damaged.

        The cost does not grow with the story.
        """
        return check_newest(self._store, branch_id)

    def check(self, story_id: str) -> Health:
        """Check all of a story; it takes some seconds for a thousand chapters.

        Raises:
            NotFound: if there is no such story.
        """
        return check_story(self._store, story_id)

    def check_if_due(self) -> None:
        """Check everything if that was not done in the last day."""
        last = self.of_library()
        if last is None or now() - last.checked > _A_DAY:
            self.check_all()

    def check_all(self, on_story: OnStory = lambda _part, _whole: None) -> list[Health]:
        """Check the library's file, then every story; return what was found, the file first."""
        return check_library(self._store, on_story)
