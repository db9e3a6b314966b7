"""An able model that gives no usable whole answer is asked for less, and pays for nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from graph_flow.agents import AGENTS
from store.models.endpoint import ModelStrength
from store.models.run import PlotChapters, RunState
from store.models.scoring import CONTINUITY_KEY, general_rules
from store.models.story import Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent, refuse, say_json
from tests.graph_flow.plot.able.ferry import beats, goals
from tests.graph_flow.scripting import (
    agent_of,
    asked,
    expect_none_again,
    finished_prompts,
    request_of,
    saying,
)


def is_whole(agent: str, sent: Sent) -> bool:
    """Whether a request asks an agent for a whole answer."""
    instructions = AGENTS[agent].prompt(ModelStrength.ABLE).instructions.partition("{")[0]
    return bool(sent.messages[0]["content"].startswith(instructions))


@pytest.mark.parametrize("agent", ["goals", "role", "exit", "plot", "scorer"])
def test_model_that_gives_no_usable_whole_is_asked_for_less(
    desk: Desk, begin_able: Callable[..., Story], agent: str
) -> None:
    story = begin_able(goals=2, is_woven=agent != "plot")
    usual = desk.server.answer

    def answer(sent: Sent) -> Reply | None:
        if is_whole(agent, sent):
            return Reply("I am only a small model.")
        return None if agent_of(sent) == agent else usual and usual(sent)

    desk.server.answer = answer

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    assert any(AGENTS[agent].label in note for note in run.notes)
    assert any(not is_whole(agent, one) for one in asked(desk.server, agent))


SMALL_ONLY = Reply("I am only a small model.")


def test_resumed_run_does_not_ask_again_for_a_whole_that_failed(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)

    def answer(sent: Sent) -> Reply | None:
        agent = agent_of(sent)
        if agent == "goals":
            return SMALL_ONLY if is_whole("goals", sent) else going_on(sent)
        if agent == "role" and "This is chapter 2" in request_of(sent):
            return refuse(401, "no such key")
        return beats(sent) if agent == "role" else going_on(sent)

    desk.server.answer = answer
    failed = desk.do(story, PlotChapters(chapters=3, is_autopilot=True))
    before = len(desk.server.history)
    desk.server.answer = saying(role=beats)
    done = desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    assert (failed.state, done.state) == (RunState.FAILED, RunState.DONE)
    again = [sent for sent in desk.server.history[before:] if agent_of(sent) == "goals"]
    assert again, "the goals of the third chapter"
    assert not any(is_whole("goals", sent) for sent in again)
    assert len([note for note in done.notes if "asked for less" in note]) == 1


def test_resumed_run_pays_for_nothing_again_that_was_answered_before_a_step_down(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, rounds=2)
    founding = finished_prompts(store, desk.branch(story))
    turns = {"whole": count(1), "small": count(1)}

    def act(sent: Sent) -> Reply | None:
        if is_whole("role", sent):
            return beats(sent, number=1) if next(turns["whole"]) <= 2 else SMALL_ONLY
        return None if next(turns["small"]) == 1 else refuse(401, "no such key")

    desk.server.answer = saying(goals=goals, role=act)
    failed = desk.do(story, PlotChapters(is_autopilot=True))
    finished = finished_prompts(store, desk.branch(story)) - founding
    before = len(asked(desk.server, "role"))
    desk.server.answer = saying(goals=goals)
    done = desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    assert (failed.state, done.state) == (RunState.FAILED, RunState.DONE)
    expect_none_again(desk.server, finished)
    again = asked(desk.server, "role")[before:]
    assert len(again) == 3, "the turns that were still missing"
    assert not any(is_whole("role", sent) for sent in again)


def test_other_model_is_asked_for_the_whole_again(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    refused = refuse(401, "no such key")
    desk.server.answer = saying(goals=SMALL_ONLY, role=refused)
    assert desk.do(story, PlotChapters(is_autopilot=True)).state is RunState.FAILED
    stored = desk.workbench.models.settings()
    assert stored.endpoint is not None
    other = stored.endpoint.model_copy(update={"model": "another"})
    desk.workbench.models.change_settings(lambda _: stored.model_copy(update={"endpoint": other}))
    before = len(desk.server.history)
    desk.server.answer = saying(goals=goals, role=beats)

    desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    later = [sent for sent in desk.server.history[before:] if agent_of(sent) == "goals"]
    assert later
    assert all(is_whole("goals", sent) for sent in later)


def test_scores_that_the_small_form_leaves_out_are_taken_from_the_whole(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=2)
    rules = [rule.key for rule in general_rules() if rule.judge.spec.is_agent]
    usable, unusable = {"reason": "It shows.", "score": 4}, {"reason": "It is good.", "score": 9}
    said = {
        label: {key: unusable if key == "conflict" else usable for key in rules} for label in "AB"
    }

    def score(sent: Sent) -> Reply:
        return say_json(said) if is_whole("scorer", sent) else SMALL_ONLY

    desk.server.answer = saying(goals=goals, role=beats, scorer=score)

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    for candidate in store.proposals.candidates(run.branch, 1):
        keys = {one.key for one in candidate.scores} - {CONTINUITY_KEY}
        assert keys == set(rules) - {"conflict"}
