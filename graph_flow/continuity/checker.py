"""The continuity check over what the library holds, with its last results kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from graph_flow.continuity.check import check_story
from graph_flow.continuity.chronicle import Chronicle
from graph_flow.continuity.finding import Finding
from graph_flow.continuity.foreshadowing import open_threads
from store.models.plot import Thread
from store.models.prototype import EntityKind
from store.open import Store

V = TypeVar("V")
Key = tuple[str, int, bool]
"""The hash of the newest commit and the chapter, which together name one state of a story, and
whether the story is over."""

_WITH_TIMELINES: tuple[EntityKind, ...] = ("character", "relationship", "thread")
_CHRONICLES = 3
_RESULTS = 16


class ContinuityChecker:
    """Checks stories. Each state of a story is laid out and checked once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chronicles: _Kept[Chronicle] = _Kept(_CHRONICLES)
        self._results: _Kept[list[Finding]] = _Kept(_RESULTS)

    def findings(self, branch: str) -> list[Finding]:
        """Return all findings of a branch as it stands, in the order of its chapters."""
        return self._results.get(
            lambda: self._state(branch),
            lambda: check_story(self._chronicle(branch), is_over=self._is_over(branch)),
        )

    def open_threads(self, branch: str) -> list[Thread]:
        """Return the threads that are planted, and neither paid off nor dropped."""
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
        """Whether no chapter is to come: the goal is reached, or the last chapter is plotted."""
        head = self._store.prototype.head(branch)
        if head is None or head.chapter == 0:
            return False
        verdict = self._store.proposals.verdict(branch, head.chapter)
        cap = self._store.library.story_of(branch).settings.chapter_cap
        return head.chapter >= cap or (verdict is not None and verdict.is_reached)


class _Kept(Generic[V]):
    """The values used last, by the state that they speak of; for all threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, V] = OrderedDict()

    def get(self, state: Callable[[], Key | None], make: Callable[[], V]) -> V:
        """Return the value of the present state, made where it is not kept.

        A value during whose making the state changed is returned, and not kept.
        """
        key = state()
        if key is None:
            return make()
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        if state() == key:
            with self._lock:
                self._values[key] = value
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
        return value
