"""A whole book read into the story: the offer, how it is going, and all that was found, to take in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from graph_flow.workbench.beside.book_reading import ChapterFound
from pages.components import words
from pages.components.frame.frame import OpenStory
from pages.components.notices import act, attempt, keep
from pages.components.runs import caps, panel
from pages.components.write.comparing import found, strings
from pages.serving.services import workbench
from store.models.run import Progress

_SEVERAL = 2

ButtonKind = Literal["primary", "secondary"]
_KINDS: Mapping[bool, ButtonKind] = {True: "primary", False: "secondary"}


def run_of(branch: str, now: Progress | None) -> Progress | None:
    """Return the newest run that reads a book, also if it has halted."""
    return panel.of_kind(branch, now, "book") if now is not None else None


def is_at_work(now: Progress | None) -> bool:
    """Return whether a book is being read."""
    return now is not None and now.run.task.kind == "book" and panel.is_alive(now)


def show(opened: OpenStory, *, is_main: bool) -> bool:
    """Show how the reading of a book stands; return whether it shows what was found in its chapters.

    `is_main` says that nothing else on the page is what to do next.
    """
    branch, now = opened.branch.id, opened.progress
    if is_at_work(now):
        panel.watch(branch, "write", _reading)
        return True
    reading = run_of(branch, now)
    waiting = workbench().book_reading.found(branch)
    unread = workbench().book_reading.unread(branch)
    if unread and panel.is_halted(reading) and reading is not None:
        panel.halted(reading)
    elif not panel.is_alive(now) and len(unread) + len(waiting) >= _SEVERAL:
        _offer(branch, unread, _KINDS[is_main])
    is_of_book = len(waiting) >= _SEVERAL or bool(waiting and unread)
    if is_of_book:
        _findings(branch, waiting, _KINDS[is_main])
    return is_of_book


def _reading(_: Progress) -> None:
    st.caption(strings.BOOK_READING)


def _offer(branch: str, unread: Sequence[int], kind: ButtonKind) -> None:
    if not unread:
        return
    with st.container(border=True, key="read-book-offer"):
        st.markdown(f"**{strings.read_book_heading(len(unread))}**")
        st.caption(strings.READ_BOOK_ABOUT)
        estimate = workbench().book_reading.estimate(branch)
        with st.expander(strings.READ_BOOK_LIMITS):
            limits = caps.ask(estimate)
        if st.button(strings.READ_BOOK, type=kind, icon=":material/menu_book:", key="read-book"):
            task = workbench().book_reading.task(branch, limits)
            act(lambda: workbench().runs.start(branch, task))
        st.caption(words.estimate_sentence(estimate))


def _findings(branch: str, waiting: Sequence[ChapterFound], kind: ButtonKind) -> None:
    """Show all that was found: first what the writer has to decide on, then chapter by chapter."""
    with st.container(border=True, key="book-found"):
        st.markdown(f"**{strings.book_found(len(waiting))}**")
        st.caption(strings.BOOK_FOUND_ABOUT)
        doubtful = sum(bool(line.doubt) for one in waiting for line in one.lines)
        if doubtful:
            st.markdown(f":orange[:material/help: {strings.to_decide(doubtful)}]")
        chosen = {one.comparison.id: _chapter(one) for one in waiting}
        with st.container(horizontal=True):
            _take(branch, chosen, kind)


def _chapter(one: ChapterFound) -> set[int]:
    """Show what was found in a chapter, open if there is something to decide, and return what is ticked."""
    doubtful = sum(bool(line.doubt) for line in one.lines)
    label = strings.chapter_found(one.comparison.chapter, len(one.lines), doubtful)
    with st.expander(label, expanded=bool(doubtful), key=f"book-chapter-{one.comparison.id}"):
        if not workbench().comparing.is_current(one.comparison):
            st.markdown(f":orange[:material/sync_problem: {strings.OUTDATED}]")
        chosen = found.choose(one.comparison, one.lines)
        found.left_out(one.comparison)
    return chosen


def _take(branch: str, chosen: Mapping[str, set[int]], kind: ButtonKind) -> None:
    def take() -> None:
        def make() -> None:
            taken = workbench().book_reading.take(branch, chosen)
            keep("done", strings.book_taken(taken.chapters, taken.lines, taken.lost))

        attempt(make)

    st.button(
        strings.take_book(len(chosen)),
        key="take-book",
        type=kind,
        icon=":material/check:",
        on_click=take,
    )
