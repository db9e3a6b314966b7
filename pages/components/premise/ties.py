"""Relationships as sentences that open into an editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver
from pages.components.fields.fields import lock_toggle, text_field
from pages.components.notices import act, attempt
from pages.components.premise.draft import PremiseDraft
from pages.components.words import AWARENESS, TIES, mark, marks, relationship_sentence
from store.models.base import WHOLE, new_id
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.fields import shown
from store.models.prototype import Snapshot

T = TypeVar("T")

_MARKED = ("tie", "strength", "awareness", "reason")


def show(sheet: PremiseDraft, snapshot: Snapshot) -> None:
    """Show the relationships, each with a way to edit it; one is open at a time."""
    names = names_in(snapshot)
    for tie in snapshot.relationships:
        is_open = st.session_state.get(_open(sheet)) == tie.id
        with st.container(border=is_open, key=f"tie-{tie.id}"):
            if is_open:
                st.markdown(relationship_sentence(tie, names))
                _edit(sheet, tie, names)
            else:
                _line(sheet, tie, names)
    if len(names) < 2:
        st.caption("With two people or more, you can say what ties them together.")
    elif st.button("Add a relationship", icon=":material/link:", key="add-tie"):
        _add(sheet, snapshot.characters)


def read(snapshot: Snapshot) -> None:
    """Show the sentences to read only."""
    names = names_in(snapshot)
    for tie in snapshot.relationships:
        st.markdown(relationship_sentence(tie, names))


def names_in(snapshot: Snapshot) -> dict[str, str]:
    """Return the names of the cast by id."""
    return {person.id: person.name for person in snapshot.characters}


def _line(sheet: PremiseDraft, tie: Relationship, names: Mapping[str, str]) -> None:
    words, buttons = st.columns([3, 1], vertical_alignment="top")
    words.markdown(relationship_sentence(tie, names) + marks(tie, _MARKED)["tie"])
    with buttons, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        lock_toggle(
            tie,
            WHOLE,
            lambda locked: sheet.change(tie.id, locked=locked),
            key=f"{sheet.key}-lock",
        )
        st.button(
            "Edit",
            key=f"{sheet.key}-edit-{tie.id}",
            type="tertiary",
            on_click=_turn_to,
            args=(sheet, tie.id),
        )


def _edit(sheet: PremiseDraft, tie: Relationship, names: Mapping[str, str]) -> None:
    left, right = st.columns(2)
    with left:
        _select(sheet, tie, "source", names)
        _select(sheet, tie, "tie", {kind: TIES[kind][0] for kind in RelationshipKind})
    with right:
        _select(sheet, tie, "target", names)
        _select(sheet, tie, "awareness", {kind: AWARENESS[kind] for kind in Awareness})
    _strength(sheet, tie)
    _mutual(sheet, tie)
    autosave.text_box(
        text_field(tie, "reason", f"{sheet.key}-{tie.id}-reason", mark(tie, "reason")),
        tie.reason,
        lambda text: sheet.change(tie.id, reason=text),
    )
    with st.container(horizontal=True):
        st.button("Done", key=f"{sheet.key}-done-{tie.id}", on_click=_turn_to, args=(sheet, None))
        if st.button("Remove", key=f"{sheet.key}-remove-{tie.id}", icon=":material/link_off:"):
            act(lambda: sheet.remove(tie.id), done="The relationship was taken out.")


def _strength(sheet: PremiseDraft, tie: Relationship) -> None:
    key = f"{sheet.key}-{tie.id}-strength"
    bound = bind(key, tie.strength)
    save = saver(key, bound, lambda value: sheet.change(tie.id, strength=value))
    st.slider(shown(tie, "strength").label, 1, 10, bound.value, key=bound.key, on_change=save)


def _mutual(sheet: PremiseDraft, tie: Relationship) -> None:
    key = f"{sheet.key}-{tie.id}-mutual"
    bound = bind(key, tie.is_mutual)
    save = saver(key, bound, lambda value: sheet.change(tie.id, is_mutual=value))
    st.toggle(shown(tie, "is_mutual").label, bound.value, key=bound.key, on_change=save)


def _select(sheet: PremiseDraft, tie: Relationship, field: str, options: Mapping[T, str]) -> None:
    box = Box(f"{sheet.key}-{tie.id}-{field}", shown(tie, field).label)
    stored: T = getattr(tie, field)
    autosave.choice_box(box, options, stored, lambda value: sheet.change(tie.id, **{field: value}))


def _add(sheet: PremiseDraft, people: list[Character]) -> None:
    tie = Relationship(
        id=new_id(),
        source=people[0].id,
        target=people[1].id,
        tie=RelationshipKind.FRIENDSHIP,
    )
    if attempt(lambda: sheet.add(tie)):
        _turn_to(sheet, tie.id)
    st.rerun()


def _turn_to(sheet: PremiseDraft, tie_id: str | None) -> None:
    st.session_state[_open(sheet)] = tie_id


def _open(sheet: PremiseDraft) -> str:
    return f"open relationship of {sheet.key}"
