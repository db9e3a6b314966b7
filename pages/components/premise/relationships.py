"""Relationships as sentences that open into an editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from pages.components import words as wording
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver, toggle_box
from pages.components.fields.fields import lock_toggle, text_field
from pages.components.notices import act, attempt
from pages.components.premise import strings
from pages.components.premise.draft import PremiseDraft
from pages.components.words.messages import said
from store.models.base import WHOLE, new_id
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.fields import shown
from store.models.prototype import Snapshot

T = TypeVar("T")

_MARKED = ("tie", "strength", "awareness", "reason")


def show(draft: PremiseDraft, snapshot: Snapshot) -> None:
    """Show the relationships, each with a way to edit it; one is open at a time."""
    names = names_in(snapshot)
    for relationship in snapshot.relationships:
        is_open = st.session_state.get(_open(draft)) == relationship.id
        with st.container(border=is_open, key=f"tie-{relationship.id}"):
            if is_open:
                st.markdown(wording.relationship_sentence(relationship, names))
                _edit(draft, relationship, names)
            else:
                _line(draft, relationship, names)
    if len(names) < 2:
        st.caption(strings.RELATIONSHIP_TOO_FEW)
    elif st.button(strings.RELATIONSHIP_ADD, icon=":material/link:", key="add-tie"):
        _add(draft, snapshot.characters)


def read(snapshot: Snapshot) -> None:
    """Show the relationships, read-only."""
    names = names_in(snapshot)
    for relationship in snapshot.relationships:
        st.markdown(wording.relationship_sentence(relationship, names))


def names_in(snapshot: Snapshot) -> dict[str, str]:
    """Return the names of the cast by id."""
    return {person.id: person.name for person in snapshot.characters}


def _line(draft: PremiseDraft, relationship: Relationship, names: Mapping[str, str]) -> None:
    words, buttons = st.columns([3, 1], vertical_alignment="top")
    words.markdown(
        wording.relationship_sentence(relationship, names)
        + wording.marks(relationship, _MARKED)["tie"]
    )
    with buttons, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        lock_toggle(
            relationship,
            WHOLE,
            lambda locked: draft.change(relationship.id, locked=locked),
            key=f"{draft.key}-lock",
        )
        st.button(
            strings.RELATIONSHIP_EDIT,
            key=f"{draft.key}-edit-{relationship.id}",
            type="tertiary",
            on_click=_turn_to,
            args=(draft, relationship.id),
        )


def _edit(draft: PremiseDraft, relationship: Relationship, names: Mapping[str, str]) -> None:
    left, right = st.columns(2)
    with left:
        _select(draft, relationship, "source", names)
        _select(
            draft,
            relationship,
            "tie",
            {kind: wording.RELATIONSHIP_WORDS[kind][0] for kind in RelationshipKind},
        )
    with right:
        _select(draft, relationship, "target", names)
        _select(
            draft, relationship, "awareness", {kind: wording.AWARENESS[kind] for kind in Awareness}
        )
    autosave.text_box(
        text_field(relationship, "called", f"{draft.key}-{relationship.id}-called"),
        relationship.called,
        lambda text: draft.change(relationship.id, called=text),
    )
    _strength(draft, relationship)
    _mutual(draft, relationship)
    autosave.text_box(
        text_field(
            relationship,
            "reason",
            f"{draft.key}-{relationship.id}-reason",
            wording.mark(relationship, "reason"),
        ),
        relationship.reason,
        lambda text: draft.change(relationship.id, reason=text),
    )
    with st.container(horizontal=True):
        st.button(
            strings.RELATIONSHIP_DONE,
            key=f"{draft.key}-done-{relationship.id}",
            on_click=_turn_to,
            args=(draft, None),
        )
        if st.button(
            strings.RELATIONSHIP_REMOVE,
            key=f"{draft.key}-remove-{relationship.id}",
            icon=":material/link_off:",
        ):
            act(lambda: draft.remove(relationship.id), done=strings.RELATIONSHIP_REMOVED)


def _strength(draft: PremiseDraft, relationship: Relationship) -> None:
    key = f"{draft.key}-{relationship.id}-strength"
    bound = bind(key, relationship.strength)
    save = saver(key, bound, lambda value: draft.change(relationship.id, strength=value))
    st.slider(
        said(shown(relationship, "strength").label),
        1,
        10,
        bound.value,
        key=bound.key,
        on_change=save,
    )


def _mutual(draft: PremiseDraft, relationship: Relationship) -> None:
    toggle_box(
        Box(f"{draft.key}-{relationship.id}-mutual", said(shown(relationship, "is_mutual").label)),
        relationship.is_mutual,
        lambda is_mutual: draft.change(relationship.id, is_mutual=is_mutual),
    )


def _select(
    draft: PremiseDraft, relationship: Relationship, field: str, options: Mapping[T, str]
) -> None:
    box = Box(f"{draft.key}-{relationship.id}-{field}", said(shown(relationship, field).label))
    stored: T = getattr(relationship, field)
    autosave.choice_box(
        box, options, stored, lambda value: draft.change(relationship.id, **{field: value})
    )


def _add(draft: PremiseDraft, people: list[Character]) -> None:
    relationship = Relationship(
        id=new_id(),
        source=people[0].id,
        target=people[1].id,
        tie=RelationshipKind.FRIENDSHIP,
    )
    if attempt(lambda: draft.add(relationship)):
        _turn_to(draft, relationship.id)
    st.rerun()


def _turn_to(draft: PremiseDraft, tie_id: str | None) -> None:
    st.session_state[_open(draft)] = tie_id


def _open(draft: PremiseDraft) -> str:
    return f"open relationship of {draft.key}"
