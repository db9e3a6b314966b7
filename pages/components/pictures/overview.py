"""The whole story in one strip, with the chapters that the picture above shows marked in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from graph_flow.views import View
from pages.components.pictures import strings
from pages.components.pictures.plot import Window
from pages.components.pictures.story_index import StoryIndex

_ASSETS = Path(__file__).parents[3] / "assets"
_MOST_BARS = 160
_HTML = """
<div class="overview" role="group">
  <button type="button">‹</button>
  <svg preserveAspectRatio="none" aria-hidden="true"></svg>
  <button type="button">›</button>
  <span class="words"></span>
</div>
"""


class Strip(View):
    """How much happens in each stretch of a story, and whether the chosen people are in it.

    A stretch is a chapter, or several in a long story; chapter 0 is not counted.
    """

    counts: tuple[int, ...]
    chosen: tuple[bool, ...]
    newest: int
    first: int
    last: int


def strip_of(index: StoryIndex, window: Window, people: Iterable[str]) -> Strip:
    """Return the strip of a story as of its snapshot."""
    newest = max(1, index.chapter)
    bars = min(_MOST_BARS, newest)
    counts, chosen = [0] * bars, [False] * bars
    for chapter, events in index.events_told():
        if chapter > 0:
            counts[_bar(chapter, newest, bars)] += events
    for chapter in (one for person in people for one in index.chapters_of.get(person, ())):
        if chapter > 0:
            chosen[_bar(chapter, newest, bars)] = True
    return Strip(
        counts=tuple(counts),
        chosen=tuple(chosen),
        newest=newest,
        first=max(1, window.first),
        last=window.last,
    )


def show(key: str, strip: Strip, on_last: Callable[[int], None]) -> None:
    """Show a strip; `on_last` is called with the last of the chapters to show."""

    def moved() -> None:
        asked = st.session_state[key].get("last")
        if isinstance(asked, int | float):
            on_last(int(asked))

    words = {
        "overview": strings.OVERVIEW,
        "earlier": strings.OVERVIEW_EARLIER,
        "later": strings.OVERVIEW_LATER,
        "chapters": strings.OVERVIEW_CHAPTERS,
    }
    _renderer()(key=key, data=strip.model_dump() | {"words": words}, on_last_change=moved)


def _bar(chapter: int, newest: int, bars: int) -> int:
    return (chapter - 1) * bars // newest


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_overview",
        html=_HTML,
        css=(_ASSETS / "overview.css").read_text("utf-8"),
        js=(_ASSETS / "overview.js").read_text("utf-8"),
    )
