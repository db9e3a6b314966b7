"""The cast as cards, to read, edit, add and remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.components.editor import person as person_editor
from pages.components.fields import autosave
from pages.components.fields.editing import free_name
from pages.components.fields.fields import (
    Fields,
    lock_toggle,
    names_field,
    names_in,
    text_field,
    with_lock,
)
from pages.components.notices import attempt, keep
from pages.components.premise import strings
from pages.components.premise.draft import PremiseDraft
from pages.components.words import mark, marks, plain
from store.models.base import WHOLE, new_id
from store.models.cast import Character
from store.models.fields import shown
from store.models.prototype import Snapshot

_IN_A_ROW = 2
"""The most short fields in a row."""
_READ = ("motivation", "secrets")
_READ_MORE = ("history", "fear", "misbelief", "voice", "arc")
_ON_CARD = ("name", "occupation", *_READ, *_READ_MORE)


def show(draft: PremiseDraft, snapshot: Snapshot) -> None:
    """Show the cast, each card with a way to edit it; one is open at a time."""
    for person in snapshot.characters:
        with st.container(border=True, key=f"person-{person.id}"):
            if st.session_state.get(_open(draft)) == person.id:
                _edit(draft, snapshot, person)
            else:
                _card(person)
                with st.container(horizontal=True, horizontal_alignment="distribute"):
                    st.button(
                        strings.person_edit(plain(person.name)),
                        key=f"{draft.key}-edit-{person.id}",
                        icon=":material/edit:",
                        type="tertiary",
                        on_click=_turn_to,
                        args=(draft, person.id),
                    )
                    _lock(draft, person)
    if st.button(strings.PERSON_ADD, icon=":material/person_add:", key="add-person"):
        _add(draft, snapshot)


def read(people: Sequence[Character]) -> None:
    """Show the cards, read-only."""
    for person in people:
        with st.container(border=True):
            _card(person)


def _lock(draft: PremiseDraft, person: Character) -> None:
    lock_toggle(
        person,
        WHOLE,
        lambda locked: draft.change(person.id, locked=locked),
        key=f"{draft.key}-lock",
    )


def _card(person: Character) -> None:
    badges = marks(person, _ON_CARD)
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
            st.markdown(f":gray[{shown(person, field).label}] {plain(text)}{badges[field]}")


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
    if st.session_state.get(_asked_about(draft)) == person.id:
        _ask_to_remove(draft, snapshot, person)
        return
    with st.container(horizontal=True):
        st.button(
            strings.PERSON_DONE,
            key=f"{draft.key}-done-{person.id}",
            on_click=_turn_to,
            args=(draft, None),
        )
        st.button(
            strings.person_remove_ask(plain(person.name)),
            key=f"{draft.key}-leave-{person.id}",
            icon=":material/person_remove:",
            type="tertiary",
            on_click=_ask_about,
            args=(draft, person.id),
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
            text_field(person, field, f"{draft.key}-{person.id}-{field}", mark(person, field)),
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
            on_click=_ask_about,
            args=(draft, None),
        )


def _remove(draft: PremiseDraft, person: Character) -> None:
    _ask_about(draft, None)
    if attempt(lambda: draft.remove(person.id)):
        keep("done", strings.person_removed(person.name))


def _add(draft: PremiseDraft, snapshot: Snapshot) -> None:
    name = free_name(strings.PERSON_NEW_NAME, {person.name for person in snapshot.characters})
    newcomer = Character(id=new_id(), name=name)
    if attempt(lambda: draft.add(newcomer)):
        _turn_to(draft, newcomer.id)
    st.rerun()


def _turn_to(draft: PremiseDraft, person_id: str | None) -> None:
    st.session_state[_open(draft)] = person_id
    _ask_about(draft, None)


def _ask_about(draft: PremiseDraft, person_id: str | None) -> None:
    st.session_state[_asked_about(draft)] = person_id


def _asked_about(draft: PremiseDraft) -> str:
    return f"person of {draft.key} who may leave"


def _open(draft: PremiseDraft) -> str:
    return f"open person of {draft.key}"
