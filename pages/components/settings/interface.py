"""How the pages are shown: their language."""

from __future__ import annotations

import streamlit as st

from pages.components.fields.autosave import Box, choice_box
from pages.components.settings import strings
from pages.components.words.speaking import Language, speak, spoken


def show() -> None:
    """Show the language of the pages, with a choice of others."""
    names = {language: language.spec.name for language in Language}
    choice_box(Box("interface-language", strings.LANGUAGE), names, spoken(), speak)
    st.caption(strings.LANGUAGE_ABOUT)
