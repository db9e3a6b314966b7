"""What a run may still use: checked before every attempt, and charged after it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from graph_flow.llm.errors import ModelError, RunStopped
from store.models.endpoint import Endpoint
from store.models.run import Caps, Totals

LOOK_UP = 0.1
"""Seconds between two checks of the stop event while a call waits for others to finish."""


class CapReached(ModelError):
    """A call was not made because it would take the run beyond a limit that the writer set."""


@dataclass(frozen=True)
class Use:
    """What one attempt uses: tokens in and out together, and money in the endpoint's currency."""

    tokens: int
    cost: float


@dataclass
class Booking:
    """An attempt under way; `actual` is what it used, once that is known."""

    expected: Use
    actual: Use | None = None


class Meter(Protocol):
    """Allows attempts, whatever run they belong to, and is told what they used."""

    def attempt(self, endpoint: Endpoint, expected: Use) -> AbstractContextManager[Booking]:
        """Allow one attempt for the duration of a block.

        Raises:
            ModelError: if there is no more to be had.
        """


class Unmetered:
    """Allows everything: whoever runs Tellwright for themselves knows their own bills."""

    @contextmanager
    def attempt(self, endpoint: Endpoint, expected: Use) -> Iterator[Booking]:  # noqa: ARG002
        """Allow one attempt."""
        yield Booking(expected)


class Budget:
    """Keep a run within its caps, however many calls are under way. Thread-safe.

    An attempt reserves one call and the most that it is expected to use; when it ends, what it
    actually used is charged. A cap is therefore never exceeded by more than an estimate is off.
    `used` is what the run has used so far.
    """

    def __init__(self, caps: Caps, used: Totals) -> None:
        self.caps = caps
        self._calls = used.calls
        self._spent = Use(used.tokens_in + used.tokens_out, used.cost)
        self._under_way: list[Use] = []
        self._changed = threading.Condition()

    @property
    def calls(self) -> int:
        """The number of attempts that the run has made."""
        with self._changed:
            return self._calls

    @property
    def spent(self) -> Use:
        """What these attempts have used altogether."""
        with self._changed:
            return self._spent

    @contextmanager
    def attempt(self, expected: Use, stop: threading.Event) -> Iterator[Booking]:
        """Allow one attempt for the duration of a block.

        An attempt that fits only if those under way use less than they reserved waits for them.

        Raises:
            CapReached: if the attempt would take the run beyond a cap.
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
        """Raise if an attempt cannot fit, however little those under way use."""
        caps, spent = self.caps, self._spent
        if caps.calls is not None and self._calls + len(self._under_way) >= caps.calls:
            raise CapReached(f"This run has used the {caps.calls:,} calls that you allowed.")
        if caps.tokens is not None and spent.tokens + expected.tokens > caps.tokens:
            raise CapReached(
                f"This run has used {spent.tokens:,} of the {caps.tokens:,} tokens that you allowed, "
                f"and the next step may take {expected.tokens:,}."
            )
        if caps.cost is not None and spent.cost + expected.cost > caps.cost:
            raise CapReached(
                f"This run has used {spent.cost:,.4g} of the {caps.cost:,.4g} that you allowed at "
                f"your prices, and the next step may cost {expected.cost:,.2g}."
            )

    def _fits(self, expected: Use) -> bool:
        """Return whether an attempt fits even if those under way use all that they reserved."""
        caps, most = self.caps, _sum([self._spent, *self._under_way, expected])
        return (caps.tokens is None or most.tokens <= caps.tokens) and (
            caps.cost is None or most.cost <= caps.cost
        )


def _sum(uses: Sequence[Use]) -> Use:
    return Use(sum(use.tokens for use in uses), sum(use.cost for use in uses))
