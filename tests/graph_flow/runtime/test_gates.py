"""The gates: each asks where it is set to, and a writer can approve, choose, edit or ask again."""

from __future__ import annotations

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.plot.rewording import CandidateEdit
from store.models.base import new_id
from store.models.cast import Character
from store.models.manuscript import WritingPlan
from store.models.plot import Event
from store.models.proposals import CandidateState, Goal
from store.models.run import (
    Action,
    Decision,
    DraftOutline,
    Initialize,
    PlotChapters,
    RunState,
    WriteChapter,
)
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, Settings
from tests.graph_flow.scripting import asked, request_of
from tests.graph_flow.structure import expect_whole_chapter, expect_whole_prototype, expect_written

NOTE = "Less rain, and let zzyzx happen."
AGAIN = Decision(action=Action.ASK_AGAIN, note=NOTE)


def only(gate: Gate) -> Settings:
    """Return settings in which one gate asks and all others go on."""
    modes = {one: GateMode.ASK if one is gate else GateMode.GO_ON for one in Gate}
    return {"gates": modes, "goals": 2, "roles": 2}


def up_to(desk: Desk, gate: Gate) -> Story:
    """Begin a story in which only one gate asks, up to that gate."""
    story = desk.story(settings=only(gate))
    desk.do(story, Initialize())
    if gate is Gate.OUTLINE:
        desk.do(story, DraftOutline())
    elif gate is not Gate.CONFIGURATION:
        desk.do(story, PlotChapters())
    if gate in {Gate.PLAN, Gate.DRAFT}:
        desk.do(story, WriteChapter(chapter=1))
    return story


AGENT_AFTER = {
    Gate.CONFIGURATION: "foundation",
    Gate.OUTLINE: "outline",
    Gate.GOALS: "goals",
    Gate.CANDIDATES: "goals",
    Gate.PLAN: "plan",
    Gate.DRAFT: "plan",
}
"""The agent that is told the writer's note first, after each gate."""


@pytest.mark.parametrize("gate", list(Gate))
def test_gate_that_is_set_to_asks_once_and_approval_ends_the_run(desk: Desk, gate: Gate) -> None:
    story = up_to(desk, gate)

    [question] = desk.workbench.runs.pending(desk.branch(story))
    assert desk.settle(story).state is RunState.WAITING
    assert question.gate is gate
    assert question.chapter == (0 if gate in {Gate.CONFIGURATION, Gate.OUTLINE} else 1)

    assert desk.answer(story).state is RunState.DONE
    assert desk.workbench.runs.pending(desk.branch(story)) == []


@pytest.mark.parametrize("gate", list(Gate))
def test_asking_again_shows_the_note_to_the_agents_and_asks_again(desk: Desk, gate: Gate) -> None:
    story = up_to(desk, gate)
    [first] = desk.workbench.runs.pending(desk.branch(story))
    before = len(desk.server.history)

    run = desk.answer(story, AGAIN)

    [second] = desk.workbench.runs.pending(desk.branch(story))
    assert run.state is RunState.WAITING
    assert second.gate is gate
    assert second.id != first.id
    assert second.round == first.round + 1
    told = [sent for sent in asked(desk.server, AGENT_AFTER[gate]) if NOTE in request_of(sent)]
    assert told
    assert all(sent in desk.server.history[before:] for sent in told)
    assert desk.answer(story).state is RunState.DONE


def test_note_is_for_the_next_round_only(desk: Desk) -> None:
    story = up_to(desk, Gate.GOALS)
    desk.answer(story, AGAIN)
    before = len(desk.server.history)

    desk.answer(story, Decision(action=Action.ASK_AGAIN))

    assert not any(NOTE in sent.prompt for sent in desk.server.history[before:])


# Configuration


def test_earlier_configuration_stays_when_another_is_asked_for(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CONFIGURATION)
    branch = desk.branch(story)
    first = desk.workbench.proposals.configuration(branch)

    desk.answer(story, AGAIN)

    configurations = store.proposals.configurations(branch)
    assert configurations[0] == first
    assert [one.round for one in configurations] == [1, 2]
    assert all(one.is_complete for one in configurations)


def test_edited_configuration_is_what_is_committed(desk: Desk) -> None:
    story = up_to(desk, Gate.CONFIGURATION)
    branch = desk.branch(story)
    proposed = desk.workbench.story.proposed_snapshot(branch)
    person = proposed.characters[0].model_copy(update={"name": "Zenobia Quill", "secrets": "none"})
    edited = proposed.model_copy(update={"entities": {**proposed.entities, person.id: person}})

    desk.workbench.story.save_configuration(branch, "The Quill", edited)
    desk.answer(story)

    assert desk.workbench.prototype.snapshot(branch).get(Character, person.id) == person
    assert desk.workbench.library.story(story.id).title == "The Quill"


def test_title_of_the_writer_s_own_stays_and_the_draft_before_comes_back(
    desk: Desk, store: Store
) -> None:
    story = up_to(desk, Gate.CONFIGURATION)
    branch = desk.branch(story)
    desk.workbench.story.rename_configuration(branch, "The Quill")
    first = store.proposals.configuration(branch)
    assert first is not None

    desk.answer(story, AGAIN)

    second = store.proposals.configuration(branch)
    assert second is not None
    assert (second.round, second.title) == (2, "The Quill")
    back = desk.workbench.story.take_back_configuration(branch)
    assert (back.id, back.round, back.delta) == (second.id, 2, first.delta)
    desk.answer(story)
    committed = desk.workbench.prototype.snapshot(branch).entities
    assert {change.id for change in first.delta.changes} <= set(committed)


# Goals


def test_goals_of_the_round_before_can_be_brought_back(desk: Desk) -> None:
    story = up_to(desk, Gate.GOALS)
    branch = desk.branch(story)
    first = desk.workbench.plot.goals(branch, 1)
    desk.answer(story, AGAIN)
    [question] = desk.workbench.runs.pending(branch)
    second = desk.workbench.plot.goals(branch, 1)

    desk.workbench.plot.bring_back_goals(branch, 1, question.round)

    goals = desk.workbench.plot.goals(branch, 1)
    assert [one.text for one in goals if not one.is_dropped] == [one.text for one in first]
    assert {one.id for one in goals if one.is_dropped} == {one.id for one in second}


def test_goals_are_woven_as_the_writer_left_them(desk: Desk) -> None:
    story = up_to(desk, Gate.GOALS)
    branch = desk.branch(story)
    kept, dropped = desk.workbench.plot.goals(branch, 1)
    own = Goal(
        id=new_id(),
        branch=branch,
        chapter=1,
        round=1,
        position=2,
        title="Mine",
        text="Somebody sets the xyloquay on fire.",
        is_by_writer=True,
    )
    desk.workbench.plot.save_goal(kept.model_copy(update={"text": "Somebody sells the old plugh."}))
    desk.workbench.plot.save_goal(dropped.model_copy(update={"is_dropped": True}))
    desk.workbench.plot.save_goal(own)

    desk.answer(story)

    goals = [view.goal for view in desk.workbench.plot.candidates(branch, 1)]
    assert [goal.text for goal in goals] == ["Somebody sells the old plugh.", own.text]
    roles = [request_of(sent) for sent in asked(desk.server, "role")]
    assert sum("plugh" in role for role in roles) == 2
    assert sum("xyloquay" in role for role in roles) == 2
    assert not any(dropped.text in role for role in roles)


def test_without_any_goal_nothing_goes_on(desk: Desk) -> None:
    story = up_to(desk, Gate.GOALS)
    branch = desk.branch(story)
    for goal in desk.workbench.plot.goals(branch, 1):
        desk.workbench.plot.save_goal(goal.model_copy(update={"is_dropped": True}))
    [question] = desk.workbench.runs.pending(branch)

    with pytest.raises(WorkbenchError, match="at least one goal"):
        desk.workbench.runs.decide(question, Decision())

    assert desk.workbench.runs.pending(branch) == [question]


# Candidates


def test_highest_score_wins_where_nothing_is_chosen(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    best = max(store.proposals.candidates(branch, 1), key=lambda one: one.total or 0)

    desk.answer(story)

    assert store.proposals.candidate(best.id).state is CandidateState.CHOSEN
    assert desk.workbench.story.chapters(branch)[0].title == best.title


def test_writer_may_choose_another_than_the_best(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    worst = min(store.proposals.candidates(branch, 1), key=lambda one: one.total or 0)

    desk.answer(story, Decision(choice=worst.id))

    assert store.proposals.candidate(worst.id).state is CandidateState.CHOSEN
    told = {event.id for event in desk.workbench.prototype.snapshot(branch).events}
    assert told == {one.id for one in worst.delta.additions() if isinstance(one, Event)}
    expect_whole_chapter(desk.workbench, store, branch, 1)


def test_writer_s_words_in_a_candidate_become_the_chapter(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    view = desk.workbench.plot.candidates(branch, 1)[0]
    [event, *_] = [one for one in view.candidate.delta.additions() if isinstance(one, Event)]

    summary = {"summary": "She drops the frobnitz."}
    rework = CandidateEdit(title="My title", values={event.id: summary})
    edited = desk.workbench.plot.edit_candidate(view.candidate.id, rework)
    desk.answer(story, Decision(choice=edited.id))

    assert (
        desk.workbench.prototype.snapshot(branch).get(Event, event.id).summary
        == "She drops the frobnitz."
    )
    assert desk.workbench.story.chapters(branch)[0].title == "My title"
    assert store.proposals.candidate(view.candidate.id) == view.candidate.model_copy(
        update={"state": CandidateState.PASSED_OVER}
    )
    store.prototype.verify(branch)


def test_candidate_of_an_earlier_round_can_still_be_chosen(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    first = store.proposals.candidates(branch, 1, 1)

    desk.answer(story, AGAIN)
    desk.answer(story, Decision(choice=first[0].id))

    assert len(store.proposals.candidates(branch, 1)) == 4
    assert store.proposals.candidate(first[0].id).state is CandidateState.CHOSEN
    assert store.proposals.candidate(first[0].id).turns == first[0].turns
    expect_whole_chapter(desk.workbench, store, branch, 1)


def test_candidate_of_another_chapter_cannot_be_chosen(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    old = store.proposals.candidates(branch, 1)[0]
    desk.answer(story)
    desk.do(story, PlotChapters())
    [question] = desk.workbench.runs.pending(branch)

    with pytest.raises(WorkbenchError, match="another chapter"):
        desk.workbench.runs.decide(question, Decision(choice=old.id))

    assert desk.workbench.runs.pending(branch) == [question]


def test_edit_of_the_cast_while_candidates_wait_is_kept(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    edited = {
        person.id: person.model_copy(update={"age": "eighty", "status": "asleep"})
        for person in head.characters
    }
    desk.workbench.story.edit(
        branch, head.model_copy(update={"entities": {**head.entities, **edited}})
    )

    views = desk.workbench.plot.candidates(branch, 1)
    desk.answer(story, Decision(choice=views[0].candidate.id))

    after = desk.workbench.prototype.snapshot(branch)
    assert after.chapter == 1
    assert {(one.age, one.status) for one in after.characters} == {("eighty", "asleep")}
    expect_whole_prototype(after)
    store.prototype.verify(branch)


def test_person_removed_while_candidates_wait_stays_removed(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    chosen = desk.workbench.plot.candidates(branch, 1)[0].candidate
    gone = chosen.turns[0].character
    left = {
        id_: entity
        for id_, entity in head.entities.items()
        if gone not in {id_, getattr(entity, "source", ""), getattr(entity, "target", "")}
    }
    desk.workbench.story.edit(branch, head.model_copy(update={"entities": left}))

    assert len(desk.workbench.plot.candidates(branch, 1)) == 2
    run = desk.answer(story, Decision(choice=chosen.id))

    assert run.state is RunState.DONE
    assert gone not in desk.workbench.prototype.snapshot(branch).entities
    assert desk.workbench.prototype.snapshot(branch).events_of(1)
    store.prototype.verify(branch)


# Plan and draft


def test_edited_plan_is_what_is_written(desk: Desk) -> None:
    story = up_to(desk, Gate.PLAN)
    branch = desk.branch(story)
    plan = desk.workbench.manuscript.plan(branch, 1)
    assert plan is not None
    scenes = tuple(scene.model_copy(update={"beat": "The gronkle sings."}) for scene in plan.scenes)

    desk.workbench.manuscript.save_plan(
        plan.model_copy(update={"scenes": scenes, "words": 50 * len(scenes)})
    )
    desk.answer(story)

    writers = asked(desk.server, "writer_novel")
    assert writers
    assert all("The gronkle sings." in request_of(sent) for sent in writers)
    expect_written(desk.workbench, branch, 1)


def test_earlier_plan_and_text_stay_when_another_is_asked_for(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.DRAFT)
    branch = desk.branch(story)
    first = desk.workbench.manuscript.draft(branch, 1)
    assert first is not None

    desk.answer(story, AGAIN)

    second, kept = desk.workbench.manuscript.versions(branch, 1)
    assert kept == first
    assert (second.version, kept.version) == (2, 1)
    assert second.text != first.text
    assert [plan.attempt for plan in store.manuscript.plans(branch, 1)] == [2, 1]
    assert any(NOTE in request_of(sent) for sent in asked(desk.server, "writer_novel"))


def test_plan_that_the_writer_changed_is_kept_when_the_text_is_written_again(
    desk: Desk, store: Store
) -> None:
    story = up_to(desk, Gate.PLAN)
    asking = {
        gate: GateMode.ASK if gate in {Gate.PLAN, Gate.DRAFT} else GateMode.GO_ON for gate in Gate
    }
    desk.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"gates": asking})
    )
    branch = desk.branch(story)
    plan = store.manuscript.plan(branch, 1)
    assert plan is not None
    store.manuscript.change_plan(plan, lambda now: with_beats(now, "The gronkle sings."))
    desk.answer(story)
    planned = len(asked(desk.server, "plan"))

    desk.answer(story, AGAIN)

    again = store.manuscript.plan(branch, 1)
    assert again is not None
    assert (again.attempt, again.is_edited) == (2, True)
    assert {scene.beat for scene in again.scenes} == {"The gronkle sings."}
    assert len(asked(desk.server, "plan")) == planned


def test_another_plan_can_be_asked_for_and_taken_back(desk: Desk, store: Store) -> None:
    story = up_to(desk, Gate.PLAN)
    branch = desk.branch(story)
    plan = store.manuscript.plan(branch, 1)
    assert plan is not None
    store.manuscript.change_plan(plan, lambda now: with_beats(now, "The gronkle sings."))

    desk.answer(story, AGAIN)

    fresh = store.manuscript.plan(branch, 1)
    assert fresh is not None
    assert "The gronkle sings." not in {scene.beat for scene in fresh.scenes}
    back = store.manuscript.take_back_plan(branch, 1)
    assert (back.id, back.attempt) == (fresh.id, 2)
    assert {scene.beat for scene in back.scenes} == {"The gronkle sings."}
    forth = store.manuscript.take_back_plan(branch, 1)
    assert forth == fresh


def with_beats(plan: WritingPlan, beat: str) -> WritingPlan:
    scenes = tuple(scene.model_copy(update={"beat": beat}) for scene in plan.scenes)
    return plan.model_copy(update={"scenes": scenes})


def test_writer_s_own_text_is_what_is_approved(desk: Desk) -> None:
    story = up_to(desk, Gate.DRAFT)
    branch = desk.branch(story)

    desk.workbench.manuscript.save_text(branch, 1, "My own words, every one of them.")
    desk.answer(story)

    draft = desk.workbench.manuscript.draft(branch, 1)
    assert draft is not None
    assert draft.text == "My own words, every one of them."
    expect_written(desk.workbench, branch, 1)


def test_settings_changed_during_a_run_count_from_its_next_step_on(desk: Desk) -> None:
    story = up_to(desk, Gate.CANDIDATES)
    settings = desk.workbench.library.story(story.id).settings
    none = dict.fromkeys(Gate, GateMode.GO_ON)

    desk.workbench.library.change_settings(
        story.id, lambda _: settings.model_copy(update={"gates": none})
    )

    assert desk.answer(story, AGAIN).state is RunState.DONE
