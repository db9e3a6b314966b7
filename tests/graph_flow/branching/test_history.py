"""Branches and history at the door: what a writer does, and what it does to the story."""

from __future__ import annotations

import pytest

from graph_flow.errors import BranchBusy
from store.errors import DeltaInvalid, StoreError
from store.models.cast import Character
from store.models.plot import Event, EventLink, LinkKind, Participation
from store.models.proposals import CandidateState
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import Decision, PlotChapters
from store.models.story import Story
from tests.desk import Desk


def edited(snapshot: Snapshot, *entities: AnyEntity, without: str = "") -> Snapshot:
    """Return a snapshot with some entities as they are given, and one left out."""
    whole = {**snapshot.entities, **{one.id: one for one in entities}}
    whole.pop(without, None)
    return snapshot.model_copy(update={"entities": whole})


def changed(desk: Desk, branch: str, chapter: int | None = None, **values: object) -> Character:
    """Edit the first person of the cast as of a chapter."""
    snapshot = desk.workbench.prototype.snapshot(branch, chapter)
    person = snapshot.characters[0].model_copy(update=values)
    desk.workbench.story.edit(branch, edited(snapshot, person), chapter)
    return person


def first(desk: Desk, branch: str, chapter: int | None = None) -> Character:
    return desk.workbench.prototype.snapshot(branch, chapter).characters[0]


def test_edit_of_an_earlier_chapter_carries_forward_and_is_undone(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    before = [desk.workbench.prototype.snapshot(branch, chapter) for chapter in range(3)]

    changed(desk, branch, 0, gender="a fox")

    assert [first(desk, branch, chapter).gender for chapter in range(3)] == ["a fox"] * 3
    steps = desk.workbench.branches.steps(branch)
    assert steps.undo is not None
    assert "a fox" in steps.undo
    assert steps.redo is None
    desk.workbench.branches.undo(branch)
    assert [desk.workbench.prototype.snapshot(branch, chapter) for chapter in range(3)] == before
    assert "a fox" in (desk.workbench.branches.steps(branch).redo or "")
    desk.workbench.branches.redo(branch)
    assert first(desk, branch).gender == "a fox"
    assert desk.workbench.branches.steps(branch).redo is None


def test_undone_chapter_offers_its_candidates_again(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    whole = desk.workbench.prototype.snapshot(branch)

    desk.workbench.branches.undo(branch)
    desk.settle(story)

    assert desk.workbench.branches.status(branch).plotted == 1
    states = {view.candidate.state for view in desk.workbench.plot.candidates(branch, 2)}
    assert states == {CandidateState.PROPOSED}
    assert "chapter 2" in (desk.workbench.branches.steps(branch).redo or "")
    desk.workbench.branches.redo(branch)
    assert desk.workbench.prototype.snapshot(branch) == whole
    assert desk.workbench.runs.pending(branch) == []
    states = {view.candidate.state for view in desk.workbench.plot.candidates(branch, 2)}
    assert CandidateState.CHOSEN in states

    desk.workbench.branches.undo(branch)
    desk.settle(story)
    question = desk.workbench.runs.pending(branch)[0]
    assert question.chapter == 2
    other = desk.workbench.plot.candidates(branch, 2)[-1].candidate
    desk.answer(story, Decision(choice=other.id))
    assert desk.workbench.branches.status(branch).plotted == 2
    chosen = desk.workbench.plot.candidates(branch, 2)[-1].candidate
    assert (chosen.id, chosen.state) == (other.id, CandidateState.CHOSEN)
    assert desk.workbench.branches.steps(branch).redo is None


def test_same_candidate_can_be_chosen_again(desk: Desk) -> None:
    story = desk.plotted(1)
    branch = desk.branch(story)
    whole = desk.workbench.prototype.snapshot(branch)
    chosen = next(
        view.candidate.id
        for view in desk.workbench.plot.candidates(branch, 1)
        if view.candidate.state is CandidateState.CHOSEN
    )

    desk.workbench.branches.undo(branch)
    desk.settle(story)
    desk.answer(story, Decision(choice=chosen))

    assert desk.workbench.prototype.snapshot(branch).entities == whole.entities


def test_beginning_cannot_be_undone(desk: Desk) -> None:
    branch = desk.branch(desk.founded())
    assert desk.workbench.branches.steps(branch).undo is None
    with pytest.raises(StoreError, match="nothing to undo"):
        desk.workbench.branches.undo(branch)


def test_rewind_keeps_the_later_chapters_on_their_branch(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    whole = desk.workbench.prototype.snapshot(branch)

    new = desk.workbench.branches.rewind(branch, 1)
    again = desk.workbench.branches.rewind(new.id, 1)

    assert desk.workbench.library.open_branch(story.id).id == again.id
    assert desk.workbench.branches.status(again.id).plotted == 1
    assert desk.workbench.prototype.snapshot(branch) == whole
    assert len({one.name for one in desk.workbench.library.branches(story.id)}) == 3


def test_branches_have_names_of_their_own(desk: Desk) -> None:
    story = desk.plotted(1)
    branch = desk.branch(story)
    what_if = desk.workbench.branches.start(branch, 1, "  What   if ")
    assert what_if.name == "What if"
    for name in ("", "what IF", "x" * 81):
        with pytest.raises(StoreError, match="branch"):
            desk.workbench.branches.start(branch, 1, name)
    with pytest.raises(StoreError, match="not plotted"):
        desk.workbench.branches.start(branch, 2, "Too far")
    assert desk.workbench.library.rename_branch(what_if.id, "Other").name == "Other"
    assert [one.name for one in desk.workbench.library.branches(story.id)] == ["Main", "Other"]


def what_if_of(desk: Desk, story: Story) -> str:
    return desk.workbench.branches.start(desk.branch(story), 1, "What if").id


def test_untouched_target_takes_the_chapters_as_they_are(desk: Desk) -> None:
    story = desk.plotted(1)
    branch, what_if = desk.branch(story), what_if_of(desk, story)
    changed(desk, what_if, status="in the tower")
    run = desk.workbench.runs.start(what_if, PlotChapters(is_autopilot=True))
    assert desk.workbench.runs.wait(run, 30)

    assert desk.workbench.branches.merge_preview(what_if, branch).is_straight
    desk.workbench.branches.merge(what_if, branch, {})

    assert desk.workbench.prototype.snapshot(branch) == desk.workbench.prototype.snapshot(what_if)
    assert desk.workbench.branches.status(branch).plotted == 2
    titles = [one.title for one in desk.workbench.story.chapters(branch)]
    assert titles == [one.title for one in desk.workbench.story.chapters(what_if)]
    with pytest.raises(StoreError, match="nothing"):
        desk.workbench.branches.merge(what_if, branch, {})


def test_both_sides_of_a_conflict_are_asked_about(desk: Desk) -> None:
    story = desk.plotted(1)
    branch, what_if = desk.branch(story), what_if_of(desk, story)
    changed(desk, branch, status="at sea", age="40")
    changed(desk, what_if, status="in the tower", gender="a fox")

    view = desk.workbench.branches.merge_preview(what_if, branch)

    assert not view.is_straight
    (question,) = view.questions
    assert (question.ours, question.theirs) == ("at sea", "in the tower")
    with pytest.raises(DeltaInvalid, match="open"):
        desk.workbench.branches.merge(what_if, branch, {})
    desk.workbench.branches.merge(what_if, branch, {question.key: "theirs"})
    person = first(desk, branch)
    assert (person.status, person.age, person.gender) == ("in the tower", "40", "a fox")
    desk.workbench.branches.undo(branch)
    assert first(desk, branch).status == "at sea"


def test_locked_things_stay_in_a_merge(desk: Desk) -> None:
    story = desk.plotted(1)
    branch, what_if = desk.branch(story), what_if_of(desk, story)
    changed(desk, branch, locked=("status",))
    changed(desk, what_if, status="in the tower")

    view = desk.workbench.branches.merge_preview(what_if, branch)

    assert view.changes == ()
    assert len(view.kept) == 1
    assert "locked" in view.kept[0]


def test_later_things_that_depend_on_an_edit_are_stale_until_settled(desk: Desk) -> None:
    story = desk.plotted(1)
    branch = desk.branch(story)
    snapshot = desk.workbench.prototype.snapshot(branch)
    told = snapshot.events_of(1)[0]
    later = Event(id="later", title="Later", summary="It comes of it.")
    link = EventLink(id="link", source=told.id, target="later", link=LinkKind.CAUSES)
    desk.workbench.story.edit(branch, edited(snapshot, later, link))
    assert desk.workbench.branches.stale(branch) == []
    desk.do(story, PlotChapters(is_autopilot=True))
    person = snapshot.characters[0]
    acting = [
        part.event
        for part in desk.workbench.prototype.snapshot(branch).of(Participation)
        if part.character == person.id
        and desk.workbench.prototype.snapshot(branch).first_chapter_of(part.event) == 2
    ]

    changed(desk, branch, 0, gender="a fox")

    marks = desk.workbench.branches.stale(branch)
    assert set(acting) <= {mark.target for mark in marks if mark.target_kind == "event"}
    assert all("a fox" in mark.reason for mark in marks)
    for mark in marks:
        desk.workbench.branches.settle(mark.id)
    assert desk.workbench.branches.stale(branch) == []


def test_undo_takes_the_marks_of_an_edit_away(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    changed(desk, branch, 0, gender="a fox")
    assert desk.workbench.branches.stale(branch)
    desk.workbench.branches.undo(branch)
    assert desk.workbench.branches.stale(branch) == []


def test_text_of_a_chapter_that_is_taken_back_is_kept_and_marked(desk: Desk) -> None:
    story = desk.written()
    branch = desk.branch(story)
    desk.workbench.branches.undo(branch)
    assert desk.workbench.branches.stale(branch) == []
    desk.settle(story)
    other = desk.workbench.plot.candidates(branch, 1)[-1].candidate
    desk.answer(story, Decision(choice=other.id))
    marks = desk.workbench.branches.stale(branch)
    assert {mark.target_kind for mark in marks} == {"plan", "draft"}
    desk.workbench.branches.undo(branch)
    desk.settle(story)


def test_redone_chapter_has_its_text_without_a_mark(desk: Desk) -> None:
    story = desk.written()
    branch = desk.branch(story)
    desk.workbench.branches.undo(branch)
    desk.settle(story)
    desk.workbench.branches.redo(branch)
    assert desk.workbench.branches.stale(branch) == []
    assert desk.workbench.manuscript.draft(branch, 1) is not None


def test_nothing_is_undone_while_a_run_is_at_work(desk: Desk) -> None:
    story = desk.plotted(1)
    branch = desk.branch(story)
    run = desk.workbench.runs.start(branch, PlotChapters(is_autopilot=True))
    try:
        with pytest.raises(BranchBusy, match="working"):
            desk.workbench.branches.undo(branch)
    finally:
        assert desk.workbench.runs.wait(run, 30)
