"""Graphs: pictures of the story as of any chapter, with the details behind them."""

from __future__ import annotations

import streamlit as st

from pages.components import places
from pages.components.frame import frame
from pages.components.graphs import navigation, strings
from pages.components.graphs import view as graph_view

opened = frame.show_story(strings.PAGE_TITLE, "graphs")
heading = st.container(
    horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
)
heading.title(strings.PAGE_TITLE, anchor=False, width="content")

if not opened.status.is_founded:
    frame.send_to_premise(strings.NOBODY, strings.NOBODY_ADVICE)
    st.stop()

if asked := places.asked_for():
    navigation.go_to(opened, asked)
    st.rerun()

with frame.showing_errors():
    with heading:
        view = navigation.choose_view(opened)
    graph_view.show(view, opened)
