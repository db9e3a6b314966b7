"""Notes in the margin: those of the paragraph with the cursor, and all of the chapter."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.margin import Margin, SentNote, ShownNote
from pages.components.notices import act
from pages.components.words import plain
from pages.components.write import strings as of_page
from pages.components.write.beside import strings
from pages.serving.services import workbench
from store.models.manuscript import MarginNote
from store.texts.notes import NewNote, PlacedNote


def margin(branch: str, chapter: int) -> Margin:
    """Return what an editor shows of the open notes of a chapter, and what keeps a new one."""

    def keep(sent: SentNote) -> MarginNote:
        new = NewNote(sent.key, sent.at, sent.quote, sent.text)
        return workbench().notes.add(branch, chapter, new)

    placed = workbench().notes.of(branch, chapter)
    shown = [
        ShownNote(note.key, at, note.quote)
        for note, at in placed
        if at is not None and not note.is_done
    ]
    return Margin(shown, keep)


def show_here(branch: str, placed: Sequence[PlacedNote], paragraph: int) -> None:
    """Show the open notes of a paragraph, to change or to settle."""
    here = [one.note for one in placed if one.at == paragraph and not one.note.is_done]
    if here:
        st.markdown(f"**{strings.NOTES_HERE}**")
    for note in here:
        _editable(branch, note)


def show_all(branch: str, chapter: int, placed: Sequence[PlacedNote]) -> None:
    """Fold away all notes of a chapter; if there are none, say how to make one."""
    if not placed:
        st.caption(strings.NO_NOTES)
        return
    is_open = [one for one in placed if not one.note.is_done]
    is_done = [one for one in placed if one.note.is_done]
    with st.expander(
        strings.all_notes(len(is_open), len(is_done)), key=f"notes-{branch}-{chapter}"
    ):
        _listed(branch, [*is_open, *is_done])


def _editable(branch: str, note: MarginNote) -> None:
    if note.quote:
        st.caption(plain(of_page.quoted(note.quote)))
    box = Box(f"note-{branch}-{note.key}", strings.NOTE, "content", is_label_hidden=True)
    autosave.text_box(box, note.text, lambda text: workbench().notes.reword(branch, note.key, text))
    _ways(branch, note, "here")


def _listed(branch: str, placed: Sequence[PlacedNote]) -> None:
    for note, at in placed:
        where = strings.note_place(at, note.quote or note.beginning)
        st.caption(plain(where))
        words = plain(note.text)
        st.markdown(f":gray[~~{words}~~]" if note.is_done else words)
        _ways(branch, note, "list")


def _ways(branch: str, note: MarginNote, place: str) -> None:
    with st.container(horizontal=True, key=f"note-ways-{place}-{note.key}"):
        label = strings.NOTE_OPEN_AGAIN if note.is_done else strings.NOTE_DONE
        if st.button(label, key=f"note-done-{place}-{note.key}", type="tertiary"):
            act(lambda: workbench().notes.settle(branch, note.key, is_done=not note.is_done))
        if st.button(strings.NOTE_REMOVE, key=f"note-gone-{place}-{note.key}", type="tertiary"):
            act(lambda: workbench().notes.remove(branch, note.key), strings.NOTE_REMOVED)
