"""Settings: which model writes, and how the open story is made."""

from __future__ import annotations

import streamlit as st

from pages.components import cost_table, frame, model_form, notices, places, story_settings_form
from pages.components.text import plain

opened = frame.show("Settings", "settings")
st.title("Settings", anchor=False)
notices.show()

with frame.telling_errors():
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Model", anchor=False)
        model_form.show()
    with right:
        st.header("This story", anchor=False)
        if opened is None:
            st.caption("Open a story to say where it asks you and how much it takes.")
        else:
            st.caption(f"These belong to “{plain(opened.title)}” and go with it.")
            story_settings_form.show(opened.story)
            places.link("rules", "Scoring rules", icon=":material/balance:")
            st.header("Cost", anchor=False)
            cost_table.show(opened.branch.id)
