"""A whole book read into the story: what is found in its chapters waits, and is taken in one go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from graph_flow.telling.comparing.passages import changed_passages
from graph_flow.telling.comparing.proposed import (
    typed_chapters,
    unread_chapters,
)
from graph_flow.views import FoundLineSeen, RunEstimate, TextToCompare
from graph_flow.workbench.beside.comparing import ComparingService
from store.models.edits.comparison import ComparisonState, TextComparison, takeable
from store.models.run import Caps, ReadBook
from store.open import Store


class ChapterFound(NamedTuple):
    """What was found in a chapter that is not part of the plot yet."""

    comparison: TextComparison
    lines: list[FoundLineSeen]

    @property
    def undoubted(self) -> list[int]:
        """The places of the lines that are taken unless the writer decides otherwise."""
        certain = [at for at, line in enumerate(self.lines) if not line.doubt]
        return takeable(self.comparison.lines, certain)


class Taken(NamedTuple):
    """How many chapters and lines were taken, and how many had lost whom or what they are about."""

    chapters: int
    lines: int
    lost: int


class BookReadingService:
    """Reads the chapters of a book that was brought, and makes of them what the writer takes."""

    def __init__(self, store: Store, comparing: ComparingService) -> None:
        self._store = store
        self._comparing = comparing

    def unread(self, branch_id: str) -> list[int]:
        """Return the chapters that could be read into the story now; none before it has begun."""
        is_direct = self._store.library.story_of(branch_id).settings.is_direct
        if is_direct or self._store.prototype.head(branch_id) is None:
            return []
        return unread_chapters(self._store, branch_id)

    def estimate(self, branch_id: str) -> RunEstimate:
        """Return roughly what reading all of them uses."""
        drafts = [self._store.manuscript.draft(branch_id, one) for one in self.unread(branch_id)]
        texts = [
            TextToCompare(passages=changed_passages("", one), is_plot=True) for one in drafts if one
        ]
        return self._comparing.estimate_all(branch_id, texts)

    def task(self, branch_id: str, caps: Caps | None = None) -> ReadBook:
        """Return the task of reading all of them.

        Raises:
            ValidationError: if there are none.
        """
        return ReadBook(chapters=tuple(self.unread(branch_id)), caps=caps or Caps())

    def found(self, branch_id: str) -> list[ChapterFound]:
        """Return what was found and waits for the writer, chapter by chapter as they follow the plot."""
        head = self._store.prototype.head(branch_id)
        found: list[ChapterFound] = []
        for draft in typed_chapters(self._store, branch_id, head.chapter if head else 0):
            newest = self._store.comparisons.newest(branch_id, draft.chapter)
            if newest is None or newest.state is not ComparisonState.OPEN:
                break
            found.append(ChapterFound(newest, self._comparing.lines(newest)))
        return found

    def take(self, branch_id: str, chosen: Mapping[str, Collection[int]]) -> Taken:
        """Make chapters part of the plot, in their order; `chosen` are places of lines by comparison.

        Lines about somebody who was not taken are left out. All of it is done, or nothing.

        Raises:
            WorkbenchError: if a chapter was decided on meanwhile, or cannot be plotted now.
            DeltaInvalid: if something does not fit the story.
        """
        taken = wanted = chapters = 0
        with self._store.database.write():
            for one in self.found(branch_id):
                if one.comparison.id not in chosen:
                    break
                places = takeable(one.comparison.lines, chosen[one.comparison.id])
                taken += len(self._comparing.take_in(one.comparison.id, places))
                wanted += len(places)
                chapters += 1
        return Taken(chapters, taken, wanted - taken)
