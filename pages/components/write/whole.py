"""The story as a whole: have it read by somebody who knows only its text, and revised after that."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import words
from pages.components.frame.frame import OpenStory
from pages.components.notices import act
from pages.components.runs import panel
from pages.components.write import strings
from pages.serving.services import workbench
from store.models.run import Progress, ReadStory

_LEAST_CHAPTERS = 2
"""One chapter is read as a whole by its own reviewer."""


def offer(opened: OpenStory) -> None:
    """Offer to have the story read, once all of it is written and if its model is able to."""
    branch, task = opened.branch.id, ReadStory()
    is_busy = panel.is_alive(opened.progress) or panel.is_halted(run_of(opened.progress))
    if is_busy or not _is_ready(opened.status):
        return
    estimate = workbench().runs.estimate(branch, task)
    if not estimate.calls:
        return
    with st.expander(strings.READ_STORY_HEADING):
        st.markdown(strings.READ_STORY_ABOUT)
        if st.button(strings.READ_STORY, icon=":material/auto_stories:", key="read-story"):
            act(lambda: workbench().runs.start(branch, task))
        st.caption(words.estimate_sentence(estimate))


def run_of(now: Progress | None) -> Progress | None:
    """Return the newest run, if the story is or was read in it."""
    return now if now is not None and isinstance(now.run.task, ReadStory) else None


def watch(branch: str) -> None:
    """Show that the story is being read, until that is done."""

    def say(_progress: Progress) -> None:
        st.caption(strings.READING_STORY)

    panel.watch(branch, "write", say)


def _is_ready(status: BranchStatus) -> bool:
    is_direct = status.story.settings.is_direct
    return not is_direct and status.plotted == status.written >= _LEAST_CHAPTERS
