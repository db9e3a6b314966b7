"""What a run may use: it stops before it goes beyond, and goes on when it is allowed as much again."""

from __future__ import annotations

from collections import Counter

import pytest

from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.run import Caps, Initialize, PlotChapters, Run, RunState
from store.models.story import Gate, GateMode
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import refuse
from tests.graph_flow.scripting import (
    Held,
    agent_of,
    expect_none_again,
    finished_prompts,
    the_nth,
)
from tests.graph_flow.structure import expect_whole_story

SETTINGS = {"goals": 2, "roles": 2}
SECONDS = 120


def begin(desk: Desk, caps: Caps, chapters: int = 1) -> Run:
    """Plot chapters of a story within caps; nothing but that is in the server's history."""
    story = desk.founded(SETTINGS)
    desk.server.history.clear()
    return desk.do(story, PlotChapters(chapters=chapters, is_autopilot=True, caps=caps))


def again(desk: Desk, run: Run) -> Run:
    return desk.settle(desk.workbench.runs.resume(run.branch))


@pytest.mark.parametrize("calls", range(1, 7))
def test_run_stops_at_any_call_and_goes_on_without_paying_again(
    desk: Desk, store: Store, calls: int
) -> None:
    run = begin(desk, Caps(calls=calls))

    assert run.state is RunState.STOPPED
    assert run.is_capped
    assert run.message == f"This run has used the {calls} calls that you allowed."
    assert len(desk.server.history) == calls
    finished = finished_prompts(store, run.branch)
    asked_before = Counter(sent.prompt for sent in desk.server.history)
    while run.state is RunState.STOPPED:
        run = again(desk, run)
    assert run.state is RunState.DONE
    assert not run.is_capped
    expect_whole_story(desk.workbench, store, run.branch, chapters=1)
    asked = Counter(sent.prompt for sent in desk.server.history)
    assert all(asked[prompt] == 1 for prompt in asked_before)
    assert finished


def test_cap_in_the_middle_of_a_relay_keeps_what_was_said(desk: Desk, store: Store) -> None:
    run = begin(desk, Caps(calls=4))

    assert [agent_of(sent) for sent in desk.server.history] == ["goals", "role", "role", "role"]
    views = desk.workbench.plot.candidates(run.branch, 1)
    said = [turn.text for view in views for turn in view.candidate.turns]
    assert len(said) == 3
    finished = finished_prompts(store, run.branch)

    run = again(desk, run)

    assert run.state is RunState.DONE
    expect_whole_story(desk.workbench, store, run.branch, chapters=1)
    expect_none_again(desk.server, finished - _before(store, run))


def _before(store: Store, run: Run) -> set[str]:
    """Return the prompts of what came before a run."""
    calls = store.calls.newest(run.branch, 1_000)
    return {call.prompt for call in calls if call.run != run.id}


def test_going_on_allows_as_much_again_and_no_more(desk: Desk) -> None:
    run = begin(desk, Caps(calls=3), chapters=2)
    seen = [len(desk.server.history)]

    while run.state is RunState.STOPPED:
        run = again(desk, run)
        seen.append(len(desk.server.history))

    assert seen[:3] == [3, 6, 9]
    assert run.state is RunState.DONE


def test_a_stop_by_the_writer_allows_no_more(desk: Desk) -> None:
    story = desk.founded(SETTINGS)
    branch = desk.branch(story)
    desk.server.history.clear()
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    run = desk.workbench.runs.start(branch, PlotChapters(is_autopilot=True, caps=Caps(calls=5)))
    assert held.has_come.wait(SECONDS)
    desk.workbench.runs.stop(branch)
    assert not desk.settle(run).is_capped
    held.let_go()

    run = again(desk, run)

    assert run.is_capped
    made = desk.workbench.runs.progress(branch)
    assert made is not None
    assert made.totals.calls == 5
    assert made.run.portions == 1


@pytest.mark.parametrize(
    ("caps", "told"),
    [(Caps(tokens=4_000), "tokens that you allowed"), (Caps(cost=0.05), "allowed at your prices")],
)
def test_tokens_and_money_are_not_gone_beyond(desk: Desk, caps: Caps, told: str) -> None:
    story = desk.founded(SETTINGS)
    use_priced(desk)

    run = desk.do(story, PlotChapters(chapters=4, is_autopilot=True, caps=caps))

    assert run.state is RunState.STOPPED
    assert told in run.message
    progress = desk.workbench.runs.progress(run.branch)
    assert progress is not None
    used = progress.totals
    assert used.calls > 0
    assert caps.tokens is None or used.tokens_in + used.tokens_out <= caps.tokens
    assert caps.cost is None or used.cost <= caps.cost


def use_priced(desk: Desk) -> None:
    """Let the app use an endpoint that costs money."""
    endpoint = Endpoint(
        base_url=desk.server.url,
        model="scripted",
        price_in=5.0,
        price_out=20.0,
        concurrency=4,
        strength=ModelStrength.SMALL,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))


def test_money_without_prices_never_ends_a_run(desk: Desk) -> None:
    assert begin(desk, Caps(cost=0.01)).state is RunState.DONE


def test_answering_at_a_gate_allows_no_more(desk: Desk) -> None:
    gates = dict.fromkeys(Gate, GateMode.GO_ON) | {Gate.GOALS: GateMode.ASK}
    story = desk.story(settings=SETTINGS | {"gates": gates})
    desk.do(story, Initialize())
    desk.do(story, PlotChapters(caps=Caps(calls=2)))

    run = desk.answer(story)

    assert run.is_capped
    progress = desk.workbench.runs.progress(run.branch)
    assert progress is not None
    assert progress.totals.calls == 2


def test_retries_count(desk: Desk, pauses: list[float]) -> None:
    story = desk.founded(SETTINGS)
    desk.server.history.clear()
    desk.server.answer = lambda _sent: refuse(503, "overloaded")

    run = desk.do(story, PlotChapters(is_autopilot=True, caps=Caps(calls=3)))

    assert run.is_capped
    assert len(desk.server.history) == 3
    assert pauses == [1, 2, 4]
    desk.server.answer = going_on
    while run.state is RunState.STOPPED:
        run = again(desk, run)
    assert run.state is RunState.DONE


def test_an_endpoint_that_fails_for_ever_pauses_the_run(desk: Desk, pauses: list[float]) -> None:
    story = desk.founded(SETTINGS)
    desk.server.answer = lambda _sent: refuse(500, "oops")

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.FAILED
    assert "problem of its own" in run.message
    assert sum(pauses) == 63
    desk.server.answer = going_on
    assert again(desk, run).state is RunState.DONE


def test_an_endpoint_that_fails_for_a_minute_is_waited_for(desk: Desk, pauses: list[float]) -> None:
    story = desk.founded(SETTINGS)
    desk.server.queue(*[refuse(503, "overloaded")] * 6)

    assert desk.do(story, PlotChapters(is_autopilot=True)).state is RunState.DONE

    assert pauses == [1, 2, 4, 8, 16, 32]
