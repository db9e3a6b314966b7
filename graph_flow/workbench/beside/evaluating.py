"""How good texts are: a story's, or any that somebody else has written, as a judge reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.llm.budget import Budget
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.agents import CHAPTER_ANALYSIS, GLOBAL_EVALUATION
from graph_flow.telling.evaluation.card.making import VERSION as CARD_VERSION
from graph_flow.telling.evaluation.card.making import make_card
from graph_flow.telling.evaluation.counts.counted import Counted
from graph_flow.telling.evaluation.judging import evaluate
from graph_flow.telling.evaluation.readers.agreement import HumanCeiling, human_ceiling
from graph_flow.telling.evaluation.readers.fitting import FittedWeights, fitted, ratings_of
from graph_flow.telling.evaluation.reports import Report
from graph_flow.telling.evaluation.results import BOOK, CurvePoint, curve_of, result_of
from graph_flow.views import SideState, SideWorkSeen
from graph_flow.workbench.beside.consistency import ConsistencyService
from graph_flow.workbench.beside.counting import CountingService
from store.formats.reading.parts import ReadBook
from store.models.base import PARAGRAPH_LIMIT, new_id
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    EvaluationResult,
    EvaluationSettings,
    EvaluationState,
    IndicatorScores,
    JudgeName,
    ReaderScores,
)
from store.models.desk.judge import JudgeCard
from store.models.run import Caps, Totals
from store.open import Store
from store.records.desk.evaluations import JudgedText, book_fingerprint
from store.text import count_words

_CARD = "card"
_NO_TEXT = "There is no text to evaluate yet. Write a chapter first."
_TITLE = 80


class _Book(NamedTuple):
    """A text that is to be evaluated; `planned` is how many chapters it is to have, if that is known."""

    branch: str
    name: str
    chapters: Sequence[JudgedText]
    theme: str = ""
    planned: int = 0


class EvaluationService:
    """Evaluations of texts: begun, gone on with, and read."""

    def __init__(
        self,
        store: Store,
        side_work: SideWork,
        book: EndpointBook,
        counting: CountingService,
        consistency: ConsistencyService,
    ) -> None:
        self._consistency = consistency
        self._store = store
        self._side_work = side_work
        self._book = book
        self._counting = counting

    @property
    def judge(self) -> JudgeName:
        """Which model judges: the one that the two agents use, or both if they use different ones."""
        names = (CHAPTER_ANALYSIS.name, GLOBAL_EVALUATION.name)
        used = list(dict.fromkeys(self._book.current_of(names).values()))
        return JudgeName(
            endpoint=cut(" + ".join(dict.fromkeys(one.name for one in used)), 400),
            model=cut(" + ".join(dict.fromkeys(one.model for one in used)), 400),
        )

    def of_story(
        self,
        branch_id: str,
        settings: EvaluationSettings | None = None,
        telling_id: str | None = None,
    ) -> Evaluation:
        """Return the evaluation of a branch's text as it is now, begun if it was not yet.

        One of the same text by the same judge goes on, if the interval is the same. What else the `settings`
        say holds for what is returned, and is kept only by `weigh`; without any, it is as it was kept.

        Raises:
            WorkbenchError: if it has no text.
            NotFound: if there is no such branch or telling.
        """
        story = self._store.library.story_of(branch_id)
        name = story.title or "Untitled"
        if telling_id is not None:
            telling = self._store.tellings.get(telling_id)
            texts = list(self._store.tellings.texts(telling))
            name = f"{name}: {telling.name}"
        else:
            texts = list(self._store.contents.texts(branch_id))
        chapters = [JudgedText(one.draft.title, one.draft.text) for one in texts]
        planned = (story.settings.planned or 0) if telling_id is None else 0
        theme = story.brief.premise
        return self._begun(_Book(branch_id, name, chapters, theme, planned), settings)

    def of_book(self, book: ReadBook, settings: EvaluationSettings | None = None) -> Evaluation:
        """Return the evaluation of a book that is in no story, begun if it was not yet.

        Raises:
            WorkbenchError: if it has no text.
        """
        chapters = [
            JudgedText((one.title or f"Chapter {at}")[:_TITLE], one.text)
            for at, one in enumerate(book.chapters, start=1)
        ]
        branch = f"text-{book_fingerprint(chapters)[:24]}"
        return self._begun(_Book(branch, book.title, chapters), settings)

    def _begun(self, book: _Book, settings: EvaluationSettings | None) -> Evaluation:
        whole = [one for one in book.chapters if count_words(one.text)]
        if not whole:
            raise WorkbenchError(_NO_TEXT)
        wanted = Evaluation(
            id=new_id(),
            branch=book.branch,
            name=book.name[:200],
            text=book_fingerprint(whole),
            chapters=len(whole),
            planned=max(book.planned, len(whole)),
            words=sum(count_words(one.text) for one in whole),
            theme=cut(book.theme.strip(), PARAGRAPH_LIMIT),
            judge=self.judge,
            settings=settings or EvaluationSettings(),
            created=datetime.now(UTC),
        )
        known = self._store.evaluations.same(wanted)
        if known is None:
            return self._store.evaluations.begin(wanted, whole)
        return known.model_copy(update={"settings": settings}) if settings else known

    def weigh(self, evaluation_id: str, settings: EvaluationSettings) -> Evaluation:
        """Keep by which weights, and by which words, scores are made of what is judged: nothing is asked again.

        Raises:
            WorkbenchError: if the interval is another one, for then the judge has to be asked.
        """
        if settings.interval != self.get(evaluation_id).settings.interval:
            raise WorkbenchError("With another interval the text has to be judged anew.")
        return self._store.evaluations.change_settings(evaluation_id, settings)

    @property
    def card(self) -> JudgeCard | None:
        """The card of the judge that is used now; None if it was not tested."""
        return self.card_of(self.judge)

    def card_of(self, judge: JudgeName) -> JudgeCard | None:
        """Return a judge's newest card; None if it was not tested, or only by older tests."""
        return self._store.judge_cards.newest(judge, CARD_VERSION)

    def test_judge(self, caps: Caps | None = None) -> JudgeName:
        """Begin to make the card of the judge that is used now.

        One that was interrupted goes on: what was paid for is found again.

        Raises:
            BranchBusy: if that is under way.
        """
        judge = self.judge

        def work(context: StoryContext) -> JudgeCard:
            return make_card(_within(context, caps), judge)

        self._side_work.begin(card_branch(judge), _CARD, work)
        return judge

    def testing(self, judge: JudgeName) -> SideWorkSeen | None:
        """Return how the making of a card stands; None if none was begun since the app was started."""
        return self._side_work.seen(card_branch(judge), _CARD)

    def stop_testing(self, judge: JudgeName) -> None:
        """Stop making a card; what is finished is not asked again."""
        self._side_work.stop(card_branch(judge), _CARD)

    def wait_for_card(self, judge: JudgeName, seconds: float | None = None) -> bool:
        """Wait until a card is made, or was not; return False if that takes too long."""
        return self._side_work.wait(card_branch(judge), _CARD, seconds)

    def begin(
        self, evaluation: Evaluation, caps: Caps | None = None, *, with_contradictions: bool = True
    ) -> None:
        """Begin to judge what is not judged yet; each chapter is kept when it comes.

        An able model also looks for contradictions in each chapter, unless that is left out.

        Raises:
            BranchBusy: if that is under way.
            WorkbenchError: if another model judges now: a score of one is none of the other.
        """
        if evaluation.judge != self.judge:
            raise WorkbenchError(
                "This evaluation was begun with another model. Begin a new one, or choose that model "
                "for the judges in Settings again."
            )

        def work(context: StoryContext) -> str:
            within = _within(context, caps)
            if not with_contradictions:
                return evaluate(within, evaluation)
            check = self._consistency.check_in(within, evaluation)
            return evaluate(within, evaluation, check.up_to)

        self._side_work.begin(evaluation.branch, _key(evaluation), work)

    def seen(self, evaluation: Evaluation) -> SideWorkSeen | None:
        """Return how the work stands; None if none was begun since the app was started."""
        return self._side_work.seen(evaluation.branch, _key(evaluation))

    def stop(self, evaluation: Evaluation) -> None:
        """Stop judging; what is done stays."""
        self._side_work.stop(evaluation.branch, _key(evaluation))

    def wait(self, evaluation: Evaluation, seconds: float | None = None) -> bool:
        """Wait until the work has ended; return False if that takes too long."""
        return self._side_work.wait(evaluation.branch, _key(evaluation), seconds)

    def is_open(self, evaluation: Evaluation, *, with_contradictions: bool = True) -> bool:
        """Return whether there is anything left to judge."""
        if self.get(evaluation.id).state is not EvaluationState.DONE:
            return True
        return with_contradictions and self._consistency.is_open(evaluation)

    def finish(
        self, evaluation: Evaluation, caps: Caps | None = None, *, with_contradictions: bool = True
    ) -> EvaluationResult:
        """Judge all that is not judged yet, and return what came of it once it is done.

        Raises:
            WorkbenchError: if it was stopped, or the model has failed; what was done stays.
        """
        if self.is_open(evaluation, with_contradictions=with_contradictions):
            self.begin(evaluation, caps, with_contradictions=with_contradictions)
            self.wait(evaluation)
            seen = self.seen(evaluation)
            if seen is None or seen.state is not SideState.DONE:
                raise WorkbenchError(seen.message if seen else "It was stopped.")
        result = self.result(evaluation.id, evaluation.settings)
        if result is None:
            raise WorkbenchError(_NO_TEXT)
        return result

    def get(self, evaluation_id: str) -> Evaluation:
        """Return an evaluation as it is now.

        Raises:
            NotFound: if there is none.
        """
        return self._store.evaluations.get(evaluation_id)

    def of_branch(self, branch_id: str) -> list[Evaluation]:
        """Return the evaluations of a branch's text, the newest first."""
        return self._store.evaluations.of_branch(branch_id)

    def done(self, evaluation_id: str) -> int:
        """Return how many chapters are judged."""
        return self._store.evaluations.done(evaluation_id)

    def result(
        self, evaluation_id: str, settings: EvaluationSettings | None = None
    ) -> EvaluationResult | None:
        """Return the scores of what is judged so far; None if nothing is.

        They are made by the settings that are kept with it, unless others are given.
        """
        kept = self._store.evaluations
        evaluation = kept.get(evaluation_id)
        return result_of(
            evaluation.model_copy(update={"settings": settings}) if settings else evaluation,
            kept.chapters(evaluation_id),
            kept.intervals(evaluation_id),
            kept.readers(evaluation_id),
        )

    def curve(self, evaluation_id: str) -> list[CurvePoint]:
        """Return how quality goes along the chapters that are judged."""
        kept = self._store.evaluations
        return curve_of(
            kept.get(evaluation_id),
            kept.chapters(evaluation_id),
            kept.intervals(evaluation_id),
            kept.readers(evaluation_id),
        )

    def chapters(self, evaluation_id: str) -> list[EvaluatedChapter]:
        """Return what was said of each chapter, in order."""
        return self._store.evaluations.chapters(evaluation_id)

    def intervals(self, evaluation_id: str) -> list[EvaluatedInterval]:
        """Return the looks at the whole, in order."""
        return self._store.evaluations.intervals(evaluation_id)

    def text(self, evaluation_id: str, place: int) -> JudgedText:
        """Return a chapter as it was judged."""
        return self._store.evaluations.text(evaluation_id, place)

    def counted(self, evaluation_id: str) -> Counted:
        """Return what can be counted in a text as it was judged: of a long book, in seconds."""
        return self._counting.count(self._counting.of_evaluation(self.get(evaluation_id)))

    def keep_reader(
        self,
        evaluation_id: str,
        reader: str,
        place: int,
        scores: IndicatorScores,
        overall: float | None = None,
    ) -> ReaderScores:
        """Keep what somebody who has read it gives a chapter, or the whole book (`place` 0).

        `overall` is what they give it as a whole, 0 to 10, if they say so.

        Raises:
            WorkbenchError: if the reader has no name.
        """
        name = " ".join(reader.split())[:_TITLE]
        if not name:
            raise WorkbenchError("Say who has read it.")
        return self._store.evaluations.save_reader(
            ReaderScores(
                id=new_id(),
                evaluation=evaluation_id,
                reader=name,
                place=place,
                scores=scores,
                overall=overall,
                created=datetime.now(UTC),
            )
        )

    def fitted(self, reader: str) -> FittedWeights | None:
        """Return the weights that a reader's ratings of any text come to; None if they are too few.

        The first time takes a second: a library is read in for it.
        """
        return fitted(ratings_of(self._store.evaluations.overall_by(reader)))

    def rated(self, reader: str) -> int:
        """Return how many overall scores a reader has given."""
        return len(self._store.evaluations.overall_by(reader))

    def ceiling(self, evaluation_id: str) -> HumanCeiling | None:
        """Return how far readers agree, and the judge with them; None if nobody has scored the text.

        The first time takes seconds: a library is read in for it.
        """
        readers = self.readers(evaluation_id)
        result = self.result(evaluation_id) if readers else None
        if result is None:
            return None
        judged = {one.place: one.scores for one in self.chapters(evaluation_id)}
        return human_ceiling(readers, {**judged, BOOK: result.automated.scores})

    def report(self, evaluation_id: str, settings: EvaluationSettings | None = None) -> Report:
        """Return all that is known of a text, for a file; by the settings kept with it, or by others.

        Raises:
            WorkbenchError: if nothing is judged yet.
        """
        result = self.result(evaluation_id, settings)
        if result is None:
            raise WorkbenchError(_NO_TEXT)
        return Report(
            name=result.evaluation.name,
            counted=self.counted(evaluation_id),
            result=result,
            chapters=self.chapters(evaluation_id),
            intervals=self.intervals(evaluation_id),
            readers=self.readers(evaluation_id),
            card=self.card_of(result.evaluation.judge),
            errors=self._consistency.errors(evaluation_id),
            ceiling=self.ceiling(evaluation_id),
        )

    def is_current(self, evaluation: Evaluation) -> bool:
        """Return whether a branch's text is still as it was judged."""
        texts = self._store.contents.texts(evaluation.branch)
        chapters = [JudgedText(one.draft.title, one.draft.text) for one in texts]
        whole = [one for one in chapters if count_words(one.text)]
        return book_fingerprint(whole) == evaluation.text

    def length(self, branch_id: str) -> int:
        """Return how many chapters of a branch have text."""
        return sum(count_words(one.draft.text) > 0 for one in self._store.contents.texts(branch_id))

    def key_of(self, evaluation: Evaluation, place: int) -> int:
        """Return the number by which the chapter is kept that was judged at a place.

        If the book was arranged anew since, it is the chapter that has this place now.
        """
        keys = [
            one.draft.chapter
            for one in self._store.contents.texts(evaluation.branch)
            if count_words(one.draft.text)
        ]
        return keys[min(place, len(keys)) - 1] if keys else place

    def has_text(self, branch_id: str) -> bool:
        """Return whether there is anything to judge."""
        return self._store.contents.length(branch_id).words > 0

    def readers(self, evaluation_id: str) -> list[ReaderScores]:
        """Return what all readers gave."""
        return self._store.evaluations.readers(evaluation_id)


def card_branch(judge: JudgeName) -> str:
    """Return where the calls for a judge's card are kept."""
    return f"judge-{judge.key}"


def _within(context: StoryContext, caps: Caps | None) -> StoryContext:
    return replace(context, budget=Budget(caps, Totals())) if caps else context


def _key(evaluation: Evaluation) -> str:
    return f"evaluate/{evaluation.id}"
