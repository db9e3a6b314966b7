"""Asking an agent again, with a note that says what should be different."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import attempt
from pages.components.services import workbench
from store.models.run import Action, Decision, Question


def ask_again(question: Question, label: str, prompt: str) -> None:
    """Show a folded note with a button; the note stays until it was sent."""
    key = f"note-{question.id}"
    with st.popover(label, icon=":material/replay:"):
        st.text_area(prompt, key=key, height=100, persist_state="session", placeholder="Optional")
        if st.button(label, key=f"again-{question.id}"):
            note = str(st.session_state.get(key) or "").strip()
            attempt(lambda: workbench().decide(question, _again(note)))
            st.rerun()


def _again(note: str) -> Decision:
    return Decision(action=Action.ASK_AGAIN, note=note)
