"""Tellings are kept beside the book, each with texts of its own, and travel in story files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from store.errors import NotFound
from store.formats.bundle import export_bundle, import_bundle
from store.models.desk.contents import FIRST_OF_TELLING, FIRST_OF_TEXT_ALONE
from store.models.desk.telling import Arrangement, Telling, ToldPart
from store.models.form import Form
from store.models.story import Branch
from store.open import Store
from store.texts.tellings import NewChapter
from store.upkeep.salvage import salvage
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on
from tests.store.texts.test_contents import type_in

FIRST = ToldPart(chapter=1, events=("locked",))
SECOND = ToldPart(chapter=1, events=("after",))


@pytest.fixture
def plotted(store: Store, branch: Branch) -> Branch:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "One")
    return branch


def make(store: Store, branch: Branch, name: str = "From the end") -> Telling:
    chapters = [NewChapter((SECOND,), "After"), NewChapter((FIRST, SECOND))]
    return store.tellings.make(branch.id, name, Form.SCREENPLAY, Arrangement.FRAME, chapters)


def test_chapters_of_a_telling_have_keys_that_nothing_else_has(
    store: Store, plotted: Branch
) -> None:
    one, other = make(store, plotted), make(store, plotted, "Again")
    assert one.keys == (FIRST_OF_TELLING, FIRST_OF_TELLING + 1)
    assert other.keys == (FIRST_OF_TELLING + 2, FIRST_OF_TELLING + 3)
    longer = store.tellings.add_chapters(one.id, [NewChapter((FIRST,))])
    assert longer.keys == (*one.keys, FIRST_OF_TELLING + 4)
    assert [one.events for one in longer.chapters] == [("after",), ("locked", "after"), ("locked",)]
    assert store.tellings.of(plotted.id) == [longer, other]
    assert store.contents.new_key(plotted.id) == FIRST_OF_TEXT_ALONE


def test_telling_has_texts_of_its_own_and_the_book_has_none_of_them(
    store: Store, plotted: Branch
) -> None:
    telling = make(store, plotted)
    first, second = telling.keys
    type_in(store, plotted.id, 1, "In the book.")
    type_in(store, plotted.id, second, "In the telling.")

    assert [one.draft.text for one in store.contents.texts(plotted.id)] == ["In the book."]
    [(place, draft)] = store.tellings.texts(telling)
    assert (place, draft.text) == (2, "In the telling.")
    type_in(store, plotted.id, first, "First.")
    texts = list(store.contents.texts(plotted.id, [first]))
    assert [(one.place, one.draft.title) for one in texts] == [(1, "After")]
    assert store.contents.order(plotted.id) == [1]
    assert store.contents.length(plotted.id) == (1, 3)


def test_chapter_of_a_telling_comes_after_those_before_it_and_at_its_own_time(
    store: Store, plotted: Branch
) -> None:
    telling = make(store, plotted)
    first, second = telling.keys
    assert store.contents.before(plotted.id, first) == []
    assert store.contents.before(plotted.id, second) == [first]
    assert store.contents.as_of(plotted.id, second) == 1
    found = store.tellings.of_chapter(plotted.id, second)
    assert found is not None
    assert (found.telling.id, found.place, found.chapter.parts) == (telling.id, 2, (FIRST, SECOND))
    assert store.tellings.of_chapter(plotted.id, 1) is None
    assert store.tellings.of_chapter(plotted.id, FIRST_OF_TELLING + 99) is None


def test_telling_that_was_put_away_is_kept_with_its_keys(store: Store, plotted: Branch) -> None:
    telling = make(store, plotted)
    store.tellings.change(telling.id, lambda it: it.model_copy(update={"is_removed": True}))
    assert store.tellings.of(plotted.id) == []
    assert store.tellings.get(telling.id).is_removed
    assert not set(make(store, plotted).keys) & set(telling.keys)


def test_bad_telling_is_refused_and_the_kept_one_stays(store: Store, plotted: Branch) -> None:
    telling = make(store, plotted)
    twice = telling.model_copy(update={"chapters": (telling.chapters[0],) * 2})
    with pytest.raises(ValidationError):
        store.tellings.change(telling.id, lambda _: twice)
    with pytest.raises(ValidationError):
        make(store, plotted, " ")
    with pytest.raises(NotFound):
        store.tellings.get("nobody")
    assert store.tellings.of(plotted.id) == [telling]


def test_branch_does_not_share_the_tellings_of_its_parent(store: Store, plotted: Branch) -> None:
    telling = make(store, plotted)
    child = store.library.fork(plotted.id, 1, "What if")
    assert store.tellings.of(child.id) == []
    assert not set(make(store, child).keys) & set(telling.keys)


def test_tellings_travel_with_their_texts(store: Store, plotted: Branch) -> None:
    telling = make(store, plotted)
    type_in(store, plotted.id, telling.keys[0], "In the telling.")
    imported = import_bundle(store, export_bundle(store, plotted.story))
    [branch] = store.library.branches(imported.id)
    [there] = store.tellings.of(branch.id)
    same = {"id", "branch"}
    assert there.model_dump(exclude=same) == telling.model_dump(exclude=same)
    assert [one.draft.text for one in store.tellings.texts(there)] == ["In the telling."]


def test_tellings_are_saved_from_a_damaged_library(
    store: Store, plotted: Branch, library_path: Path, tmp_path: Path
) -> None:
    telling = make(store, plotted)
    store.close()
    made = tmp_path / "saved.db"
    salvage(library_path, made)
    with_saved = Store.open(made)
    [story] = with_saved.library.stories()
    [branch] = with_saved.library.branches(story.story.id)
    assert [one.name for one in with_saved.tellings.of(branch.id)] == [telling.name]
    with_saved.close()
