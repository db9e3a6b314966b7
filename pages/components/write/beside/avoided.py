"""Words that the writer wants to avoid, and that stand in the text anyway."""

from __future__ import annotations

import streamlit as st

from graph_flow.prompting.style import avoided, found_in
from pages.components.words import plain
from pages.components.write.beside import strings
from store.models.story import StorySettings

_LISTED = 12


def show(text: str, settings: StorySettings) -> None:
    """Show which of them stand in a text, and how often; nothing if none do."""
    found = found_in(text, avoided(settings))
    if not found:
        return
    listed = [strings.avoided_word(plain(one), n) for one, n in list(found.items())[:_LISTED]]
    st.caption(strings.avoided_words(listed, len(found) - len(listed)))
