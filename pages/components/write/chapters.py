"""The way from chapter to chapter, with the state of each one's text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import places
from pages.components.notices import attempt
from pages.components.services import workbench
from pages.components.words import plain, window
from pages.components.write import strings
from store.models.run import Progress, Question

_LISTED = 30


def choose(
    branch: str, chapters: Sequence[ChapterCard], first: int, stale: Collection[int] = ()
) -> ChapterCard:
    """Show the chosen chapter, with the way to those beside it and to all others; return it.

    `first` is the number of the chapter shown until the writer chooses; `stale` are the numbers of
    the stale chapters.
    """
    asked = places.open_chapter()
    if chosen(branch) is None and asked not in {None, first}:
        turn_to(branch, asked or first)  # a link to a chapter counts as a choice
    at = min(chosen(branch) or first, len(chapters))
    places.keep_chapter(at)
    with st.container(key="chapter-bar", horizontal=True, vertical_alignment="center"):
        _step(branch, at - 1, strings.EARLIER_CHAPTER, ":material/chevron_left:", at > 1)
        card = chapters[at - 1]
        with st.popover(strings.chapter_of(card.number, len(chapters), plain(card.title))):
            _list(branch, chapters, at, stale)
        _step(branch, at + 1, strings.LATER_CHAPTER, ":material/chevron_right:", at < len(chapters))
    return card


def _step(branch: str, to: int, label: str, icon: str, is_on: bool) -> None:
    st.button(
        "",
        icon=icon,
        help=label,
        type="tertiary",
        key=f"chapter-{label}",
        disabled=not is_on,
        on_click=turn_to,
        args=(branch, to),
    )


def _list(branch: str, chapters: Sequence[ChapterCard], at: int, stale: Collection[int]) -> None:
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
    begin_by_hand(branch, len(chapters) + 1)


def begin_by_hand(branch: str, chapter: int, *, is_first: bool = False) -> None:
    """Offer to begin the next chapter without a plot: the writer types it."""

    def begin() -> None:
        if attempt(lambda: workbench().desk.begin_chapter(branch, chapter)):
            turn_to(branch, chapter)

    st.button(
        strings.type_chapter(chapter),
        key="type-chapter",
        icon=":material/keyboard:",
        type="secondary" if is_first else "tertiary",
        on_click=begin,
    )


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
    if writing is not None and writing.run.writes is not None:
        return writing.run.writes
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
