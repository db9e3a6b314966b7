"""History: the chapters and edits of the open branch, and the branches of the story."""

from __future__ import annotations

import streamlit as st

from pages.components import (
    branch_tree,
    chapter_start,
    frame,
    merge_panel,
    notices,
    places,
    stale_notes,
    step_list,
)
from pages.components.services import workbench

opened = frame.show_story("History", "history")
st.title("History", anchor=False)
notices.show()

if not opened.desk.is_founded:
    frame.empty_state(
        "The story has no history yet", "It begins when you approve the cast and the ground."
    )
    if st.button("Go to the premise", type="primary", icon=":material/lightbulb:"):
        places.go("premise")
    st.stop()

with frame.telling_errors():
    history = workbench().steps(opened.branch.id)
    step_list.undo_and_redo(opened, history)
    merge_panel.show(opened)
    done, lines = st.columns([3, 2], gap="large")
    with done:
        stale_notes.show(opened)
        st.header("What was done", anchor=False)
        step_list.show(opened, history)
    with lines:
        branch_tree.show(opened)
        st.header("Begin at a chapter", anchor=False)
        chapter_start.any_chapter(opened)
