"""Compare what the writer has changed in a text with the story; the writer takes it or refuses it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from graph_flow.branching.keeping import commit_candidate
from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.comparing.agents import CHANGED_FACTS
from graph_flow.telling.comparing.compare import compare, part_tokens, readable
from graph_flow.telling.comparing.passages import changed_passages, in_parts
from graph_flow.telling.comparing.proposed import proposed_before
from graph_flow.telling.comparing.reading import (
    expect_unmoved,
    is_unmoved,
    merged,
    refers_within,
)
from graph_flow.telling.comparing.telling import events_in_order, events_told
from graph_flow.views import FoundLineSeen, RunEstimate, SideWorkSeen, TextToCompare, change_lines
from graph_flow.workbench.estimates import estimate_call
from graph_flow.workbench.story import StoryService
from store.models.base import new_id
from store.models.delta import Delta
from store.models.edits.comparison import (
    ComparisonState,
    FoundLine,
    TextComparison,
    takeable,
)
from store.models.manuscript import Draft, DraftState
from store.models.plot import Event
from store.models.proposals import Candidate, Chooser, Goal
from store.models.prototype import Snapshot
from store.open import Store

_GOAL = 2_000
_AROUND = 2_000
"""Tokens of a request besides the text: what is asked, and what is known of the story."""
_MOVED = "This has been changed since the text was read, and would be as the text has it."
_DECIDED = "You have decided on that already, perhaps in another window."


class ComparingService:
    """What a text that was changed by hand says of its story; nothing changes by itself."""

    def __init__(
        self, store: Store, side_work: SideWork, book: EndpointBook, story: StoryService
    ) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book
        self._story = story

    def to_compare(self, branch_id: str, chapter: int) -> TextToCompare | None:
        """Return what was changed in a chapter's text since it was written or compared last.

        None if nothing was, or if the story is not one that it could be compared with.
        """
        draft = self._store.manuscript.draft(branch_id, chapter)
        head = self._store.prototype.head(branch_id)
        if draft is None or head is None or self._is_direct(branch_id):
            return None
        if draft.state is DraftState.WRITING or not draft.text.strip():
            return None
        if chapter <= head.chapter:
            before = self._text_before(branch_id, draft)
            passages = changed_passages(before, draft)
            return TextToCompare(passages=passages) if passages else None
        is_next = draft.is_by_hand and chapter == head.chapter + 1
        if not is_next or self._has_refused(branch_id, draft):
            return None
        return TextToCompare(passages=changed_passages("", draft), is_plot=True)

    def estimate(self, branch_id: str, text: TextToCompare) -> RunEstimate:
        """Return roughly what a comparison uses, and which model makes it."""
        return self.estimate_all(branch_id, [text])

    def estimate_all(self, branch_id: str, texts: Sequence[TextToCompare]) -> RunEstimate:
        """Return roughly what the comparison of several texts uses together."""
        endpoint = self._book.current(CHANGED_FACTS.name)
        past = self._store.ledger.by_agent(branch_id)
        one = estimate_call(CHANGED_FACTS, endpoint, past)
        room = part_tokens(endpoint.strength, endpoint.context_window)
        calls = sum(
            len(in_parts(readable(text.passages, endpoint.strength), room)) for text in texts
        )
        read = sum(
            estimate_tokens(f"{it.before}{it.now}") for text in texts for it in text.passages
        )
        tokens_in = read + _AROUND * calls
        tokens_out = one.tokens_out * calls
        sums = {
            "calls": calls,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cost": (tokens_in * endpoint.price_in + tokens_out * endpoint.price_out) / 1_000_000,
            "seconds": one.seconds * calls if one.seconds else None,
        }
        return one.model_copy(update=sums)

    def compare(self, branch_id: str, chapter: int) -> TextComparison:
        """Begin to compare a chapter's text with the story; what is found is kept when it comes.

        One that was interrupted goes on: what was paid for is found again.

        Raises:
            BranchBusy: if it is being compared already.
            WorkbenchError: if nothing was changed.
            LibraryUnavailable: if it cannot be kept; nothing is asked then.
        """
        found = self.to_compare(branch_id, chapter)
        draft = self._store.manuscript.draft(branch_id, chapter)
        if found is None or draft is None:
            raise WorkbenchError("Nothing in this text has changed since it was compared last.")
        self._side_work.expect_room(branch_id, _key(chapter))
        begun = self.current(branch_id, chapter)
        is_same = begun is not None and begun.text == draft.text
        if begun is None or not is_same or begun.state is not ComparisonState.ASKED:
            begun = self._store.comparisons.add(
                TextComparison(
                    id=new_id(),
                    branch=branch_id,
                    chapter=chapter,
                    text=draft.text,
                    passages=found.passages,
                    is_plot=found.is_plot,
                    created=datetime.now(UTC),
                )
            )
        self._begin(begun)
        return begun

    def current(self, branch_id: str, chapter: int) -> TextComparison | None:
        """Return the newest comparison of a chapter's text, unless the writer has decided on it."""
        newest = self._store.comparisons.newest(branch_id, chapter)
        return None if newest is None or newest.is_decided else newest

    def is_current(self, comparison: TextComparison) -> bool:
        """Return whether the text is still as it was when it was compared."""
        draft = self._store.manuscript.draft(comparison.branch, comparison.chapter)
        return draft is not None and draft.text == comparison.text

    def seen(self, branch_id: str, chapter: int) -> SideWorkSeen | None:
        """Return how the newest comparison stands; None if none was begun since the app was started."""
        return self._side_work.seen(branch_id, _key(chapter))

    def stop(self, branch_id: str, chapter: int) -> None:
        """Stop comparing; what is finished is not asked again."""
        self._side_work.stop(branch_id, _key(chapter))

    def wait(self, branch_id: str, chapter: int, seconds: float | None = None) -> bool:
        """Wait until a comparison has come or failed; return False if that takes too long."""
        return self._side_work.wait(branch_id, _key(chapter), seconds)

    def lines(self, comparison: TextComparison) -> list[FoundLineSeen]:
        """Return what was found line by line, in a writer's words, with what is in doubt about it."""
        story = self._story_before(comparison)
        new = {one.id: one for line in comparison.lines for one in line.delta.additions()}
        known = story.model_copy(update={"entities": {**story.entities, **new}})
        return [
            FoundLineSeen(
                changes=change_lines(line.delta, known),
                quote=line.quote,
                needs=line.needs,
                doubt=line.doubt or (_MOVED if not is_unmoved(story, line.delta) else ""),
            )
            for line in comparison.lines
        ]

    def take(self, comparison_id: str, chosen: Collection[int]) -> list[int]:
        """Make the chosen changes the writer's own, and return the places of those that were made.

        Lines that need one that is not chosen fall with it. In a chapter that has a plot they are an
        edit as of that chapter; otherwise they become its plot.

        Raises:
            WorkbenchError: if nothing is left to take, it was decided on before, or the chapter cannot be
                plotted now.
            StoryMoved: if what would change is no longer as it was.
            DeltaInvalid: if it does not fit the story. Nothing is changed then.
        """
        with self._store.database.write():
            comparison = self._open(comparison_id)
            places = takeable(comparison.lines, chosen)
            if not places:
                raise WorkbenchError("Choose what is to change, or refuse all of it.")
            lines = [comparison.lines[at] for at in places]
            self._make(comparison, lines, self._delta(comparison, lines))
        return places

    def take_in(self, comparison_id: str, chosen: Collection[int]) -> list[int]:
        """Make a chapter of a book part of the plot; return the places of the lines that it is made of.

        Unlike `take`, it may be none of them, and what has been changed since is set as the text has
        it. Lines about whom or what the story has not got are left out.

        Raises:
            WorkbenchError, DeltaInvalid: as `take`.
        """
        with self._store.database.write():
            comparison = self._open(comparison_id)
            story = self._story_now(comparison)
            known, places = set(story.entities), []
            for at in takeable(comparison.lines, chosen):
                delta = comparison.lines[at].delta
                if refers_within(delta, known):
                    places.append(at)
                    known |= {one.id for one in delta.additions()}
            lines = [comparison.lines[at] for at in places]
            self._make(comparison, lines, merged(story, [line.delta for line in lines]))
        return places

    def _make(self, comparison: TextComparison, lines: Sequence[FoundLine], delta: Delta) -> None:
        if comparison.is_plot:
            self._plot(comparison, delta)
        else:
            self._edit(comparison, delta)
        self._tell(comparison, lines)
        self._decide(comparison, ComparisonState.TAKEN)

    def refuse(self, comparison_id: str) -> None:
        """Leave the story as it is; the text counts as compared."""
        with self._store.database.write():
            self._decide(self._open(comparison_id), ComparisonState.REFUSED)

    def _begin(self, comparison: TextComparison) -> None:
        step = f"{comparison.chapter}/facts/{comparison.id}"

        def work(context: StoryContext) -> str:
            self._store.comparisons.change(compare(context, comparison, step))
            return comparison.id

        self._side_work.begin(comparison.branch, _key(comparison.chapter), work)

    def _open(self, comparison_id: str) -> TextComparison:
        comparison = self._store.comparisons.get(comparison_id)
        if comparison.state is not ComparisonState.OPEN:
            raise WorkbenchError(_DECIDED)
        return comparison

    def _decide(self, comparison: TextComparison, state: ComparisonState) -> None:
        self._store.comparisons.change(comparison.model_copy(update={"state": state}))

    def _story_before(self, comparison: TextComparison) -> Snapshot:
        """Return the story without a comparison's lines, with what was found in chapters before it."""
        chapter = comparison.chapter + (not comparison.is_plot)
        return proposed_before(self._store, comparison.branch, chapter).story

    def _story_now(self, comparison: TextComparison) -> Snapshot:
        as_of = comparison.chapter - comparison.is_plot
        return self._store.prototype.snapshot(comparison.branch, as_of)

    def _delta(self, comparison: TextComparison, lines: Sequence[FoundLine]) -> Delta:
        story = self._story_now(comparison)
        deltas = [line.delta for line in lines]
        expect_unmoved(story, deltas)
        return merged(story, deltas)

    def _edit(self, comparison: TextComparison, delta: Delta) -> None:
        """Commit an edit; the text that says so already is not stale by it."""
        branch, chapter = comparison.branch, comparison.chapter
        commit = self._story.commit_edit(branch, delta, chapter)
        for mark in self._store.staleness.open_marks(branch):
            is_own = mark.target_kind == "draft" and mark.chapter == chapter
            if commit is not None and mark.commit_id == commit.id and is_own:
                self._store.staleness.settle(mark.id)

    def _plot(self, comparison: TextComparison, delta: Delta) -> None:
        """Commit a chapter that was typed by hand as if its plot had been chosen from candidates."""
        branch, chapter = comparison.branch, comparison.chapter
        head = self._store.prototype.head(branch)
        if head is None or head.chapter + 1 != chapter:
            raise WorkbenchError(f"Chapter {chapter} is not the next chapter of the plot any more.")
        if self._store.runs.active(branch) or self._store.runs.waiting(branch):
            raise BranchBusy(
                "Something else in this story is being worked on, or waits for your answer. "
                "See to it first."
            )
        draft = self._store.manuscript.draft(branch, chapter)
        title = draft.title if draft is not None else f"Chapter {chapter}"
        round_ = self._store.proposals.next_round(branch, chapter)
        told = " ".join(one.summary for one in delta.additions() if isinstance(one, Event))
        goal = Goal(
            id=new_id(),
            branch=branch,
            chapter=chapter,
            round=round_,
            position=0,
            title=title,
            text=cut(told, _GOAL),
            is_by_writer=True,
        )
        self._store.proposals.save_goals([goal])
        candidate = Candidate(
            id=new_id(),
            branch=branch,
            chapter=chapter,
            round=round_,
            goal=goal.id,
            title=title,
            delta=delta,
            is_by_writer=True,
        )
        self._store.proposals.save_candidate(candidate)
        commit_candidate(self._store, candidate, comparison.id, Chooser.WRITER)

    def _tell(self, comparison: TextComparison, lines: Sequence[FoundLine]) -> None:
        """Keep which paragraphs tell the events that were found in them."""
        draft = self._store.manuscript.draft(comparison.branch, comparison.chapter)
        if draft is None or draft.branch != comparison.branch:
            return
        known = draft.paragraphs
        if comparison.is_plot:
            events = events_in_order(draft.text, len(known), lines)
        else:
            events = events_told(draft.text, known, lines)
        self._store.manuscript.save_events(draft, events)

    def _text_before(self, branch_id: str, draft: Draft) -> str:
        """Return the text that a text is to be compared with: what is known of the story went by it."""
        manuscript, chapter = self._store.manuscript, draft.chapter
        if manuscript.by_agent(branch_id, chapter, draft.text) is not None:
            return draft.text
        written = manuscript.by_agent(branch_id, chapter)
        decided = self._store.comparisons.newest_decided(branch_id, chapter)
        if decided is not None and (written is None or decided.created > written.created):
            return decided.text
        return written.text if written is not None else ""

    def _has_refused(self, branch_id: str, draft: Draft) -> bool:
        decided = self._store.comparisons.newest_decided(branch_id, draft.chapter)
        is_refused = decided is not None and decided.state is ComparisonState.REFUSED
        return is_refused and decided is not None and decided.text == draft.text

    def _is_direct(self, branch_id: str) -> bool:
        return self._store.library.story_of(branch_id).settings.is_direct


def _key(chapter: int) -> str:
    return f"compare/{chapter}"
