"""Settings: which model writes, and how the open story is made."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.library import setup
from pages.components.runs import cost
from pages.components.settings import agents, interface, model, prompts, site_model, story, strings
from pages.components.words import plain
from pages.serving.services import workbench

opened = frame.show(strings.TITLE, "settings")
st.title(strings.TITLE, anchor=False)
notices.show()

with frame.showing_errors():
    left, right = st.columns(2, gap="large")
    with left:
        st.header(strings.MODEL, anchor=False)
        of_site = workbench().models.of_site
        if of_site is not None:
            site_model.show(of_site)
        else:
            setup.explain_again()
            model.show()
            agents.show()
        st.header(strings.PROMPTS, anchor=False)
        prompts.show()
        st.header(strings.INTERFACE, anchor=False)
        interface.show()
    with right:
        st.header(strings.STORY, anchor=False)
        if opened is None:
            st.caption(strings.STORY_MISSING)
        else:
            st.caption(strings.settings_belong_to(plain(opened.title)))
            story.show(opened.story)
            places.link("rules", strings.RULES_TITLE, icon=":material/balance:")
            st.header(strings.COST, anchor=False)
            cost.show(opened.branch.id)
