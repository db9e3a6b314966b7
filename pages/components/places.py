"""The pages of the app, and the ways between them that keep the open story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NoReturn

import streamlit as st

from store.models.story import Gate

PageName = Literal["library", "premise", "plot", "graphs", "write", "export", "settings"]

FILES: Mapping[PageName, str] = {
    "library": "app.py",
    "premise": "pages/premise.py",
    "plot": "pages/plot.py",
    "graphs": "pages/graphs.py",
    "write": "pages/write.py",
    "export": "pages/export.py",
    "settings": "pages/settings.py",
}

GATE_PAGES: Mapping[Gate, PageName] = {
    Gate.CONFIGURATION: "premise",
    Gate.GOALS: "plot",
    Gate.CANDIDATES: "plot",
    Gate.PLAN: "write",
    Gate.DRAFT: "write",
}
"""Where the writer answers the question of a gate."""

_STORY = "story"


def open_story_id() -> str | None:
    """Return the id of the open story: the address says it, else this session remembers it."""
    asked = st.query_params.get(_STORY)
    if asked:
        st.session_state[_STORY] = asked
    remembered = st.session_state.get(_STORY)
    return str(remembered) if remembered else None


def keep_story(story_id: str) -> None:
    """Make a story the open one, in this session and in the address (bookmark, refresh)."""
    st.session_state[_STORY] = story_id
    if st.query_params.get(_STORY) != story_id:
        st.query_params[_STORY] = story_id


def forget_story() -> None:
    """Have no story open."""
    st.session_state.pop(_STORY, None)
    st.query_params.pop(_STORY, None)


def go(page: PageName, story_id: str | None = None) -> NoReturn:
    """Leave for another page, with `story_id` (default: the open story) open there."""
    story = story_id or open_story_id()
    if story:
        st.session_state[_STORY] = story
    st.switch_page(FILES[page], query_params=_query(story))


def link(page: PageName, label: str, *, icon: str | None = None, is_wide: bool = False) -> None:
    """Show a link to a page that keeps the open story. `label` is Markdown: see `text.plain`."""
    st.page_link(
        FILES[page],
        label=label,
        icon=icon,
        width="stretch" if is_wide else "content",
        query_params=_query(st.session_state.get(_STORY)),
    )


def _query(story_id: str | None) -> dict[str, str]:
    return {_STORY: story_id} if story_id else {}
