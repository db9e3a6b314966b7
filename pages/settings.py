"""Settings: which model writes, and how the open story is made."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.runs import cost
from pages.components.settings import agents, model, story
from pages.components.words import plain

opened = frame.show("Settings", "settings")
st.title("Settings", anchor=False)
notices.show()

with frame.showing_errors():
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Model", anchor=False)
        model.show()
        agents.show()
    with right:
        st.header("This story", anchor=False)
        if opened is None:
            st.caption("Open a story to set when it asks you and how long it gets.")
        else:
            st.caption(f"These settings belong to “{plain(opened.title)}”.")
            story.show(opened.story)
            places.link("rules", "Scoring rules", icon=":material/balance:")
            st.header("Cost", anchor=False)
            cost.show(opened.branch.id)
