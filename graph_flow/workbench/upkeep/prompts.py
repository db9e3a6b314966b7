"""Prompts and answers: which are kept, and what they take."""

from __future__ import annotations

from collections.abc import Callable

from store.models.run import KeptPrompts, PromptKeeping
from store.open import Store


class PromptService:
    """The prompts and answers that the library keeps."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def keeping(self) -> PromptKeeping:
        """The prompts that the writer wants kept."""
        return self._store.old_prompts.keeping

    def keep(self, chapters: int | None) -> None:
        """Keep from now on the prompts of the chapters worked on last, so many of each branch.

        None: of all chapters. Older ones are summed up when nothing is at work.
        """
        self._store.old_prompts.change_keeping(chapters)

    def kept(self) -> KeptPrompts:
        """Return how many calls are kept whole in the library, and what they take."""
        return self._store.old_prompts.kept()

    def summed_up(self, branch_id: str, chapter: int) -> int:
        """Return how many calls of a chapter are not kept any more, but for what they cost."""
        return self._store.ledger.summed_up(branch_id, chapter)

    def tidy(self, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Sum up what is too old, pack the rest, and give back the space if that is much.

        Each step is short; before each, `goes_on` says whether there is time for it.

        Raises:
            StoreError: if the library cannot be written now.
        """
        self._store.old_prompts.thin_all(goes_on)
        self._store.old_prompts.pack(goes_on)
        if goes_on():
            self._store.database.give_back_space()
