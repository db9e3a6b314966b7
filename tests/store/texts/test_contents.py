"""The order of a book is kept apart from its plot, on each branch by itself, and in story files."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.formats.bundle import export_bundle, import_bundle
from store.formats.exports import MARKDOWN, Source
from store.models.desk.contents import FIRST_OF_TEXT_ALONE, ContentsEntry
from store.models.form import Form
from store.models.story import Branch
from store.open import Store
from store.texts.finding import Search
from store.upkeep.salvage import salvage
from tests.store.builders import THREAD, adding, altered, begin, go_on

ALONE = FIRST_OF_TEXT_ALONE


def plot(store: Store, branch: str, chapters: int) -> None:
    """Plot so many chapters, each of which plants a thread."""
    for chapter in range(1, chapters + 1):
        thread = altered(THREAD, id=f"thread-{branch}-{chapter}")
        go_on(store, branch, adding(thread), f"Plotted {chapter}")


def type_in(store: Store, branch: str, chapter: int, text: str) -> None:
    store.manuscript.begin_by_hand(branch, chapter, Form.NOVEL)
    store.manuscript.save_text(branch, chapter, text)


def arrange(store: Store, branch: str, *chapters: int) -> None:
    store.contents.keep(branch, [ContentsEntry(chapter=one) for one in chapters])


@pytest.fixture
def book(store: Store, branch: Branch) -> Branch:
    """Three plotted chapters and one of text alone, which stands between the first and the second."""
    begin(store, branch.id)
    plot(store, branch.id, 3)
    for chapter, text in ((1, "One lamp."), (2, "Two."), (3, "Three lamps."), (ALONE, "Lamp.")):
        type_in(store, branch.id, chapter, text)
    arrange(store, branch.id, 1, ALONE, 2, 3)
    return branch


def test_a_branch_that_has_arranged_nothing_has_the_order_of_its_plot_and_then_what_was_typed(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    plot(store, branch.id, 2)
    type_in(store, branch.id, 3, "Three.")
    assert store.contents.own(branch.id) == []
    found = [(one.chapter, one.is_plotted, one.as_of) for one in store.contents.chapters(branch.id)]
    assert found == [(1, True, 1), (2, True, 2), (3, False, 2)]
    assert store.contents.next_typed(branch.id) == 4


def test_what_reads_the_book_reads_it_in_its_order(store: Store, book: Branch) -> None:
    assert store.contents.order(book.id) == [1, ALONE, 2, 3]
    assert store.contents.before(book.id, 2) == [1, ALONE]
    assert [one.as_of for one in store.contents.chapters(book.id)] == [1, 1, 2, 3]
    assert store.contents.length(book.id).words == 6
    exported = MARKDOWN.export(Source(store, book.id)).decode()
    headings = [line for line in exported.splitlines() if line.startswith("## ")]
    assert [line.split(".")[0] for line in headings] == ["## 1", "## 2", "## 3", "## 4"]
    assert exported.index("Lamp.") < exported.index("Two.") < exported.index("Three lamps.")
    found = store.finding.find(book.id, Search(words="lamp"))
    assert [(one.chapter, one.number) for one in found.places] == [(1, 1), (ALONE, 2), (3, 4)]


def test_a_chapter_that_is_plotted_later_comes_last(store: Store, book: Branch) -> None:
    thread = altered(THREAD, id="thread-later")
    go_on(store, book.id, adding(thread), "Plotted 4")
    assert store.contents.order(book.id) == [1, ALONE, 2, 3, 4]


def test_what_has_lost_its_place_is_in_no_list_and_in_no_sum(store: Store, book: Branch) -> None:
    entries = store.contents.entries(book.id)
    merged = {"merged_into": 1, "is_plotted": True}
    store.contents.keep(book.id, [*entries[:2], entries[2].model_copy(update=merged), entries[3]])
    assert store.contents.order(book.id) == [1, ALONE, 3]
    assert "Two." not in MARKDOWN.export(Source(store, book.id)).decode()
    assert store.finding.find(book.id, Search(words="two")).total == 0
    assert store.contents.length(book.id).words == 5


def test_a_typed_chapter_that_lost_its_place_has_one_again_once_it_is_plotted(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    plot(store, branch.id, 1)
    type_in(store, branch.id, 2, "")
    store.contents.keep(
        branch.id, [ContentsEntry(chapter=1), ContentsEntry(chapter=2, is_removed=True)]
    )
    assert store.contents.order(branch.id) == [1]
    go_on(store, branch.id, adding(altered(THREAD, id="thread-later")), "Plotted 2")
    assert store.contents.order(branch.id) == [1, 2]


def test_a_branch_has_the_contents_as_they_stood_when_it_began(store: Store, book: Branch) -> None:
    type_in(store, book.id, ALONE + 1, "After three.")
    arrange(store, book.id, 1, ALONE, 2, 3, ALONE + 1)
    fork = store.library.fork(book.id, 2, "What if")
    assert store.contents.order(fork.id) == [1, ALONE, 2]
    arrange(store, book.id, ALONE, 1, 3, 2, ALONE + 1)
    store.manuscript.save_text(book.id, ALONE, "Changed.")
    assert store.contents.order(fork.id) == [1, ALONE, 2]
    assert store.manuscript.require(fork.id, ALONE).text == "Lamp."
    plot(store, fork.id, 1)
    assert store.contents.order(fork.id) == [1, ALONE, 2, 3]
    arrange(store, fork.id, 2, 1, ALONE, 3)
    assert store.contents.order(fork.id) == [2, 1, ALONE, 3]
    assert store.contents.order(book.id) == [ALONE, 1, 3, 2, ALONE + 1]


def test_what_was_merged_into_a_chapter_that_a_branch_lacks_has_its_place_there(
    store: Store, book: Branch
) -> None:
    merged = ContentsEntry(chapter=2, merged_into=3, is_plotted=True)
    others = [ContentsEntry(chapter=one) for one in (1, 3)]
    store.contents.keep(book.id, [*others, merged])
    fork = store.library.fork(book.id, 2, "What if")
    assert store.contents.order(book.id) == [1, 3, ALONE]
    assert store.contents.order(fork.id) == [1, 2]


def test_a_key_is_used_once_in_a_story(store: Store, book: Branch) -> None:
    fork = store.library.fork(book.id, 2, "What if")
    assert store.contents.new_key(fork.id) == ALONE + 1
    type_in(store, fork.id, ALONE + 1, "Mine.")
    assert store.contents.new_key(book.id) == ALONE + 2


def test_a_story_file_has_the_contents_of_each_branch(store: Store, book: Branch) -> None:
    fork = store.library.fork(book.id, 3, "What if")
    arrange(store, book.id, 3, 2, 1, ALONE)
    orders = [store.contents.order(one) for one in (book.id, fork.id)]
    assert orders == [[3, 2, 1, ALONE], [1, ALONE, 2, 3]]
    for _ in range(2):  # into the same library, and what was imported once more
        made = import_bundle(store, export_bundle(store, store.library.story_of(book.id).id))
        branches = [one.id for one in store.library.branches(made.id)]
        assert [store.contents.order(one) for one in branches] == orders
        book = store.library.branch(branches[0])


def test_what_is_saved_of_a_damaged_library_has_its_contents(tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    store = Store.open(library)
    branch = store.library.main_branch(store.library.create_story().id).id
    begin(store, branch)
    plot(store, branch, 2)
    type_in(store, branch, ALONE, "Lamp.")
    arrange(store, branch, 2, ALONE, 1)
    store.close()
    salvage(library, tmp_path / "saved.db")
    assert "added chapter 1: " in (tmp_path / "saved texts.md").read_text("utf-8")
    saved = Store.open(tmp_path / "saved.db")
    [card] = saved.library.stories()
    assert saved.contents.order(saved.library.main_branch(card.story.id).id) == [2, ALONE, 1]
    saved.close()
