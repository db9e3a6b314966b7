"""A whole story on the scripted model, and where runs of chapters end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graph_flow.errors import WorkbenchError
from store.models.form import Form
from store.models.run import Initialize, PlotChapters, RunState, WriteChapter
from store.models.story import Gate, GateMode
from store.open import Store
from tests.desk import Desk, verdict
from tests.fakes.scripted_server import say_json
from tests.graph_flow.scripting import agent_of, agents, asked, enumerated, repeated, saying
from tests.graph_flow.structure import expect_whole_story, expect_written

GO_ON = {"gates": {gate: GateMode.GO_ON for gate in Gate}}


def test_premise_becomes_three_plotted_and_written_chapters(desk: Desk, store: Store) -> None:
    story = desk.story(settings=GO_ON)
    branch = desk.branch(story)

    assert desk.do(story, Initialize()).state is RunState.DONE
    assert desk.do(story, PlotChapters(chapters=3)).state is RunState.DONE
    for chapter in (1, 2, 3):
        assert desk.do(story, WriteChapter(chapter=chapter)).state is RunState.DONE

    expect_whole_story(desk.workbench, store, branch, chapters=3)
    for chapter in (1, 2, 3):
        expect_written(desk.workbench, branch, chapter)
    assert desk.workbench.library.story(story.id).title
    assert desk.workbench.branches.status(branch).written == 3
    assert desk.workbench.runs.pending(branch) == []
    assert repeated(desk.server.history) == []


def test_every_agent_has_its_part(desk: Desk) -> None:
    story = desk.story(settings=GO_ON)
    desk.do(story, Initialize())
    desk.do(story, PlotChapters(chapters=2))
    desk.do(story, WriteChapter(chapter=2))

    at_work = {agent_of(sent) for sent in desk.server.history}
    others = set(Form) - {story.brief.form}
    elsewhere = {"plot", *(form.spec.writer for form in others)} | {
        "outline",
        "storylines",
        "links",
        "reviewer",
        "planner",
        "spine",
        "founding_review",
        "direct",
        "spine_update",
        "story_plan",
        "review",
        "revise",
        "first_reader",
        "last_revision",
        "second_draft",
        "sketch",
        "sketch_reader",
        "chapter_sketch",
        "person_talk",
        "story_talk",
        "passage",
        "go_on",
        "next_steps",
        "changed_facts",
        "book_premise",
        "mystery_booklet",
        "mystery_case",
        "mystery_guide",
        "mystery_solver",
        "chapter_analysis",
        "global_evaluation",
        "consistency_judge",
        "pair_judge",
        "card_writer",
    }
    assert at_work == set(agents()) - elsewhere


def test_relays_of_a_chapter_run_side_by_side_and_ask_each_role_once(desk: Desk) -> None:
    story = desk.story(settings=GO_ON)
    desk.do(story, Initialize())
    desk.server.history.clear()
    desk.server.answer_together(3, lambda sent: agent_of(sent) == "role")

    desk.do(story, PlotChapters())

    assert [agent_of(sent) for sent in desk.server.history] == [
        "goals",
        *["role"] * 9,
        "scorer",
        "exit",
    ]
    assert desk.server.most_at_once == 3


@pytest.mark.parametrize("gate_mode", [GateMode.ASK, GateMode.GO_ON])
def test_autopilot_asks_nothing(desk: Desk, gate_mode: GateMode) -> None:
    story = desk.story(settings={"gates": {gate: gate_mode for gate in Gate}})

    states = [
        desk.do(story, Initialize(is_autopilot=True)).state,
        desk.do(story, PlotChapters(is_autopilot=True)).state,
        desk.do(story, WriteChapter(chapter=1, is_autopilot=True)).state,
    ]

    assert states == [RunState.DONE] * 3


def test_run_ends_with_the_chapter_cap(desk: Desk) -> None:
    story = desk.story(settings=GO_ON | {"chapter_cap": 2, "goals": 1, "roles": 1})
    desk.do(story, Initialize())

    run = desk.do(story, PlotChapters(chapters=5))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 2
    with pytest.raises(WorkbenchError, match="all of its 2 chapters"):
        desk.workbench.runs.start(run.branch, PlotChapters())


def test_serial_without_a_planned_end_goes_on(desk: Desk) -> None:
    serial = {"chapter_cap": 2, "is_open_ended": True, "goals": 1, "roles": 1}
    story = desk.story(settings=GO_ON | serial)
    desk.do(story, Initialize())

    run = desk.do(story, PlotChapters(chapters=3))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 3


@pytest.mark.parametrize("stops_at_goal", [True, False])
def test_run_ends_at_the_goal_only_if_it_was_told_to(desk: Desk, stops_at_goal: bool) -> None:
    desk.server.answer = saying(exit=verdict(is_reached=True))
    story = desk.story(settings=GO_ON | {"goals": 1, "roles": 1})
    desk.do(story, Initialize())

    run = desk.do(story, PlotChapters(chapters=3, stops_at_goal=stops_at_goal))

    plotted = desk.workbench.branches.status(run.branch).plotted
    assert plotted == (1 if stops_at_goal else 3)
    assert desk.workbench.branches.status(run.branch).is_reached


def test_goal_counts_as_reached_only_where_events_show_it(desk: Desk) -> None:
    desk.server.answer = saying(
        exit=say_json({"reason": "I feel that it is over.", "events": [], "is_reached": True})
    )
    story = desk.story(settings=GO_ON | {"goals": 1, "roles": 1})
    desk.do(story, Initialize())

    run = desk.do(story, PlotChapters(chapters=2, stops_at_goal=True))

    assert desk.workbench.branches.status(run.branch).plotted == 2
    assert not desk.workbench.branches.status(run.branch).is_reached


def test_verdict_names_events_of_the_story(desk: Desk) -> None:
    desk.server.answer = saying(exit=verdict(is_reached=True))
    story = desk.story(settings=GO_ON | {"goals": 1, "roles": 1})
    desk.do(story, Initialize())

    branch = desk.do(story, PlotChapters()).branch

    found = desk.workbench.proposals.verdict(branch, 1)
    assert found is not None
    assert found.events
    assert {event.id for event in desk.workbench.prototype.snapshot(branch).events} >= set(
        found.events
    )


def test_later_chapters_are_told_with_what_came_before(desk: Desk) -> None:
    story = desk.story(settings=GO_ON)
    desk.do(story, Initialize())
    branch = desk.do(story, PlotChapters(chapters=2)).branch
    first = desk.workbench.prototype.snapshot(branch, 1).events_of(1)

    desk.do(story, WriteChapter(chapter=2))

    [recall] = asked(desk.server, "recall")
    assert all(event.summary in recall.prompt for event in first)
    assert len(enumerated(recall, "recall", "[]", "event")) == len(first)


def test_run_that_is_done_leaves_no_checkpoints(desk: Desk, library_path: Path) -> None:
    story = desk.drafted()
    with closing(sqlite3.connect(library_path.with_name("library.checkpoints.db"))) as kept:
        count = "SELECT (SELECT count(*) FROM checkpoints) + (SELECT count(*) FROM writes)"
        assert kept.execute(count).fetchone()[0] > 0

        desk.answer(story)

        assert kept.execute(count).fetchone() == (0,)
