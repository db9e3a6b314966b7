"""Export: the story as files to take away."""

from __future__ import annotations

import streamlit as st

from pages.components import export_cards, frame, notices

opened = frame.show_story("Export", "export")
st.title("Export", anchor=False)
notices.show()

with frame.telling_errors():
    text, whole = st.columns(2, gap="medium")
    with text:
        export_cards.markdown(opened)
    with whole:
        export_cards.bundle(opened)
    export_cards.data(opened)
