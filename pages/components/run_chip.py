"""The run chip: what is happening on the open branch, and the writer's hand on it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import streamlit as st

from pages.components import places
from pages.components.places import PageName
from pages.components.services import workbench
from pages.components.text import clock, plain
from store.models.run import Progress, RunState

_SECONDS_BETWEEN_LOOKS = 1.0

_HALTED = {
    RunState.STOPPED: "Stopped",
    RunState.FAILED: "This went wrong",
    RunState.INTERRUPTED: "The app was closed while this was at work",
}

Telling = Callable[[], AbstractContextManager[None]]


def show(branch_id: str, page: PageName, telling_errors: Telling) -> None:
    """Show the newest run of a branch; looks again by itself only while the run is alive."""
    progress = workbench().progress(branch_id)
    is_alive = progress is not None and progress.run.state is RunState.RUNNING

    def look() -> None:
        with telling_errors():
            _chip(branch_id, page, workbench().progress(branch_id))

    every = _SECONDS_BETWEEN_LOOKS if is_alive else None
    with st.container(key="run-chip"):
        st.fragment(look, run_every=every)()


def _chip(branch_id: str, page: PageName, progress: Progress | None) -> None:
    _refresh_page_when_changed(branch_id, progress)
    if progress is None or progress.run.state is RunState.DONE:
        return
    if progress.run.state is RunState.RUNNING:
        _alive(branch_id, progress)
    elif progress.run.state is RunState.WAITING:
        _waiting(branch_id, page)
    else:
        _halted(branch_id, progress)


def _refresh_page_when_changed(branch_id: str, progress: Progress | None) -> None:
    """Run the whole page again when the run has come to another state than the page shows."""
    seen = f"run state seen on {branch_id}"
    now = (progress.run.id, progress.run.state) if progress else None
    if st.session_state.get(seen, now) != now:
        st.session_state[seen] = now
        st.rerun()
    st.session_state[seen] = now


def _alive(branch_id: str, progress: Progress) -> None:
    words = " · ".join(activity.words for activity in progress.activities)
    doing = words or progress.step or "At work"
    st.markdown(f"{plain(doing)} · {clock(progress.seconds)}")
    if progress.expected:
        st.progress(min(1.0, progress.done / progress.expected))
    if st.button("Stop", key="run-chip-stop", icon=":material/stop_circle:"):
        workbench().stop(branch_id)
        st.rerun()


def _waiting(branch_id: str, page: PageName) -> None:
    for question in workbench().pending(branch_id):
        where = places.GATE_PAGES[question.gate]
        if where != page:
            places.link(where, "A choice waits for you", icon=":material/front_hand:", is_wide=True)
        else:
            st.caption("A choice waits for you on this page.")
        return


def _halted(branch_id: str, progress: Progress) -> None:
    st.markdown(f"**{_HALTED[progress.run.state]}**")
    if progress.run.message:
        st.caption(plain(progress.run.message))
    if st.button("Continue", key="run-chip-continue", icon=":material/play_arrow:"):
        workbench().continue_run(branch_id)
        st.rerun()
