"""History: the chapters and edits of the open branch, and the branches of the story."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.history import begin, branches, merge, stale, steps
from pages.components.services import workbench

opened = frame.show_story("History", "history")
st.title("History", anchor=False)
notices.show()

if not opened.status.is_founded:
    frame.empty_state(
        "The story has no history yet", "It begins when you approve the cast and the foundation."
    )
    if st.button("Go to the premise", type="primary", icon=":material/lightbulb:"):
        places.go("premise")
    st.stop()

with frame.showing_errors():
    history = workbench().branches.steps(opened.branch.id)
    steps.undo_and_redo(opened, history)
    merge.show(opened)
    done, lines = st.columns([3, 2], gap="large")
    with done:
        stale.show(opened)
        st.header("What was done", anchor=False)
        steps.show(opened, history)
    with lines:
        branches.show(opened)
        st.header("Start from a chapter", anchor=False)
        begin.any_chapter(opened)
