"""What the library cannot take for a while is held in memory, as good as written, and written later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from store.errors import LibraryUnavailable
from store.models.run import PlotChapters, Run, RunState
from store.models.story import Branch
from store.open import Store
from store.records.runs import LEASE, RunStore
from tests.store.records.test_calls import call_of
from tests.store.records.test_runs import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def runs(store: Store, clock: Clock) -> RunStore:
    """Return one process's view of the runs."""
    return RunStore(store.database, clock=clock)


@pytest.fixture
def others(store: Store, clock: Clock) -> RunStore:
    """Return another process's view of the same runs."""
    return RunStore(store.database, clock=clock)


@contextmanager
def read_only(store: Store) -> Iterator[None]:
    """Let nothing be written in the block."""
    store.database.read().conn.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        store.database.read().conn.execute("PRAGMA query_only = OFF")


def started(runs: RunStore, branch: Branch) -> Run:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    return run


def test_call_that_cannot_be_written_is_found_again_and_written_later(
    store: Store, branch: Branch
) -> None:
    paid = call_of(branch)

    calls = store.calls
    with read_only(store):
        calls.record_call(paid)
        assert store.runs.has_held
        assert calls.finished_call(branch.id, paid.step, paid.prompt_hash) == paid
        assert calls.calls_of_step(branch.id, paid.step, paid.prompt_hash) == [paid]
        assert calls.finished_call(branch.id, paid.step, "another") is None
        with pytest.raises(LibraryUnavailable):
            calls.write_held()
        assert calls.has_held

    store.runs.write_held()
    assert not calls.has_held
    assert calls.newest(branch.id) == [paid]
    assert calls.finished_call(branch.id, paid.step, paid.prompt_hash) == paid


@pytest.mark.parametrize("state", [RunState.DONE, RunState.FAILED, RunState.WAITING])
def test_end_that_cannot_be_written_holds_for_this_process_at_once(
    store: Store, runs: RunStore, others: RunStore, branch: Branch, state: RunState
) -> None:
    run = started(runs, branch)

    with read_only(store):
        with pytest.raises(LibraryUnavailable):
            runs.end_run(run.id, state, "So it ended.")
        assert (runs.run(run.id).state, runs.run(run.id).message) == (state, "So it ended.")
        assert runs.active(branch.id) is None
        assert [one.id for one in runs.waiting(branch.id)] == (
            [run.id] if state is RunState.WAITING else []
        )
        assert others.run(run.id).state is RunState.RUNNING

    runs.write_held()
    assert others.run(run.id) == runs.run(run.id)
    assert others.run(run.id).state is state


def test_end_that_was_held_is_not_that_of_the_run_when_it_is_taken_up_again(
    store: Store, runs: RunStore, branch: Branch
) -> None:
    run = started(runs, branch)
    with read_only(store), pytest.raises(LibraryUnavailable):
        runs.end_run(run.id, RunState.FAILED, "There was no room.")
    with read_only(store), pytest.raises(LibraryUnavailable):
        runs.claim_again(run)

    again = runs.claim_again(run)

    assert again is not None
    runs.write_held()
    assert runs.run(run.id).state is RunState.RUNNING


def test_run_at_work_here_is_alive_though_no_heartbeat_can_be_written(
    runs: RunStore, others: RunStore, clock: Clock, branch: Branch
) -> None:
    run = started(runs, branch)
    runs.begin_work(run.id)
    clock.turn(2 * LEASE)

    assert runs.run(run.id).state is RunState.RUNNING
    assert others.run(run.id).state is RunState.INTERRUPTED
    runs.end_work(run.id)
    assert runs.run(run.id).state is RunState.INTERRUPTED
