"""History: the chapters and edits of the open branch, and the branches of the story."""

from __future__ import annotations

import streamlit as st

from pages.components import frame, notices

opened = frame.show_story("History", "history")
st.title("History", anchor=False)
notices.show()
