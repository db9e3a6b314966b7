from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_flow.llm.errors import RunStopped
from graph_flow.llm.transport.pump import DeadlinePassed, Pump, Slots

NEVER = threading.Event()


def test_pieces_arrive_in_order() -> None:
    pump = Pump(lambda: iter([1, 2, 3]), Slots(1))
    pump.begin(NEVER)

    assert list(pump.pieces(NEVER, 60)) == [1, 2, 3]


def test_an_error_of_the_source_is_raised_after_its_pieces() -> None:
    def source() -> Iterator[int]:
        yield 1
        raise KeyError("oops")

    pump = Pump(source, Slots(1))
    pump.begin(NEVER)
    pieces = pump.pieces(NEVER, 60)

    assert next(pieces) == 1
    with pytest.raises(KeyError, match="oops"):
        next(pieces)


def test_a_silent_source_is_left_at_the_deadline() -> None:
    release = threading.Event()

    def source() -> Iterator[int]:
        release.wait()
        yield 1

    pump = Pump(source, Slots(1))
    pump.begin(NEVER)
    with pytest.raises(DeadlinePassed):
        list(pump.pieces(NEVER, 0))
    release.set()


def test_a_source_that_nobody_reads_is_closed_and_gives_its_slot_back() -> None:
    closed = threading.Event()
    slots = Slots(1)

    def source() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    pump = Pump(source, slots)
    pump.begin(NEVER)
    pieces = pump.pieces(NEVER, 60)
    next(pieces)
    pieces.close()

    assert closed.wait(10)
    slots.take(NEVER)


def test_waiting_for_a_slot_can_be_stopped() -> None:
    slots = Slots(1)
    slots.take(NEVER)
    stop = threading.Event()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(slots.take, stop)
        stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=10)
