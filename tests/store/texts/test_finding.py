"""Words are found in all texts of a branch, and replaced only where the text is still the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import TextTooLong
from store.models.form import Form
from store.models.manuscript import TEXT_LIMIT
from store.models.story import Branch
from store.open import Store
from store.texts.finding import Search, folded, places
from tests.store.builders import LAMP_ROOM, adding, begin, go_on

TEXTS = ("The lamp. A LAMP, two lamps.", "Nothing here.", "A lamp stood on the lamp table.")


@pytest.fixture
def book(store: Store, branch: Branch) -> Branch:
    """A branch with three chapters, each of two versions."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(LAMP_ROOM), "The lamp room")
    for chapter, text in enumerate(TEXTS, start=1):
        store.manuscript.begin_by_hand(branch.id, chapter, Form.NOVEL)
        store.manuscript.save_text(branch.id, chapter, f"lamp lamp {text}")
        store.manuscript.save_text(branch.id, chapter, text)
    return branch


def texts(store: Store, branch: str) -> list[str]:
    drafts = [store.manuscript.draft(branch, chapter) for chapter in (1, 2, 3)]
    return [draft.text for draft in drafts if draft]


@given(st.text(max_size=40))
def test_folded_letters_stay_where_they_are(text: str) -> None:
    assert len(folded(text)) == len(text)
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize(
    ("text", "search", "found"),
    [
        ("Straße İstanbul STRASSE", Search(words="istanbul"), [7]),
        ("Straße Straẞe", Search(words="STRAẞE"), [0, 7]),
        ("ΣΑΣ σας", Search(words="σασ"), [0, 4]),
        ("cat concat Cat.", Search(words="cat"), [0, 7, 11]),
        ("cat concat Cat.", Search(words="cat", is_whole_words=True), [0, 11]),
        ("cat concat Cat.", Search(words="cat", is_case_matched=True), [0, 7]),
        ("灯灭了灯", Search(words="灯", is_whole_words=True), [0, 3]),
        ("ＡＢＣ ABC", Search(words="abc"), [4]),
        ("a.c abc", Search(words="a.c"), [0]),
        ("aaaa", Search(words="aa"), [0, 2]),
    ],
)
def test_words_are_looked_for_as_text(text: str, search: Search, found: list[int]) -> None:
    assert list(places(text, search)) == found


def test_places_are_those_of_the_newest_texts_in_order(store: Store, book: Branch) -> None:
    found = store.finding.find(book.id, Search(words="lamp"))
    assert (found.total, found.chapters) == (5, 2)
    assert [(one.chapter, one.start, one.words) for one in found.places] == [
        (1, 4, "lamp"),
        (1, 12, "LAMP"),
        (1, 22, "lamp"),
        (3, 2, "lamp"),
        (3, 20, "lamp"),
    ]
    assert found.places[0].before + found.places[0].words + found.places[0].after == TEXTS[0]
    assert len(store.finding.find(book.id, Search(words="lamp"), 3).places) == 3


def test_a_branch_finds_and_replaces_what_it_shares_only_for_itself(
    store: Store, book: Branch
) -> None:
    fork = store.library.fork(book.id, 1, "What if")
    found = store.finding.find(fork.id, Search(words="lamp"))
    assert [one.chapter for one in found.places] == [1, 1, 1]
    done = store.finding.replace(fork.id, found.places, "light")
    assert (done.places, done.chapters, done.changed) == (3, [1], [])
    draft = store.manuscript.draft(fork.id, 1)
    assert draft is not None
    assert draft.text == "The light. A light, two lights."
    assert texts(store, book.id) == list(TEXTS)


def test_chosen_places_are_replaced_in_a_new_version_of_each_chapter(
    store: Store, book: Branch
) -> None:
    found = store.finding.find(book.id, Search(words="lamp"))
    chosen = [found.places[2], found.places[0], found.places[4]]
    done = store.finding.replace(book.id, chosen, r"\1 $&")
    assert (done.places, done.chapters) == (3, [1, 3])
    assert texts(store, book.id) == [
        r"The \1 $&. A LAMP, two \1 $&s.",
        TEXTS[1],
        r"A lamp stood on the \1 $& table.",
    ]
    versions = [len(store.versions.listed(book.id, chapter)) for chapter in (1, 2, 3)]
    assert versions == [4, 3, 4]
    assert store.versions.get(book.id, 1, 3).text == TEXTS[0]


def test_a_text_that_has_changed_meanwhile_is_left_as_it_is(store: Store, book: Branch) -> None:
    found = store.finding.find(book.id, Search(words="lamp"))
    store.manuscript.save_text(book.id, 1, "The lamp, changed.")
    done = store.finding.replace(book.id, found.places, "light")
    assert (done.places, done.chapters, done.changed) == (2, [3], [1])
    assert texts(store, book.id)[::2] == ["The lamp, changed.", "A light stood on the light table."]


def test_nothing_is_replaced_if_a_text_would_become_too_long(store: Store, book: Branch) -> None:
    store.manuscript.save_text(book.id, 3, "x" * (TEXT_LIMIT - 10) + " lamp")
    found = store.finding.find(book.id, Search(words="lamp"))
    before = texts(store, book.id)
    with pytest.raises(TextTooLong):
        store.finding.replace(book.id, found.places, "a very long lantern")
    assert texts(store, book.id) == before


def test_a_text_that_is_being_written_is_not_looked_through(store: Store, book: Branch) -> None:
    draft = store.manuscript.draft(book.id, 1)
    assert draft is not None
    with store.database.write() as database:
        database.execute("UPDATE drafts SET state = 'writing' WHERE id = ?", (draft.id,))
    found = store.finding.find(book.id, Search(words="lamp"))
    assert [one.chapter for one in found.places] == [3, 3]
