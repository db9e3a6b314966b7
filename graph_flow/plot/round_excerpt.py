"""The parts of the story that all goals of a round need, read once for all its relays."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from graph_flow.cognition.knowledge import Mentionable, Quotes, mentionable
from store.deltas.locks import is_locked
from store.models.outline import Outline, SubEvent
from store.models.plot import Thread, ThreadState
from store.models.proposals import Goal
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import Ids, joined
from store.prototype.lineage import Head

_MOST_THREADS = 4
"""The most threads from which a move can choose one to pay off."""
_MOST_PARTS = 6
"""The most parts of the outline that the moves of one chapter are shown."""


@dataclass(frozen=True)
class RoundExcerpt:
    """Bounded parts of the story, however long it is.

    `near` holds the people and open threads at hand, and those that the goals name by id; `hidden`
    is what the author's texts mention of the whole story, which not every role may know.
    """

    near: Snapshot
    hidden: Mentionable
    outline: Outline | None


class RoundExcerpts:
    """The excerpt of the current round, shared by worker threads; the first to need it reads it."""

    def __init__(self, store: Store, branch: str) -> None:
        self._store = store
        self._branch = branch
        self._lock = threading.Lock()
        self._newest: tuple[_Basis, RoundExcerpt] | None = None

    def of_goal(self, goal: Goal, outline: Outline | None) -> RoundExcerpt:
        """Return the excerpt for a goal and the others of its round, as the story is now."""
        with self._lock:
            basis = self._basis(goal, outline)
            if self._newest is None or self._newest[0] != basis:
                self._newest = basis, self._read(basis)
            return self._newest[1]

    def _basis(self, goal: Goal, outline: Outline | None) -> _Basis:
        goals = self._store.proposals.goals(self._branch, goal.chapter, goal.round)
        head = self._store.prototype.head(self._branch)
        return _Basis(head, tuple(one for one in goals if not one.is_dropped), outline)

    def _read(self, basis: _Basis) -> RoundExcerpt:
        excerpts, goals = self._store.excerpts, basis.goals
        named: Ids = {
            "character": set(chain.from_iterable(goal.roles for goal in goals)),
            "thread": {goal.moves for goal in goals if goal.moves},
        }
        at_hand = excerpts.at_hand(self._branch, None, " ".join(goal.text for goal in goals))
        near = joined(excerpts.of_ids(self._branch, None, named), at_hand)
        texts = tuple(_texts(goals, near, basis.outline))
        hidden = excerpts.of_words(self._branch, None, " ".join(texts))
        return RoundExcerpt(near, mentionable(Quotes(texts), hidden), basis.outline)


@dataclass(frozen=True)
class _Basis:
    """What an excerpt depends on."""

    head: Head | None
    goals: tuple[Goal, ...]
    outline: Outline | None


def _texts(goals: Sequence[Goal], near: Snapshot, outline: Outline | None) -> Iterator[str]:
    """Yield the author's texts that a role of these goals may be shown."""
    for goal in goals:
        yield goal.text
        yield from (aim.text for aim in goal.aims)
        yield from (thread.title for thread in threads_for(goal, near))
        yield from (part.text for part in parts_for(goal, outline))


def threads_for(goal: Goal, near: Snapshot) -> tuple[Thread, ...]:
    """Return the planted threads that a move may pay off, the goal's own first."""
    newest_first = sorted(
        near.threads,
        key=lambda thread: (thread.id != goal.moves, -near.first_chapter_of(thread.id)),
    )
    planted = (
        thread
        for thread in newest_first
        if thread.state is ThreadState.PLANTED and not is_locked(thread, "state")
    )
    return tuple(islice(planted, _MOST_THREADS))


def parts_for(goal: Goal, outline: Outline | None) -> tuple[SubEvent, ...]:
    """Return what the outline has for a goal's chapter, without parts that have no text."""
    parts = {part.id: part for part in outline.sub_events} if outline and goal.parts else {}
    told = (parts[id_] for id_ in goal.parts if id_ in parts and parts[id_].text)
    return tuple(islice(told, _MOST_PARTS))
