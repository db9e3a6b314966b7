"""Scoring rules: how a chapter's candidates are compared, and what the writer's choices suggest."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.settings import past_choices, strings
from pages.components.settings import rules as rules_form
from pages.components.words import plain

opened = frame.show_story(strings.RULES_TITLE, "rules")
places.link("settings", strings.TITLE, icon=":material/arrow_back:")
st.title(strings.RULES_TITLE, anchor=False)
notices.show()

with frame.showing_errors():
    st.caption(strings.rules_belong_to(plain(opened.title)))
    rules_form.offer_way_back(opened.story.id)
    rules, choices = st.columns([3, 2], gap="large")
    with rules:
        st.header(strings.RULES, anchor=False)
        rules_form.show(opened.story.id)
    with choices:
        st.header(strings.CHOICES, anchor=False)
        past_choices.show(opened.story.id)
        st.header(strings.RULES_FILE, anchor=False)
        rules_form.show_exchange(opened.story.id)
