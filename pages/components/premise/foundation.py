"""The foundation of a story: title, world, the condition that ends it, themes, tone."""

from __future__ import annotations

import streamlit as st

from pages.components import words
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.fields import text_field, with_lock
from pages.components.premise import strings
from pages.components.premise.draft import PremiseDraft
from pages.components.words import plain, prose
from pages.components.words.messages import said
from store.models.fields import shown_fields
from store.models.plot import Foundation
from store.models.prototype import FOUNDATION_ID, Snapshot


def show(draft: PremiseDraft, foundation: Foundation) -> None:
    """Show the foundation in fields that autosave, each marked *yours* or *invented*."""
    title(draft)
    for field in shown_fields(Foundation):
        _field(draft, foundation, field)


def title(draft: PremiseDraft) -> None:
    """Show the title in a field that autosaves."""
    autosave.text_box(Box(f"{draft.key}-title", strings.STORY_TITLE), draft.title, draft.save_title)


def read(title: str, snapshot: Snapshot) -> None:
    """Show, read-only, what there is of the foundation."""
    foundation = snapshot.foundation
    if title:
        st.subheader(plain(title), anchor=False)
    for field, known in shown_fields(Foundation).items():
        text = getattr(foundation, field)
        if text:
            st.markdown(f"**{said(known.label)}**{words.mark(foundation, field)}")
            st.markdown(prose(text))


def _field(draft: PremiseDraft, foundation: Foundation, field: str) -> None:
    with with_lock(
        foundation,
        field,
        lambda locked: draft.change(FOUNDATION_ID, locked=locked),
        key=f"{draft.key}-lock",
    ):
        autosave.text_box(
            text_field(foundation, field, f"{draft.key}-{field}", words.mark(foundation, field)),
            getattr(foundation, field),
            lambda text: draft.change(FOUNDATION_ID, **{field: text}),
        )
