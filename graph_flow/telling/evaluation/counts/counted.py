"""All that is counted of a text without a model: in its chapters, against its writer's pages, and its story."""

from __future__ import annotations

from graph_flow.telling.evaluation.counts.naming import ChapterNaming
from graph_flow.telling.evaluation.counts.own_pages import OwnPhrases
from graph_flow.telling.evaluation.counts.threads import OpenThreads
from graph_flow.telling.evaluation.measures import PER, ChapterMeasures
from store.models.base import Record


class CountedChapter(Record):
    """What was counted in a chapter; `naming` and `threads` are None where no plot belongs to it."""

    title: str
    measures: ChapterMeasures
    naming: ChapterNaming | None = None
    threads: OpenThreads | None = None


class Counted(Record):
    """What was counted in a text, by chapter, and what it uses more than its writer's own pages do.

    `has_story` says whether it belongs to a story that can be looked at as it was told.
    """

    chapters: tuple[CountedChapter, ...] = ()
    own: OwnPhrases = OwnPhrases()
    has_story: bool = False

    def overused(self, place: int) -> float | None:
        """Return how often a chapter uses such phrases in 10,000 words; None if that cannot be told."""
        if not self.own.is_known:
            return None
        words = self.chapters[place - 1].measures.words
        found = sum(count for _, count in self.own.in_chapter(place))
        return PER * found / words if words else 0.0
