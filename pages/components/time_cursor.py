"""The time cursor: as of which chapter the app shows the story. One for all pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.components.autosave import bind

_PLAYER = Path(__file__).parents[2] / "assets" / "player.js"
_MILLISECONDS_A_CHAPTER = 1_200


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
        on_change=_by_hand(
            branch_id, lambda: move(branch_id, int(st.session_state[cursor.key]), plotted)
        ),
    )
    return chapter


def show_with_steps(branch_id: str, plotted: int, *, place: str) -> None:
    """Show the cursor with steps by a chapter, and a way to see the story go by."""
    if plotted == 0:
        return
    chapter, is_playing = at(branch_id, plotted), _is_playing(branch_id)
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"time-steps-{place}"):
        st.button(
            "Earlier",
            icon=":material/chevron_left:",
            key=f"earlier-{place}",
            disabled=chapter == 0,
            on_click=_by_hand(branch_id, lambda: _step(branch_id, -1, plotted)),
        )
        st.button(
            "Pause" if is_playing else "Play",
            icon=":material/pause:" if is_playing else ":material/play_arrow:",
            key=f"play-{place}",
            on_click=lambda: _play_or_pause(branch_id, plotted),
        )
        st.button(
            "Later",
            icon=":material/chevron_right:",
            icon_position="right",
            key=f"later-{place}",
            disabled=chapter == plotted,
            on_click=_by_hand(branch_id, lambda: _step(branch_id, 1, plotted)),
        )
        with st.container(width="stretch", key=f"time-slider-{place}"):
            show(branch_id, plotted, place=place)


def go_on_playing(branch_id: str, plotted: int) -> None:
    """Go on to the next chapter by and by, while the story is played.

    Call it last on a page: the browser comes back for the next chapter when it has drawn this one.
    """
    key = f"player-{branch_id}"

    def shown() -> None:
        # A cursor that was moved meanwhile, or a pause, makes it the answer to an older question.
        if _is_playing(branch_id) and st.session_state[key].get("shown") == at(branch_id, plotted):
            _step(branch_id, 1, plotted)
            _set_playing(branch_id, to=at(branch_id, plotted) < plotted)

    _player()(
        key=key,
        data={
            "isPlaying": _is_playing(branch_id),
            "chapter": at(branch_id, plotted),
            "milliseconds": _MILLISECONDS_A_CHAPTER,
        },
        on_shown_change=shown,
    )


def words(chapter: int, plotted: int) -> str:
    """Say where the cursor stands."""
    return f"As of chapter {chapter} of {plotted}" if chapter else "As of the beginning"


def _step(branch_id: str, by: int, plotted: int) -> None:
    # From where it stands now, not from where it stood when the page was shown: of two fast
    # clicks both count.
    move(branch_id, at(branch_id, plotted) + by, plotted)


def _by_hand(branch_id: str, action: Callable[[], None]) -> Callable[[], None]:
    def act() -> None:
        _set_playing(branch_id, to=False)
        action()

    return act


def _play_or_pause(branch_id: str, plotted: int) -> None:
    is_playing = not _is_playing(branch_id)
    _set_playing(branch_id, to=is_playing)
    if is_playing and at(branch_id, plotted) == plotted:
        move(branch_id, 0, plotted)


def _is_playing(branch_id: str) -> bool:
    return bool(st.session_state.get(_playing(branch_id)))


def _set_playing(branch_id: str, *, to: bool) -> None:
    st.session_state[_playing(branch_id)] = to


@st.cache_resource(show_spinner=False)
def _player() -> ComponentRenderer:
    return st.components.v2.component("fabula_player", js=_PLAYER.read_text("utf-8"))


def _memory(branch_id: str) -> str:
    # Streamlit forgets a widget's own key when the writer leaves the page; this one stays.
    return f"time cursor of {branch_id}"


def _playing(branch_id: str) -> str:
    return f"playing {branch_id}"
