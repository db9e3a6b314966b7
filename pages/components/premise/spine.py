"""The spine: where the story goes, which its author knows and none of its people do."""

from __future__ import annotations

import streamlit as st

from pages.components import words
from pages.components.fields.fields import Fields
from pages.components.premise import strings
from pages.components.premise.draft import PremiseDraft
from pages.components.words import prose
from pages.components.words.messages import said
from store.models.fields import shown_fields
from store.models.plot import Spine
from store.models.story import Story


def show(draft: PremiseDraft, spine: Spine) -> None:
    """Show the spine in fields that autosave, each marked *yours* or *invented*."""
    st.caption(strings.SPINE_ABOUT)
    with st.expander(strings.SPINE_FOLD, expanded=has_text(spine), key=f"{draft.key}-spine"):
        _fields(draft, spine)


def fold(story: Story, branch: str) -> None:
    """Show the spine, if there is one, folded, in fields that autosave."""
    draft = PremiseDraft(story, branch, configuration=None)
    spine = draft.snapshot().spine
    if has_text(spine):
        with st.expander(strings.SPINE, icon=":material/route:", key="spine"):
            st.caption(strings.SPINE_ABOUT)
            _fields(draft, spine)


def _fields(draft: PremiseDraft, spine: Spine) -> None:
    fields = Fields(draft, spine)
    for field in shown_fields(Spine):
        fields.text(field)


def read(spine: Spine) -> None:
    """Show, read-only, what there is of the spine."""
    for field, known in shown_fields(Spine).items():
        text = getattr(spine, field)
        if text:
            st.markdown(f"**{said(known.label)}**{words.mark(spine, field)}")
            st.markdown(prose(text))


def has_text(spine: Spine) -> bool:
    """Return whether the spine says anything yet."""
    return any(getattr(spine, field) for field in shown_fields(Spine))
