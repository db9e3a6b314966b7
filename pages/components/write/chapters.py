"""The way from chapter to chapter, with the state of each one's text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import notices, places
from pages.components.notices import attempt
from pages.components.words import plain, window
from pages.components.write import strings
from pages.serving.services import workbench
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.run import Progress, Question
from store.text import Unit

_LISTED = 30


class _Way(NamedTuple):
    """A button that leads to a chapter: its key, label and icon."""

    key: str
    label: str
    icon: str


def choose(
    branch: str,
    chapters: Sequence[ChapterCard],
    first: int,
    stale: Collection[int],
    menu: Callable[[ChapterCard], None],
) -> ChapterCard:
    """Show the chosen chapter, with the way to those beside it and to all others; return it.

    `first` is the number of the chapter shown until the writer chooses; `stale` are the numbers of
    the stale chapters. `menu` shows beside the list what can be done with the chosen chapter.
    """
    asked = places.open_chapter()
    if chosen(branch) is None and asked not in {None, first}:
        turn_to(branch, asked or first)  # a link to a chapter counts as a choice
    wanted = chosen(branch) or first
    card = _shown(chapters, wanted)
    places.keep_chapter(card.number)
    if workbench().contents.is_out(branch, wanted):
        notices.keep("problem", strings.CHAPTER_GONE)
        turn_to(branch, card.number)
        st.rerun()
    at = card.place - 1
    before, after = chapters[max(at - 1, 0)], chapters[min(at + 1, len(chapters) - 1)]
    back = _Way("chapter-before", strings.EARLIER_CHAPTER, ":material/chevron_left:")
    on = _Way("chapter-after", strings.LATER_CHAPTER, ":material/chevron_right:")
    with st.container(key="chapter-bar", horizontal=True, vertical_alignment="center"):
        _step(back, branch, before, card)
        with st.popover(strings.chapter_of(card.place, len(chapters), plain(card.title))):
            _list(branch, chapters, card, stale)
        _step(on, branch, after, card)
        menu(card)
    return card


def _shown(chapters: Sequence[ChapterCard], wanted: int) -> ChapterCard:
    """Return the chapter of a number; the last one if there is none."""
    return next((card for card in chapters if card.number == wanted), chapters[-1])


def _step(way: _Way, branch: str, to: ChapterCard, shown: ChapterCard) -> None:
    st.button(
        "",
        icon=way.icon,
        help=way.label,
        type="tertiary",
        key=way.key,
        disabled=to is shown,
        on_click=turn_to,
        args=(branch, to.number),
    )


def _list(
    branch: str, chapters: Sequence[ChapterCard], shown: ChapterCard, stale: Collection[int]
) -> None:
    if len(chapters) > _LISTED:
        _jump(branch, chapters, shown)
    listed = [chapters[at] for at in window(len(chapters), shown.place - 1, _LISTED)]
    by_number = {card.number: card for card in listed}
    unit = workbench().library.story_of(branch).brief.unit
    key = f"chapters-{branch}"
    st.session_state[key] = shown.number
    with st.container(key="chapter-list"):
        st.radio(
            strings.CHAPTERS,
            list(by_number),
            key=key,
            format_func=lambda number: _label(by_number[number]),
            captions=[_caption(card, unit, is_stale=card.number in stale) for card in listed],
            on_change=lambda: turn_to(branch, int(st.session_state[key])),
        )
    begin_by_hand(branch, len(chapters) + 1)


def begin_by_hand(branch: str, place: int, *, is_first: bool = False) -> None:
    """Offer to begin the next chapter, at a place in the book, without a plot: the writer types it."""
    chapter = workbench().desk.next_typed(branch)

    def begin() -> None:
        if attempt(lambda: workbench().desk.begin_chapter(branch, chapter)):
            turn_to(branch, chapter)

    st.button(
        strings.type_chapter(place),
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
    at = writing.run.writes if writing is not None else None
    if at is not None and at < FIRST_OF_TELLING:
        return at
    unwritten = [card.number for card in chapters if card.draft is None]
    return unwritten[0] if unwritten else chapters[-1].number


def _jump(branch: str, chapters: Sequence[ChapterCard], shown: ChapterCard) -> None:
    key = f"jump-{branch}"
    st.session_state[key] = shown.place
    st.number_input(
        strings.go_to_chapter(len(chapters)),
        1,
        len(chapters),
        key=key,
        on_change=lambda: turn_to(branch, chapters[int(st.session_state[key]) - 1].number),
    )


def _label(card: ChapterCard) -> str:
    return f"{card.place}\\. {plain(card.title)}"


def _caption(card: ChapterCard, unit: Unit, *, is_stale: bool) -> str:
    mark = ":orange[:material/sync_problem:] " if is_stale else ""
    return " · ".join(
        [f"{mark}{strings.chapter_state(card.draft, card.words, unit)}", *strings.of_the_plot(card)]
    )


def _memory(branch: str) -> str:
    return f"chapter shown of {branch}"
