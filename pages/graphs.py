"""Graphs: pictures of the story as of any chapter, with the details behind them."""

from __future__ import annotations

import streamlit as st

from pages.components import places
from pages.components.frame import frame
from pages.components.graphs import navigation
from pages.components.graphs import view as graph_view

opened = frame.show_story("Graphs", "graphs")
heading = st.container(
    horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
)
heading.title("Graphs", anchor=False, width="content")

if not opened.status.is_founded:
    frame.empty_state(
        "There is nobody to draw yet",
        "The pictures begin with the cast: say what the story is about, then approve its cast.",
    )
    if st.button("Go to the premise", type="primary"):
        places.go("premise")
    st.stop()

with frame.showing_errors():
    with heading:
        view = navigation.choose_view(opened)
    graph_view.show(view, opened)
