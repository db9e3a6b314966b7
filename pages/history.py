"""History: the chapters and edits of the open branch, and the branches of the story."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.history import begin, branches, merge, stale, steps, strings
from pages.serving.services import workbench

opened = frame.show_story(strings.TITLE, "history")
st.title(strings.TITLE, anchor=False)
notices.show()

if not opened.status.is_founded:
    frame.send_to_premise(strings.NOT_BEGUN, strings.NOT_BEGUN_ADVICE)
    st.stop()

with frame.showing_errors():
    history = workbench().branches.steps(opened.branch.id)
    steps.undo_and_redo(opened, history)
    merge.show(opened)
    done, lines = st.columns([3, 2], gap="large")
    with done:
        stale.show(opened)
        st.header(strings.STEPS, anchor=False)
        steps.show(opened, history)
    with lines:
        branches.show(opened)
        st.header(strings.START, anchor=False)
        begin.any_chapter(opened)
