"""What the reviewer says of a chapter, and what the revision after it has changed."""

from __future__ import annotations

from difflib import SequenceMatcher

import streamlit as st

from pages.components.notices import act
from pages.components.services import workbench
from pages.components.words import plain
from pages.components.write import strings
from store.models.telling import Draft, ReviewRemark


def show(branch: str, draft: Draft) -> None:
    """Show, folded, the remarks on a text or, if they have changed it, what they changed."""
    if draft.revises is None:
        if draft.remarks:
            with st.expander(strings.REVIEW_HEADING):
                _remarks(draft.remarks)
        return
    versions = workbench().manuscript.versions(branch, draft.chapter)
    before = next((one for one in versions if one.version == draft.revises), None)
    if before is None:
        return
    with st.expander(strings.REVISION_HEADING):
        st.caption(strings.REVISION_ABOUT)
        _remarks(before.remarks)
        for old, new in changed_passages(before.text, draft.text):
            left, right = st.columns(2)
            left.caption(strings.REVISION_BEFORE)
            left.markdown(plain(old) or strings.NOTHING_THERE)
            right.caption(strings.REVISION_NOW)
            right.markdown(plain(new) or strings.NOTHING_THERE)
        if st.button(strings.REFUSE_REVISION, icon=":material/undo:", key=f"refuse-{draft.id}"):
            act(
                lambda: workbench().manuscript.refuse_revision(branch, draft),
                done=strings.REVISION_REFUSED,
            )


def changed_passages(before: str, after: str) -> list[tuple[str, str]]:
    """Return the paragraphs in which two texts differ, as they were and as they are."""
    old, new = before.split("\n\n"), after.split("\n\n")
    return [
        ("\n\n".join(old[first:last]), "\n\n".join(new[start:end]))
        for tag, first, last, start, end in SequenceMatcher(
            a=old, b=new, autojunk=False
        ).get_opcodes()
        if tag != "equal"
    ]


def _remarks(remarks: tuple[ReviewRemark, ...]) -> None:
    for remark in remarks:
        st.markdown(plain(strings.remark_words(remark)))
