"""The list of chapters at the left of the page, each with the state of its draft."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import places
from pages.components.words import plain, window
from pages.components.write import strings
from store.models.run import Progress, Question, WriteChapter

_LISTED = 30


def choose(
    branch: str, chapters: Sequence[ChapterCard], first: int, stale: Collection[int] = ()
) -> ChapterCard:
    """Show the chapters, or a window of them if there are many; return the chosen one.

    `first` is the number of the chapter shown until the writer chooses; `stale` are the numbers of
    the stale chapters.
    """
    at = min(chosen(branch) or places.open_chapter() or first, len(chapters))
    places.keep_chapter(at)
    if len(chapters) > _LISTED:
        _jump(branch, at, len(chapters))
    listed = [chapters[place] for place in window(len(chapters), at - 1, _LISTED)]
    by_number = {card.number: card for card in listed}
    key = f"chapters-{branch}"
    st.session_state[key] = at
    with st.container(key="chapter-list"):
        st.radio(
            strings.CHAPTERS,
            list(by_number),
            key=key,
            format_func=lambda number: _label(by_number[number]),
            captions=[_caption(card, card.number in stale) for card in listed],
            on_change=lambda: turn_to(branch, int(st.session_state[key])),
        )
    return chapters[at - 1]


def chosen(branch: str) -> int | None:
    """Return the chapter that the writer chose last in this session."""
    number: int | None = st.session_state.get(_memory(branch))
    return number


def turn_to(branch: str, chapter: int) -> None:
    """Show another chapter."""
    st.session_state[_memory(branch)] = chapter


def first_to_show(
    chapters: Sequence[ChapterCard], question: Question | None, writing: Progress | None
) -> int:
    """Return the chapter to show first: one in question, being written, unwritten, or the last."""
    if question is not None:
        return question.chapter
    if writing is not None and isinstance(writing.run.task, WriteChapter):
        return writing.run.task.chapter
    unwritten = [card.number for card in chapters if card.draft is None]
    return unwritten[0] if unwritten else chapters[-1].number


def _jump(branch: str, at: int, last: int) -> None:
    key = f"jump-{branch}"
    st.session_state[key] = at
    st.number_input(
        strings.go_to_chapter(last),
        1,
        last,
        key=key,
        on_change=lambda: turn_to(branch, int(st.session_state[key])),
    )


def _label(card: ChapterCard) -> str:
    return f"{card.number}\\. {plain(card.title)}"


def _caption(card: ChapterCard, is_stale: bool) -> str:
    mark = ":orange[:material/sync_problem:] " if is_stale else ""
    return f"{mark}{strings.chapter_state(card.draft, card.words)}"


def _memory(branch: str) -> str:
    return f"chapter shown of {branch}"
