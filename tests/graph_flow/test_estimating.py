"""What a run is said to use before it starts, held against what it then uses."""

from __future__ import annotations

import pytest

from graph_flow.estimating import calls_of, estimate_run
from store.models.endpoint import Endpoint
from store.models.run import Initialize, PlotChapters, Task, Totals, WriteChapter
from store.models.story import StorySettings
from tests.desk import Desk
from tests.graph_flow.scripting import agent_of

PRICED = Endpoint(base_url="http://127.0.0.1/v1", model="m", price_in=2.0, price_out=10.0)


@pytest.mark.parametrize(("goals", "roles"), [(1, 1), (3, 3), (5, 2)])
def test_plot_takes_the_calls_that_were_estimated(desk: Desk, goals: int, roles: int) -> None:
    story = desk.founded({"goals": goals, "roles": roles})
    desk.server.history.clear()
    task = PlotChapters(chapters=2, is_autopilot=True)

    expected = desk.workbench.estimate(desk.branch(story), task).calls
    desk.do(story, task)

    # A second call for goals that came out too much alike is nothing that can be known before.
    asked = [agent_of(sent) for sent in desk.server.history]
    more_goals = asked.count("goals") - task.chapters
    assert len(asked) - more_goals == expected


def test_beginning_takes_about_the_calls_that_were_estimated(desk: Desk) -> None:
    story = desk.story()

    expected = desk.workbench.estimate(desk.branch(story), Initialize()).calls
    desk.do(story, Initialize())

    people = sum(agent_of(sent) == "character" for sent in desk.server.history)
    assert abs(len(desk.server.history) - expected) <= abs(people - 3) + 1


@pytest.mark.parametrize("task", [Initialize(), PlotChapters(chapters=4), WriteChapter(chapter=1)])
def test_before_any_call_a_usual_one_is_assumed(task: Task) -> None:
    estimate = estimate_run(task, StorySettings(), PRICED, Totals())

    assert estimate.calls == calls_of(task, StorySettings()) > 0
    assert estimate.tokens_in > estimate.tokens_out > 0
    assert estimate.cost == pytest.approx(
        (estimate.tokens_in * 2.0 + estimate.tokens_out * 10.0) / 1_000_000
    )


def test_later_the_story_s_own_calls_tell() -> None:
    used = Totals(calls=10, tokens_in=5_000, tokens_out=1_000)

    estimate = estimate_run(PlotChapters(), StorySettings(goals=1, roles=1), PRICED, used)

    assert estimate.calls == 4
    assert (estimate.tokens_in, estimate.tokens_out) == (2_000, 400)


def test_more_chapters_cost_as_many_times_more() -> None:
    one, ten = (calls_of(PlotChapters(chapters=n), StorySettings()) for n in (1, 10))

    assert ten == 10 * one
