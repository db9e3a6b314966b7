"""Claims that end with whoever made them: created by one only, kept by a heartbeat, taken over if silent.

A claim is a numbered series: `claims/STORY/00000001`, `…2`. The highest number counts. It is held as long
as it has content and is touched every beat; empty, it is free. Whoever takes it over creates the next
number, and only one can. So nothing has to be compared and swapped, and one who wakes after having been
silent for too long can touch no more than a number that counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from graph_flow.command_line.experiments.errors import ClaimLost
from graph_flow.command_line.experiments.shared.results import Found, Results, StoreClock

BEATS = 4
"""A claim may be silent for so many beats; a bucket's clock shows whole seconds, so one more."""


class Lease(NamedTuple):
    """A claim that this worker holds."""

    series: str
    number: int

    @property
    def key(self) -> str:
        """Where it is among the results."""
        return f"{self.series}/{self.number:08d}"


class Leases:
    """Make claims, keep and release them. Thread-safe."""

    def __init__(self, results: Results, clock: StoreClock, worker: str, beat: float) -> None:
        self._results = results
        self._clock = clock
        self._worker = worker.encode()
        self._patience = timedelta(seconds=BEATS * beat + 1)

    def claim(self, series: str, found: Sequence[Found] | None = None) -> Lease | None:
        """Make a claim; return None if another worker holds it.

        `found` is what is in the series, if it was just looked up.

        Raises:
            ResultsUnusable: if the results cannot be read or written.
        """
        found = self._results.list(series) if found is None else found
        if found and self.is_held(found[-1]):
            return None
        lease = Lease(series, number_of(found[-1]) + 1 if found else 1)
        if not self._results.create(lease.key, self._worker):
            return None
        self._results.remove(*(one.key for one in found))
        return lease

    def is_held(self, newest: Found) -> bool:
        """Return whether somebody holds a claim of which this is the highest number."""
        return newest.size > 0 and self._clock.now() - newest.moment <= self._patience

    def release(self, lease: Lease) -> None:
        """Give a claim back."""
        self._results.put(lease.key, b"")

    def beat(self, lease: Lease) -> None:
        """Say that a claim is still held.

        Raises:
            ClaimLost: if another worker has taken it over.
        """
        found = self._results.list(lease.series)
        if found and number_of(found[-1]) > lease.number:
            raise ClaimLost("Another worker has taken this over.")
        self._results.put(lease.key, self._worker)
        self._clock.set(lease.key)


def number_of(found: Found) -> int:
    """Return the number of a claim."""
    return int(found.key.rpartition("/")[2])
