"""Where a chapter is among the four steps, and how long a step still takes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pages.components.plot.progress import step_at
from pages.components.runs.panel import seconds_left
from store.models.run import Activity, PlotChapters, Progress, Question, Run, RunState
from store.models.story import Gate

NOW = datetime(2026, 5, 4, tzinfo=UTC)
RUN = Run(
    id="r",
    branch="b",
    thread="t",
    task=PlotChapters(),
    state=RunState.RUNNING,
    started=NOW,
    heartbeat=NOW,
)


def progress(*agents: str) -> Progress:
    return Progress(
        run=RUN, activities=tuple(Activity(agent=agent, words=agent) for agent in agents)
    )


@pytest.mark.parametrize(
    ("agents", "step"),
    [
        (["goals"], "Goals"),
        (["role", "role"], "Weave"),
        (["plot", "plot"], "Weave"),
        (["scorer"], "Score"),
        (["exit"], None),
        (["exit", "goals"], "Goals"),
        ([], None),
        (["connection test"], None),
    ],
)
def test_step_is_that_of_the_agents_at_work(agents: list[str], step: str | None) -> None:
    assert step_at(progress(*agents), None) == step


def test_step_is_that_of_the_question() -> None:
    for gate, step in ((Gate.GOALS, "Goals"), (Gate.CANDIDATES, "Choose")):
        asked = Question(id="q", branch="b", thread="t", gate=gate, chapter=1, round=1)
        assert step_at(progress("role"), asked) == step
    assert step_at(None, None) is None


def test_time_left_follows_from_what_is_done() -> None:
    halfway = Progress(run=RUN, done=3, expected=12, seconds=600.0, step_seconds=6.0)

    assert seconds_left(halfway) == 18.0
    assert seconds_left(Progress(run=RUN, done=0, expected=12, seconds=6.0)) is None
    assert seconds_left(Progress(run=RUN, done=12, expected=12, seconds=6.0)) is None
