"""Notes stand beside their paragraph wherever that goes, on each branch by themselves, and in story files."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from store.errors import NotFound
from store.formats.bundle import export_bundle, import_bundle
from store.formats.exports import DATA, DOCUMENTS, Source
from store.models.base import new_id
from store.models.form import Form
from store.models.story import Branch
from store.open import Store
from store.texts.notes import NewNote
from tests.store.builders import LAMP_ROOM, adding, begin, go_on

TEXT = "The lamp went out.\n\nNobody saw it.\n\nThe door was open."


@pytest.fixture
def chapter(store: Store, branch: Branch) -> Branch:
    begin(store, branch.id)
    go_on(store, branch.id, adding(LAMP_ROOM), "The lamp room")
    store.manuscript.begin_by_hand(branch.id, 1, Form.NOVEL)
    store.manuscript.save_text(branch.id, 1, TEXT)
    return branch


def note(store: Store, branch: str, at: int, text: str = "Why?", quote: str = "") -> str:
    return store.notes.add(branch, 1, NewNote(new_id(), at, quote, text)).key


def placed(store: Store, branch: str) -> list[tuple[str, int | None]]:
    return [(one.text, at) for one, at in store.notes.of(branch, 1)]


def test_a_note_goes_where_its_paragraph_goes(store: Store, chapter: Branch) -> None:
    note(store, chapter.id, 2, "Later")
    note(store, chapter.id, 1, "Who?", "saw it")
    assert placed(store, chapter.id) == [("Who?", 1), ("Later", 2)]
    first, second, third = TEXT.split("\n\n")
    store.manuscript.save_text(chapter.id, 1, "\n\n".join([first, "New.", f"{second} So.", third]))
    assert placed(store, chapter.id) == [("Who?", 2), ("Later", 3)]


def test_a_note_whose_paragraph_is_gone_is_listed_with_what_it_was_about(
    store: Store, chapter: Branch
) -> None:
    note(store, chapter.id, 1, "Who?", "saw it")
    note(store, chapter.id, 1, "When?")
    store.manuscript.save_text(chapter.id, 1, "The lamp went out.\n\nThe door was open.")
    found = store.notes.of(chapter.id, 1)
    assert [(one.note.quote or one.note.beginning, one.at) for one in found] == [
        ("saw it", None),
        ("Nobody saw it.", None),
    ]
    store.versions.restore(chapter.id, 1, 2)
    assert placed(store, chapter.id) == [("Who?", 1), ("When?", 1)]


def test_a_note_is_put_beside_the_nearest_paragraph_with_its_words(
    store: Store, chapter: Branch
) -> None:
    """What the browser had typed may not have been kept yet, or more of it than it knew."""
    note(store, chapter.id, 0, quote="door")
    note(store, chapter.id, 99)
    note(store, chapter.id, 1, quote="The")
    assert [at for _, at in placed(store, chapter.id)] == [0, 2, 2]


def test_a_note_that_is_sent_twice_is_kept_once(store: Store, chapter: Branch) -> None:
    new = NewNote(new_id(), 0, "", "Why?")
    assert store.notes.add(chapter.id, 1, new) == store.notes.add(chapter.id, 1, new)
    assert len(store.notes.of(chapter.id, 1)) == 1


def test_a_note_is_reworded_done_opened_again_and_removed(store: Store, chapter: Branch) -> None:
    key = note(store, chapter.id, 0)
    assert store.notes.reword(chapter.id, key, " Why now? ").text == "Why now?"
    assert store.notes.settle(chapter.id, key, is_done=True).is_done
    assert not store.notes.settle(chapter.id, key, is_done=False).is_done
    with pytest.raises(ValidationError):
        store.notes.reword(chapter.id, key, " ")
    store.notes.remove(chapter.id, key)
    assert store.notes.of(chapter.id, 1) == []
    with pytest.raises(NotFound):
        store.notes.settle(chapter.id, "nothing", is_done=True)


def test_branches_share_notes_as_they_stood_and_then_have_their_own(
    store: Store, chapter: Branch
) -> None:
    kept, gone, done = (note(store, chapter.id, at, f"Note {at}") for at in range(3))
    fork = store.library.fork(chapter.id, 1, "What if")
    deeper = store.library.fork(fork.id, 1, "What if not")

    store.notes.remove(deeper.id, gone)
    store.notes.settle(chapter.id, done, is_done=True)
    store.notes.reword(fork.id, kept, "Reworded")
    note(store, chapter.id, 0, "Only here")

    assert placed(store, chapter.id) == [
        ("Note 0", 0),
        ("Only here", 0),
        ("Note 1", 1),
        ("Note 2", 2),
    ]
    assert placed(store, fork.id) == [("Reworded", 0), ("Note 1", 1), ("Note 2", 2)]
    assert placed(store, deeper.id) == [("Note 0", 0), ("Note 2", 2)]
    assert [one.note.is_done for one in store.notes.of(fork.id, 1)] == [False, False, False]


def test_notes_are_in_a_story_file_with_what_branches_share(store: Store, chapter: Branch) -> None:
    note(store, chapter.id, 1, "Who?", "saw it")
    removed = note(store, chapter.id, 0)
    fork = store.library.fork(chapter.id, 1, "What if")
    store.notes.remove(fork.id, removed)
    note(store, chapter.id, 2, "Only here")

    copy = import_bundle(store, export_bundle(store, chapter.story))

    main, what_if = store.library.branches(copy.id)
    assert placed(store, main.id) == [("Why?", 0), ("Who?", 1), ("Only here", 2)]
    assert placed(store, what_if.id) == [("Who?", 1)]


def test_no_export_of_the_text_has_a_note(store: Store, chapter: Branch) -> None:
    note(store, chapter.id, 1, "Only for me", "saw it")
    for form in (*DOCUMENTS, *DATA):
        assert b"Only for me" not in form.export(Source(store, chapter.id))


def test_a_chapter_without_text_has_no_notes(store: Store, chapter: Branch) -> None:
    with pytest.raises(NotFound):
        store.notes.add(chapter.id, 2, NewNote(new_id(), 0, "", "Why?"))
    assert store.notes.of(chapter.id, 2) == []
