"""Export: the story as files to download."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.library import export, strings

opened = frame.show_story(strings.EXPORT_TITLE, "export")
st.title(strings.EXPORT_TITLE, anchor=False)
notices.show()

with frame.showing_errors():
    text, whole = st.columns(2, gap="medium")
    with text:
        export.manuscript(opened)
    with whole:
        export.interactive(opened)
        export.whole_story(opened)
    export.data(opened)
    export.mystery(opened)
