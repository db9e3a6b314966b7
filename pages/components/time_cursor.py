"""The time cursor: as of which chapter the app shows the story. One for all pages."""

from __future__ import annotations

import streamlit as st

from pages.components import player
from pages.components.autosave import bind, changing


def at(branch_id: str, plotted: int) -> int:
    """Return the chapter that the cursor stands at; the newest until the writer moves it."""
    chapter = st.session_state.get(_memory(branch_id))
    return plotted if chapter is None else min(int(chapter), plotted)


def move(branch_id: str, chapter: int, plotted: int) -> None:
    """Put the cursor at a chapter. At the newest one it moves on with the story."""
    chapter = max(0, min(chapter, plotted))
    st.session_state[_memory(branch_id)] = None if chapter == plotted else chapter


def show(branch_id: str, plotted: int, *, place: str) -> int:
    """Show the cursor, unless no chapter is plotted yet; return the chapter it stands at.

    `place` tells cursors on one page apart; they all move together.
    """
    chapter = at(branch_id, plotted)
    if plotted == 0:
        return chapter
    # Never set through the session's state: a browser that missed that run, because another
    # followed at once, would send the old place back as if the writer had moved there.
    cursor = bind(f"time-cursor-{place}-{branch_id}", chapter)
    st.slider(
        words(chapter, plotted),
        min_value=0,
        max_value=plotted,
        value=cursor.value,
        key=cursor.key,
        on_change=changing(cursor, lambda chapter: move(branch_id, chapter, plotted)),
    )
    return chapter


def show_with_steps(branch_id: str, plotted: int, *, place: str) -> None:
    """Show the cursor with steps by a chapter, and a way to see the story go by."""
    if plotted == 0:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"time-{place}"):
        player.show(
            f"player-{place}-{branch_id}",
            at(branch_id, plotted),
            plotted,
            lambda chapter: move(branch_id, chapter, plotted),
        )
        with st.container(width="stretch", key=f"time-slider-{place}"):
            show(branch_id, plotted, place=place)


def words(chapter: int, plotted: int) -> str:
    """Say where the cursor stands."""
    return f"As of chapter {chapter} of {plotted}" if chapter else "As of the beginning"


def _memory(branch_id: str) -> str:
    # Streamlit forgets a widget's own key when the writer leaves the page; this one stays.
    return f"time cursor of {branch_id}"
