"""Beside the board: the card that was clicked, to edit; and events that no chapter can tell yet."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import attempt
from pages.components.outline import event as outline_event
from pages.components.outline import part as outline_part
from pages.components.outline import start
from pages.components.outline.board import session_of
from pages.components.outline.current import OutlineSheet
from pages.components.outline.edits import LONGEST_PART, add_part, event_of, part_of, unparted
from pages.components.outline.start import OutlineView
from pages.components.words import counted, plain
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent, SubEvent
from store.text import first_characters


def is_empty(sheet: OutlineSheet) -> bool:
    """Return whether no card is open, and every event has its parts."""
    is_open = part_of(sheet.outline, session_of(sheet).selected) is not None
    return not is_open and not unparted(sheet.outline)


def show(sheet: OutlineSheet) -> None:
    """Show the events that no chapter can tell yet, and the open card to edit."""
    _without_parts(sheet)
    part = part_of(sheet.outline, session_of(sheet).selected)
    event = event_of(sheet.outline, part.event) if part else None
    if part is None or event is None:
        return
    with st.container(key="outline-card"):
        _card(sheet, part, event)


def _card(sheet: OutlineSheet, part: SubEvent, event: OutlineEvent) -> None:
    st.subheader(plain(event.title), anchor=False)
    st.caption(plain(event.line))
    outline_part.edit(sheet, part)
    with st.container(horizontal=True):
        st.button(
            "Done", key=f"{sheet.key}-card-done", on_click=session_of(sheet).select, args=("",)
        )
        st.button(
            "Open the event",
            key=f"{sheet.key}-open-event",
            icon=":material/edit:",
            type="tertiary",
            on_click=_open_event,
            args=(sheet, part),
        )
        outline_part.remove_button(sheet, part)


def _without_parts(sheet: OutlineSheet) -> None:
    """Offer to give a part to each event that has none: without one no chapter can tell it."""
    bare = unparted(sheet.outline)
    if not bare:
        return
    titles = ", ".join(plain(event.title) for event in bare[:3])
    more = f" and {len(bare) - 3} more" if len(bare) > 3 else ""
    st.markdown(f"{counted(len(bare), 'event is', 'events are')} not on the board: {titles}{more}.")
    st.button(
        "Put them on the board" if len(bare) > 1 else "Put it on the board",
        key=f"{sheet.key}-give-parts",
        icon=":material/add:",
        on_click=_give_parts,
        args=(sheet,),
    )


def _open_event(sheet: OutlineSheet, part: SubEvent) -> None:
    outline_event.open_event(sheet, part.event)
    start.turn_to(OutlineView.LINES)


def _give_parts(sheet: OutlineSheet) -> None:
    attempt(lambda: sheet.change(_with_parts))


def _with_parts(outline: Outline) -> Outline:
    for event in unparted(outline):
        text = first_characters(event.action or event.title, LONGEST_PART)
        outline = add_part(outline, new_id(), event.id, text)
    return outline
