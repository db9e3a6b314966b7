"""The murder mystery of a branch: what the writer decides, edits, and has written of it beside runs.

Each text is kept as soon as it has come, and a call that was finished is found again by whoever asks
once more, so a stop or a crash loses nothing that was paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph_flow.errors import WorkbenchError
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.agent import Agent
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.mystery.agents import BOOKLET_WRITER, CASE_MAKER, GUIDE_WRITER, SOLVER
from graph_flow.telling.mystery.asking import (
    ask_booklet,
    ask_case,
    ask_guide,
    ask_trial,
    clues_from,
)
from graph_flow.telling.mystery.booklets import Booklet
from graph_flow.telling.mystery.export import kit_of_branch
from graph_flow.telling.mystery.kit import Kit, decisions, material_mark
from graph_flow.views import RunEstimate, SideWorkSeen
from graph_flow.workbench.estimates import estimate_call
from store.errors import ChangedElsewhere
from store.models.base import new_id
from store.models.desk.mystery import Clue, GuidePart, Mystery, MysteryText, booklet_key
from store.open import Store

_KEY = "mystery"
_GONE = "This clue is gone. It may have been removed in another window."
_NOBODY = "This person does not play in the mystery."
_ALL_WRITTEN = "Every booklet is written. To have one written anew, open it."


class MysteryWork(StrEnum):
    """What agents do for a mystery."""

    CASE = "case"
    BOOKLETS = "booklets"
    GUIDE = "guide"
    TRIAL = "trial"


_AGENTS: Mapping[MysteryWork, Agent] = {
    MysteryWork.CASE: CASE_MAKER,
    MysteryWork.BOOKLETS: BOOKLET_WRITER,
    MysteryWork.GUIDE: GUIDE_WRITER,
    MysteryWork.TRIAL: SOLVER,
}


@dataclass(frozen=True)
class Asked:
    """A part of a booklet that is to be written: whose, and which, from 0."""

    person: str
    part: int

    @property
    def key(self) -> str:
        """By what its text is kept."""
        return booklet_key(self.person, self.part)


class MysteryService:
    """The mystery of each branch. None of it changes the story."""

    def __init__(self, store: Store, side_work: SideWork, book: EndpointBook) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book
        self._last: tuple[object, Kit] | None = None

    def kit(self, branch_id: str) -> Kit:
        """Return the mystery as it stands now, from the story and from what is kept of it.

        Raises:
            NotFound: if there is no such branch.
        """
        head = self._store.prototype.head(branch_id)
        kept = self._store.mysteries.of(branch_id)
        now = (branch_id, head and (head.chapter, head.commit.hash), decisions(kept))
        last = self._last
        if last is not None and last[0] == now:
            kit = last[1] if last[1].kept == kept else Kit(last[1].ground, kept)
        else:
            kit = kit_of_branch(self._store, branch_id)
        self._last = (now, kit)
        return kit

    def change(self, branch_id: str, change: Callable[[Mystery], Mystery]) -> Mystery:
        """Change what is decided about a mystery, as it is kept now.

        Raises:
            ValidationError: if it cannot be so; nothing is changed then.
        """
        return self._store.mysteries.change(branch_id, change)

    def replace_text(self, branch_id: str, key: str, found: str, typed: str) -> None:
        """Keep what the writer typed in a text, by its key; an empty one is the story's own again.

        Raises:
            ChangedElsewhere: if it is no longer what was `found`.
            ValidationError: if it is too long.
        """

        def replaced(it: Mystery) -> Mystery:
            now = it.texts.get(key, MysteryText(text=""))
            if now.text and now.text not in {found, found.strip(), typed.strip()}:
                raise ChangedElsewhere(now.text)
            before = now if now.is_typed else now.set_aside
            text = before.model_copy(update={"text": typed.strip(), "is_typed": True})
            return _with_text(it, key, text.model_copy(update={"material": now.material}))

        self._store.mysteries.change(branch_id, replaced)

    def use_story_s_own(self, branch_id: str, key: str) -> None:
        """Put the story's own sentences in the place of a text; it can be brought back."""
        self._swap(branch_id, key, lambda now: now.set_aside)

    def bring_back(self, branch_id: str, key: str) -> None:
        """Put the former text in the place of a text, and this one in the place of the former."""
        self._swap(
            branch_id,
            key,
            lambda now: MysteryText(
                text=now.former,
                former=now.text,
                is_typed=now.is_former_typed,
                is_former_typed=now.is_typed,
            ),
        )

    def change_clue(self, branch_id: str, clue_id: str, change: Callable[[Clue], Clue]) -> None:
        """Change a clue as it is kept now.

        Raises:
            WorkbenchError: if there is no such clue.
            ValidationError: if it cannot be so; nothing is changed then.
        """
        kit = self.kit(branch_id)

        def changed(it: Mystery) -> Mystery:
            clues = it.clues if it.clues is not None else kit.clues
            if all(one.id != clue_id for one in clues):
                raise WorkbenchError(_GONE)
            return _with_clues(
                it, tuple(change(one) if one.id == clue_id else one for one in clues)
            )

        self._store.mysteries.change(branch_id, changed)

    def add_clue(self, branch_id: str, title: str, text: str) -> Clue:
        """Add a clue to the first round that supports nothing yet, and return it.

        Raises:
            ValidationError: if its title or its text is empty or too long, or there are too many.
        """
        kit, clue = self.kit(branch_id), Clue(id=new_id(), round=1, title=title, text=text)
        self._store.mysteries.change(
            branch_id,
            lambda it: _with_clues(it, (*(kit.clues if it.clues is None else it.clues), clue)),
        )
        return clue

    def remove_clue(self, branch_id: str, clue_id: str) -> None:
        """Take a clue away.

        Raises:
            WorkbenchError: if there is no such clue.
        """
        kit = self.kit(branch_id)

        def removed(it: Mystery) -> Mystery:
            clues = it.clues if it.clues is not None else kit.clues
            left = tuple(one for one in clues if one.id != clue_id)
            if len(left) == len(clues):
                raise WorkbenchError(_GONE)
            return _with_clues(it, left)

        self._store.mysteries.change(branch_id, removed)

    def use_story_s_clues(self, branch_id: str) -> None:
        """Put the story's own clues in the place of those that were made or changed."""
        self._store.mysteries.change(
            branch_id, lambda it: it.model_copy(update={"clues": None, "former_clues": it.clues})
        )

    def bring_clues_back(self, branch_id: str) -> None:
        """Put the former clues in the place of the present ones."""
        self._store.mysteries.change(
            branch_id,
            lambda it: it.model_copy(update={"clues": it.former_clues, "former_clues": it.clues}),
        )

    def to_write(self, branch_id: str) -> list[Asked]:
        """Return the parts of booklets that hold something and are not written yet."""
        kit = self.kit(branch_id)
        every = [one for booklet in kit.booklets for one in _parts_of(booklet)]
        return [one for one in every if not kit.text_of(one.key)]

    def write_booklets(self, branch_id: str) -> None:
        """Begin to have all booklets written that are not; what is finished is kept as it comes.

        Raises:
            BranchBusy: if something of this mystery is being written already.
            WorkbenchError: if there is nothing to write.
        """
        wanted = self.to_write(branch_id)
        if not wanted:
            self._expect_playable(branch_id)
            raise WorkbenchError(_ALL_WRITTEN)
        self._begin_booklets(branch_id, wanted, is_anew=False)

    def write_booklet(self, branch_id: str, person: str) -> None:
        """Begin to have one booklet written anew; the former texts can be brought back.

        Raises:
            BranchBusy: if something of this mystery is being written already.
            WorkbenchError: if this person does not play.
        """
        self._begin_booklets(branch_id, _parts_of(self._booklet(branch_id, person)), is_anew=True)

    def make_case(self, branch_id: str) -> None:
        """Begin to have the case made: how, why, and the clues; the former clues can be brought back.

        Raises:
            BranchBusy: if something of this mystery is being written already.
            WorkbenchError: if something is missing before there is anything to play.
        """
        self._expect_playable(branch_id)

        def work(context: StoryContext) -> str:
            kit = self.kit(branch_id)
            answer = ask_case(context, kit, self._step(branch_id, MysteryWork.CASE))
            clues = clues_from(answer, kit.case)
            account = {"means": answer.means, "motive": answer.motive}
            account |= {"opportunity": answer.opportunity} if answer.opportunity else {}

            def made(it: Mystery) -> Mystery:
                change: dict[str, object] = {**account}
                if clues:
                    change |= {"clues": clues, "former_clues": it.clues}
                changed = _counted(it.model_copy(update=change), MysteryWork.CASE)
                return _written(changed, GuidePart.FALSE_TRAILS, answer.false_trails, "")

            self._store.mysteries.change(branch_id, made)
            return MysteryWork.CASE

        self._side_work.begin(branch_id, _KEY, work)

    def write_guide(self, branch_id: str) -> None:
        """Begin to have the host guide written; the former texts can be brought back.

        Raises:
            BranchBusy: if something of this mystery is being written already.
            WorkbenchError: if something is missing before there is anything to play.
        """
        self._expect_playable(branch_id)

        def work(context: StoryContext) -> str:
            texts = ask_guide(
                context, self.kit(branch_id), self._step(branch_id, MysteryWork.GUIDE)
            )

            def made(it: Mystery) -> Mystery:
                for part, text in texts.items():
                    it = _written(it, part, text, "")
                return _counted(it, MysteryWork.GUIDE)

            self._store.mysteries.change(branch_id, made)
            return MysteryWork.GUIDE

        self._side_work.begin(branch_id, _KEY, work)

    def try_to_solve(self, branch_id: str, reader: str | None = None) -> None:
        """Begin to have the case solved by somebody who has only the clues, and one booklet if wanted.

        Raises:
            BranchBusy: if something of this mystery is being written already.
            WorkbenchError: if something is missing before there is anything to play.
        """
        self._expect_playable(branch_id)
        key = f"{MysteryWork.TRIAL}/{reader or ''}"

        def work(context: StoryContext) -> str:
            booklet = self._booklet(branch_id, reader) if reader else None
            trial = ask_trial(context, self.kit(branch_id), booklet, self._step(branch_id, key))

            def tried(it: Mystery) -> Mystery:
                others = tuple(one for one in it.trials if one.reader != trial.reader)
                return _counted(it.model_copy(update={"trials": (*others, trial)}), key)

            self._store.mysteries.change(branch_id, tried)
            return MysteryWork.TRIAL

        self._side_work.begin(branch_id, _KEY, work)

    def estimate(self, branch_id: str, work: MysteryWork, calls: int = 1) -> RunEstimate:
        """Return roughly what a work of so many calls uses."""
        agent = _AGENTS[work]
        past = self._store.ledger.by_agent(branch_id)
        one = estimate_call(agent, self._book.current(agent.name), past)
        return one.model_copy(
            update={
                "calls": calls,
                "tokens_in": one.tokens_in * calls,
                "tokens_out": one.tokens_out * calls,
                "cost": one.cost * calls,
                "seconds": one.seconds * calls if one.seconds else None,
            }
        )

    def seen(self, branch_id: str) -> SideWorkSeen | None:
        """Return how the work on a mystery stands; None if none was begun since the app was started."""
        return self._side_work.seen(branch_id, _KEY)

    def stop(self, branch_id: str) -> None:
        """Stop the work; what was finished is kept."""
        self._side_work.stop(branch_id, _KEY)

    def wait(self, branch_id: str, seconds: float | None = None) -> bool:
        """Wait until the work has ended; return False if that takes too long."""
        return self._side_work.wait(branch_id, _KEY, seconds)

    def _begin_booklets(self, branch_id: str, wanted: Sequence[Asked], *, is_anew: bool) -> None:
        steps = {one: self._step(branch_id, one.key) for one in wanted}

        def work(context: StoryContext) -> int:
            for one, step in steps.items():
                self._write_part(context, one, step, is_anew=is_anew)
            return len(steps)

        self._side_work.begin(branch_id, _KEY, work)

    def _write_part(self, context: StoryContext, one: Asked, step: str, *, is_anew: bool) -> None:
        booklet = self._booklet(context.branch, one.person)
        if one.part >= len(booklet.parts):
            return
        text = ask_booklet(context, booklet, one.part, step)
        mark = material_mark(booklet.parts[one.part])

        def kept(it: Mystery) -> Mystery:
            counted = _counted(it, one.key)
            there = it.texts.get(one.key)
            if there is not None and there.text and not is_anew:
                # The writer has typed it meanwhile: the agent's text waits to be brought in.
                waiting = {} if there.is_former_typed else {"former": text}
                return _with_text(counted, one.key, there.model_copy(update=waiting))
            return _written(counted, one.key, text, mark)

        self._store.mysteries.change(context.branch, kept)

    def _step(self, branch_id: str, key: str) -> str:
        """Return what a call is known by: the same until its answer is kept."""
        kept = self._store.mysteries.change(branch_id, lambda it: it)
        head = self._store.prototype.head(branch_id)
        chapter = head.chapter if head else 0
        return f"{chapter}/mystery/{kept.id}/{key}/{kept.attempts.get(key, 0)}"

    def _booklet(self, branch_id: str, person: str) -> Booklet:
        found = [one for one in self.kit(branch_id).booklets if one.person.id == person]
        if not found:
            raise WorkbenchError(_NOBODY)
        return found[0]

    def _expect_playable(self, branch_id: str) -> None:
        lacks = self.kit(branch_id).lacks
        if lacks:
            raise WorkbenchError(" ".join(one.words for one in lacks))

    def _swap(self, branch_id: str, key: str, swap: Callable[[MysteryText], MysteryText]) -> None:
        def swapped(it: Mystery) -> Mystery:
            now = it.texts.get(key)
            return it if now is None else _with_text(it, key, swap(now))

        self._store.mysteries.change(branch_id, swapped)


def _parts_of(booklet: Booklet) -> list[Asked]:
    return [
        Asked(booklet.person.id, number)
        for number, part in enumerate(booklet.parts)
        if part.has_news
    ]


def _with_text(it: Mystery, key: str, text: MysteryText) -> Mystery:
    return it.model_copy(update={"texts": {**it.texts, key: text}})


def _with_clues(it: Mystery, clues: tuple[Clue, ...]) -> Mystery:
    return it.model_copy(update={"clues": clues})


def _written(it: Mystery, key: str, text: str, material: str) -> Mystery:
    """Return a mystery with a text that an agent wrote; one that stood there becomes the former."""
    if not text:
        return it
    before = it.texts.get(key, MysteryText(text="")).set_aside
    return _with_text(it, key, before.model_copy(update={"text": text, "material": material}))


def _counted(it: Mystery, key: str) -> Mystery:
    counts: Mapping[str, int] = {**it.attempts, key: it.attempts.get(key, 0) + 1}
    return it.model_copy(update={"attempts": counts})
