"""A model that fails now and then, in every way that models do; with a seed, so that it can be told again."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.desk import going_on
from tests.fakes.invention import invent
from tests.fakes.scripted_server import Reply, Sent, cut, hang, refuse, say, say_json, too_many

SHARE = 0.05
"""How often each of the faults comes."""

FAULTS = ("429", "500", "cut stream", "broken JSON", "refused answer", "hanging call")


class FaultyModel:
    """Answers requests of a scripted server; threads ask it side by side. `given` counts the faults.

    A hanging call hangs until its client gives it up.
    """

    def __init__(self, seed: int = 1, faults: Sequence[str] = FAULTS) -> None:
        self._faults = faults
        self.given: Counter[str] = Counter()
        self._chance = Random(seed)
        self._lock = threading.Lock()

    def __call__(self, sent: Sent) -> Reply | None:
        fault = self._fault()
        if fault is None:
            return going_on(sent)
        return self._reply(fault, sent)

    def _fault(self) -> str | None:
        with self._lock:
            place = int(self._chance.random() / SHARE)
            if place >= len(self._faults):
                return None
            self.given[self._faults[place]] += 1
            return self._faults[place]

    def _reply(self, fault: str, sent: Sent) -> Reply:
        match fault:
            case "429":
                return too_many()
            case "500":
                return refuse(500, "out of order")
            case "cut stream":
                return cut('{"reason": "It was a dark and stormy night, and')
            case "broken JSON":
                return say('{"reason": "It was a dark and stormy night", "events": [')
            case "refused answer":
                return say_json(_in_signs(invent(sent.schema or {}, Random(0))))
        return hang()


def _in_signs(answer: Any) -> Any:
    """Return an answer of the right form whose texts say nothing, which validators refuse."""
    if isinstance(answer, dict):
        return {name: _in_signs(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [_in_signs(value) for value in answer]
    return "][ ][" if isinstance(answer, str) else answer
