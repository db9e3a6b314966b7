"""Where a text contradicts itself, and where it and its story do not say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.agents import CONSISTENCY_JUDGE
from graph_flow.telling.evaluation.consistency.beside_story import (
    NotInStory,
    NotInText,
    StoryIndex,
    Untold,
    compared,
    noted,
    untold_events,
)
from graph_flow.telling.evaluation.consistency.checking import ConsistencyCheck
from graph_flow.telling.evaluation.consistency.results import Errors, Stretch, along, errors_of
from graph_flow.telling.material.facts import facts_of
from graph_flow.views import FindingView
from graph_flow.workbench.continuity import ContinuityService
from store.models.desk.consistency import CheckedChapter
from store.models.desk.evaluation import Evaluation, JudgeName
from store.models.endpoint import ModelStrength
from store.models.manuscript import Draft
from store.open import Store


class InContinuity(NamedTuple):
    """A finding of the continuity check, and whether a judge has found something in the same chapters' text."""

    view: FindingView
    is_found_in_text: bool


class BesideStory(NamedTuple):
    """A text beside the story that it tells. `chapters` counts those that could be compared.

    `continuity` is what the continuity check finds in the story itself, but for what the writer intends.
    """

    chapters: int
    continuity: list[InContinuity]
    not_in_text: list[NotInText]
    not_in_story: list[NotInStory]


class _Told(NamedTuple):
    """A chapter of a text that is as it was judged: its place, and what is kept of it."""

    place: int
    draft: Draft


class ConsistencyService:
    """Contradictions in texts that are evaluated: the check, and what came of it."""

    def __init__(self, store: Store, book: EndpointBook, continuity: ContinuityService) -> None:
        self._store = store
        self._book = book
        self._continuity = continuity

    @property
    def is_able(self) -> bool:
        """Whether the model in use can look for contradictions: a small one cannot."""
        return self._book.current(CONSISTENCY_JUDGE.name).strength is ModelStrength.ABLE

    @property
    def judge(self) -> JudgeName:
        """Which model looks for contradictions."""
        used = self._book.current(CONSISTENCY_JUDGE.name)
        return JudgeName(endpoint=cut(used.name, 400), model=cut(used.model, 400))

    def check_in(self, context: StoryContext, evaluation: Evaluation) -> ConsistencyCheck:
        """Return the check of a text, to go on with where it stopped."""
        return ConsistencyCheck(context, evaluation, self.judge)

    def is_open(self, evaluation: Evaluation) -> bool:
        """Return whether chapters are left that the judge that is used now could read."""
        return self.is_able and self.done(evaluation) < evaluation.chapters

    def done(self, evaluation: Evaluation) -> int:
        """Return how many chapters the judge that is used now has read."""
        return len(self._store.consistency_checks.places(evaluation.id, self.judge.key))

    def errors(self, evaluation_id: str) -> Errors | None:
        """Return what was found in a text by the judge that read in it last; None if none has."""
        return errors_of(self._checked(evaluation_id))

    def along(self, evaluation_id: str) -> list[Stretch]:
        """Return where in the book errors were found, in as many stretches as a picture has room for."""
        return along(self._checked(evaluation_id))

    def _checked(self, evaluation_id: str) -> list[CheckedChapter]:
        kept = self._store.consistency_checks
        key = kept.newest_key(evaluation_id)
        return kept.of(evaluation_id, key) if key is not None else []

    def has_story(self, evaluation: Evaluation) -> bool:
        """Return whether there is a plotted story that the text could tell."""
        head = self._store.prototype.head(evaluation.branch)
        return head is not None and head.chapter > 0

    def beside_story(self, evaluation: Evaluation) -> BesideStory | None:
        """Return what the text and its story do not both say; None if it has no story, or is another text now.

        No model is asked. Only chapters are compared whose text is as it was judged.
        """
        if not self.has_story(evaluation):
            return None
        told = list(self._told(evaluation))
        if not told:
            return None
        branch = evaluation.branch
        story = StoryIndex(self._store.prototype.snapshot(branch))
        checked = {one.place: one for one in self._checked(evaluation.id)}
        keys = {one.place: one.draft.chapter for one in told}
        suspect = {
            keys[at]
            for place, one in checked.items()
            for it in one.found
            if it.counts
            for at in (place, it.before)
            if at in keys
        }
        return BesideStory(
            chapters=len(told),
            continuity=[
                InContinuity(one, bool(suspect & set(one.finding.chapters)))
                for one in self._continuity.findings(branch)
                if one.intended is None
            ],
            not_in_text=[it for one in told for it in self._not_in_text(branch, story, one)],
            not_in_story=[
                it
                for one in told
                for it in self._not_in_story(branch, story, one, checked.get(one.place))
            ],
        )

    def _told(self, evaluation: Evaluation) -> Iterator[_Told]:
        """Yield the plotted chapters whose text is still as it was judged."""
        store = self._store
        plotted = store.prototype.head(evaluation.branch)
        last = plotted.chapter if plotted is not None else 0
        now = {
            (one.draft.title, one.draft.text): one.draft
            for one in store.contents.texts(evaluation.branch)
        }
        for place in range(1, evaluation.chapters + 1):
            text = store.evaluations.text(evaluation.id, place)
            draft = now.get((text.title, text.text))
            if draft is not None and draft.chapter <= last:
                yield _Told(place, draft)

    def _not_in_text(self, branch: str, story: StoryIndex, one: _Told) -> Iterator[NotInText]:
        told = {event for scene in one.draft.scenes for event in scene.events}
        told |= {event for paragraph in one.draft.paragraphs for event in paragraph.events}
        events = story.events_of(one.draft.chapter)
        for event, why in untold_events(events, one.draft.text, told):
            yield NotInText(one.place, why, event.title, event.summary)
        yield from self._not_revealed(branch, story, one)

    def _not_revealed(self, branch: str, story: StoryIndex, one: _Told) -> Iterator[NotInText]:
        """Yield what the chapter's plan was to tell the reader, who does not know it at its end."""
        chapter = one.draft.chapter
        plan = self._store.manuscript.plan(branch, chapter) if one.draft.told else None
        if plan is None:
            return
        before = self._store.contents.before(branch, chapter)
        known = {*one.draft.told, *self._store.manuscript.told_in(branch, before)}
        untold = [key for key in plan.reveals if key not in known]
        facts = {it.key: it.text for it in facts_of(story.snapshot)} if untold else {}
        for key in untold:
            if key in facts:
                yield NotInText(one.place, Untold.NOT_REVEALED, "", facts[key])

    def _not_in_story(
        self, branch: str, story: StoryIndex, one: _Told, checked: CheckedChapter | None
    ) -> Iterator[NotInStory]:
        chapter = one.draft.chapter
        newest = self._store.comparisons.newest(branch, chapter)
        yield from compared(one.place, newest, one.draft.text, story.snapshot)
        if checked is not None:
            yield from noted(one.place, checked.facts, story, chapter)
