"""The scoring rules of a story as a small file, to take away and to bring in."""

from __future__ import annotations

import streamlit as st

from pages.components.rules_form import change_rules
from pages.components.services import workbench

_TAKEN_IN = "rules file taken in"
_LARGEST = 1
"""Megabytes that a browser sends; how much of it can be rules is for the workbench to say."""


def show(story_id: str) -> None:
    """Show a button that downloads the rules, and a field for a file of rules."""
    st.download_button(
        "Download these rules",
        workbench().export_scoring_rules(story_id),
        file_name="scoring-rules.json",
        mime="application/json",
        icon=":material/download:",
        key="download-rules",
        on_click="ignore",
    )
    file = st.file_uploader(
        "Use the rules of a file in place of these",
        type="json",
        key=f"rules-file-{st.session_state.get(_TAKEN_IN, 0)}",
        max_upload_size=_LARGEST,
    )
    if file is not None:
        _take_in(story_id, file.getvalue())


def _take_in(story_id: str, content: bytes) -> None:
    """Take a file in once: the field that holds it makes way for an empty one."""
    st.session_state[_TAKEN_IN] = int(st.session_state.get(_TAKEN_IN, 0)) + 1
    change_rules(
        story_id,
        "The rules of the file are in use.",
        lambda story: workbench().import_scoring_rules(story, content),
    )
    st.rerun()
