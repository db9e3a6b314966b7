"""What a long story costs at some of its chapters; every task is done at all of them in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from graph_flow.cognition.knowledge import Quotes, mentionable
from graph_flow.cognition.memory import PromptBudget, retrieve
from graph_flow.plot.role_prompt import RoleInput, role_prompt
from store.deltas.delta import diff
from store.models.cast import Character
from store.models.delta import Delta
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import Query
from store.prototype.prototype import PrototypeStore
from tests.benchmarks.clock import Milliseconds, Round, in_turns, medians
from tests.benchmarks.milestones import WARM_UP, Milestone, opened

QUESTIONS = ("Mara Lenz", "quay", "ledger", "drowned mirror", "kalomir", "ka")
"""What is searched: a person, a place, a word said everywhere, two, a rare one, and two letters."""

GOALS = (
    "Mara Lenz finds out who hides the drowned ledger, and why the lamp at the quay went out.",
    "Hale Lenz must give the copper key back before the ferry leaves, or lose the archive.",
    "Whoever forged the silent oath is at the mill, and Ida Lenz goes there alone.",
)
"""What a chapter is to be about: a role is reminded of what speaks of it."""

ROOM = PromptBudget(tokens=6_000, lines=16)
"""As much of the past as a prompt may hold at most."""

NEWEST = 3
"""Chapters that ask what came before them."""

FAR_BACK = 10
"""Chapters between the two states that are compared."""


@dataclass(frozen=True)
class Effort:
    """How many rounds there are of commits, of what is quick to read, and of what is long to read."""

    commits: int = 12
    quick: int = 60
    long: int = 7


QUICK = Effort(commits=2, quick=6, long=2)


@dataclass(frozen=True)
class Figures:
    """What was measured: milliseconds and bytes, by chapter."""

    commit_ms: Milliseconds
    knowledge_ms: Milliseconds
    retrieval_ms: Milliseconds
    search_ms: Milliseconds
    snapshot_ms: Milliseconds
    diff_ms: Milliseconds
    bytes_per_chapter: dict[int, int]


def measure(
    milestones: Sequence[Milestone], folder: Path, effort: Effort, notice: Callable[[str], None]
) -> Figures:
    """Measure a story at its milestones; `notice` is told what is done now."""
    notice("committing")
    commits = medians(_rounds_of_commits(milestones, folder, effort.commits))
    sizes = {one.chapter: _copy_of(one, folder).stat().st_size for one in milestones}
    with ExitStack() as stack:
        readers = {
            one.chapter: Reader(stack.enter_context(opened(_copy_of(one, folder))), one)
            for one in milestones
        }
        notice("reading what a prompt needs")
        known = in_turns(_each(readers, Reader.know), effort.quick)
        retrieved = in_turns(_each(readers, Reader.retrieve), effort.quick)
        searched = in_turns(_each(readers, Reader.search), effort.quick)
        notice("reading everything")
        return Figures(
            commit_ms=commits,
            knowledge_ms=_one_of(len(GOALS) * len(milestones[0].leads), known),
            retrieval_ms=_one_of(min(NEWEST, milestones[0].chapter), retrieved),
            search_ms=_one_of(len(QUESTIONS), searched),
            snapshot_ms=in_turns(_each(readers, Reader.read), effort.long),
            diff_ms=in_turns(_each(readers, Reader.compare), effort.long),
            bytes_per_chapter={chapter: size // chapter for chapter, size in sizes.items()},
        )


def _rounds_of_commits(
    milestones: Sequence[Milestone], folder: Path, rounds: int
) -> Iterator[Round]:
    """Yield the commits up to each milestone, again and again, each time into new copies.

    What comes first does not count: it makes the connections ready. The last copies are left.
    """
    for _ in range(rounds):
        with ExitStack() as stack:
            stores = {
                one.chapter: stack.enter_context(opened(_new_copy(one, folder)))
                for one in milestones
            }
            for one in milestones:
                for at in range(WARM_UP):
                    one.tell(stores[one.chapter], at)
            for at in range(WARM_UP, max(len(one.coming) for one in milestones)):
                yield {
                    one.chapter: partial(one.tell, stores[one.chapter], at)
                    for one in milestones
                    if at < len(one.coming)
                }


def _copy_of(milestone: Milestone, folder: Path) -> Path:
    return folder / f"at-{milestone.chapter}.db"


def _new_copy(milestone: Milestone, folder: Path) -> Path:
    copy = _copy_of(milestone, folder)
    milestone.copy_to(copy)
    return copy


class Reader:
    """Reads a story at a milestone, as the agents and the pages do."""

    def __init__(self, store: Store, milestone: Milestone) -> None:
        self._store = store
        self._branch = milestone.branch
        self._leads = milestone.leads
        self._chapter = milestone.chapter
        newest = range(milestone.chapter, max(0, milestone.chapter - NEWEST), -1)
        self._queries = {chapter: self._query_of(chapter) for chapter in newest}

    def know(self) -> None:
        """For each goal, find what each role of a relay can know, in the words of its prompt."""
        for goal in GOALS:
            quotes = Quotes([goal])
            head = self._store.excerpts.of_people(self._branch, None, self._leads, goal)
            hidden = self._store.excerpts.of_words(self._branch, None, goal)
            entrance = RoleInput(
                draft=head.model_copy(update={"chapter": self._chapter + 1}),
                mentionable=(mentionable(quotes, head), mentionable(quotes, hidden)),
                company=tuple(head.get(Character, person) for person in self._leads),
                goal=goal,
                language="English",
            )
            for person in self._leads:
                role_prompt(entrance, person, ROOM)

    def retrieve(self) -> None:
        """For each of the newest chapters, find what of all that came before it matters to it."""
        for chapter, query in self._queries.items():
            retrieve(self._store, self._branch, chapter - 1, query, ROOM)

    def search(self) -> None:
        """Ask every question once."""
        for question in QUESTIONS:
            self._store.search.find(self._branch, None, question)

    def read(self) -> Snapshot:
        """Read the whole story as it stands, with nothing kept."""
        return PrototypeStore(self._store.database).snapshot(self._branch, self._chapter)

    def compare(self) -> Delta:
        """Compare the story with what it was some chapters before, both being read already."""
        before = self._store.prototype.snapshot(self._branch, max(0, self._chapter - FAR_BACK))
        return diff(before, self._store.prototype.snapshot(self._branch, self._chapter))

    def _query_of(self, chapter: int) -> Query:
        told = self._store.excerpts.of_chapter(self._branch, chapter)
        events = told.events_of(chapter)
        return Query(
            text=" ".join(event.summary for event in events),
            people=tuple(person.id for person in told.characters),
            events=tuple(event.id for event in events),
        )


def _each(readers: dict[int, Reader], task: Callable[[Reader], object]) -> Round:
    return {chapter: partial(task, reader) for chapter, reader in readers.items()}


def _one_of(count: int, together: Milliseconds) -> Milliseconds:
    return {chapter: taken / count for chapter, taken in together.items()}
