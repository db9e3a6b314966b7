"""What a writer can leave out to compare: the rest still makes a chapter."""

from __future__ import annotations

import pytest

from graph_flow.workbench.workbench import Workbench
from store.models.run import Initialize, PlotChapters, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from tests.desk import Desk, Settings
from tests.graph_flow.scripting import asked

_SMALL: Settings = {
    "gates": {gate: GateMode.GO_ON for gate in Gate},
    "goals": 1,
    "roles": 1,
}


@pytest.mark.parametrize("recalls", [True, False])
def test_recall_and_threads_are_left_out_where_the_writer_says_so(
    desk: Desk, *, recalls: bool
) -> None:
    story, branch = two_chapters(desk, recalls=recalls)

    run = desk.do(story, WriteChapter(chapter=2))

    assert run.state is RunState.DONE, run.message
    assert bool(asked(desk.server, "recall", "thread")) is recalls
    expect_planned_and_written(desk.workbench, branch)


def test_chapter_is_planned_and_written_without_any_notes(desk: Desk) -> None:
    story, branch = two_chapters(desk, recalls=False)

    desk.do(story, WriteChapter(chapter=2))

    plan = desk.workbench.manuscript.plan(branch, 2)
    assert plan is not None
    assert (plan.recall, plan.threads) == ((), ())
    assert len(asked(desk.server, "plan")) == 1


def two_chapters(desk: Desk, *, recalls: bool) -> tuple[Story, str]:
    """Plot a story in which there is something to recall."""
    story = desk.story(settings=_SMALL | {"recalls": recalls})
    desk.do(story, Initialize())
    return story, desk.do(story, PlotChapters(chapters=2)).branch


def expect_planned_and_written(workbench: Workbench, branch: str) -> None:
    """Fail unless the second chapter has a plan and a text."""
    plan, draft = workbench.manuscript.plan(branch, 2), workbench.manuscript.draft(branch, 2)
    assert plan is not None
    assert plan.scenes
    assert draft is not None
    assert draft.text.strip()
