"""The cast as cards: to read, to edit in place, to add to and to take from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.components.editor import person as person_editor
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import free_name
from pages.components.fields.fields import Fields, lock_toggle, with_lock
from pages.components.notices import attempt, keep
from pages.components.premise.draft import Sheet
from pages.components.words import counted, mark, marks, plain
from store.models.base import WHOLE, new_id
from store.models.cast import Character
from store.models.prototype import Snapshot

NEW_NAME = "Someone new"


class _Field(NamedTuple):
    name: str
    label: str
    is_long: bool = False


_ROWS = (
    (_Field("name", "Name"), _Field("occupation", "What they do")),
    (_Field("motivation", "What they want", is_long=True),),
    (_Field("secrets", "What they hide", is_long=True),),
    (_Field("personality", "What they are like", is_long=True),),
    (_Field("age", "Age"), _Field("gender", "Gender")),
    (_Field("affiliations", "Whom they belong to"), _Field("health", "Health")),
    (_Field("status", "How things stand with them"),),
)
_ON_CARD = ("name", "occupation", "motivation", "secrets")


def show(sheet: Sheet, snapshot: Snapshot) -> None:
    """Show the cast, each card with a way to edit it; one is open at a time."""
    for person in snapshot.characters:
        with st.container(border=True, key=f"person-{person.id}"):
            if st.session_state.get(_open(sheet)) == person.id:
                _edit(sheet, snapshot, person)
            else:
                _card(person)
                with st.container(horizontal=True, horizontal_alignment="distribute"):
                    st.button(
                        f"Edit {plain(person.name)}",
                        key=f"{sheet.key}-edit-{person.id}",
                        icon=":material/edit:",
                        type="tertiary",
                        on_click=_turn_to,
                        args=(sheet, person.id),
                    )
                    _lock(sheet, person)
    if st.button("Add a person", icon=":material/person_add:", key="add-person"):
        _add(sheet, snapshot)


def read(people: Sequence[Character]) -> None:
    """Show cards to read only."""
    for person in people:
        with st.container(border=True):
            _card(person)


def _lock(sheet: Sheet, person: Character) -> None:
    lock_toggle(
        person,
        WHOLE,
        lambda locked: sheet.change(person.id, locked=locked),
        key=f"{sheet.key}-lock",
    )


def _card(person: Character) -> None:
    shown = marks(person, _ON_CARD)
    does = f" · {plain(person.occupation)}{shown['occupation']}" if person.occupation else ""
    st.markdown(f"**{plain(person.name)}**{shown['name']}{does}")
    for field, verb in (("motivation", "Wants"), ("secrets", "Hides")):
        text = getattr(person, field)
        if text:
            st.markdown(f":gray[{verb}] {plain(text)}{shown[field]}")


def _edit(sheet: Sheet, snapshot: Snapshot, person: Character) -> None:
    for row in _ROWS:
        for column, field in zip(st.columns(len(row)), row, strict=True):
            with column:
                _field(sheet, person, field)
    autosave.text_box(
        Box(f"{sheet.key}-{person.id}-aliases", "Also called (with commas between)"),
        ", ".join(person.aliases),
        lambda text: sheet.change(person.id, aliases=_aliases(text)),
    )
    with st.expander("More about them"):
        fields = Fields(sheet, person)
        person_editor.show_life(fields)
        person_editor.show_traits(fields, person)
    if st.session_state.get(_leaving(sheet)) == person.id:
        _ask_to_remove(sheet, snapshot, person)
        return
    with st.container(horizontal=True):
        st.button(
            "Done", key=f"{sheet.key}-done-{person.id}", on_click=_turn_to, args=(sheet, None)
        )
        st.button(
            f"Remove {plain(person.name)} …",
            key=f"{sheet.key}-leave-{person.id}",
            icon=":material/person_remove:",
            type="tertiary",
            on_click=_let_leave,
            args=(sheet, person.id),
        )


def _field(sheet: Sheet, person: Character, field: _Field) -> None:
    with with_lock(
        person,
        field.name,
        lambda locked: sheet.change(person.id, locked=locked),
        key=f"{sheet.key}-lock",
    ):
        autosave.text_box(
            Box(
                f"{sheet.key}-{person.id}-{field.name}",
                f"{field.label}{mark(person, field.name)}",
                height="content" if field.is_long else None,
            ),
            getattr(person, field.name),
            lambda text: sheet.change(person.id, **{field.name: text}),
        )


def _ask_to_remove(sheet: Sheet, snapshot: Snapshot, person: Character) -> None:
    ties = sum(person.id in (tie.source, tie.target) for tie in snapshot.relationships)
    along = f" {counted(ties, 'relationship goes', 'relationships go')} with them." if ties else ""
    st.markdown(f"{plain(person.name)} leaves the story.{along}")
    with st.container(horizontal=True):
        st.button(
            "Remove", key=f"{sheet.key}-remove-{person.id}", on_click=_remove, args=(sheet, person)
        )
        st.button(
            "Keep", key=f"{sheet.key}-keep-{person.id}", on_click=_let_leave, args=(sheet, None)
        )


def _remove(sheet: Sheet, person: Character) -> None:
    _let_leave(sheet, None)
    if attempt(lambda: sheet.remove(person.id)):
        keep("done", f"{person.name} was taken out of the story.")


def _add(sheet: Sheet, snapshot: Snapshot) -> None:
    name = free_name(NEW_NAME, {person.name for person in snapshot.characters})
    newcomer = Character(id=new_id(), name=name)
    if attempt(lambda: sheet.add(newcomer)):
        _turn_to(sheet, newcomer.id)
    st.rerun()


def _aliases(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _turn_to(sheet: Sheet, person_id: str | None) -> None:
    st.session_state[_open(sheet)] = person_id
    _let_leave(sheet, None)


def _let_leave(sheet: Sheet, person_id: str | None) -> None:
    st.session_state[_leaving(sheet)] = person_id


def _leaving(sheet: Sheet) -> str:
    return f"person of {sheet.key} who may leave"


def _open(sheet: Sheet) -> str:
    return f"open person of {sheet.key}"
