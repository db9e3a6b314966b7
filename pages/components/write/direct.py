"""A story that is made directly: how it is made, and its next chapter, which is all there is to do."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import notices, places
from pages.components.runs import panel
from pages.components.write import streaming, strings
from pages.serving.services import workbench
from store.models.run import Initialize, PlotChapters, Progress

_SECONDS_TO_BEGIN = 10.0
"""To begin takes no model, and so hardly any time."""


def offer(status: BranchStatus) -> None:
    """Say how the story is made, and offer to write its next chapter, if there is one."""
    last = status.story.settings.last_chapter
    st.markdown(strings.DIRECT_ABOUT)
    if status.plotted >= last:
        st.markdown(f"**{strings.direct_ended(last)}**")
        if st.button(strings.DIRECT_READ, type="primary", icon=":material/edit_note:"):
            places.go("write")
        return
    label = strings.direct_next(status.plotted + 1)
    if st.button(label, type="primary", icon=":material/edit_note:", key="write-directly"):
        if notices.attempt(lambda: _write_next(status)):
            places.go("plot")
        st.rerun()


def at_work() -> None:
    """Say that a chapter is being written, with the way to where it can be read meanwhile."""
    st.markdown(strings.DIRECT_ABOUT)
    places.link("plot", strings.DIRECT_WATCH, icon=":material/edit_note:")


def watch(status: BranchStatus) -> None:
    """Show the chapter that is being written, on the Plot page."""
    branch = status.branch.id

    def stream(progress: Progress) -> None:
        if workbench().branches.status(branch).plotted != status.plotted:
            st.rerun()  # It has been written, so the chapters above are out of date.
        streaming.show(branch, status.plotted + 1, progress)

    panel.watch(branch, "plot", stream)


def _write_next(status: BranchStatus) -> None:
    runs, branch = workbench().runs, status.branch.id
    if not status.is_founded:
        runs.wait(runs.start(branch, Initialize(is_autopilot=True)), _SECONDS_TO_BEGIN)
    runs.start(branch, PlotChapters())
