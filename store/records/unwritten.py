"""What the library could not take: held in memory until there is room, as good as written meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from store.models.run import Call, Outcome, Run, RunState


class Ending(NamedTuple):
    """How a run ended; `ended` is None for one that waits."""

    state: RunState
    message: str
    is_capped: bool
    ended: datetime | None

    def of(self, run: Run) -> Run:
        """Return a run as it is after this ending."""
        return run.model_copy(update=self._asdict())


class Unwritten:
    """Endings of runs, and calls, that could not be written. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._endings: dict[str, Ending] = {}
        self._calls: dict[str, Call] = {}

    @property
    def is_empty(self) -> bool:
        """Whether all is written."""
        with self._lock:
            return not (self._endings or self._calls)

    def hold_ending(self, run_id: str, ending: Ending) -> None:
        """Hold how a run ended."""
        with self._lock:
            self._endings[run_id] = ending

    def hold_call(self, call: Call) -> None:
        """Hold a call."""
        with self._lock:
            self._calls[call.id] = call

    def ending(self, run_id: str) -> Ending | None:
        """Return the ending that is held of a run, if one is."""
        with self._lock:
            return self._endings.get(run_id)

    def ended(self) -> list[str]:
        """Return the ids of the runs whose endings are held."""
        with self._lock:
            return list(self._endings)

    def calls(
        self, branch: str, step: str, prompt_hash: str, outcome: Outcome | None = None
    ) -> list[Call]:
        """Return the calls that are held of a step with exactly this prompt, the oldest first."""
        wanted = (branch, step, prompt_hash)
        with self._lock:
            return [
                call
                for call in self._calls.values()
                if (call.branch, call.step, call.prompt_hash) == wanted
                and outcome in {None, call.outcome}
            ]

    @contextmanager
    def written(self) -> Iterator[tuple[Mapping[str, Ending], list[Call]]]:
        """Give out all that is held, and hold it no more if it gets written; one thread at a time."""
        with self._writing:
            with self._lock:
                endings, calls = dict(self._endings), list(self._calls.values())
            yield endings, calls
            with self._lock:
                for run_id, ending in endings.items():
                    if self._endings.get(run_id) is ending:
                        del self._endings[run_id]
                for call in calls:
                    if self._calls.get(call.id) is call:
                        del self._calls[call.id]
