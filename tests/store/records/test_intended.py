"""What the writer means in spite of the continuity check is kept, with the reason."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from store.formats.bundle import export_bundle, import_bundle
from store.models.story import Branch, Brief, Story
from store.open import Store
from tests.store.builders import begin

KEY = "dead:hale+feast:2"


def test_a_finding_is_intended_in_its_story_only(store: Store, story: Story) -> None:
    other = store.library.create_story(Brief(premise="Another."), "Another")
    store.intended.mark(story.id, KEY, "  He is a ghost.  ")
    assert store.intended.reasons(story.id) == {KEY: "He is a ghost."}
    assert store.intended.reasons(other.id) == {}


def test_a_later_reason_stands_in_place_of_the_first(store: Store, story: Story) -> None:
    store.intended.mark(story.id, KEY, "He is a ghost.")
    store.intended.mark(story.id, KEY, "She dreams him.")
    assert [one.reason for one in store.intended.of(story.id)] == ["She dreams him."]


def test_an_intention_can_be_taken_back(store: Store, story: Story) -> None:
    store.intended.mark(story.id, KEY, "He is a ghost.")
    store.intended.mark(story.id, "jump:tie:3", "A letter came.")
    store.intended.take_back(story.id, KEY)
    store.intended.take_back(story.id, "never marked")
    assert store.intended.reasons(story.id) == {"jump:tie:3": "A letter came."}


@pytest.mark.parametrize("reason", ["", "   ", "x" * 401])
def test_a_reason_has_a_word_and_a_bound(store: Store, story: Story, reason: str) -> None:
    with pytest.raises(ValidationError):
        store.intended.mark(story.id, KEY, reason)
    assert store.intended.of(story.id) == []


def test_intentions_leave_and_come_back_with_the_story(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    store.intended.mark(story.id, KEY, "He is a ghost.")
    imported = import_bundle(store, export_bundle(store, story.id))
    assert store.intended.reasons(imported.id) == {KEY: "He is a ghost."}
