"""What the library could not take: held in memory until there is room, as good as written meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from store.models.run import Run, RunState

T = TypeVar("T")


class Ending(NamedTuple):
    """How a run ended; `ended` is None for one that waits."""

    state: RunState
    message: str
    is_capped: bool
    ended: datetime | None

    def of(self, run: Run) -> Run:
        """Return a run as it is after this ending."""
        return run.model_copy(update=self._asdict())


class Held(Generic[T]):
    """What could not be written, each by its id. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._held: dict[str, T] = {}

    @property
    def is_empty(self) -> bool:
        """Whether all is written."""
        with self._lock:
            return not self._held

    def hold(self, id_: str, value: T) -> None:
        """Hold something."""
        with self._lock:
            self._held[id_] = value

    def get(self, id_: str) -> T | None:
        """Return what is held by this id, if anything is."""
        with self._lock:
            return self._held.get(id_)

    def all(self) -> dict[str, T]:
        """Return all that is held, the oldest first."""
        with self._lock:
            return dict(self._held)

    @contextmanager
    def written(self) -> Iterator[Mapping[str, T]]:
        """Give out all that is held, and hold it no more if it gets written; one thread at a time."""
        with self._writing:
            given = self.all()
            yield given
            with self._lock:
                for id_, value in given.items():
                    if self._held.get(id_) is value:
                        del self._held[id_]
