"""A small control, at the foot of every page's sidebar, for the language of the pages."""

from __future__ import annotations

import streamlit as st

from pages.components.frame import strings
from pages.components.notices import attempt
from pages.components.words.speaking import Language, speak, spoken


def show() -> None:
    """Offer the languages of the pages, each by its own name for itself."""
    now = spoken()
    with (
        st.container(key="language"),
        st.popover(
            now.spec.name,
            icon=":material/language:",
            type="tertiary",
            help=strings.LANGUAGE,
            key=f"languages-{now.value}",  # another one is closed
        ),
    ):
        for language in Language:
            st.button(
                language.spec.name,
                key=f"language-{language.value}",
                icon=":material/check:" if language is now else None,
                type="tertiary",
                on_click=turn_to,
                args=(language,),
            )


def turn_to(language: Language) -> None:
    """Show the pages in a language from now on; say so if that cannot be kept."""
    attempt(lambda: speak(language))
