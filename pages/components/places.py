"""The pages of the app, and links between them that keep the story open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NoReturn

import streamlit as st

from store.models.story import Gate

PageName = Literal[
    "library",
    "premise",
    "outline",
    "plot",
    "graphs",
    "history",
    "talk",
    "write",
    "tellings",
    "evaluate",
    "export",
    "mystery",
    "cost",
    "settings",
    "rules",
    "writers",
]

FILES: Mapping[PageName, str] = {
    "library": "app.py",
    "premise": "pages/premise.py",
    "outline": "pages/outline.py",
    "plot": "pages/plot.py",
    "graphs": "pages/graphs.py",
    "history": "pages/history.py",
    "talk": "pages/talk.py",
    "write": "pages/write.py",
    "tellings": "pages/tellings.py",
    "evaluate": "pages/evaluate.py",
    "export": "pages/export.py",
    "mystery": "pages/mystery.py",
    "cost": "pages/cost.py",
    "settings": "pages/settings.py",
    "rules": "pages/rules.py",
    "writers": "pages/writers.py",
}

GATE_PAGES: Mapping[Gate, PageName] = {
    Gate.CONFIGURATION: "premise",
    Gate.OUTLINE: "outline",
    Gate.GOALS: "plot",
    Gate.CANDIDATES: "plot",
    Gate.PLAN: "write",
    Gate.DRAFT: "write",
}
"""The page on which the writer answers at each gate."""

_STORY = "story"
_BRANCH = "branch"
_CHAPTER = "chapter"
_SHOWN = "show"
_DIGITS = 16


def open_story_id() -> str | None:
    """Return the id of the open story, from the address or else from this session."""
    asked = st.query_params.get(_STORY)
    if asked:
        st.session_state[_STORY] = asked
    remembered = st.session_state.get(_STORY)
    return str(remembered) if remembered else None


def keep_story(story_id: str) -> None:
    """Open a story in this session and in the address, for bookmarks and reloads."""
    st.session_state[_STORY] = story_id
    if st.query_params.get(_STORY) != story_id:
        st.query_params[_STORY] = story_id


def forget_story() -> None:
    """Close the open story."""
    st.session_state.pop(_STORY, None)
    st.query_params.pop(_STORY, None)
    st.query_params.pop(_BRANCH, None)


def open_branch_id(story_id: str) -> str | None:
    """Return the id of the branch of a story that this window is on, if it has chosen one."""
    asked = st.query_params.get(_BRANCH)
    if asked:
        st.session_state[_memory(story_id)] = asked
    remembered = st.session_state.get(_memory(story_id))
    return str(remembered) if remembered else None


def keep_branch(story_id: str, branch_id: str, *, is_only_one: bool = False) -> None:
    """Put this window on a branch; the address names it if the story has several."""
    st.session_state[_memory(story_id)] = branch_id
    if is_only_one:
        st.query_params.pop(_BRANCH, None)
    elif st.query_params.get(_BRANCH) != branch_id:
        st.query_params[_BRANCH] = branch_id


def open_chapter() -> int | None:
    """Return the chapter that the address names, if it names one."""
    asked = st.query_params.get(_CHAPTER, "")
    return int(asked) if asked.isdecimal() and len(asked) <= _DIGITS else None


def keep_chapter(chapter: int) -> None:
    """Name a chapter in the address, so that a reload shows it again."""
    if open_chapter() != chapter:
        st.query_params[_CHAPTER] = str(chapter)


def asked_for() -> str | None:
    """Return the id of what the address asks to be shown, once."""
    asked: str | None = st.query_params.pop(_SHOWN, None)
    return asked


def forget_branch(story_id: str) -> None:
    """Forget which branch of a story this window is on."""
    st.session_state.pop(_memory(story_id), None)
    st.query_params.pop(_BRANCH, None)


def go(page: PageName, story_id: str | None = None, *, show: str = "") -> NoReturn:
    """Go to another page, with `story_id` (default: the open story) open there.

    `show` is the id of something that the page should show.
    """
    story = story_id or open_story_id()
    if story:
        st.session_state[_STORY] = story
    asked = {_SHOWN: show} if show else {}
    st.switch_page(FILES[page], query_params=_query(story) | asked)


def go_and_talk(chapter: int) -> NoReturn:
    """Go to the Talk page, to talk about a chapter of the open story."""
    st.switch_page(FILES["talk"], query_params={**_query(open_story_id()), _CHAPTER: str(chapter)})


def link(page: PageName, label: str, *, icon: str | None = None, is_wide: bool = False) -> None:
    """Show a link to a page that keeps the story open. `label` is Markdown: see `words.plain`."""
    st.page_link(
        FILES[page],
        label=label,
        icon=icon,
        width="stretch" if is_wide else "content",
        query_params=_query(st.session_state.get(_STORY)),
    )


def _query(story_id: str | None) -> dict[str, str]:
    """Return the address parameters of a story, with its branch if the address names one."""
    if not story_id:
        return {}
    is_here = st.query_params.get(_STORY) == story_id
    branch = st.query_params.get(_BRANCH) if is_here else None
    return {_STORY: story_id} | ({_BRANCH: branch} if branch else {})


def _memory(story_id: str) -> str:
    return f"branch of {story_id}"
