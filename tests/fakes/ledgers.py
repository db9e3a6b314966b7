"""A ledger in memory, for tests of what calls models."""

from __future__ import annotations

import threading

from store.errors import LibraryUnavailable
from store.models.run import Call, Outcome


class MemoryLedger:
    """Keep calls in a list."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.is_full = False
        self._lock = threading.Lock()

    def record_call(self, call: Call) -> None:
        with self._lock:
            self.calls.append(call)

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        wanted = (branch, step, prompt_hash, Outcome.OK)
        with self._lock:
            for call in reversed(self.calls):
                if (call.branch, call.step, call.prompt_hash, call.outcome) == wanted:
                    return call
        return None

    def write_held(self) -> None:
        """Say that there is no room, if there is none: then every call counts as held."""
        if self.is_full and self.calls:
            raise LibraryUnavailable("There is no room.", "make some room", is_passing=True)

    def calls_of_step(self, branch: str, step: str, prompt_hash: str) -> list[Call]:
        wanted = (branch, step, prompt_hash)
        with self._lock:
            return [one for one in self.calls if (one.branch, one.step, one.prompt_hash) == wanted]

    @property
    def outcomes(self) -> list[Outcome]:
        """How the calls ended, in order."""
        return [call.outcome for call in self.calls]
