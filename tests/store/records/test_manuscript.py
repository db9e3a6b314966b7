"""Plans and texts: every version stays, and an agent that runs again makes none twice."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from store.errors import NotFound
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import (
    DraftState,
    Recollection,
    ThreadCue,
    ThreadMove,
    WritingNotes,
    WritingPlan,
)
from store.models.story import Branch
from store.open import Store

RECALL = (Recollection(event="locked", why="it frightened her"),)
CUES = (ThreadCue(thread="thread", move=ThreadMove.PLANT),)


def plan_of(branch: Branch, attempt: int = 1, form: Form = Form.NOVEL) -> WritingPlan:
    return WritingPlan(
        id=new_id(), branch=branch.id, chapter=1, attempt=attempt, form=form, recall=RECALL
    )


def test_recall_and_threads_are_found_side_by_side(store: Store, branch: Branch) -> None:
    barrier = threading.Barrier(2)

    def recall() -> None:
        barrier.wait()
        store.manuscript.save_recall(branch.id, 1, 1, RECALL)

    def threads() -> None:
        barrier.wait()
        store.manuscript.save_cues(branch.id, 1, 1, CUES)

    with ThreadPoolExecutor(2) as pool:
        for done in (pool.submit(recall), pool.submit(threads)):
            done.result()
    wanted = WritingNotes(branch=branch.id, chapter=1, attempt=1, recall=RECALL, threads=CUES)
    assert store.manuscript.notes(branch.id, 1, 1) == wanted


def test_an_attempt_without_notes_has_empty_ones(store: Store, branch: Branch) -> None:
    assert store.manuscript.notes(branch.id, 1, 1).recall == ()


def test_attempts_are_counted(store: Store, branch: Branch) -> None:
    assert store.manuscript.next_attempt(branch.id, 1) == 1
    store.manuscript.save_recall(branch.id, 1, 1, RECALL)
    assert store.manuscript.next_attempt(branch.id, 1) == 2
    store.manuscript.save_plan(plan_of(branch, 2))
    assert store.manuscript.next_attempt(branch.id, 1) == 3
    assert store.manuscript.next_attempt(branch.id, 2) == 1


def test_an_attempt_has_one_plan_and_the_newest_counts(store: Store, branch: Branch) -> None:
    assert store.manuscript.plan(branch.id, 1) is None
    first = store.manuscript.save_plan(plan_of(branch))
    again = store.manuscript.save_plan(plan_of(branch).model_copy(update={"goal": "Again"}))
    assert again.id == first.id
    assert store.manuscript.plan(branch.id, 1) == again
    second = store.manuscript.save_plan(plan_of(branch, 2))
    assert store.manuscript.plan(branch.id, 1) == second
    assert store.manuscript.plans(branch.id) == [second, again]


def test_a_draft_streams_in_and_is_finished(store: Store, branch: Branch) -> None:
    draft = store.manuscript.start_draft(plan_of(branch), "The door")
    assert (draft.version, draft.state, draft.text) == (1, DraftState.WRITING, "")
    store.manuscript.update_draft_text(draft.id, "The door")
    store.manuscript.update_draft_text(draft.id, "The door was locked.")
    assert store.manuscript.written_chapters(branch.id) == {1: (DraftState.WRITING, 4)}
    assert store.manuscript.finish_draft(draft.id).state is DraftState.DRAFTED
    assert store.manuscript.update_draft_text(draft.id, "Late").text == "The door was locked."
    assert store.manuscript.approve_draft(branch.id, 1).state is DraftState.APPROVED
    assert store.manuscript.finish_draft(draft.id).state is DraftState.APPROVED


def test_a_plan_that_is_told_again_goes_on_with_its_draft(store: Store, branch: Branch) -> None:
    plan = plan_of(branch)
    begun = store.manuscript.start_draft(plan, "The door")
    store.manuscript.update_draft_text(begun.id, "The door")
    assert store.manuscript.start_draft(plan, "The door").text == "The door"
    other = store.manuscript.start_draft(plan_of(branch, 2), "The door")
    assert other.version == 2
    assert [one.id for one in store.manuscript.versions(branch.id, 1)] == [other.id, begun.id]


@pytest.mark.parametrize(
    ("title", "kept"), [("", "Chapter 1"), ("  ", "Chapter 1"), ("x" * 99, "x" * 80)]
)
def test_every_draft_has_a_title(store: Store, branch: Branch, title: str, kept: str) -> None:
    assert store.manuscript.start_draft(plan_of(branch), title).title == kept


def test_the_writers_text_is_a_new_version(store: Store, branch: Branch) -> None:
    draft = store.manuscript.start_draft(plan_of(branch), "The door")
    store.manuscript.update_draft_text(draft.id, "The door was locked.")
    finished = store.manuscript.finish_draft(draft.id)
    assert store.manuscript.save_text(branch.id, 1, "The door was locked.") == finished
    edited = store.manuscript.save_text(branch.id, 1, "The door stood open.")
    assert (edited.version, edited.state) == (2, DraftState.EDITED)
    assert store.manuscript.draft(branch.id, 1) == edited
    assert store.manuscript.versions(branch.id, 1) == [edited, finished]


def test_a_chapter_has_a_newest_text_in_each_form(store: Store, branch: Branch) -> None:
    novel = store.manuscript.start_draft(plan_of(branch), "The door")
    play = store.manuscript.start_draft(plan_of(branch, 2, Form.SCREENPLAY), "The door")
    assert store.manuscript.draft(branch.id, 1) == play
    assert store.manuscript.draft(branch.id, 1, Form.NOVEL) == novel
    assert store.manuscript.draft(branch.id, 2) is None


def test_what_is_not_there_is_said(store: Store, branch: Branch) -> None:
    with pytest.raises(NotFound, match="no text yet"):
        store.manuscript.save_text(branch.id, 1, "From nothing")
    with pytest.raises(NotFound):
        store.manuscript.approve_draft(branch.id, 1)
    with pytest.raises(NotFound):
        store.manuscript.update_draft_text("none", "")
    assert store.manuscript.written_chapters(branch.id) == {}
