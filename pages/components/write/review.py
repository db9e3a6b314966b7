"""What is remarked on a chapter, and what its revision has changed."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import act
from pages.components.words import plain
from pages.components.write import difference, strings
from pages.serving.services import workbench
from store.errors import NotFound
from store.models.manuscript import Draft, ReviewRemark


def show(branch: str, draft: Draft) -> None:
    """Show, folded, the remarks on a text, and what it has changed of the text before it."""
    if draft.remarks:
        with st.expander(strings.REVIEW_HEADING):
            _remarks(draft.remarks)
    if draft.revises is not None:
        _changes(branch, draft, draft.revises)


def _changes(branch: str, draft: Draft, revises: int) -> None:
    try:
        before = workbench().versions.get(branch, draft.chapter, revises)
    except NotFound:
        return
    with st.expander(strings.REVISION_HEADING):
        st.caption(strings.REVISION_ABOUT)
        _remarks(before.remarks)
        difference.show(f"revision-{draft.id}", before.text, draft.text)
        if st.button(strings.REFUSE_REVISION, icon=":material/undo:", key=f"refuse-{draft.id}"):
            act(
                lambda: workbench().manuscript.refuse_revision(branch, draft),
                done=strings.REVISION_REFUSED,
            )


def _remarks(remarks: tuple[ReviewRemark, ...]) -> None:
    for remark in remarks:
        st.markdown(plain(strings.remark_words(remark)))
