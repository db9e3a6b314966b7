"""Is the story at its end? Asked beside the next step, once a chapter, and believed on evidence only."""

from __future__ import annotations

import pytest

from store.models.run import Initialize, PlotChapters, RunState
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, going_on, verdict
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import (
    Held,
    agent_of,
    asked,
    enumerated,
    expect_none_again,
    finished_prompts,
    saying,
    the_nth,
)
from tests.graph_flow.structure import expect_whole_story

SMALL = {"goals": 1, "roles": 1}
SECONDS = 120


def steps(store: Store, branch: str, agent: str) -> list[str]:
    """Return the steps of an agent's calls, in order."""
    calls = reversed(store.calls.newest(branch, limit=10_000))
    return [call.step for call in calls if call.agent == agent]


def chapter_of(step: str) -> int:
    return int(step.partition("/")[0])


def test_every_chapter_is_asked_about_once(desk: Desk, store: Store) -> None:
    story = desk.founded(SMALL)

    run = desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    assert [chapter_of(step) for step in steps(store, run.branch, "exit")] == [1, 2, 3]
    assert [one.chapter for one in store.proposals.verdicts(run.branch)] == [1, 2, 3]


def test_goals_of_the_next_chapter_do_not_wait_for_the_answer(desk: Desk) -> None:
    """The two stand beside each other: while one is held back, the other is answered."""
    story = desk.founded(SMALL)
    held = Held(the_nth("exit", 1))
    goals = Held(the_nth("goals", 2), held)
    desk.server.answer = goals

    run = desk.workbench.runs.start(desk.branch(story), PlotChapters(chapters=2, is_autopilot=True))

    assert held.has_come.wait(SECONDS)
    assert goals.has_come.wait(SECONDS)
    goals.let_go()
    held.let_go()
    assert desk.settle(run).state is RunState.DONE


def test_roles_wait_until_it_is_known_that_the_story_goes_on(desk: Desk) -> None:
    story = desk.founded(SMALL)
    desk.server.answer = saying(exit=verdict(is_reached=True))
    desk.server.history.clear()

    run = desk.do(story, PlotChapters(chapters=3, is_autopilot=True, stops_at_goal=True))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 1
    agents = [agent_of(sent) for sent in desk.server.history]
    assert agents.count("role") == 1
    assert agents.count("exit") == 2, "a yes is asked for once more"


def test_goals_that_were_set_beside_the_end_are_kept(desk: Desk) -> None:
    story = desk.founded(SMALL)
    desk.server.answer = saying(exit=verdict(is_reached=True))

    run = desk.do(story, PlotChapters(chapters=3, is_autopilot=True, stops_at_goal=True))

    assert desk.workbench.plot.goals(run.branch, 2)
    assert desk.workbench.runs.pending(run.branch) == []


def test_end_of_the_story_is_not_asked_away_at_the_gate_of_goals(desk: Desk) -> None:
    story = desk.story(
        settings=SMALL | {"gates": dict.fromkeys(Gate, GateMode.GO_ON) | {Gate.GOALS: GateMode.ASK}}
    )
    desk.do(story, Initialize())
    desk.server.answer = saying(exit=verdict(is_reached=True))

    desk.do(story, PlotChapters(chapters=2, stops_at_goal=True))
    run = desk.answer(story)

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 1


def test_question_about_the_goals_comes_once_the_end_is_known(desk: Desk) -> None:
    story = desk.story(
        settings=SMALL | {"gates": dict.fromkeys(Gate, GateMode.GO_ON) | {Gate.GOALS: GateMode.ASK}}
    )
    desk.do(story, Initialize())
    desk.do(story, PlotChapters(chapters=2))

    run = desk.answer(story)

    assert run.state is RunState.WAITING
    [question] = desk.workbench.runs.pending(run.branch)
    assert (question.gate, question.chapter) == (Gate.GOALS, 2)
    assert desk.workbench.proposals.verdict(run.branch, 1) is not None
    assert desk.answer(story).state is RunState.DONE


@pytest.mark.parametrize("failing", ["exit", "goals"])
def test_a_continued_run_asks_neither_of_the_two_again(
    desk: Desk, store: Store, failing: str
) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    is_second = the_nth(failing, 1 if failing == "exit" else 2)

    def fail(sent: Sent) -> Reply | None:
        return refuse(401, "no such key") if is_second(sent) else None

    desk.server.answer = saying(**{failing: fail})
    run = desk.do(story, PlotChapters(chapters=2, is_autopilot=True))
    assert run.state is RunState.FAILED
    finished = finished_prompts(store, branch)
    desk.server.answer = going_on

    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE

    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, branch, chapters=2)
    assert [one.chapter for one in store.proposals.verdicts(branch)] == [1, 2]


def test_a_chapter_that_is_plotted_anew_is_asked_about_anew(desk: Desk, store: Store) -> None:
    story = desk.plotted(1, SMALL)
    branch = desk.branch(story)
    desk.workbench.branches.undo(branch)
    desk.settle(story)

    desk.do(story, PlotChapters(is_autopilot=True))

    assert steps(store, branch, "exit") == ["1/1/exit", "1/2/exit"]


# Evidence


def reached_by(*events: str) -> Reply:
    return say_json({"reason": "It is over.", "events": list(events), "is_reached": True})


def after_one_chapter(desk: Desk, story: Story) -> tuple[bool, tuple[str, ...]]:
    branch = desk.do(story, PlotChapters(is_autopilot=True)).branch
    found = desk.workbench.proposals.verdict(branch, 1)
    assert found is not None
    return found.is_reached, found.events


def test_a_yes_without_events_is_a_no_and_the_run_goes_on(desk: Desk) -> None:
    desk.server.answer = saying(exit=reached_by())
    story = desk.founded(SMALL)

    run = desk.do(story, PlotChapters(chapters=2, is_autopilot=True, stops_at_goal=True))

    assert desk.workbench.branches.status(run.branch).plotted == 2
    assert not desk.workbench.branches.status(run.branch).is_reached


@pytest.mark.parametrize("no", [verdict(is_reached=False), reached_by(), say("Perhaps.")])
def test_yes_counts_only_if_it_is_said_again_after_another_example(desk: Desk, no: Reply) -> None:
    """A small model says what the example before it says, and each chapter has one of two."""
    said: list[Sent] = []

    def say_yes_once(sent: Sent) -> Reply:
        said.append(sent)
        return reached_by("E1") if len(said) == 1 else no

    desk.server.answer = saying(exit=say_yes_once)
    story = desk.founded(SMALL)

    run = desk.do(story, PlotChapters(is_autopilot=True, stops_at_goal=True))

    assert run.state is RunState.DONE
    assert not desk.workbench.branches.status(run.branch).is_reached
    first, second = said[0].messages, said[1].messages
    assert first[-1] == second[-1]
    assert first[1:-1] != second[1:-1]


def test_evidence_that_nobody_told_is_asked_for_again(desk: Desk) -> None:
    story = desk.founded(SMALL)
    said = iter([reached_by("E999"), reached_by("E1"), reached_by("E1")])
    desk.server.answer = saying(exit=lambda _sent: next(said))

    is_reached, events = after_one_chapter(desk, story)

    assert is_reached
    told = desk.workbench.prototype.snapshot(desk.branch(story)).events
    assert set(events) <= {event.id for event in told}
    assert len(asked(desk.server, "exit")) == 3


def test_evidence_that_nobody_ever_told_ends_nothing(desk: Desk) -> None:
    desk.server.answer = saying(exit=reached_by("E999"))
    story = desk.founded(SMALL)

    run = desk.do(story, PlotChapters(chapters=2, is_autopilot=True, stops_at_goal=True))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 2


def test_only_events_of_the_story_can_be_named(desk: Desk) -> None:
    story = desk.plotted(2, SMALL)

    first, second = asked(desk.server, "exit")

    for sent, chapter in ((first, 1), (second, 2)):
        told = len(desk.workbench.prototype.snapshot(desk.branch(story), chapter).events)
        labels = [f"E{at}" for at in range(1, min(told, 8) + 1)]
        assert enumerated(sent, "events", "[]") == labels


def test_evidence_is_told_by_its_titles(desk: Desk) -> None:
    desk.server.answer = saying(exit=reached_by("E1"))
    story = desk.plotted(1, SMALL)
    branch = desk.branch(story)

    titles = {event.title for event in desk.workbench.prototype.snapshot(branch).events}
    told = desk.workbench.story.evidence(branch, 1)

    assert told
    assert set(told) <= titles
    assert desk.workbench.story.evidence(branch, 7) == []
