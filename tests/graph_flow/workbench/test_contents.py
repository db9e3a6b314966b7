"""Chapters are added, split, merged and moved without a word or a version lost, and never behind a back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.workbench.beside.contents import ContentsService, Seen
from graph_flow.workbench.desk import DeskService
from store.errors import TextTooLong
from store.formats.exports import MARKDOWN, Source
from store.models.base import new_id
from store.models.desk.contents import FIRST_OF_TEXT_ALONE
from store.models.form import Form
from store.models.manuscript import TEXT_LIMIT, DraftState
from store.open import Store
from store.texts.notes import NewNote
from store.texts.stretches import SCENE_BREAK
from tests.libraries import temporary_store
from tests.store.builders import LOCKED, THREAD, adding, altered, begin, go_on

ALONE = FIRST_OF_TEXT_ALONE
ONE, TWO = "One.\n\nUno.\n\nEins.", "Two.\n\nDue."


class Book:
    """A branch with two plotted chapters that have text, and its services."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.branch = store.library.main_branch(store.library.create_story().id).id
        self.contents, self.desk = ContentsService(store), DeskService(store)
        begin(store, self.branch)
        for chapter, text in ((1, ONE), (2, TWO)):
            thread = altered(THREAD, id=f"thread-{chapter}")
            event = altered(LOCKED, id=f"event-{chapter}")
            go_on(store, self.branch, adding(thread, event), f"Plotted {chapter}")
            store.manuscript.begin_by_hand(self.branch, chapter, Form.NOVEL)
            store.manuscript.save_text(self.branch, chapter, text)

    @property
    def order(self) -> list[int]:
        return self.store.contents.order(self.branch)

    @property
    def seen(self) -> Seen:
        return Seen(self.order)

    def text(self, chapter: int) -> str:
        return self.store.manuscript.require(self.branch, chapter).text

    def paragraphs(self) -> Counter[str]:
        """Return the paragraphs of the book, but for scene breaks and empty ones."""
        texts = (one.draft.text for one in self.store.contents.texts(self.branch))
        found = Counter(part for text in texts for part in text.split("\n\n"))
        return Counter({part: n for part, n in found.items() if part and part != SCENE_BREAK})

    def note(self, chapter: int, at: int, text: str) -> None:
        self.store.notes.add(self.branch, chapter, NewNote(new_id(), at, "", text))

    def notes(self, chapter: int) -> list[tuple[str, int | None]]:
        return [(one.text, at) for one, at in self.store.notes.of(self.branch, chapter)]


@pytest.fixture
def book() -> Iterator[Book]:
    with temporary_store() as store:
        yield Book(store)


def test_a_chapter_is_added_behind_another_and_is_told_as_of_that(book: Book) -> None:
    added = book.contents.add_chapter(book.branch, 1, book.seen)
    assert (added.chapter, added.text, added.is_by_hand) == (ALONE, "", True)
    cards = book.desk.chapters(book.branch)
    assert [(one.number, one.place, one.as_of, one.is_plotted) for one in cards] == [
        (1, 1, 1, True),
        (ALONE, 2, 1, False),
        (2, 3, 2, True),
    ]
    assert book.desk.as_of(book.branch, ALONE) == 1
    threads = book.desk.here(book.branch, ALONE, 0).threads
    assert [one.id for one in threads] == ["thread-1"]


def test_a_split_chapter_leads_on_with_its_paragraphs_their_events_and_their_notes(
    book: Book,
) -> None:
    draft = book.store.manuscript.require(book.branch, 1)
    book.store.manuscript.save_events(draft, [["event-1"], [], ["event-1"]])
    book.note(1, 0, "Stays")
    book.note(1, 2, "Goes")
    before = book.store.manuscript.require(book.branch, 1)
    made = book.contents.split(book.branch, 1, 1, book.seen)
    assert book.order == [1, ALONE, 2]
    assert (book.text(1), made.text) == ("One.", "Uno.\n\nEins.")
    kept = book.store.manuscript.require(book.branch, 1)
    assert kept.paragraphs + made.paragraphs == before.paragraphs
    assert made.paragraphs[1].events == ("event-1",)
    assert kept.version == before.version + 1
    assert book.notes(1) == [("Stays", 0)]
    assert book.notes(ALONE) == [("Goes", 1)]
    assert book.store.manuscript.version(book.branch, 1, before.version).text == ONE


@pytest.mark.parametrize("paragraph", [-1, 0, 3])
def test_a_chapter_is_not_split_where_one_part_would_be_empty(book: Book, paragraph: int) -> None:
    with pytest.raises(WorkbenchError, match="Put the cursor"):
        book.contents.split(book.branch, 1, paragraph, book.seen)
    assert book.order == [1, 2]


def test_merged_chapters_are_one_and_are_taken_apart_again(book: Book) -> None:
    book.note(2, 1, "Why two?")
    merged = book.contents.merge(book.branch, 1, book.seen)
    assert merged.text == f"{ONE}\n\n{SCENE_BREAK}\n\n{TWO}"
    assert book.order == [1]
    assert book.notes(1) == [("Why two?", 5)]
    assert [one.number for one in book.desk.chapters(book.branch)] == [1]
    assert "Plotted 2" in [one.title for one in book.store.prototype.chapters(book.branch)]
    [offer] = book.contents.merged(book.branch, 1)
    assert (offer.chapter, offer.is_there) == (2, True)
    typed = merged.text.replace("Due.", "Deux.")
    book.store.manuscript.replace_text(book.branch, 1, merged.text, typed)
    book.contents.take_apart(book.branch, 2, book.seen)
    assert book.order == [1, 2]
    assert (book.text(1), book.text(2)) == (ONE, "Two.\n\nDeux.")
    assert book.notes(2) == [("Why two?", 1)]
    assert book.contents.merged(book.branch, 1) == []


def test_a_merged_chapter_comes_back_as_it_was_when_its_text_is_gone(book: Book) -> None:
    book.contents.merge(book.branch, 1, book.seen)
    book.store.manuscript.save_text(book.branch, 1, "All new.")
    [offer] = book.contents.merged(book.branch, 1)
    assert not offer.is_there
    book.contents.take_apart(book.branch, 2, book.seen)
    assert (book.order, book.text(1), book.text(2)) == ([1, 2], "All new.", TWO)


def test_what_was_merged_twice_goes_with_the_text_in_which_it_is(book: Book) -> None:
    third = book.contents.split(book.branch, 2, 1, book.seen).chapter
    book.contents.merge(book.branch, 2, book.seen)
    book.contents.merge(book.branch, 1, book.seen)
    assert [one.chapter for one in book.contents.merged(book.branch, 1)] == [2, third]
    book.contents.take_apart(book.branch, 2, book.seen)
    assert [one.chapter for one in book.contents.merged(book.branch, 2)] == [third]
    book.contents.take_apart(book.branch, third, book.seen)
    assert book.order == [1, 2, third]
    assert [book.text(one) for one in book.order] == [ONE, "Two.", "Due."]


def test_texts_too_long_for_one_chapter_are_not_merged(book: Book) -> None:
    book.store.manuscript.save_text(book.branch, 1, "a" * (TEXT_LIMIT - 4))
    with pytest.raises(TextTooLong):
        book.contents.merge(book.branch, 1, book.seen)
    assert book.order == [1, 2]


def test_chapters_are_moved_as_far_as_the_book_goes(book: Book) -> None:
    book.contents.add_chapter(book.branch, 2, book.seen)
    book.contents.move(book.branch, 2, -1, book.seen)
    assert book.order == [2, 1, ALONE]
    book.contents.move(book.branch, 2, 5, book.seen)
    assert book.order == [1, ALONE, 2]
    book.contents.move(book.branch, 1, -1, book.seen)
    assert book.order == [1, ALONE, 2]
    cards = book.desk.chapters(book.branch)
    assert [(one.number, one.place) for one in cards] == [(1, 1), (ALONE, 2), (2, 3)]


def test_a_new_title_stands_wherever_the_book_is_read(book: Book) -> None:
    book.contents.rename(book.branch, 2, "  The\nend ", book.seen)
    assert [one.title for one in book.desk.chapters(book.branch)] == ["Plotted 1", "The end"]
    assert "## 2. The end" in MARKDOWN.export(Source(book.store, book.branch)).decode()
    with pytest.raises(ValidationError):
        book.contents.rename(book.branch, 2, "x" * 81, book.seen)
    book.contents.rename(book.branch, 2, " ", book.seen)
    assert book.desk.chapters(book.branch)[1].title == "Plotted 2"


def test_only_an_empty_chapter_without_a_plot_is_removed(book: Book) -> None:
    book.store.manuscript.save_text(book.branch, 2, "")
    added = book.contents.add_chapter(book.branch, 1, book.seen).chapter
    book.store.manuscript.save_text(book.branch, added, "Words.")
    for chapter in (1, 2, added):
        with pytest.raises(WorkbenchError, match="can be removed"):
            book.contents.remove(book.branch, chapter, book.seen)
    book.store.manuscript.save_text(book.branch, added, " ")
    book.contents.remove(book.branch, added, book.seen)
    assert book.order == [1, 2]


def test_nothing_is_changed_if_the_order_or_the_text_is_another_than_the_writer_sees(
    book: Book,
) -> None:
    old = Seen(book.order, ONE)
    book.store.manuscript.save_text(book.branch, 1, f"{ONE}\n\nMore.")
    of_text: list[Callable[[], object]] = [
        lambda: book.contents.split(book.branch, 1, 1, old),
        lambda: book.contents.merge(book.branch, 1, old),
    ]
    for change in of_text:
        with pytest.raises(WorkbenchError, match="text of this chapter has changed"):
            change()
    book.contents.move(book.branch, 2, -1, book.seen)
    assert book.order == [2, 1]
    of_order: list[Callable[[], object]] = [
        *of_text,
        lambda: book.contents.move(book.branch, 1, 1, old),
        lambda: book.contents.add_chapter(book.branch, 1, old),
        lambda: book.contents.rename(book.branch, 1, "Other", old),
        lambda: book.contents.remove(book.branch, 1, old),
    ]
    for change in of_order:
        with pytest.raises(WorkbenchError, match="rearranged"):
            change()
    assert book.order == [2, 1]
    assert book.text(1) == f"{ONE}\n\nMore."


def test_a_chapter_that_is_being_written_is_neither_split_nor_merged(book: Book) -> None:
    book.store.manuscript.add_version(
        book.store.manuscript.require(book.branch, 2).model_copy(
            update={"state": DraftState.WRITING}
        )
    )
    with pytest.raises(WorkbenchError, match="being written"):
        book.contents.merge(book.branch, 1, book.seen)
    assert book.order == [1, 2]


def test_a_branch_arranges_its_own_book_only(book: Book) -> None:
    fork = book.store.library.fork(book.branch, 2, "What if").id
    book.note(1, 2, "Whose?")
    fork_2 = book.store.library.fork(book.branch, 2, "Later").id
    made = book.contents.split(fork_2, 1, 1, Seen([1, 2]))
    assert book.store.contents.order(fork_2) == [1, made.chapter, 2]
    assert (book.order, book.text(1)) == ([1, 2], ONE)
    assert book.notes(1) == [("Whose?", 2)]
    assert [at for _, at in book.store.notes.of(fork_2, made.chapter)] == [1]
    book.contents.merge(book.branch, 1, book.seen)
    assert book.store.contents.order(fork) == [1, 2]
    assert book.store.manuscript.require(fork, 1).text == ONE


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["add", "split", "merge", "apart", "move", "rename", "remove", "plot"]),
        st.integers(0, 7),
        st.integers(-3, 3),
    ),
    max_size=12,
)


@given(CHANGES)
def test_whatever_is_arranged_no_word_no_version_and_no_chapter_is_lost(
    changes: list[tuple[str, int, int]],
) -> None:
    with temporary_store() as store:
        book = Book(store)
        whole = book.paragraphs()
        kept = versions(book)
        for what, which, by in changes:
            try:
                arrange(book, what, which, by)
            except WorkbenchError:
                continue
            now = versions(book)
            assert kept.items() <= now.items()
            kept = now
            assert book.paragraphs() == whole
            assert len(set(book.order)) == len(book.order)
            listed = [one.chapter for one in store.contents.entries(book.branch)]
            assert sorted(listed) == sorted({chapter for chapter, _ in kept})


def arrange(book: Book, what: str, which: int, by: int) -> None:
    """Change something about one of the chapters; `by` is how far it moves, and so on."""
    order, seen, branch, contents = book.order, book.seen, book.branch, book.contents
    chapter = order[which % len(order)]
    ways: dict[str, Callable[[], object]] = {
        "add": lambda: contents.add_chapter(branch, chapter, seen),
        "split": lambda: contents.split(branch, chapter, abs(by), seen),
        "merge": lambda: contents.merge(branch, chapter, seen),
        "apart": lambda: [
            contents.take_apart(branch, one.chapter, seen)
            for one in contents.merged(branch, chapter)[:1]
        ],
        "move": lambda: contents.move(branch, chapter, by, seen),
        "rename": lambda: contents.rename(branch, chapter, f"Title {by}", seen),
        "remove": lambda: contents.remove(branch, chapter, seen),
        "plot": lambda: plot_next(book),
    }
    ways[what]()


def plot_next(book: Book) -> None:
    number = store_head(book) + 1
    go_on(book.store, book.branch, adding(altered(THREAD, id=f"thread-{number}")))
    book.store.manuscript.begin_by_hand(book.branch, number, Form.NOVEL)


def store_head(book: Book) -> int:
    head = book.store.prototype.head(book.branch)
    return head.chapter if head else 0


def versions(book: Book) -> dict[tuple[int, int], str]:
    found = book.store.manuscript.versions(book.branch)
    return {(one.chapter, one.version): one.text for one in found}
