"""Tellings: the story in other orders and forms, and what the reader of each knows."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.write.tellings import chapter, chosen, making, reader, strings
from pages.serving.services import workbench
from store.models.desk.telling import Telling

opened = frame.show_story(strings.TITLE, "tellings")
branch = opened.branch.id
st.title(strings.TITLE, anchor=False)
st.markdown(strings.ABOUT)
notices.show()


def look_at(telling: Telling) -> None:
    """Show the part of the page that the writer wants to see."""
    part = st.segmented_control(
        strings.PARTS_LABEL,
        list(strings.Part),
        default=strings.Part.CHAPTERS,
        format_func=lambda one: strings.PARTS[one],
        label_visibility="collapsed",
        key="part-of-tellings",
        persist_state="session",
    )
    match part:
        case strings.Part.READER:
            reader.knowledge(telling)
        case strings.Part.EVENTS:
            reader.events(branch)
        case _:
            chapter.show(opened, telling)


with frame.showing_errors():
    if not opened.status.plotted:
        frame.empty_state(strings.NOTHING, strings.NOTHING_ADVICE)
        if st.button(strings.GO_TO_PLOT, type="primary", icon=":material/account_tree:"):
            places.go("plot")
        st.stop()
    tellings = workbench().tellings.of(branch)
    making.offer(opened, is_first=not tellings)
    if tellings:
        shown = chosen.choose(branch, tellings)
        if chosen.show(opened, shown):
            look_at(shown)
    chosen.away(branch)
