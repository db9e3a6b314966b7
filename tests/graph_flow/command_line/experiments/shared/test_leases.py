"""Claims and slots among the results: one holds each, and those of the silent are taken over."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graph_flow.command_line.experiments.errors import ClaimLost
from graph_flow.command_line.experiments.shared.leases import Lease, Leases
from graph_flow.command_line.experiments.shared.results import Results, StoreClock
from graph_flow.command_line.experiments.shared.slots import SharedSlotBook
from graph_flow.llm.errors import RunStopped
from tests.graph_flow.command_line.experiments.laboratory import LONG_AGO, endpoint

BEAT = 5.0
SERIES = "claims/story"


class Lab:
    """Results in a folder, and workers that have no more in common than these."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def worker(self, name: str) -> tuple[Results, Leases, StoreClock]:
        results = Results.open(str(self.folder))
        clock = StoreClock(results, time.monotonic)
        return results, Leases(results, clock, name, BEAT), clock

    def leases(self, name: str) -> Leases:
        return self.worker(name)[1]

    def slots(self, name: str) -> SharedSlotBook:
        return SharedSlotBook(*self.worker(name))

    def silence(self, lease: Lease) -> None:
        """Let it be long since anything was heard of a claim."""
        os.utime(self.folder / lease.key, (LONG_AGO, LONG_AGO))


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def claimed(leases: Leases) -> Lease:
    lease = leases.claim(SERIES)
    assert lease is not None
    return lease


def test_of_many_who_claim_at_once_one_gets_it(lab: Lab) -> None:
    everybody = [lab.leases(str(number)) for number in range(8)]

    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(lambda one: one.claim(SERIES), everybody))

    assert sum(lease is not None for lease in got) == 1


def test_claim_that_was_released_is_free_at_once(lab: Lab) -> None:
    first = lab.leases("first")
    lease = claimed(first)
    assert lab.leases("second").claim(SERIES) is None

    first.release(lease)

    assert claimed(lab.leases("second")).number == lease.number + 1


def test_claim_of_one_who_is_silent_is_taken_over_and_its_owner_learns_it(lab: Lab) -> None:
    first = lab.leases("first")
    lease = claimed(first)
    lab.silence(lease)

    second = lab.leases("second")
    taken = claimed(second)

    with pytest.raises(ClaimLost):
        first.beat(lease)
    second.beat(taken)
    assert lab.leases("third").claim(SERIES) is None


def test_beat_keeps_a_claim(lab: Lab) -> None:
    first = lab.leases("first")
    lease = claimed(first)
    lab.silence(lease)

    first.beat(lease)

    assert lab.leases("second").claim(SERIES) is None


def test_one_who_wakes_up_touches_nothing_that_counts(lab: Lab) -> None:
    first, second = lab.leases("first"), lab.leases("second")
    lease = claimed(first)
    lab.silence(lease)
    taken = claimed(second)

    first.release(lease)

    assert lab.leases("third").claim(SERIES) is None
    second.release(taken)
    assert claimed(lab.leases("third")).number == 3


def test_slots_are_as_many_as_the_model_has_however_many_workers_ask(lab: Lab) -> None:
    model = endpoint("http://127.0.0.1:1/v1", concurrency=3)
    workers = [lab.slots(str(number)) for number in range(2)]
    stop = threading.Event()
    for worker in (workers[0], workers[0], workers[1]):
        worker.of(model).take(stop)

    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(workers[1].of(model).take, stop)
        while not list(lab.folder.glob("waiting/*/*")):  # until it has found none and says so
            assert not waiting.done()
        workers[0].beat()
        workers[0].of(model).give_back()
        waiting.result(30)

    assert [one.of(model).in_use for one in workers] == [1, 2]
    stop.set()
    with pytest.raises(RunStopped):
        workers[0].of(model).take(stop)


def test_slot_that_was_just_used_is_kept_for_the_next_call_and_then_given_back(lab: Lab) -> None:
    model = endpoint("http://127.0.0.1:1/v1", concurrency=1)
    worker, stop = lab.slots("one"), threading.Event()
    slots = worker.of(model)

    slots.take(stop)
    slots.give_back()
    slots.take(stop)
    slots.give_back()
    [held] = lab.folder.glob("slots/*/*/*")
    assert held.name == "00000001"
    assert held.read_bytes()

    worker.beat()
    worker.beat()
    assert held.read_bytes() == b""


def test_slots_of_a_worker_that_died_end_by_themselves(lab: Lab) -> None:
    model = endpoint("http://127.0.0.1:1/v1", concurrency=1)
    lab.slots("dead").of(model).take(threading.Event())
    [held] = lab.folder.glob("slots/*/*/*")
    os.utime(held, (LONG_AGO, LONG_AGO))

    alive = lab.slots("alive").of(model)
    alive.take(threading.Event())

    assert alive.in_use == 1
