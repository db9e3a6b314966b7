"""Two windows on one story: an answer counts once, and one run at a time works on a branch."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from graph_flow.errors import AlreadyAnswered, BranchBusy, WorkbenchError
from graph_flow.workbench.workbench import Workbench
from store.models.run import (
    Decision,
    Initialize,
    PlotChapters,
    Question,
    Run,
    RunState,
    WriteChapter,
)
from store.models.story import Gate
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.scripting import Held, the_nth

Open = Callable[[], Workbench]
SECONDS = 120
SMALL = {"goals": 2, "roles": 2}


@pytest.fixture(params=["one app", "two apps"])
def windows(request: pytest.FixtureRequest, desk: Desk, open_workbench: Open) -> list[Workbench]:
    """Two windows, of one app or of two that share the library."""
    is_one = request.param == "one app"
    return [desk.workbench, desk.workbench if is_one else open_workbench()]


def at_once(*actions: Callable[[], Run]) -> list[Run | WorkbenchError]:
    """Do things at the same moment, each in a thread of its own; return how each came out."""
    gate = threading.Barrier(len(actions))
    outcomes: list[Run | WorkbenchError] = []

    def act(action: Callable[[], Run]) -> None:
        gate.wait()
        try:
            outcomes.append(action())
        except WorkbenchError as problem:
            outcomes.append(problem)

    threads = [threading.Thread(target=act, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def asking(desk: Desk, gate: Gate) -> Question:
    """Return the question of a gate of chapter 1; the next gate asks too."""
    story = desk.founded(SMALL)
    branch = desk.do(story, PlotChapters(chapters=2)).branch
    if gate is Gate.CANDIDATES:
        desk.answer(story)
    [question] = desk.workbench.runs.pending(branch)
    assert question.gate is gate
    return question


NEXT = {Gate.GOALS: Gate.CANDIDATES, Gate.CANDIDATES: Gate.GOALS}


@pytest.mark.parametrize("gate", list(NEXT))
def test_second_answer_does_not_answer_the_next_question(
    desk: Desk, windows: list[Workbench], gate: Gate
) -> None:
    question = asking(desk, gate)
    one, other = windows

    first = one.runs.decide(question, Decision())
    desk.settle(first)
    with pytest.raises(AlreadyAnswered):
        other.runs.decide(question, Decision())

    [waiting] = other.runs.pending(question.branch)
    assert waiting.gate is NEXT[gate]
    assert waiting.id != question.id


@pytest.mark.parametrize("gate", list(NEXT))
def test_of_two_answers_at_the_same_moment_one_counts(
    desk: Desk, windows: list[Workbench], gate: Gate
) -> None:
    question = asking(desk, gate)

    outcomes = at_once(*(lambda one=one: one.runs.decide(question, Decision()) for one in windows))

    [run] = [outcome for outcome in outcomes if isinstance(outcome, Run)]
    [problem] = [outcome for outcome in outcomes if not isinstance(outcome, Run)]
    assert isinstance(problem, AlreadyAnswered)
    assert all(one.runs.wait(run, SECONDS) for one in windows)
    [waiting] = desk.workbench.runs.pending(question.branch)
    assert waiting.gate is NEXT[gate]


def test_answer_while_the_first_is_still_at_work_is_told_so(
    desk: Desk, windows: list[Workbench]
) -> None:
    question = asking(desk, Gate.GOALS)
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    run = windows[0].runs.decide(question, Decision())
    assert held.has_come.wait(SECONDS)

    with pytest.raises(AlreadyAnswered):
        windows[1].runs.decide(question, Decision())

    held.let_go()
    desk.settle(run)


def test_of_two_starts_at_the_same_moment_one_begins(
    desk: Desk, windows: list[Workbench], store: Store
) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    held = Held(the_nth("goals", 1))
    desk.server.answer = held
    task = PlotChapters(is_autopilot=True)

    outcomes = at_once(*(lambda one=one: one.runs.start(branch, task) for one in windows))
    held.let_go()

    [run] = [outcome for outcome in outcomes if isinstance(outcome, Run)]
    [problem] = [outcome for outcome in outcomes if not isinstance(outcome, Run)]
    assert isinstance(problem, BranchBusy)
    assert all(one.runs.wait(run, SECONDS) for one in windows)
    assert len([one for one in store.runs.runs(branch) if one.task.kind == "plot"]) == 1
    assert desk.workbench.branches.status(branch).plotted == 1


def test_nothing_else_begins_while_a_run_is_at_work(desk: Desk, windows: list[Workbench]) -> None:
    story = desk.plotted(1, SMALL)
    branch = desk.branch(story)
    held = Held(the_nth("plan", 1))
    desk.server.answer = held
    run = windows[0].runs.start(branch, WriteChapter(chapter=1, is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    with pytest.raises(BranchBusy):
        windows[1].runs.start(branch, PlotChapters())
    with pytest.raises(BranchBusy):
        windows[0].runs.start(branch, WriteChapter(chapter=1))
    with pytest.raises(BranchBusy):
        windows[1].branches.put_away(branch)

    held.let_go()
    assert desk.settle(run).state is RunState.DONE


def test_what_waits_for_an_answer_is_not_begun_a_second_time(
    desk: Desk, windows: list[Workbench]
) -> None:
    question = asking(desk, Gate.GOALS)

    with pytest.raises(BranchBusy, match="waits for your answer"):
        windows[1].runs.start(question.branch, PlotChapters())

    assert windows[1].runs.pending(question.branch) == [question]


def test_other_work_goes_on_while_a_question_waits(desk: Desk, windows: list[Workbench]) -> None:
    story = desk.plotted(1, SMALL)
    desk.do(story, PlotChapters())
    [question] = desk.workbench.runs.pending(desk.branch(story))

    run = windows[1].runs.start(question.branch, WriteChapter(chapter=1, is_autopilot=True))
    assert windows[1].runs.wait(run, SECONDS)

    assert windows[0].runs.pending(question.branch) == [question]
    assert windows[0].manuscript.draft(question.branch, 1) is not None
    answered = windows[0].runs.decide(question, Decision())
    assert windows[0].runs.wait(answered, SECONDS)


def test_answer_waits_until_the_branch_is_free(desk: Desk, windows: list[Workbench]) -> None:
    story = desk.plotted(1, SMALL)
    desk.do(story, PlotChapters())
    [question] = desk.workbench.runs.pending(desk.branch(story))
    held = Held(the_nth("plan", 1))
    desk.server.answer = held
    writing = windows[0].runs.start(question.branch, WriteChapter(chapter=1, is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    with pytest.raises(BranchBusy):
        windows[1].runs.decide(question, Decision())

    held.let_go()
    assert windows[0].runs.wait(writing, SECONDS)
    assert windows[1].runs.pending(question.branch) == [question]


def test_run_is_seen_from_another_window(desk: Desk, windows: list[Workbench]) -> None:
    story = desk.story(settings=SMALL)
    held = Held(the_nth("cast", 1))
    desk.server.answer = held
    run = windows[0].runs.start(desk.branch(story), Initialize(is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    seen = windows[1].runs.progress(run.branch)

    assert seen is not None
    assert seen.run.state is RunState.RUNNING
    assert seen.totals.calls >= 1
    held.let_go()
    assert windows[0].runs.wait(run, SECONDS)


def test_run_of_another_process_is_stopped_from_here_and_goes_on_here(
    desk: Desk, open_workbench: Open
) -> None:
    story = desk.story(settings=SMALL)
    held = Held(the_nth("cast", 1))
    desk.server.answer = held
    run = desk.workbench.runs.start(desk.branch(story), Initialize(is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    other = open_workbench()
    other.runs.stop(run.branch)

    assert desk.workbench.runs.wait(run, SECONDS)
    assert desk.settle(run).state is RunState.STOPPED
    held.let_go()
    again = other.runs.resume(run.branch)
    assert other.runs.wait(again, SECONDS)
    ended = other.runs.progress(run.branch)
    assert ended is not None
    assert ended.run.state is RunState.DONE


def test_question_that_is_asked_no_longer_is_not_answered(
    desk: Desk, windows: list[Workbench]
) -> None:
    question = asking(desk, Gate.GOALS)

    with pytest.raises(AlreadyAnswered):
        windows[1].runs.decide(question.model_copy(update={"id": "asked-long-ago"}), Decision())

    assert windows[0].runs.pending(question.branch) == [question]
    assert desk.settle(windows[0].runs.decide(question, Decision())).state is RunState.WAITING


def test_branch_put_away_in_one_window_is_brought_back_in_another(
    desk: Desk, windows: list[Workbench]
) -> None:
    story = desk.founded(SMALL)
    fork = windows[0].branches.start(desk.branch(story), 0, "What if")
    away = windows[0].branches.put_away(fork.id)
    assert windows[1].branches.put_away_ones(story.id) == [away]
    assert fork.id not in {one.id for one in windows[1].library.branches(story.id)}
    assert windows[1].branches.bring_back(fork.id) == fork
    assert windows[0].branches.put_away_ones(story.id) == []
    assert fork in windows[0].library.branches(story.id)
