"""The continuity check: of a whole story, of what a candidate adds to it, and of a branch in the library."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from cachetools import LRUCache

from graph_flow.cognition.continuity.chronicle import Chronicle, Scope
from graph_flow.cognition.continuity.finding import Finding, Rule
from graph_flow.cognition.continuity.knowing import find_hidden, find_unknown
from graph_flow.cognition.continuity.links import (
    find_jumps,
    find_lost,
    find_open,
    find_payoffs,
    find_removed,
    open_threads,
)
from graph_flow.cognition.continuity.people import find_dead, find_two_places, find_vanished
from store.deltas.locks import fit
from store.models.delta import Delta
from store.models.plot import Thread
from store.models.prototype import EntityKind, Snapshot
from store.open import Store
from store.prototype.neighbourhood import Vicinity

RULES: tuple[Callable[[Chronicle, Scope], Iterator[Finding]], ...] = (
    find_dead,
    find_two_places,
    find_unknown,
    find_hidden,
    find_removed,
    find_payoffs,
    find_jumps,
)
"""The rules that apply to what a candidate adds as well as to a whole story."""


def check_story(chronicle: Chronicle, *, is_over: bool) -> list[Finding]:
    """Return all findings of a story, in the order of its chapters.

    `is_over` says that no more chapters will follow: only then is an open thread a finding.
    """
    scope = Scope.whole(chronicle)
    found = [finding for rule in RULES for finding in rule(chronicle, scope)]
    found += find_vanished(chronicle)
    if is_over:
        found += find_open(chronicle)
    return _in_order(found)


def check_delta(before: Chronicle, delta: Delta, chapter: int) -> list[Finding]:
    """Return the findings that a Delta, committed as `chapter`, would add to a story.

    The Delta has to fit the story. The cost grows with the Delta and the past of its people.
    """
    after, scope = before.after(delta, chapter), Scope.of(delta)
    known = {finding.key for rule in RULES for finding in rule(before, scope)}
    found = (finding for rule in RULES for finding in rule(after, scope))
    return _in_order(finding for finding in found if finding.key not in known)


def check_losses(before: Chronicle, proposed: Delta) -> list[Finding]:
    """Return the parts of a proposed Delta that refer to something removed since."""
    return _in_order(find_lost(before, proposed))


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    each = {finding.key: finding for finding in findings}
    return sorted(each.values(), key=lambda finding: (finding.chapters, finding.key))


V = TypeVar("V")
Key = tuple[str, int, bool]
"""The hash of the newest commit and the chapter, which identify a state of a story, and whether the
story is over."""

_WITH_TIMELINES: tuple[EntityKind, ...] = ("character", "relationship", "thread")
_CHRONICLES = 3
_RESULTS = 16


class ContinuityChecker:
    """Check stories. Each state of a story is indexed and checked once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chronicles: _Kept[Chronicle] = _Kept(_CHRONICLES)
        self._results: _Kept[list[Finding]] = _Kept(_RESULTS)

    def findings(self, branch: str) -> list[Finding]:
        """Return all findings of a branch as it is now, in the order of its chapters."""
        return self._results.get(
            lambda: self._state(branch),
            lambda: check_story(self._chronicle(branch), is_over=self._is_over(branch)),
        )

    def open_threads(self, branch: str) -> list[Thread]:
        """Return the threads that are planted but neither paid off nor dropped."""
        return open_threads(self._chronicle(branch))

    def _chronicle(self, branch: str) -> Chronicle:
        return self._chronicles.get(lambda: self._state(branch), lambda: self._lay_out(branch))

    def _lay_out(self, branch: str) -> Chronicle:
        snapshot = self._store.prototype.snapshot(branch)
        timelines = self._store.timelines.of(branch, snapshot.chapter, _WITH_TIMELINES)
        return Chronicle.of(snapshot, timelines)

    def _state(self, branch: str) -> Key | None:
        head = self._store.prototype.head(branch)
        return head and (head.commit.hash, head.chapter, self._is_over(branch))

    def _is_over(self, branch: str) -> bool:
        """Return whether the story ends here: its goal is reached, or its last chapter plotted."""
        head = self._store.prototype.head(branch)
        if head is None or head.chapter == 0:
            return False
        verdict = self._store.proposals.verdict(branch, head.chapter)
        last = self._store.library.story_of(branch).settings.last_chapter
        return head.chapter >= last or (verdict is not None and verdict.is_reached)


class _Kept(Generic[V]):
    """The most recently used values, by the state of the story. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._values: LRUCache[Key, V] = LRUCache(most)

    def get(self, state: Callable[[], Key | None], make: Callable[[], V]) -> V:
        """Return the value for the present state, making it if it is not cached.

        A value is not cached if the state changed while it was being made.
        """
        key = state()
        if key is None:
            return make()
        with self._lock:
            if key in self._values:
                return self._values[key]
        value = make()
        if state() == key:
            with self._lock:
                self._values[key] = value
        return value


def check_nearby(
    near: Vicinity, deltas: Sequence[Delta], fitted: Sequence[Delta] | None = None
) -> list[list[Finding]]:
    """Return, for each of several Deltas for the next chapter, the findings that it would add.

    `fitted` is as much of each as fits the present story, if that is known already. `near` is the
    part of the story around them. Only that is indexed, whereas `ContinuityChecker` indexes the
    whole story. Some things are therefore taken on trust: that people know of an older event on
    which they act, and that a flashback involves nobody who is elsewhere at that time.
    """
    before = Chronicle.of(near.snapshot, near.timelines)
    if fitted is None:
        fitted = [_fitting(delta, near.snapshot) for delta in deltas]
    return [
        _findings(near, before, proposed, fitting)
        for proposed, fitting in zip(deltas, fitted, strict=True)
    ]


def _findings(near: Vicinity, before: Chronicle, proposed: Delta, fitting: Delta) -> list[Finding]:
    found = check_delta(before, fitting, before.chapter + 1)
    sure = [one for one in found if one.rule is not Rule.UNKNOWN or _is_near(one, near)]
    return [*check_losses(before, proposed), *sure]


def _fitting(proposed: Delta, snapshot: Snapshot) -> Delta:
    """Return the parts of a Delta that fit the story as it is now."""
    fitting, _ = fit(proposed, snapshot)
    return fitting


def _is_near(finding: Finding, near: Vicinity) -> bool:
    """Return whether everything between a cause and its effect was examined."""
    return min(finding.chapters) >= near.whole_from
