"""What a run may still use: asked before every attempt, and told after it what that really took."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from graph_flow.llm.errors import ModelError, RunStopped
from store.models.run import Caps, Totals

LOOK_UP = 0.1
"""Seconds between two looks at the stop event while a call waits for what others leave."""


class CapReached(ModelError):
    """A call would take a run beyond what the writer allowed it; it is not made."""


@dataclass(frozen=True)
class Use:
    """What one attempt takes: tokens in and out together, and money in the endpoint's currency."""

    tokens: int
    cost: float


@dataclass
class Booking:
    """An attempt under way; `actual` is what it took, once that is known."""

    expected: Use
    actual: Use | None = None


class Budget:
    """Keep a run within its caps, however many calls are under way at once. Threads share it.

    An attempt reserves one call and the most that it is expected to take, and books at its end
    what it took. So no cap is gone beyond by more than an estimate is wrong. `used` is what the
    run has used before.
    """

    def __init__(self, caps: Caps, used: Totals) -> None:
        self.caps = caps
        self._calls = used.calls
        self._spent = Use(used.tokens_in + used.tokens_out, used.cost)
        self._under_way: list[Use] = []
        self._changed = threading.Condition()

    @property
    def calls(self) -> int:
        """How many attempts the run has made."""
        with self._changed:
            return self._calls

    @property
    def spent(self) -> Use:
        """What they took together."""
        with self._changed:
            return self._spent

    @contextmanager
    def attempt(self, expected: Use, stop: threading.Event) -> Iterator[Booking]:
        """Allow one attempt for the length of a block.

        One that would fit, if those under way take less than they may, waits for them.

        Raises:
            CapReached: if it would take the run beyond a cap.
            RunStopped: if the stop event is set while it waits.
        """
        booking = Booking(expected)
        self._reserve(expected, stop)
        try:
            yield booking
        finally:
            self._book(booking)

    def _reserve(self, expected: Use, stop: threading.Event) -> None:
        with self._changed:
            while True:
                self._refuse_beyond(expected)
                if self._fits(expected):
                    self._under_way.append(expected)
                    return
                self._changed.wait(LOOK_UP)
                if stop.is_set():
                    raise RunStopped

    def _book(self, booking: Booking) -> None:
        with self._changed:
            self._under_way.remove(booking.expected)
            if booking.actual is not None:
                self._calls += 1
                self._spent = _sum([self._spent, booking.actual])
            self._changed.notify_all()

    def _refuse_beyond(self, expected: Use) -> None:
        """Raise where an attempt cannot fit, whatever becomes of those under way."""
        caps, spent = self.caps, self._spent
        if caps.calls is not None and self._calls + len(self._under_way) >= caps.calls:
            raise CapReached(f"It has used the {caps.calls:,} calls that you allowed.")
        if caps.tokens is not None and spent.tokens + expected.tokens > caps.tokens:
            raise CapReached(
                f"It has used {spent.tokens:,} of the {caps.tokens:,} tokens that you allowed, "
                f"and the next step may take {expected.tokens:,}."
            )
        if caps.cost is not None and spent.cost + expected.cost > caps.cost:
            raise CapReached(
                f"It has used {spent.cost:,.4g} of the {caps.cost:,.4g} that you allowed at your "
                f"prices, and the next step may take {expected.cost:,.2g}."
            )

    def _fits(self, expected: Use) -> bool:
        """Return whether an attempt fits, though all those under way take what they may."""
        caps, most = self.caps, _sum([self._spent, *self._under_way, expected])
        return (caps.tokens is None or most.tokens <= caps.tokens) and (
            caps.cost is None or most.cost <= caps.cost
        )


def _sum(uses: Sequence[Use]) -> Use:
    return Use(sum(use.tokens for use in uses), sum(use.cost for use in uses))
