"""Relationships as sentences that open into an editor."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components import autosave
from pages.components.autosave import Box, follow, saver
from pages.components.notices import act, attempt
from pages.components.services import workbench
from pages.components.sheet import Sheet
from pages.components.wording import AWARENESS, TIES, mark, relationship_sentence
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.prototype import Snapshot


def show(sheet: Sheet, snapshot: Snapshot) -> None:
    """Show the relationships, each with a way to edit it; one is open at a time."""
    names = names_in(snapshot)
    for tie in snapshot.relationships:
        with st.container(border=True, key=f"tie-{tie.id}"):
            st.markdown(relationship_sentence(tie, names) + mark(tie, "tie"))
            if st.session_state.get(_open(sheet)) == tie.id:
                _edit(sheet, tie, names)
            else:
                st.button(
                    "Edit",
                    key=f"{sheet.key}-edit-{tie.id}",
                    icon=":material/edit:",
                    type="tertiary",
                    on_click=_turn_to,
                    args=(sheet, tie.id),
                )
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


def _edit(sheet: Sheet, tie: Relationship, names: Mapping[str, str]) -> None:
    left, middle, right = st.columns(3)
    with left:
        _select(sheet, tie, "source", "Who", names)
    with middle:
        _select(sheet, tie, "tie", "What", {kind: TIES[kind][0] for kind in RelationshipKind})
    with right:
        _select(sheet, tie, "target", "To whom", names)
    key = f"{sheet.key}-{tie.id}-strength"
    follow(key, tie.strength)
    st.slider(
        "How strongly",
        1,
        10,
        key=key,
        on_change=saver(key, lambda value: sheet.change(tie.id, strength=value)),
    )
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        _select(sheet, tie, "awareness", "Who knows", {kind: AWARENESS[kind] for kind in Awareness})
    with right:
        key = f"{sheet.key}-{tie.id}-mutual"
        follow(key, tie.is_mutual)
        st.toggle(
            "It goes both ways",
            key=key,
            on_change=saver(key, lambda value: sheet.change(tie.id, is_mutual=value)),
        )
    autosave.text_box(
        Box(f"{sheet.key}-{tie.id}-reason", f"Why{mark(tie, 'reason')}"),
        tie.reason,
        lambda text: sheet.change(tie.id, reason=text),
    )
    with st.container(horizontal=True):
        st.button("Done", key=f"{sheet.key}-done-{tie.id}", on_click=_turn_to, args=(sheet, None))
        if st.button("Remove", key=f"{sheet.key}-remove-{tie.id}", icon=":material/link_off:"):
            act(lambda: sheet.remove(tie.id), done="The relationship was taken out.")


def _select(
    sheet: Sheet, tie: Relationship, field: str, label: str, options: Mapping[str, str]
) -> None:
    key = f"{sheet.key}-{tie.id}-{field}"
    follow(key, getattr(tie, field))
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=lambda option: options.get(option, "?"),
        on_change=saver(key, lambda value: sheet.change(tie.id, **{field: value})),
    )
    autosave.tell_problem(key)


def _add(sheet: Sheet, people: list[Character]) -> None:
    tie = Relationship(
        id=workbench().new_entity_id(),
        source=people[0].id,
        target=people[1].id,
        tie=RelationshipKind.FRIENDSHIP,
    )
    if attempt(lambda: sheet.add(tie)):
        _turn_to(sheet, tie.id)
    st.rerun()


def _turn_to(sheet: Sheet, tie_id: str | None) -> None:
    st.session_state[_open(sheet)] = tie_id


def _open(sheet: Sheet) -> str:
    return f"open relationship of {sheet.key}"
