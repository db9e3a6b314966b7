"""Earlier versions of a chapter's text: to look at, and to take back."""

from __future__ import annotations

import streamlit as st

from pages.components import chapter_page
from pages.components.notices import act
from pages.components.services import workbench
from pages.components.wording import DRAFT_STATES, counted
from store.models.telling import Draft


def show(branch: str, chapter: int) -> None:
    """Show the versions of a chapter; an older one can be made the newest again."""
    versions = workbench().versions(branch, chapter)
    if not versions:
        st.caption("There is no text yet.")
        return
    by_number = {draft.version: draft for draft in versions}
    number = st.selectbox(
        "Version",
        list(by_number),
        format_func=lambda version: _label(by_number[version], versions[0]),
        key=f"version-{branch}-{chapter}-{versions[0].version}",
    )
    if number is None:
        return
    draft = by_number[number]
    if draft.version != versions[0].version and st.button(
        "Take this one back", icon=":material/history:", key=f"take-{draft.id}"
    ):
        act(
            lambda: workbench().save_text(branch, chapter, draft.text),
            done=f"Version {draft.version} is the text again; what stood there is kept.",
        )
    chapter_page.read(draft)


def _label(draft: Draft, newest: Draft) -> str:
    state = "now" if draft.version == newest.version else DRAFT_STATES[draft.state]
    words = counted(draft.words, "word", "words")
    return f"{draft.version} · {state} · {words} · {draft.created:%d %b, %H:%M}"
