"""The time cursor: the chapter as of which the app shows the story. One for all pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields.autosave import bind, changing
from pages.components.frame import strings


def at(branch_id: str, plotted: int) -> int:
    """Return the chapter that the cursor is at; the newest until the writer moves it."""
    chapter = st.session_state.get(_memory(branch_id))
    return plotted if chapter is None else min(int(chapter), plotted)


def move(branch_id: str, chapter: int, plotted: int) -> None:
    """Move the cursor to a chapter. At the newest one it advances with the story."""
    chapter = max(0, min(chapter, plotted))
    st.session_state[_memory(branch_id)] = None if chapter == plotted else chapter


def show(branch_id: str, plotted: int, *, place: str) -> int:
    """Show the cursor if a chapter has been plotted; return the chapter that it is at.

    `place` distinguishes cursors on one page; they all move together.
    """
    chapter = at(branch_id, plotted)
    if plotted == 0:
        return chapter
    # Never set through the session's state: if another run follows at once, a browser may miss
    # this one and send the old position back as if the writer had moved there.
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
    """Show the cursor with buttons to step by a chapter and to play the story."""
    if plotted == 0:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"time-{place}"):
        show_player(
            f"player-{place}-{branch_id}",
            at(branch_id, plotted),
            plotted,
            lambda chapter: move(branch_id, chapter, plotted),
        )
        with st.container(width="stretch", key=f"time-slider-{place}"):
            show(branch_id, plotted, place=place)


def words(chapter: int, plotted: int) -> str:
    """Say where the cursor is."""
    return strings.as_of(chapter, plotted)


def _memory(branch_id: str) -> str:
    # Streamlit forgets a widget's own key when the writer leaves the page; this key stays.
    return f"time cursor of {branch_id}"


_ASSETS = Path(__file__).parents[3] / "assets"
_MILLISECONDS_A_CHAPTER = 1_200
_HTML = """
<div class="player" role="group">
  <button type="button" data-does="earlier">
    <svg viewBox="0 0 10 10"><path d="M8 0 1 5 8 10z"/></svg><span></span></button>
  <button type="button" data-does="play">
    <svg class="start" viewBox="0 0 10 10"><path d="M1 0 10 5 1 10z"/></svg>
    <svg class="stop" viewBox="0 0 10 10"><path d="M1 0h3v10H1zM6 0h3v10H6z"/></svg>
    <span></span></button>
  <button type="button" data-does="later">
    <span></span><svg viewBox="0 0 10 10"><path d="M2 0 9 5 2 10z"/></svg></button>
</div>
"""


def show_player(key: str, chapter: int, newest: int, on_wanted: Callable[[int], None]) -> None:
    """Show the buttons; `on_wanted` is given the chapter to show next."""

    def wanted() -> None:
        asked = st.session_state[key].get("wanted")
        if isinstance(asked, int | float):
            on_wanted(int(asked))

    data = {
        "chapter": chapter,
        "newest": newest,
        "milliseconds": _MILLISECONDS_A_CHAPTER,
        "words": {
            "player": strings.PLAYER,
            "earlier": strings.PLAYER_EARLIER,
            "play": strings.PLAYER_PLAY,
            "pause": strings.PLAYER_PAUSE,
            "later": strings.PLAYER_LATER,
        },
    }
    _renderer()(key=key, data=data, width="content", on_wanted_change=wanted)


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_player",
        html=_HTML,
        css=(_ASSETS / "player.css").read_text("utf-8"),
        js=(_ASSETS / "player.js").read_text("utf-8"),
    )
