"""A premise for a book that was begun without one: the offer to have it drafted from the text."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import SideState, SideWorkSeen
from pages.components import words
from pages.components.notices import act
from pages.components.premise import strings
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain
from pages.components.words.messages import said
from pages.serving.services import workbench

_SECONDS_BETWEEN_LOOKS = 0.6


def is_wanted(branch: str) -> bool:
    """Return whether there is text, and no premise yet."""
    return workbench().book_premise.is_wanted(branch)


def show(branch: str) -> None:
    """Offer to draft the premise, or show how that is going."""
    seen = workbench().book_premise.seen(branch)
    if _is_working(seen):
        look_again(lambda: _look(branch), "premise", _SECONDS_BETWEEN_LOOKS)
    elif is_wanted(branch):
        _offer(branch, seen)


def _is_working(seen: SideWorkSeen | None) -> bool:
    return seen is not None and seen.state is SideState.WORKING


def _offer(branch: str, seen: SideWorkSeen | None) -> None:
    with st.container(border=True, key="premise-from-book"):
        st.markdown(strings.FROM_BOOK_ABOUT)
        if seen is not None and seen.message:
            st.caption(plain(said(seen.message)))
        if st.button(
            strings.FROM_BOOK, type="primary", icon=":material/menu_book:", key="draft-premise"
        ):
            act(lambda: workbench().book_premise.draft(branch))
        st.caption(words.estimate_sentence(workbench().book_premise.estimate(branch)))


def _look(branch: str) -> None:
    seen = workbench().book_premise.seen(branch)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    with st.container(border=True):
        st.caption(f"{plain(said(seen.words))} · {clock(seen.seconds)}")
        if seen.text:
            st.markdown(plain(seen.text))
        if seen.trouble:
            st.markdown(f":orange[:material/hourglass_empty: {plain(said(seen.trouble))}]")
        if st.button(strings.FROM_BOOK_STOP, key="premise-stop", icon=":material/stop_circle:"):
            workbench().book_premise.stop(branch)
