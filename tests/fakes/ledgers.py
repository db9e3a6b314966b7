"""A ledger in memory, for tests of what calls models."""

from __future__ import annotations

import threading

from store.models.run import Call, Outcome


class MemoryLedger:
    """Keep calls in a list."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
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

    @property
    def outcomes(self) -> list[Outcome]:
        """How the calls ended, in order."""
        return [call.outcome for call in self.calls]
