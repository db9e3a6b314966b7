"""Talk: the writer asks the story, or one of its people, and takes or refuses what is proposed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

from graph_flow.errors import WorkbenchError
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.runtime.context import StoryContext
from graph_flow.talk.agents import PERSON_TALK, STORY_TALK
from graph_flow.talk.rehearsal import answer_as
from graph_flow.talk.story import answer_story
from graph_flow.views import RunEstimate, SideWorkSeen
from graph_flow.workbench import reading
from graph_flow.workbench.estimates import estimate_call
from graph_flow.workbench.plot import PlotService
from graph_flow.workbench.story import StoryService
from store.deltas.delta import describe
from store.deltas.sentences import Sentence
from store.models.base import new_id
from store.models.cast import Character, Life
from store.models.desk.talk import (
    QUESTION_LIMIT,
    ProposalState,
    ProposedChange,
    ProposedGoal,
    TalkTurn,
)
from store.models.proposals import Goal
from store.open import Store

P = TypeVar("P", ProposedChange, ProposedGoal)

_QUESTION = 0.4
"""The share of a model's window that a question may take."""
_EARLIER = 20
"""The questions before one of which as many as fit are shown with it."""


class TalkService:
    """The writer's talk with a story and its people; nothing of it changes the story by itself."""

    def __init__(
        self, store: Store, side_work: SideWork, book: EndpointBook, story: StoryService
    ) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book
        self._story = story
        self._plot = PlotService(store)

    def turns(
        self, branch_id: str, person: str | None = None, chapter: int | None = None
    ) -> list[TalkTurn]:
        """Return what was said to the story, or to a person as of a chapter, in order."""
        return self._store.talks.of(branch_id, person, chapter if person else None)

    def people(self, branch_id: str, chapter: int) -> list[Character]:
        """Return who is in the story at the end of a chapter, in order of appearance."""
        return self._store.prototype.snapshot(branch_id, chapter).characters

    def estimate(self, branch_id: str, person: str | None) -> RunEstimate:
        """Return roughly what an answer uses, and which model gives it."""
        agent = PERSON_TALK if person else STORY_TALK
        past = self._store.ledger.by_agent(branch_id)
        return estimate_call(agent, self._book.current(agent.name), past)

    def ask(
        self, branch_id: str, question: str, chapter: int, person: str | None = None
    ) -> TalkTurn:
        """Ask the story, or a person as of the end of a chapter; the answer comes beside runs.

        Raises:
            BranchBusy: if they are answering already.
            WorkbenchError: if there is no question, it is too long, or the person cannot answer.
            LibraryUnavailable: if it cannot be kept; nothing is asked then.
        """
        asked = question.strip()
        self._check(asked, person)
        head = self._store.prototype.head(branch_id)
        if head is None:
            raise WorkbenchError("The story has not begun yet: approve its premise first.")
        chapter = min(max(0, chapter), head.chapter)
        if person:
            self._check_person(branch_id, person, chapter)
        turn = TalkTurn(
            id=new_id(),
            branch=branch_id,
            person=person,
            chapter=chapter,
            question=asked,
            created=datetime.now(UTC),
        )
        self._expect_silence(turn)
        self._store.talks.save(turn)
        self._begin(turn)
        return turn

    def ask_again(self, turn_id: str) -> None:
        """Ask a question that has no answer once more; an answer that was paid for is found again.

        Raises:
            BranchBusy: if they are answering already.
        """
        turn = self._store.talks.get(turn_id)
        if not turn.answer:
            self._begin(turn)

    def seen(self, branch_id: str, person: str | None) -> SideWorkSeen | None:
        """Return how the newest answer stands; None if nothing was asked since the app was started."""
        return self._side_work.seen(branch_id, _key(person))

    def stop(self, branch_id: str, person: str | None) -> None:
        """Stop an answer; the question stays."""
        self._side_work.stop(branch_id, _key(person))

    def wait(self, branch_id: str, person: str | None, seconds: float | None = None) -> bool:
        """Wait until an answer has come or failed; return False if that takes too long."""
        return self._side_work.wait(branch_id, _key(person), seconds)

    def put_away(self, branch_id: str, person: str | None, chapter: int | None = None) -> None:
        """Put a conversation away, and begin with nothing said."""
        self._side_work.stop(branch_id, _key(person))
        self._side_work.wait(branch_id, _key(person))
        self._store.talks.put_away(branch_id, person, chapter if person else None)
        self._side_work.forget(branch_id, _key(person))

    def lines(self, change: ProposedChange, branch_id: str) -> Sequence[Sentence]:
        """Return a proposed change line by line, in a writer's words."""
        return describe(change.delta, self._store.prototype.snapshot(branch_id))

    def take_change(self, turn_id: str) -> None:
        """Make a proposed change, as the writer's own edit of the newest chapter.

        Raises:
            WorkbenchError: if it was taken or refused before.
            StoryMoved: if what it changes is no longer as it was.
            DeltaInvalid: if it does not fit any more. Nothing is changed then.
        """
        with self._store.database.write():
            turn = self._store.talks.get(turn_id)
            change = _open(turn.change)
            head = self._store.prototype.head(turn.branch)
            self._story.commit_edit(turn.branch, change.delta, head.chapter if head else 0)
            taken = change.model_copy(update={"state": ProposalState.TAKEN})
            self._store.talks.save(turn.model_copy(update={"change": taken}))

    def refuse_change(self, turn_id: str) -> None:
        """Leave the story as it is."""
        with self._store.database.write():
            turn = self._store.talks.get(turn_id)
            refused = _open(turn.change).model_copy(update={"state": ProposalState.REFUSED})
            self._store.talks.save(turn.model_copy(update={"change": refused}))

    def take_goal(self, turn_id: str) -> None:
        """Add a proposed goal to those of the next chapter, pinned, so that the next round keeps it.

        Raises:
            WorkbenchError: if it was taken or refused before.
        """
        with self._store.database.write():
            turn = self._store.talks.get(turn_id)
            goal = _open(turn.goal)
            self._add_goal(turn.branch, goal.title, goal.text)
            taken = goal.model_copy(update={"state": ProposalState.TAKEN})
            self._store.talks.save(turn.model_copy(update={"goal": taken}))

    def refuse_goal(self, turn_id: str) -> None:
        """Do without a proposed goal."""
        with self._store.database.write():
            turn = self._store.talks.get(turn_id)
            refused = _open(turn.goal).model_copy(update={"state": ProposalState.REFUSED})
            self._store.talks.save(turn.model_copy(update={"goal": refused}))

    def _add_goal(self, branch_id: str, title: str, text: str) -> None:
        head = self._store.prototype.head(branch_id)
        chapter = head.chapter + 1 if head else 1
        goals = reading.newest_goals(self._store, branch_id, chapter)
        self._plot.save_goal(
            Goal(
                id=new_id(),
                branch=branch_id,
                chapter=chapter,
                round=self._store.proposals.next_round(branch_id, chapter) - 1,
                position=1 + max((goal.position for goal in goals), default=-1),
                title=title,
                text=text,
                is_pinned=True,
                is_by_writer=True,
            )
        )

    def _begin(self, turn: TalkTurn) -> None:
        earlier = self.turns(turn.branch, turn.person, turn.chapter)
        before = [one for one in earlier if one.id < turn.id][-_EARLIER:]
        answer = answer_as if turn.person else answer_story

        def work(context: StoryContext) -> str:
            answered = answer(context, turn, before, f"{turn.chapter}/talk/{turn.id}")
            self._store.talks.save(answered)
            return turn.id

        self._side_work.begin(turn.branch, _key(turn.person), work)

    def _expect_silence(self, turn: TalkTurn) -> None:
        """Check, before a question is kept, that nobody is answering another."""
        self._side_work.expect_room(turn.branch, _key(turn.person))

    def _check(self, question: str, person: str | None) -> None:
        if not question:
            raise WorkbenchError("Type a question first.")
        if len(question) > QUESTION_LIMIT:
            raise WorkbenchError(
                f"Your question has {len(question):,} characters; {QUESTION_LIMIT:,} are the most. "
                "Ask it in parts."
            )
        endpoint = self._book.current((PERSON_TALK if person else STORY_TALK).name)
        if estimate_tokens(question) > _QUESTION * endpoint.context_window:
            raise WorkbenchError(
                f"Your question has {len(question):,} characters, more than the model in use can "
                "read beside the story. Shorten it, or choose a larger model in Settings."
            )

    def _check_person(self, branch_id: str, person: str, chapter: int) -> None:
        found = next((one for one in self.people(branch_id, chapter) if one.id == person), None)
        if found is None:
            raise WorkbenchError(
                f"They are not in the story by the end of chapter {chapter}. Choose a later chapter."
            )
        if found.life is Life.DEAD:
            raise WorkbenchError(
                f"{found.name} is dead by the end of chapter {chapter}. Choose an earlier chapter."
            )


def _key(person: str | None) -> str:
    return f"talk/{person or 'story'}"


def _open(proposal: P | None) -> P:
    if proposal is None or proposal.state is not ProposalState.OPEN:
        raise WorkbenchError("You have decided on that already, perhaps in another window.")
    return proposal
