"""How the people of the story speak: to read and to change while their lines are written."""

from __future__ import annotations

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_entity, with_text
from pages.components.fields.two_texts import SharedText
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.write.beside import strings
from pages.serving.services import workbench
from store.models.cast import Character
from store.models.fields import shown
from store.models.prototype import Snapshot


def show(branch: str, chapter: int) -> None:
    """Show one person's voice as of a chapter, and save what the writer changes, as in the graphs."""
    story = _story(branch, chapter)
    people = {one.id: one for one in _in_order(story, chapter)}
    if not people:
        return
    st.markdown(f"**{strings.VOICES}**")
    chosen = st.selectbox(
        strings.VOICE_OF,
        list(people),
        format_func=lambda id_: people[id_].name,
        key=f"voice-{branch}-{chapter}",
        label_visibility="collapsed",
        persist_state="session",
    )
    person = people.get(chosen or "")
    if person is None:
        return
    for field, height in (("name", None), ("voice", 120)):
        label = strings.VOICE if field == "voice" else said(shown(person, field).label)
        box = Box(
            f"voice-{branch}-{chapter}-{person.id}-{field}",
            plain(label),
            height,
            strings.VOICE_EXAMPLE if field == "voice" else "",
        )
        _field(branch, story.chapter, person, field, box)
    st.caption(strings.VOICE_ABOUT)


def _field(branch: str, chapter: int, person: Character, field: str, box: Box) -> None:
    def replace(found: str, typed: str) -> None:
        def edit(now: Snapshot) -> Snapshot:
            return with_entity(now, with_text(now.get(Character, person.id), field, found, typed))

        workbench().story.revise(branch, edit, chapter)

    autosave.shared_text_box(box, getattr(person, field), SharedText(replace))


def _story(branch: str, chapter: int) -> Snapshot:
    """Return the story at the end of a chapter; of one without a plot, of the one plotted before it."""
    plotted = workbench().prototype.snapshot(branch)
    as_of = workbench().desk.as_of(branch, chapter)
    if as_of >= plotted.chapter:
        return plotted
    return workbench().prototype.snapshot(branch, as_of)


def _in_order(story: Snapshot, chapter: int) -> list[Character]:
    """Return everybody, those who are in the chapter first."""
    there = {
        part.character
        for event in story.events_of(chapter)
        for part in story.participations_in(event.id)
    }
    return sorted(story.characters, key=lambda one: one.id not in there)
