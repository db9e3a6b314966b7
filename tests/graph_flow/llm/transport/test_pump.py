"""A source is read in its own thread; it is hung up, and its slot given back, as soon as nobody reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_flow.llm.errors import RunStopped
from graph_flow.llm.transport.pump import (
    DeadlinePassed,
    Limit,
    Patience,
    Pump,
    Slots,
    unless_stopped,
)

NEVER = threading.Event()
FOR_LONG = Patience(60, 60, 60)
MOMENT = 0.005


class Scripted:
    """A source that says what it is given; hung up, it ends, and until then it may be silent."""

    def __init__(self, *said: int | None, error: Exception | None = None) -> None:
        self.hung_up = threading.Event()
        self._said = said
        self._error = error

    def read(self) -> Iterator[int | None]:
        yield from self._said
        if self._error is not None:
            raise self._error

    def hang_up(self) -> None:
        self.hung_up.set()


class Silent(Scripted):
    """Says no more until it is hung up."""

    def read(self) -> Iterator[int | None]:
        yield from self._said
        self.hung_up.wait()


class Alive(Scripted):
    """Shows that it is still there, and nothing else, until it is hung up."""

    def read(self) -> Iterator[int | None]:
        yield from self._said
        while not self.hung_up.wait(MOMENT):
            yield None


class Stuck(Silent):
    """Notices nothing: it looks up an address, for instance."""

    def hang_up(self) -> None:
        """Take no notice."""


class Endless(Scripted):
    """Goes on until it is hung up."""

    def read(self) -> Iterator[int | None]:
        while not self.hung_up.wait(MOMENT):
            yield 1


def begun(source: Scripted, slots: Slots | None = None) -> Pump[int]:
    pump = Pump(lambda: source, slots or Slots(1))
    pump.begin(NEVER)
    return pump


def test_pieces_arrive_in_order_without_the_signs_of_life() -> None:
    slots = Slots(1)
    pump = begun(Scripted(1, None, 2, 3, None), slots)

    assert list(pump.pieces(NEVER, FOR_LONG)) == [1, 2, 3]
    assert slots.in_use == 0


def test_an_error_of_the_source_is_raised_after_its_pieces() -> None:
    slots = Slots(1)
    pieces = begun(Scripted(1, error=KeyError("oops")), slots).pieces(NEVER, FOR_LONG)

    assert next(pieces) == 1
    with pytest.raises(KeyError, match="oops"):
        next(pieces)
    assert slots.in_use == 0


@pytest.mark.parametrize(
    ("make", "patience", "limit"),
    [
        (Silent, Patience(0.05, 60, 60), Limit.SILENCE),
        (Alive, Patience(60, 0.05, 60), Limit.CONTENT),
        (Endless, Patience(60, 60, 0.05), Limit.WHOLE),
    ],
)
def test_patience_ends_and_the_source_is_hung_up(
    make: Callable[..., Scripted], patience: Patience, limit: Limit
) -> None:
    source, slots = make(1), Slots(1)

    with pytest.raises(DeadlinePassed) as passed:
        list(begun(source, slots).pieces(NEVER, patience))

    assert passed.value.limit is limit
    assert passed.value.seconds > 0.05
    assert source.hung_up.is_set()
    assert slots.in_use == 0


def test_signs_of_life_put_off_the_end_of_the_silence_but_not_that_of_the_content() -> None:
    told: list[bool] = []

    with pytest.raises(DeadlinePassed) as passed:
        list(begun(Alive(1)).pieces(NEVER, Patience(0.3, 0.6, 60), told.append))

    assert passed.value.limit is Limit.CONTENT
    assert told == [True]


def test_content_after_signs_of_life_is_told() -> None:
    told: list[bool] = []
    is_told = threading.Event()

    class Slow(Scripted):
        def read(self) -> Iterator[int | None]:
            while not is_told.wait(MOMENT):
                yield None
            yield 1

    def tell(is_quiet: bool) -> None:
        told.append(is_quiet)
        is_told.set()

    assert list(begun(Slow()).pieces(NEVER, Patience(0.3, 60, 60), tell)) == [1]
    assert told == [True, False]


def test_what_arrived_in_time_is_not_late_because_it_was_read_late() -> None:
    """A page that draws for long between two pieces uses up nobody's patience."""
    patience = Patience(0.05, 0.05, 60)
    pieces = begun(Scripted(1, None, 2)).pieces(NEVER, patience)

    assert next(pieces) == 1
    threading.Event().wait(3 * patience.silence)
    assert list(pieces) == [2]


@pytest.mark.parametrize("make", [Silent, Alive, Endless, Stuck])
def test_a_source_that_nobody_reads_is_hung_up_and_gives_its_slot_back_at_once(
    make: Callable[..., Scripted],
) -> None:
    source, slots = make(1), Slots(1)
    pieces = begun(source, slots).pieces(NEVER, FOR_LONG)
    next(pieces)
    assert slots.in_use == 1

    pieces.close()

    assert slots.in_use == 0
    assert source.hung_up.is_set() is not (make is Stuck)
    source.hung_up.set()


@pytest.mark.parametrize("make", [Silent, Alive, Endless, Stuck])
def test_stop_ends_the_wait_whatever_the_source_does(make: Callable[..., Scripted]) -> None:
    source, slots, stop = make(), Slots(1), threading.Event()
    pump = begun(source, slots)

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(lambda: list(pump.pieces(stop, FOR_LONG)))
        stop.set()
        with pytest.raises(RunStopped):
            reading.result(timeout=10)

    assert slots.in_use == 0
    source.hung_up.set()


def test_slot_is_given_back_once_however_a_stream_ends() -> None:
    slots = Slots(2)
    for source in (Scripted(1), Scripted(error=KeyError()), Silent(1), Alive(1)):
        pieces = begun(source, slots).pieces(NEVER, FOR_LONG)
        try:
            next(pieces, None)
        except KeyError:
            continue
        pieces.close()

    assert slots.in_use == 0


def test_source_that_cannot_be_opened_keeps_no_slot() -> None:
    slots = Slots(1)

    def fail() -> Scripted:
        raise KeyError("oops")

    with pytest.raises(KeyError):
        Pump(fail, slots).begin(NEVER)

    assert slots.in_use == 0


def test_waiting_for_a_slot_can_be_stopped() -> None:
    slots = Slots(1)
    slots.take(NEVER)
    stop = threading.Event()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(slots.take, stop)
        stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=10)

    assert slots.in_use == 1


def test_work_is_left_to_itself_when_the_run_is_stopped() -> None:
    may_end, stop = threading.Event(), threading.Event()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(unless_stopped, may_end.wait, stop)
        stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=10)

    may_end.set()


def test_work_returns_and_raises_as_ever() -> None:
    def fail() -> int:
        raise TimeoutError("its own")

    assert unless_stopped(lambda: 3, NEVER) == 3
    with pytest.raises(TimeoutError, match="its own"):
        unless_stopped(fail, NEVER)
