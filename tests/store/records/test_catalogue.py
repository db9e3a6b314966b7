"""What the library lists: not what was begun and left; and what a search finds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from store.database.rows import now
from store.errors import StoreError
from store.models.form import Form
from store.models.story import Branch, Brief, Story
from store.open import Store
from store.records.library import Library
from tests.store.builders import HALE, begin


def titles(store: Store, text: str) -> list[str]:
    return [card.story.title for card in store.library.find_stories(text)]


def let_pass(monkeypatch: pytest.MonkeyPatch, passed: timedelta) -> None:
    moment = now() + passed
    monkeypatch.setattr("store.records.library.now", lambda: moment)


def typed(brief: Brief) -> Brief:
    return brief.model_copy(update={"premise": "A door."})


@pytest.mark.parametrize(
    "make",
    [
        lambda library, story: library.change_brief(story, typed),
        lambda library, story: library.rename(story, "The Door"),
        lambda library, story: library.change_settings(
            story, lambda settings: settings.model_copy(update={"chapter_cap": 3})
        ),
    ],
    ids=["typed", "named", "planned"],
)
def test_story_that_was_begun_is_listed_once_something_is_in_it(
    store: Store, make: Callable[[Library, str], Story]
) -> None:
    begun = store.library.begin_story()
    assert store.library.stories() == []
    assert store.library.story(begun.id) == begun, "what is typed has a place"

    make(store.library, begun.id)

    assert [card.story.id for card in store.library.stories()] == [begun.id]


def test_story_is_listed_once_a_chapter_is_typed_by_hand(store: Store) -> None:
    begun = store.library.begin_story()
    branch = store.library.main_branch(begun.id).id

    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    store.manuscript.replace_text(branch, 1, "", "Once upon a time.")

    assert [card.story.id for card in store.library.stories()] == [begun.id]


def test_story_that_was_left_with_nothing_in_it_is_taken_up_again_and_leaves_nothing_behind(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store.library.begin_story()
    let_pass(monkeypatch, timedelta(minutes=59))
    second = store.library.begin_story()
    assert second.id != first.id, "somebody may be typing in the first"
    let_pass(monkeypatch, timedelta(minutes=61))
    third = store.library.begin_story()
    assert third.id == first.id
    assert third.created > first.created
    store.library.change_brief(third.id, typed)
    let_pass(monkeypatch, timedelta(days=1))
    assert store.library.begin_story().id == second.id
    assert len(store.library.story_ids()) == 2


def test_stories_with_nothing_in_them_take_nobody_s_place(library_path: Path) -> None:
    store = Store.open(library_path, most_stories=2)
    begun = [store.library.begin_story() for _ in range(5)]
    assert len({one.id for one in begun}) == 2, "there are never more than there can be stories"
    store.library.create_story(Brief(premise="One."))
    store.library.create_story(Brief(premise="Two."))
    with pytest.raises(StoreError, match="2 stories"):
        store.library.create_story(Brief(premise="Three."))
    store.close()


def test_search_finds_by_title_premise_and_people_of_any_branch(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    store.library.create_story(Brief(premise="Zwei Bäcker STRASSE."), "Brot")
    store.library.create_story(Brief(premise="灯台守の話"), "灯台")
    assert titles(store, "lamp") == [story.title]
    assert titles(store, "KEEPER door") == [story.title]
    assert titles(store, f"room {HALE.name.lower()}") == [story.title]
    assert titles(store, "straße") == ["Brot"]
    assert titles(store, "灯台守") == ["灯台"]
    assert titles(store, "lamp brot") == []
    assert titles(store, "%") == []
    assert len(titles(store, " ")) == 3
