"""Whose prompts and answers the library keeps, and what they take."""

from __future__ import annotations

import streamlit as st

from pages.components.fields.autosave import Box, choice_box
from pages.components.settings import strings
from pages.serving.services import workbench

_ALL = "all"
_OFFERED = (100, 20, 5)
"""Numbers of chapters that can be chosen."""


def show() -> None:
    """Show what is kept, and a choice of how much that is to be."""
    prompts = workbench().prompts
    present = prompts.keeping.chapters
    offered = sorted({*_OFFERED, *([present] if present else [])}, reverse=True)
    options = {_ALL: strings.PROMPTS_ALL} | {str(one): strings.prompts_of(one) for one in offered}

    def save(chosen: str) -> None:
        prompts.keep(None if chosen == _ALL else int(chosen))

    box = Box("keep-prompts", strings.PROMPTS_KEEP)
    choice_box(box, options, _ALL if present is None else str(present), save)
    kept = prompts.kept()
    st.caption(f"{strings.prompts_kept(kept.calls, kept.bytes)} {strings.PROMPTS_ABOUT}")
