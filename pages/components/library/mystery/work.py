"""Work of agents on a mystery: its offers, and how it goes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from graph_flow.views import SideState, SideWorkSeen
from graph_flow.workbench.beside.mysteries import MysteryWork
from pages.components import words
from pages.components.library.mystery import strings
from pages.components.notices import act
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain, prose
from pages.components.words.messages import said
from pages.serving.services import workbench

_SECONDS_BETWEEN_LOOKS = 0.6


def show(branch: str) -> None:
    """Show what is being written, until that is done; or why it has ended before."""
    seen = workbench().mysteries.seen(branch)
    if is_working(seen):
        look_again(lambda: _look(branch), "mystery", _SECONDS_BETWEEN_LOOKS)
    elif seen is not None and seen.message:
        st.warning(plain(said(seen.message)), icon=":material/info:")


def is_working(seen: SideWorkSeen | None) -> bool:
    """Return whether a piece of work is under way."""
    return seen is not None and seen.state is SideState.WORKING


def offer(
    branch: str, label: str, work: MysteryWork, begin: Callable[[], None], *, calls: int = 1
) -> None:
    """Offer to have something done, with what it takes; not while anything is under way."""
    is_busy = is_working(workbench().mysteries.seen(branch))
    key = f"mystery-do-{label}"
    with st.container(key=f"{key}-box", gap="small"):
        if st.button(label, icon=":material/edit_note:", key=key, disabled=is_busy or not calls):
            act(begin)
        if calls:
            estimate = workbench().mysteries.estimate(branch, work, calls)
            st.caption(words.estimate_sentence(estimate))


def _look(branch: str) -> None:
    seen = workbench().mysteries.seen(branch)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    with st.container(border=True, key="mystery-working"):
        st.caption(f"{plain(said(seen.words))} · {clock(seen.seconds)}")
        if seen.text:
            st.markdown(prose(seen.text))
        if seen.trouble:
            st.markdown(f":orange[:material/hourglass_empty: {plain(said(seen.trouble))}]")
        if st.button(strings.STOP, key="mystery-stop", icon=":material/stop_circle:"):
            workbench().mysteries.stop(branch)
