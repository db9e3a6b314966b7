"""Work beside runs: seen as it streams, stopped at once, paid for once, and never in a run's way."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.machine.side_work import MOST_AT_ONCE, SideWork
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.telling.agents import WRITERS
from graph_flow.views import SideState, SideWorkSeen
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.run import Initialize, Outcome, RunState
from store.open import Store
from tests.desk import Desk
from tests.fakes.full_disk import full_disk
from tests.fakes.scripted_server import (
    ScriptedServer,
    hang,
    in_halves,
    refuse,
    say,
)
from tests.graph_flow.scripting import Held, the_nth

SECONDS = 30
TEXT = "The lamp had burned all night. Nobody had seen who lit it. In the morning it was cold."


def writing(step: str = "0/beside/1") -> Callable[[StoryContext], str]:
    """Return work that has a text written."""
    agent = WRITERS[Form.NOVEL]
    prompt = agent.prompt(ModelStrength.SMALL)
    given = dict.fromkeys(prompt.variables - {"language"}, "") | prompt.examples[0].given
    job = Job(agent, step, "A passage is put differently", given)
    return lambda context: context.write_text(job)


def ended(work: SideWork, branch: str, key: str = "passage") -> SideWorkSeen:
    """Wait for a piece of work, and return how it ended."""
    assert work.wait(branch, key, SECONDS)
    seen = work.seen(branch, key)
    assert seen is not None
    return seen


def streamed(work: SideWork, branch: str, key: str = "passage") -> str:
    """Wait until a piece of work shows a text, and return it."""
    moment = threading.Event()
    for _ in range(SECONDS * 50):
        seen = work.seen(branch, key)
        if seen is not None and seen.text:
            return seen.text
        moment.wait(0.02)
    raise AssertionError("nothing was streamed")


@pytest.fixture
def work(desk: Desk) -> SideWork:
    return desk.workbench.side_work


@pytest.fixture
def branch(desk: Desk) -> str:
    return desk.branch(desk.story())


def test_text_is_seen_as_it_streams_and_its_result_at_the_end(
    desk: Desk, work: SideWork, branch: str
) -> None:
    rest = threading.Event()
    desk.server.queue(in_halves(TEXT, rest))

    work.begin(branch, "passage", writing())
    so_far = streamed(work, branch)
    seen = work.seen(branch, "passage")
    assert seen is not None
    assert (seen.state, seen.result) == (SideState.WORKING, None)
    assert seen.words == "A passage is put differently"
    assert 0 < len(so_far) < len(TEXT)
    assert TEXT.startswith(so_far)

    rest.set()
    seen = ended(work, branch)
    assert (seen.state, seen.result, seen.text) == (SideState.DONE, TEXT, TEXT)
    work.forget(branch, "passage")
    assert work.seen(branch, "passage") is None


def test_its_calls_are_in_the_ledger_with_branch_and_step_and_count_in_the_cost(
    desk: Desk, work: SideWork, branch: str, store: Store
) -> None:
    desk.server.queue(say(TEXT))
    work.begin(branch, "passage", writing("0/beside/7"))
    assert ended(work, branch).state is SideState.DONE

    [call] = store.calls.newest(branch)
    assert (call.branch, call.run, call.step) == (branch, None, "0/beside/7")
    assert (call.outcome, call.answer) == (Outcome.OK, TEXT)
    assert store.ledger.totals(branch=branch).calls == 1
    [chapter] = store.ledger.of_line(branch).chapters
    assert (chapter.chapter, chapter.calls) == (0, 1)


def test_what_was_asked_before_in_the_same_step_is_not_asked_again(
    desk: Desk, work: SideWork, branch: str, open_workbench: Callable[[], Workbench]
) -> None:
    for _ in range(2):
        work.begin(branch, "passage", writing())
        first = ended(work, branch)
    assert len(desk.server.history) == 1

    later = open_workbench().side_work
    later.begin(branch, "passage", writing())
    assert ended(later, branch).result == first.result
    assert len(desk.server.history) == 1

    later.begin(branch, "passage", writing("0/beside/2"))
    ended(later, branch)
    assert len(desk.server.history) == 2


def test_it_is_stopped_in_the_middle_of_an_answer_and_what_had_come_is_kept(
    desk: Desk, work: SideWork, branch: str, store: Store
) -> None:
    desk.server.queue(in_halves(TEXT, threading.Event()))
    work.begin(branch, "passage", writing())
    so_far = streamed(work, branch)

    work.stop(branch, "passage")
    seen = ended(work, branch)

    assert seen.state is SideState.STOPPED
    assert seen.text == so_far
    assert seen.message
    assert [call.outcome for call in store.calls.newest(branch)] == [Outcome.FAILED]


def test_failure_ends_in_words_and_the_next_try_can_succeed(
    desk: Desk, work: SideWork, branch: str
) -> None:
    desk.server.queue(refuse(401, "no such key"))
    work.begin(branch, "passage", writing())
    seen = ended(work, branch)
    assert seen.state is SideState.FAILED
    assert "does not accept the key" in seen.message

    work.begin(branch, "passage", writing())
    assert ended(work, branch).state is SideState.DONE


def test_problem_of_the_work_itself_ends_in_words(work: SideWork, branch: str) -> None:
    def refused(_: StoryContext) -> None:
        raise WorkbenchError("There is no such chapter.")

    work.begin(branch, "passage", refused)
    assert ended(work, branch).message == "There is no such chapter."


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_fault_of_the_program_is_not_shown_to_the_writer_as_it_is(
    work: SideWork, branch: str
) -> None:
    work.begin(branch, "passage", lambda _: 1 / 0)
    seen = ended(work, branch)
    assert seen.state is SideState.FAILED
    assert "Something went wrong inside Tellwright" in seen.message
    assert "ZeroDivision" not in seen.message
    # Pytest hears of the fault as the thread ends, and would hold it against the next test.
    for thread in threading.enumerate():
        if thread.name == "beside runs: passage":
            thread.join(SECONDS)


def test_it_goes_on_beside_a_run_and_neither_waits_for_the_other(desk: Desk) -> None:
    story = desk.story()
    branch = desk.branch(story)
    held = Held(the_nth("foundation", 1))
    desk.server.answer = held
    run = desk.workbench.runs.start(branch, Initialize())
    assert held.has_come.wait(SECONDS)

    work = desk.workbench.side_work
    work.begin(branch, "passage", writing())
    assert ended(work, branch).state is SideState.DONE
    progress = desk.workbench.runs.progress(branch)
    assert progress is not None
    assert progress.run.state is RunState.RUNNING

    held.let_go()
    assert desk.settle(run).state is RunState.WAITING


def test_several_go_on_at_once_within_what_the_endpoint_takes(
    desk: Desk, work: SideWork, branch: str
) -> None:
    work.begin(branch, "how many", lambda context: context.gateway.endpoint().concurrency)
    most = ended(work, branch, "how many").result
    assert isinstance(most, int)
    desk.server.answer_together(most)
    for number in range(most + 3):
        work.begin(branch, f"passage {number}", writing(f"0/beside/{number}"))
    for number in range(most + 3):
        assert ended(work, branch, f"passage {number}").state is SideState.DONE

    assert len(desk.server.history) == most + 3
    assert desk.server.most_at_once == most > 1


def test_nothing_is_begun_twice_and_not_without_bound(
    desk: Desk, work: SideWork, branch: str
) -> None:
    desk.server.answer = lambda _: hang()
    for number in range(MOST_AT_ONCE):
        work.begin(branch, f"passage {number}", writing())
    with pytest.raises(BranchBusy, match="worked on already"):
        work.begin(branch, "passage 0", writing())
    with pytest.raises(BranchBusy, match="as much as it can"):
        work.begin(branch, "one more", writing())
    states = [work.seen(branch, f"passage {number}") for number in range(MOST_AT_ONCE)]
    assert [one.state for one in states if one] == [SideState.WORKING] * MOST_AT_ONCE


def test_closing_the_workbench_stops_it(desk: Desk, work: SideWork, branch: str) -> None:
    desk.server.answer = lambda _: hang()
    work.begin(branch, "passage", writing())
    assert desk.server.has_arrived.wait(SECONDS)
    assert desk.workbench.is_at_work
    with pytest.raises(WorkbenchError, match="working on"):
        desk.workbench.check_at_rest()

    desk.workbench.close()

    seen = work.seen(branch, "passage")
    assert seen is not None
    assert seen.state is SideState.STOPPED
    assert not work.is_at_work
    with pytest.raises(WorkbenchError, match="closed"):
        work.begin(branch, "passage", writing())


def test_full_disk_loses_no_answer_that_was_paid_for(
    work: SideWork, branch: str, server: ScriptedServer, store: Store
) -> None:
    with full_disk() as disk:
        work.begin(branch, "passage", writing())
        first = ended(work, branch)
        assert first.state is SideState.DONE
        work.begin(branch, "passage", writing("0/beside/2"))
        second = ended(work, branch)
        assert second.state is SideState.FAILED
        assert "full" in second.message
        disk.free()
        work.begin(branch, "passage", writing())
        assert ended(work, branch).result == first.result
    assert len(server.history) == 1
    moment = threading.Event()
    for _ in range(SECONDS * 10):
        if store.calls.newest(branch):
            break
        moment.wait(0.1)
    assert len(store.calls.newest(branch)) == 1
