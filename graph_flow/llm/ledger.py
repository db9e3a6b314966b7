"""What the gateway needs of the store: a place for every call, and the way back to one."""

from __future__ import annotations

from typing import Protocol

from store.models.run import Call


class Ledger(Protocol):
    """Keep every call, so that no finished one is paid for twice."""

    def record_call(self, call: Call) -> None:
        """Keep a call; it has ended, well or not."""

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        """Return the call of a step that ended well with this very prompt, if there is one."""
