"""The cast as cards, to read, edit, add and remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from pages.components import notices, words
from pages.components.editor import person as person_editor
from pages.components.fields import autosave
from pages.components.fields.editing import free_name
from pages.components.fields.fields import (
    Fields,
    names_field,
    names_in,
    text_field,
    with_lock,
)
from pages.components.notices import attempt, keep
from pages.components.premise import strings
from pages.components.premise.cards import Cards, done_button, turn_to
from pages.components.premise.draft import PremiseDraft
from pages.components.words import plain
from pages.components.words.messages import said
from store.models.base import new_id
from store.models.cast import Character
from store.models.fields import shown
from store.models.prototype import Snapshot

_KIND = "person"
_REMOVING = "remove this person"
_IN_A_ROW = 2
"""The most short fields in a row."""
_READ = ("motivation", "secrets")
_READ_MORE = ("history", "fear", "misbelief", "voice", "arc")
_ON_CARD = ("name", "occupation", *_READ, *_READ_MORE)


def show(draft: PremiseDraft, snapshot: Snapshot) -> None:
    """Show the cast, each card with a way to edit it; one is open at a time."""
    cards = Cards[Character](
        draft,
        _KIND,
        read=_card,
        edit=partial(_edit, draft, snapshot),
        edit_label=lambda person: strings.person_edit(plain(person.name)),
    )
    for person in snapshot.characters:
        cards.show(person)
    if st.button(strings.PERSON_ADD, icon=":material/person_add:", key="add-person"):
        _add(draft, snapshot)


def read(people: Sequence[Character]) -> None:
    """Show the cards, read-only."""
    for person in people:
        with st.container(border=True):
            _card(person)


def _card(person: Character) -> None:
    badges = words.marks(person, _ON_CARD)
    does = f" · {plain(person.occupation)}{badges['occupation']}" if person.occupation else ""
    st.markdown(f"**{plain(person.name)}**{badges['name']}{does}")
    _fields(person, _READ, badges)
    if any(getattr(person, field) for field in _READ_MORE):
        with st.expander(strings.person_more_about(plain(person.name))):
            _fields(person, _READ_MORE, badges)


def _fields(person: Character, fields: Sequence[str], badges: Mapping[str, str]) -> None:
    for field in fields:
        text = getattr(person, field)
        if text:
            st.markdown(f":gray[{said(shown(person, field).label)}] {plain(text)}{badges[field]}")


def _edit(draft: PremiseDraft, snapshot: Snapshot, person: Character) -> None:
    for row in _rows():
        for column, field in zip(st.columns(len(row)), row, strict=True):
            with column:
                _field(draft, person, field)
    autosave.text_box(
        names_field(person, "aliases", f"{draft.key}-{person.id}-aliases"),
        ", ".join(person.aliases),
        lambda text: draft.change(person.id, aliases=names_in(text)),
    )
    with st.expander(strings.PERSON_MORE):
        fields = Fields(draft, person)
        person_editor.show_life(fields)
        person_editor.show_traits(fields, person)
    if notices.is_asked(_REMOVING, person.id):
        _ask_to_remove(draft, snapshot, person)
        return
    with st.container(horizontal=True):
        done_button(draft, _KIND, person, strings.PERSON_DONE)
        st.button(
            strings.person_remove_ask(plain(person.name)),
            key=f"{draft.key}-leave-{person.id}",
            icon=":material/person_remove:",
            type="tertiary",
            on_click=notices.ask,
            args=(_REMOVING, person.id),
        )


def _rows() -> list[list[str]]:
    """Return the fields of a person row by row; a long field has a row of its own."""
    rows: list[list[str]] = []
    for field in person_editor.text_fields():
        last = rows[-1] if rows else []
        is_beside = 0 < len(last) < _IN_A_ROW
        if is_beside and not any(shown(Character, one).is_long for one in (*last, field)):
            last.append(field)
        else:
            rows.append([field])
    return rows


def _field(draft: PremiseDraft, person: Character, field: str) -> None:
    with with_lock(
        person,
        field,
        lambda locked: draft.change(person.id, locked=locked),
        key=f"{draft.key}-lock",
    ):
        autosave.text_box(
            text_field(
                person, field, f"{draft.key}-{person.id}-{field}", words.mark(person, field)
            ),
            getattr(person, field),
            lambda text: draft.change(person.id, **{field: text}),
        )


def _ask_to_remove(draft: PremiseDraft, snapshot: Snapshot, person: Character) -> None:
    relationships = sum(
        person.id in (relationship.source, relationship.target)
        for relationship in snapshot.relationships
    )
    st.markdown(strings.person_leaves(plain(person.name), relationships))
    with st.container(horizontal=True):
        st.button(
            strings.PERSON_REMOVE,
            key=f"{draft.key}-remove-{person.id}",
            on_click=_remove,
            args=(draft, person),
        )
        st.button(
            strings.PERSON_KEEP,
            key=f"{draft.key}-keep-{person.id}",
            on_click=notices.stop_asking,
        )


def _remove(draft: PremiseDraft, person: Character) -> None:
    notices.stop_asking()
    if attempt(lambda: draft.remove(person.id)):
        keep("done", strings.person_removed(person.name))


def _add(draft: PremiseDraft, snapshot: Snapshot) -> None:
    name = free_name(strings.PERSON_NEW_NAME, {person.name for person in snapshot.characters})
    newcomer = Character(id=new_id(), name=name)
    if attempt(lambda: draft.add(newcomer)):
        turn_to(draft, _KIND, newcomer.id)
    st.rerun()
