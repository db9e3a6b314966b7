"""Leases, decisions that count once, and a ledger in which no paid call is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from store.errors import NotFound
from store.models.run import (
    Action,
    ChooseAgain,
    Decision,
    Initialize,
    PlotChapters,
    RunState,
    WriteChapter,
)
from store.models.story import Branch
from store.open import Store
from store.records.runs import LEASE, Owners, RunStore

T = TypeVar("T")
START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment

    def turn(self, span: timedelta) -> None:
        self.moment += span


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


@pytest.mark.parametrize("task", [Initialize(), PlotChapters(chapters=3), WriteChapter(chapter=2)])
def test_a_run_is_kept(runs: RunStore, branch: Branch, task: Initialize | PlotChapters) -> None:
    run = runs.claim_new(branch.id, task)
    assert run is not None
    assert runs.run(run.id) == run
    assert runs.run_of_thread(run.thread) == run
    assert runs.latest(branch.id) == run
    assert runs.active(branch.id) == run
    assert run.task == task


def test_newest_run_of_some_kinds_is_found_behind_others(runs: RunStore, branch: Branch) -> None:
    begun = []
    for task in (PlotChapters(), ChooseAgain(chapter=1), WriteChapter(chapter=1)):
        run = runs.claim_new(branch.id, task)
        assert run is not None
        begun.append(runs.end_run(run.id, RunState.STOPPED))
    plotted, chosen, written = begun

    assert runs.latest(branch.id) == written
    assert runs.latest(branch.id, {"plot", "choose"}) == chosen
    assert runs.latest(branch.id, ["plot"]) == plotted
    assert runs.latest(branch.id, ["outline"]) is None


def test_a_branch_has_one_run_at_work(runs: RunStore, others: RunStore, branch: Branch) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    assert others.claim_new(branch.id, Initialize()) is None
    assert others.claim_again(run) is None
    runs.end_run(run.id, RunState.WAITING)
    assert others.claim_new(branch.id, Initialize()) is not None


def test_of_eight_that_start_at_once_one_does(runs: RunStore, branch: Branch) -> None:
    started = _at_once(lambda: runs.claim_new(branch.id, PlotChapters()))
    assert sum(run is not None for run in started) == 1


def test_of_eight_that_continue_at_once_one_does(runs: RunStore, branch: Branch) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    stopped = runs.end_run(run.id, RunState.STOPPED, "Stopped.")
    assert (stopped.state, stopped.message, stopped.ended) == (RunState.STOPPED, "Stopped.", START)
    claimed = [one for one in _at_once(lambda: runs.claim_again(stopped)) if one]
    assert len(claimed) == 1
    assert (claimed[0].state, claimed[0].message, claimed[0].ended) == (RunState.RUNNING, "", None)


def test_a_silent_run_reads_as_interrupted_and_can_be_taken_up(
    runs: RunStore, others: RunStore, branch: Branch, clock: Clock
) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    clock.turn(LEASE)
    assert others.active(branch.id) == run
    clock.turn(timedelta(seconds=1))
    assert others.active(branch.id) is None
    latest = others.latest(branch.id)
    assert latest is not None
    assert latest.state is RunState.INTERRUPTED
    assert [one.state for one in others.runs(branch.id)] == [RunState.INTERRUPTED]
    taken = others.claim_again(run)
    assert taken is not None
    assert taken.owner != run.owner
    assert not runs.heartbeat(run.id)
    assert runs.end_run(run.id, RunState.FAILED, "late").state is RunState.RUNNING


def test_a_run_whose_process_is_gone_reads_as_interrupted_at_once(
    store: Store, runs: RunStore, branch: Branch, clock: Clock
) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    after = RunStore(store.database, Owners("new", lambda owner: owner != run.owner), clock=clock)
    assert after.run(run.id).state is RunState.INTERRUPTED
    taken = after.claim_again(run)
    assert taken is not None
    assert taken.owner.startswith("new/")
    assert after.active(branch.id) == taken


def test_a_silent_run_does_not_keep_a_new_one_from_starting(
    runs: RunStore, others: RunStore, branch: Branch, clock: Clock
) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    clock.turn(LEASE * 2)
    new = others.claim_new(branch.id, PlotChapters())
    assert new is not None
    assert others.run(run.id).state is RunState.INTERRUPTED
    assert others.latest(branch.id) == new


def test_a_heartbeat_keeps_a_run_alive(runs: RunStore, branch: Branch, clock: Clock) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    for _ in range(3):
        clock.turn(LEASE)
        assert runs.heartbeat(run.id)
    assert runs.active(branch.id) is not None
    runs.end_run(run.id, RunState.DONE)
    assert not runs.heartbeat(run.id)


def test_a_run_that_is_done_is_not_taken_up(runs: RunStore, branch: Branch) -> None:
    run = runs.claim_new(branch.id, PlotChapters())
    assert run is not None
    runs.end_run(run.id, RunState.DONE)
    assert runs.claim_again(run) is None


def test_a_run_that_waits_waits_for_ever(runs: RunStore, branch: Branch, clock: Clock) -> None:
    run = runs.claim_new(branch.id, Initialize())
    assert run is not None
    waiting = runs.end_run(run.id, RunState.WAITING)
    clock.turn(timedelta(days=400))
    assert runs.latest(branch.id) == waiting
    assert runs.waiting(branch.id) == [waiting]
    assert waiting.ended is None


def test_a_long_message_is_cut(runs: RunStore, branch: Branch) -> None:
    run = runs.claim_new(branch.id, Initialize())
    assert run is not None
    assert len(runs.end_run(run.id, RunState.FAILED, "x" * 1_000).message) == 400


def test_a_run_that_is_not_there(runs: RunStore, branch: Branch) -> None:
    assert runs.latest(branch.id) is None
    assert runs.active(branch.id) is None
    with pytest.raises(NotFound):
        runs.run("none")
    with pytest.raises(NotFound):
        runs.run_of_thread("none")


def test_a_question_is_answered_once(runs: RunStore, branch: Branch) -> None:
    assert runs.decision("question") is None
    first = Decision(action=Action.ASK_AGAIN, note="darker")
    assert runs.record_decision("question", branch.id, first)
    assert not runs.record_decision("question", branch.id, Decision(choice="other"))
    assert runs.decision("question") == first


def test_of_eight_that_answer_at_once_one_counts(runs: RunStore, branch: Branch) -> None:
    answered = _at_once(lambda: runs.record_decision("question", branch.id, Decision()))
    assert sum(answered) == 1


def _at_once(work: Callable[[], T]) -> list[T]:
    barrier = threading.Barrier(8)

    def wait_and_work() -> T:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(8) as pool:
        return [done.result() for done in [pool.submit(wait_and_work) for _ in range(8)]]
