"""What every door has behind it."""

from __future__ import annotations

from dataclasses import dataclass

from graph_flow.continuity.check import ContinuityChecker
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.runner import Runner
from store.open import Store


@dataclass(frozen=True)
class Parts:
    """The parts that a workbench is put together from."""

    store: Store
    gateway: Gateway
    book: EndpointBook
    runner: Runner


class Door:
    """One room of the workbench."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._gateway = parts.gateway
        self._book = parts.book
        self._runner = parts.runner
        self._continuity = ContinuityChecker(parts.store)
