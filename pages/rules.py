"""Scoring rules: how a chapter's candidates are compared, and what the writer's choices suggest."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.settings import past_choices
from pages.components.settings import rules as rules_form
from pages.components.words import plain

opened = frame.show_story("Scoring rules", "rules")
places.link("settings", "Settings", icon=":material/arrow_back:")
st.title("Scoring rules", anchor=False)
notices.show()

with frame.showing_errors():
    st.caption(
        f"A chapter’s candidates are compared by these rules. They belong to "
        f"“{plain(opened.title)}”; scores already given stay as they are."
    )
    rules_form.offer_way_back(opened.story.id)
    rules, choices = st.columns([3, 2], gap="large")
    with rules:
        st.header("What counts", anchor=False)
        rules_form.show(opened.story.id)
    with choices:
        st.header("Your choices", anchor=False)
        past_choices.show(opened.story.id)
        st.header("As a file", anchor=False)
        rules_form.show_exchange(opened.story.id)
