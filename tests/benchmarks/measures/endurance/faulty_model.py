"""A model that fails now and then, in every way that models do; with a seed, so that it can be told again."""

from __future__ import annotations

import threading
from collections import Counter
from random import Random

from tests.desk import going_on
from tests.fakes.scripted_server import Reply, Sent, cut, refuse, say, too_many

SHARE = 0.05
"""How often each of the faults comes."""

FAULTS = ("429", "500", "cut stream", "broken JSON", "hanging call")


class FaultyModel:
    """Answers requests of a scripted server; threads ask it side by side. `given` counts the faults.

    A hanging call hangs until it is let go, so its client must give it up.
    """

    def __init__(self, seed: int = 1) -> None:
        self.given: Counter[str] = Counter()
        self._chance = Random(seed)
        self._lock = threading.Lock()
        self._may_go = threading.Event()

    def __call__(self, sent: Sent) -> Reply | None:
        fault = self._fault()
        if fault is None:
            return going_on(sent)
        return self._reply(fault)

    def let_go(self) -> None:
        """Let all calls go that hang."""
        self._may_go.set()

    def _fault(self) -> str | None:
        with self._lock:
            place = int(self._chance.random() / SHARE)
            if place >= len(FAULTS):
                return None
            self.given[FAULTS[place]] += 1
            return FAULTS[place]

    def _reply(self, fault: str) -> Reply:
        match fault:
            case "429":
                return too_many()
            case "500":
                return refuse(500, "out of order")
            case "cut stream":
                return cut('{"reason": "It was a dark and stormy night, and')
            case "broken JSON":
                return say('{"reason": "It was a dark and stormy night", "events": [')
        self._may_go.wait()
        raise ConnectionAbortedError
