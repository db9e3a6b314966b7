"""The two sides of an outline: its storylines, and the board on which they meet the chapters."""

from __future__ import annotations

from enum import StrEnum

import streamlit as st

from pages.components.autosave import bind, changing

_CHOSEN = "view of the outline"


class OutlineView(StrEnum):
    """What of an outline is seen."""

    LINES = "Storylines"
    BOARD = "Board"


def choose() -> OutlineView:
    """Show which side is seen, to choose; return it."""
    bound = bind("outline-view", OutlineView(st.session_state.get(_CHOSEN, OutlineView.LINES)))
    st.segmented_control(
        "What is seen",
        list(OutlineView),
        default=bound.value,
        required=True,
        key=bound.key,
        label_visibility="collapsed",
        on_change=changing(bound, turn_to),
    )
    return bound.value


def turn_to(view: OutlineView) -> None:
    """Show a side."""
    st.session_state[_CHOSEN] = OutlineView(view)
