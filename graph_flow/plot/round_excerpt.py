"""What all goals of a round stand on: read once, for the relays of a round begin together."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from graph_flow.cognition.knowledge import quotable
from store.deltas.locks import is_locked
from store.models.outline import Outline, SubEvent
from store.models.plot import Thread, ThreadState
from store.models.proposals import Goal
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import Ids, joined
from store.prototype.lineage import Head

_MOST_THREADS = 4
"""Threads among which a move can choose the one that it answers."""
_MOST_PARTS = 6
"""Parts of the outline that one chapter's moves are shown."""


@dataclass(frozen=True)
class RoundExcerpt:
    """Bounded parts of the story, however long it is.

    `near` are the people and open threads at hand, and whom and what the goals name by id; `hidden`
    is what the author's texts may have their words from, which not every role may know.
    """

    near: Snapshot
    hidden: Snapshot
    outline: Outline | None


class RoundExcerpts:
    """The ground of the round that is woven now; threads share it, and whoever comes first reads it."""

    def __init__(self, store: Store, branch: str) -> None:
        self._store = store
        self._branch = branch
        self._lock = threading.Lock()
        self._newest: tuple[_Place, RoundExcerpt] | None = None

    def of_goal(self, goal: Goal, outline: Outline | None) -> RoundExcerpt:
        """Return what a goal and the others of its round stand on, as the story is now."""
        with self._lock:
            place = self._place(goal, outline)
            if self._newest is None or self._newest[0] != place:
                self._newest = place, self._read(place)
            return self._newest[1]

    def _place(self, goal: Goal, outline: Outline | None) -> _Place:
        goals = self._store.proposals.goals(self._branch, goal.chapter, goal.round)
        head = self._store.prototype.head(self._branch)
        return _Place(head, tuple(one for one in goals if not one.is_dropped), outline)

    def _read(self, place: _Place) -> RoundExcerpt:
        excerpts, goals = self._store.excerpts, place.goals
        named: Ids = {
            "character": set(chain.from_iterable(goal.roles for goal in goals)),
            "thread": {goal.moves for goal in goals if goal.moves},
        }
        at_hand = excerpts.at_hand(self._branch, None, " ".join(goal.text for goal in goals))
        near = joined(excerpts.of_ids(self._branch, None, named), at_hand)
        texts = tuple(_texts(goals, near, place.outline))
        hidden = excerpts.of_words(self._branch, None, " ".join(texts))
        return RoundExcerpt(near, quotable(hidden, texts), place.outline)


@dataclass(frozen=True)
class _Place:
    """Where a round is woven: what its ground depends on."""

    head: Head | None
    goals: tuple[Goal, ...]
    outline: Outline | None


def _texts(goals: Sequence[Goal], near: Snapshot, outline: Outline | None) -> Iterator[str]:
    """Yield the author's texts that a role of these goals may be shown."""
    for goal in goals:
        yield goal.text
        yield from (thread.title for thread in threads_for(goal, near))
        yield from (part.text for part in parts_for(goal, outline))


def threads_for(goal: Goal, near: Snapshot) -> tuple[Thread, ...]:
    """Return the planted threads that a move may pay off: the one that the goal moves comes first."""
    newest_first = sorted(
        near.threads, key=lambda thread: (thread.id != goal.moves, -near.told_in(thread.id))
    )
    planted = (
        thread
        for thread in newest_first
        if thread.state is ThreadState.PLANTED and not is_locked(thread, "state")
    )
    return tuple(islice(planted, _MOST_THREADS))


def parts_for(goal: Goal, outline: Outline | None) -> tuple[SubEvent, ...]:
    """Return what the outline has for a goal's chapter, as far as it says anything."""
    parts = {part.id: part for part in outline.sub_events} if outline and goal.parts else {}
    told = (parts[id_] for id_ in goal.parts if id_ in parts and parts[id_].text)
    return tuple(islice(told, _MOST_PARTS))
