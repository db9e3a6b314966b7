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


def show(draft: PremiseDraft, snapshot: Snapshot) -> None:
    """Show the relationships, each with a way to edit it; one is open at a time."""
    names = names_in(snapshot)
    for tie in snapshot.relationships:
        is_open = st.session_state.get(_open(draft)) == tie.id
        with st.container(border=is_open, key=f"tie-{tie.id}"):
            if is_open:
                st.markdown(relationship_sentence(tie, names))
                _edit(draft, tie, names)
            else:
                _line(draft, tie, names)
    if len(names) < 2:
        st.caption("Once there are two people, you can add a relationship between them.")
    elif st.button("Add a relationship", icon=":material/link:", key="add-tie"):
        _add(draft, snapshot.characters)


def read(snapshot: Snapshot) -> None:
    """Show the relationships, read-only."""
    names = names_in(snapshot)
    for tie in snapshot.relationships:
        st.markdown(relationship_sentence(tie, names))


def names_in(snapshot: Snapshot) -> dict[str, str]:
    """Return the names of the cast by id."""
    return {person.id: person.name for person in snapshot.characters}


def _line(draft: PremiseDraft, tie: Relationship, names: Mapping[str, str]) -> None:
    words, buttons = st.columns([3, 1], vertical_alignment="top")
    words.markdown(relationship_sentence(tie, names) + marks(tie, _MARKED)["tie"])
    with buttons, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        lock_toggle(
            tie,
            WHOLE,
            lambda locked: draft.change(tie.id, locked=locked),
            key=f"{draft.key}-lock",
        )
        st.button(
            "Edit",
            key=f"{draft.key}-edit-{tie.id}",
            type="tertiary",
            on_click=_turn_to,
            args=(draft, tie.id),
        )


def _edit(draft: PremiseDraft, tie: Relationship, names: Mapping[str, str]) -> None:
    left, right = st.columns(2)
    with left:
        _select(draft, tie, "source", names)
        _select(draft, tie, "tie", {kind: TIES[kind][0] for kind in RelationshipKind})
    with right:
        _select(draft, tie, "target", names)
        _select(draft, tie, "awareness", {kind: AWARENESS[kind] for kind in Awareness})
    _strength(draft, tie)
    _mutual(draft, tie)
    autosave.text_box(
        text_field(tie, "reason", f"{draft.key}-{tie.id}-reason", mark(tie, "reason")),
        tie.reason,
        lambda text: draft.change(tie.id, reason=text),
    )
    with st.container(horizontal=True):
        st.button("Done", key=f"{draft.key}-done-{tie.id}", on_click=_turn_to, args=(draft, None))
        if st.button("Remove", key=f"{draft.key}-remove-{tie.id}", icon=":material/link_off:"):
            act(lambda: draft.remove(tie.id), done="The relationship was removed.")


def _strength(draft: PremiseDraft, tie: Relationship) -> None:
    key = f"{draft.key}-{tie.id}-strength"
    bound = bind(key, tie.strength)
    save = saver(key, bound, lambda value: draft.change(tie.id, strength=value))
    st.slider(shown(tie, "strength").label, 1, 10, bound.value, key=bound.key, on_change=save)


def _mutual(draft: PremiseDraft, tie: Relationship) -> None:
    key = f"{draft.key}-{tie.id}-mutual"
    bound = bind(key, tie.is_mutual)
    save = saver(key, bound, lambda value: draft.change(tie.id, is_mutual=value))
    st.toggle(shown(tie, "is_mutual").label, bound.value, key=bound.key, on_change=save)


def _select(draft: PremiseDraft, tie: Relationship, field: str, options: Mapping[T, str]) -> None:
    box = Box(f"{draft.key}-{tie.id}-{field}", shown(tie, field).label)
    stored: T = getattr(tie, field)
    autosave.choice_box(box, options, stored, lambda value: draft.change(tie.id, **{field: value}))


def _add(draft: PremiseDraft, people: list[Character]) -> None:
    tie = Relationship(
        id=new_id(),
        source=people[0].id,
        target=people[1].id,
        tie=RelationshipKind.FRIENDSHIP,
    )
    if attempt(lambda: draft.add(tie)):
        _turn_to(draft, tie.id)
    st.rerun()


def _turn_to(draft: PremiseDraft, tie_id: str | None) -> None:
    st.session_state[_open(draft)] = tie_id


def _open(draft: PremiseDraft) -> str:
    return f"open relationship of {draft.key}"
