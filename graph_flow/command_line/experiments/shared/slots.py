"""Slots of a model that all workers of an experiment share: so many calls at once, and no more.

A slot is a claim among the results. A worker keeps the slots that it has used for a beat, since the next
call follows at once, and gives each back as soon as it is idle while others wait.
"""

from __future__ import annotations

import hashlib
import logging
import random
import threading
from collections import defaultdict
from datetime import timedelta
from itertools import chain

from graph_flow.command_line.experiments.errors import ClaimLost, ResultsUnusable
from graph_flow.command_line.experiments.plan import slug
from graph_flow.command_line.experiments.shared.leases import Lease, Leases
from graph_flow.command_line.experiments.shared.results import Found, Results, StoreClock
from graph_flow.llm.errors import RunStopped
from graph_flow.llm.transport.pump import SlotBook, Slots
from store.models.endpoint import Endpoint

_SOON, _LATER = 0.05, 1.0
"""Seconds until a worker that found no slot looks again: at first, and at most."""
_WAITS = timedelta(seconds=10)
"""How long it counts that a worker was waiting for a slot."""

_log = logging.getLogger(__name__)


class SharedSlots(Slots):
    """The slots of one model. Thread-safe."""

    def __init__(self, results: Results, leases: Leases, clock: StoreClock, name: str) -> None:
        self._results = results
        self._leases = leases
        self._clock = clock
        self._slots, self._waiting = f"slots/{name}", f"waiting/{name}"
        self._me = f"{self._waiting}/{random.getrandbits(64):016x}"
        self._changed = threading.Condition()
        self._claiming = threading.Lock()
        self._used: list[Lease] = []
        self._idle: list[Lease] = []
        self._rested: set[Lease] = set()
        self._others_wait = self._has_waited = False
        self._count = 1

    def of(self, count: int) -> SharedSlots:
        """Return the same slots, with their number as it is now."""
        self._count = count
        return self

    @property
    def in_use(self) -> int:
        """How many slots this worker uses."""
        with self._changed:
            return len(self._used)

    def take(self, stop: threading.Event) -> None:
        """Wait for a free slot.

        Raises:
            RunStopped: if the stop event is set before one is free.
            ResultsUnusable: if the results cannot be read or written.
        """
        wait = _SOON
        while not stop.is_set():
            with self._changed:
                if self._idle:
                    self._used.append(self._idle.pop())
                    return
            lease = self._claim()
            with self._changed:
                if lease is not None:
                    self._used.append(lease)
                    return
                if not self._idle:
                    self._changed.wait(wait)
            wait = min(2 * wait, _LATER)
        raise RunStopped

    def give_back(self) -> None:
        """Release a slot."""
        with self._changed:
            lease = self._used.pop()
            if not self._others_wait:
                self._idle.append(lease)
                self._changed.notify()
                return
        self._release(lease)

    def beat(self) -> None:
        """Keep the slots that are in use, and give back those that were idle since the last beat."""
        waiting = self._results.list(self._waiting)
        now = self._clock.now()
        with self._changed:
            self._others_wait = any(
                one.key != self._me and now - one.moment < _WAITS for one in waiting
            )
            rest = (
                self._idle
                if self._others_wait
                else [one for one in self._idle if one in self._rested]
            )
            self._idle = [one for one in self._idle if one not in rest]
            self._rested = set(self._idle)
            kept = [*self._used, *self._idle]
            is_served, self._has_waited = not self._has_waited, False
        for lease in rest:
            self._release(lease)
        for lease in kept:
            try:
                self._leases.beat(lease)
            except ClaimLost:  # its call may be one too many, for as long as it takes
                _log.warning("a slot was taken over: this worker was silent for too long")
        if is_served:
            self._results.remove(self._me)

    def close(self) -> None:
        """Give everything back."""
        with self._changed:
            every, self._idle = self._idle, []
        for lease in every:
            self._release(lease)
        self._results.remove(self._me)

    def _claim(self) -> Lease | None:
        """Claim a free slot; if there is none, let the others know that somebody waits."""
        with self._claiming:
            places: dict[str, list[Found]] = defaultdict(list)
            for one in self._results.list(self._slots):
                places[one.key.rpartition("/")[0]].append(one)
            series = [f"{self._slots}/{place:03d}" for place in range(self._count)]
            # Each begins elsewhere, so that not all of them are after the same one.
            begin = random.randrange(self._count)  # noqa: S311
            for name in chain(series[begin:], series[:begin]):
                lease = self._leases.claim(name, places[name])
                if lease is not None:
                    return lease
            if not self._has_waited:
                self._has_waited = True
                self._results.put(self._me, b"")
            return None

    def _release(self, lease: Lease) -> None:
        try:
            self._leases.release(lease)
        except ResultsUnusable as problem:
            _log.warning("a slot could not be given back, and ends by itself: %s", problem)


class SharedSlotBook(SlotBook):
    """The slots of each model, shared by all workers. Thread-safe."""

    def __init__(self, results: Results, leases: Leases, clock: StoreClock) -> None:
        super().__init__()
        self._parts = (results, leases, clock)
        self._shared: dict[str, SharedSlots] = {}

    def of(self, endpoint: Endpoint) -> Slots:
        """Return the slots of an endpoint."""
        where = hashlib.sha256(f"{endpoint.base_url} {endpoint.model}".encode()).hexdigest()
        name = f"{slug(endpoint.model)}-{where[:8]}"
        with self._lock:
            if name not in self._shared:
                self._shared[name] = SharedSlots(*self._parts, name)
            return self._shared[name].of(endpoint.concurrency)

    def beat(self) -> None:
        """Keep what is in use, for all models."""
        for slots in self._every():
            slots.beat()

    def close(self) -> None:
        """Give everything back."""
        for slots in self._every():
            slots.close()

    def _every(self) -> list[SharedSlots]:
        with self._lock:
            return list(self._shared.values())
