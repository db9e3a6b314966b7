"""The widget that steps through the chapters, one by one or by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_ASSETS = Path(__file__).parents[2] / "assets"
_MILLISECONDS_A_CHAPTER = 1_200
_HTML = """
<div class="player" role="group" aria-label="Steps through the chapters">
  <button type="button" data-does="earlier">
    <svg viewBox="0 0 10 10"><path d="M8 0 1 5 8 10z"/></svg>Earlier</button>
  <button type="button" data-does="play">
    <svg class="start" viewBox="0 0 10 10"><path d="M1 0 10 5 1 10z"/></svg>
    <svg class="stop" viewBox="0 0 10 10"><path d="M1 0h3v10H1zM6 0h3v10H6z"/></svg>
    <span>Play</span></button>
  <button type="button" data-does="later">
    Later<svg viewBox="0 0 10 10"><path d="M2 0 9 5 2 10z"/></svg></button>
</div>
"""


def show(key: str, chapter: int, newest: int, on_wanted: Callable[[int], None]) -> None:
    """Show the steps; `on_wanted` is given the chapter that is to be seen next."""

    def wanted() -> None:
        asked = st.session_state[key].get("wanted")
        if isinstance(asked, int | float):
            on_wanted(int(asked))

    data = {"chapter": chapter, "newest": newest, "milliseconds": _MILLISECONDS_A_CHAPTER}
    _renderer()(key=key, data=data, width="content", on_wanted_change=wanted)


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "fabula_player",
        html=_HTML,
        css=(_ASSETS / "player.css").read_text("utf-8"),
        js=(_ASSETS / "player.js").read_text("utf-8"),
    )
