"""The versions of a chapter's text: to read, and to restore."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import act
from pages.components.services import workbench
from pages.components.write import strings
from pages.components.write.streaming import shown
from store.models.telling import Draft


def show(branch: str, chapter: int) -> None:
    """Show the versions of a chapter, with a button that restores an older one."""
    versions = workbench().manuscript.versions(branch, chapter)
    if not versions:
        st.caption(strings.NO_VERSIONS)
        return
    by_number = {draft.version: draft for draft in versions}
    number = st.selectbox(
        strings.VERSION,
        list(by_number),
        format_func=lambda version: _label(by_number[version], versions[0]),
        key=f"version-{branch}-{chapter}-{versions[0].version}",
    )
    if number is None:
        return
    draft = by_number[number]
    if draft.version != versions[0].version and st.button(
        strings.RESTORE_VERSION, icon=":material/history:", key=f"take-{draft.id}"
    ):
        act(
            lambda: workbench().manuscript.save_text(branch, chapter, draft.text),
            done=strings.version_restored(draft.version),
        )
    _read(draft)


def _label(draft: Draft, newest: Draft) -> str:
    state = None if draft.version == newest.version else draft.state
    return strings.version_facts(draft.version, state, draft.words, draft.created)


def _read(draft: Draft) -> None:
    """Show a text to read."""
    with st.container(key=f"story-version-{draft.id}"):
        st.markdown(shown(draft, draft.text))
