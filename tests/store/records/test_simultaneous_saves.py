"""Several writers at once: what each of them saved is kept, or they are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from store.errors import ChangedElsewhere, StoreError
from store.models.base import new_id
from store.models.endpoint import ModelSettings
from store.models.form import Form
from store.models.manuscript import Draft, WritingPlan
from store.models.story import Branch, Brief, Story, StorySettings
from store.open import Store
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on

WRITERS = 6
SAVES = 10


def at_once(save: Callable[[int, int], object]) -> list[Exception]:
    """Let every writer save many times at the same time; return what was refused."""
    barrier = threading.Barrier(WRITERS)
    refused: list[Exception] = []

    def write(writer: int) -> None:
        barrier.wait()
        for number in range(SAVES):
            try:
                save(writer, number)
            except StoreError as error:
                refused.append(error)

    with ThreadPoolExecutor(WRITERS) as pool:
        for done in [pool.submit(write, writer) for writer in range(WRITERS)]:
            done.result()
    return refused


def test_no_setting_of_a_story_is_lost(store: Store, story: Story) -> None:
    def save(writer: int, number: int) -> None:
        def noted(now: StorySettings) -> StorySettings:
            return now.model_copy(update={"style_notes": f"{now.style_notes} {writer}.{number}"})

        store.library.change_settings(story.id, noted)

    assert at_once(save) == []
    assert len(store.library.story(story.id).settings.style_notes.split()) == WRITERS * SAVES


def test_no_wish_is_lost(store: Store, story: Story) -> None:
    def save(writer: int, number: int) -> None:
        def wished(now: Brief) -> Brief:
            return now.model_copy(update={"wishes": f"{now.wishes} {writer}.{number}"})

        store.library.change_brief(story.id, wished)

    assert at_once(save) == []
    assert len(store.library.story(story.id).brief.wishes.split()) == WRITERS * SAVES


def test_no_choice_of_a_model_is_lost(store: Store) -> None:
    def save(writer: int, number: int) -> None:
        store.library.change_setting(
            "model", ModelSettings(), lambda now: now.with_agent(f"agent {writer} {number}", "one")
        )

    assert at_once(save) == []
    kept = store.library.read_setting("model", ModelSettings)
    assert kept is not None
    assert len(kept.agents) == WRITERS * SAVES


def test_no_two_branches_of_one_name_arise(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))

    refused = at_once(lambda _, number: store.library.fork(branch.id, 1, f"What if {number}"))

    names = [one.name for one in store.library.branches(branch.story)]
    assert len(names) == len(set(names)) == 1 + SAVES
    assert len(refused) == (WRITERS - 1) * SAVES


def test_no_part_of_a_plan_is_lost(store: Store, branch: Branch) -> None:
    plan = store.manuscript.save_plan(
        WritingPlan(id=new_id(), branch=branch.id, chapter=1, attempt=1, form=Form.NOVEL)
    )

    def save(writer: int, number: int) -> None:
        def aimed(now: WritingPlan) -> WritingPlan:
            return now.model_copy(update={"goal": f"{now.goal} {writer}.{number}"})

        store.manuscript.change_plan(plan, aimed)

    assert at_once(save) == []
    newest = store.manuscript.plan(branch.id, 1)
    assert newest is not None
    assert len(newest.goal.split()) == WRITERS * SAVES


@pytest.fixture
def draft(store: Store, branch: Branch) -> Draft:
    plan = WritingPlan(id=new_id(), branch=branch.id, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
    store.manuscript.update_draft_text(draft.id, "As written.")
    return store.manuscript.finish_draft(draft.id)


def texts(store: Store, draft: Draft) -> list[str]:
    return [one.text for one in store.manuscript.versions(draft.branch, draft.chapter)]


def test_what_is_typed_in_a_while_is_one_version(store: Store, draft: Draft) -> None:
    store.manuscript.replace_text(draft.branch, 1, "As written.", "As written. And")
    store.manuscript.replace_text(draft.branch, 1, "As written. And", "As written. And more.")

    newest = store.manuscript.draft(draft.branch, 1)

    assert texts(store, draft) == ["As written. And more.", "As written."]
    assert newest is not None
    assert newest.words == 4


def test_what_is_taken_out_at_once_stays_in_a_version_before(store: Store, draft: Draft) -> None:
    page = "As written. " + "A long and good page. " * 20
    store.manuscript.replace_text(draft.branch, 1, "As written.", page)

    store.manuscript.replace_text(draft.branch, 1, page, "As written.")

    assert texts(store, draft) == ["As written.", page, "As written."]


def test_second_window_is_told_and_nothing_is_lost(store: Store, draft: Draft) -> None:
    store.manuscript.replace_text(draft.branch, 1, "As written.", "Mine.")

    with pytest.raises(ChangedElsewhere) as told:
        store.manuscript.replace_text(draft.branch, 1, "As written.", "Theirs.")
    assert told.value.theirs == "Mine."
    assert texts(store, draft) == ["Mine.", "As written."]

    store.manuscript.set_aside(draft.branch, 1, "Theirs.")
    assert texts(store, draft) == ["Mine.", "Theirs.", "Mine.", "As written."]


def test_branch_that_shares_a_text_keeps_it_while_the_other_types_on(
    store: Store, draft: Draft
) -> None:
    branch = store.library.branch(draft.branch)
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    store.manuscript.replace_text(branch.id, 1, "As written.", "As shared.")
    fork = store.library.fork(branch.id, 1, "What if")

    store.manuscript.replace_text(branch.id, 1, "As shared.", "As typed since.")

    shared = store.manuscript.draft(fork.id, 1)
    assert shared is not None
    assert shared.text == "As shared."
