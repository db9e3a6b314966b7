"""The column beside the board: the open card to edit, and events that no chapter can tell yet."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import attempt
from pages.components.outline import event as outline_event
from pages.components.outline import part as outline_part
from pages.components.outline import start, strings
from pages.components.outline.board import session_of
from pages.components.outline.current import CurrentOutline
from pages.components.outline.edits import LONGEST_PART, add_part, event_of, part_of, unparted
from pages.components.outline.start import OutlineView
from pages.components.words import plain
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent, SubEvent
from store.text import first_characters

_NAMED = 3
"""How many of the events without parts are named."""


def is_empty(current: CurrentOutline) -> bool:
    """Return whether no card is open, and every event has its parts."""
    is_open = part_of(current.outline, session_of(current).selected) is not None
    return not is_open and not unparted(current.outline)


def show(current: CurrentOutline) -> None:
    """Show the events that no chapter can tell yet, and the open card to edit."""
    _without_parts(current)
    part = part_of(current.outline, session_of(current).selected)
    event = event_of(current.outline, part.event) if part else None
    if part is None or event is None:
        return
    with st.container(key="outline-card"):
        _card(current, part, event)


def _card(current: CurrentOutline, part: SubEvent, event: OutlineEvent) -> None:
    st.subheader(plain(event.title), anchor=False)
    st.caption(plain(event.line))
    outline_part.edit(current, part)
    with st.container(horizontal=True):
        st.button(
            strings.CARD_DONE,
            key=f"{current.key}-card-done",
            on_click=session_of(current).select,
            args=("",),
        )
        st.button(
            strings.CARD_OPEN_EVENT,
            key=f"{current.key}-open-event",
            icon=":material/edit:",
            type="tertiary",
            on_click=_open_event,
            args=(current, part),
        )
        outline_part.remove_button(current, part)


def _without_parts(current: CurrentOutline) -> None:
    """Offer to give a part to each event without one, which no chapter could tell."""
    bare = unparted(current.outline)
    if not bare:
        return
    titles = [plain(event.title) for event in bare[:_NAMED]]
    st.markdown(strings.events_off_board(len(bare), titles))
    st.button(
        strings.put_on_board(len(bare)),
        key=f"{current.key}-give-parts",
        icon=":material/add:",
        on_click=_give_parts,
        args=(current,),
    )


def _open_event(current: CurrentOutline, part: SubEvent) -> None:
    outline_event.open_event(current, part.event)
    start.turn_to(OutlineView.LINES)


def _give_parts(current: CurrentOutline) -> None:
    attempt(lambda: current.change(_with_parts))


def _with_parts(outline: Outline) -> Outline:
    for event in unparted(outline):
        text = first_characters(event.action or event.title, LONGEST_PART)
        outline = add_part(outline, new_id(), event.id, text)
    return outline
