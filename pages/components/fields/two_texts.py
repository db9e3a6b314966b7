"""A text that two windows change at once: nothing is replaced unseen, and the writer chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from pages.components.fields import strings, unsaved
from pages.components.fields.memory import Memory
from pages.components.words import prose
from store.errors import ChangedElsewhere


class SharedText(NamedTuple):
    """How a text is saved that another window may be changing at the same time.

    `replace` is given the text that the writer began from and what it has become; it raises
    `ChangedElsewhere` if there is something else now. A text that the writer gives up is handed to
    `set_aside`.
    """

    replace: Callable[[str, str], object]
    set_aside: Callable[[str], object] | None = None


def replace(memory: Memory, stored: str, typed: str, shared: SharedText) -> None:
    """Replace what this window has saved last, or `stored`, which the page found when it ran.

    Raises:
        ChangedElsewhere: if there is something else now.
    """
    if memory.base is None:
        memory.base = stored
    try:
        shared.replace(memory.base, typed)
    except ChangedElsewhere as moved:
        memory.theirs = moved.theirs
        raise
    memory.base, memory.theirs = typed, None


def offer(key: str, memory: Memory, shared: SharedText) -> None:
    """Show both texts of a field, and let the writer choose. Nothing is saved before."""
    mine = str(memory.held.value if memory.held else "")
    theirs = memory.theirs or ""
    told = unsaved.ledger()

    def settle(save: Callable[[], object]) -> None:
        try:
            save()
        except ChangedElsewhere as moved:
            memory.base, memory.theirs = theirs, moved.theirs
            return
        memory.let_go()
        told.answer(key, "", "dropped")

    with st.container(border=True, key=f"{key}-both"):
        st.markdown(f":orange[:material/call_split:] {strings.CHANGED_ELSEWHERE}")
        with st.expander(strings.THEIRS):
            st.markdown(prose(theirs) or f":gray[{strings.EMPTY}]")
        with st.container(horizontal=True):
            st.button(
                strings.KEEP_MINE,
                key=f"{key}-mine",
                on_click=lambda: settle(lambda: shared.replace(theirs, mine)),
            )
            st.button(
                strings.TAKE_THEIRS,
                key=f"{key}-theirs",
                on_click=lambda: settle(lambda: shared.set_aside and shared.set_aside(mine)),
            )
        if shared.set_aside is not None:
            st.caption(strings.NOTHING_IS_LOST)
