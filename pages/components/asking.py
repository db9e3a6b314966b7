"""The one question that a page asks inline, beside what it is about; another one closes it."""

from __future__ import annotations

import streamlit as st

_ASKED = "question asked inline"


def is_asked(question: str, about: object) -> bool:
    """Return whether a question is being asked about something."""
    return st.session_state.get(_ASKED) == (question, str(about))


def subject(question: str) -> str | None:
    """Return what a question is being asked about; None if it is not."""
    asked = st.session_state.get(_ASKED)
    return str(asked[1]) if asked and asked[0] == question else None


def ask(question: str, about: object) -> None:
    """Ask a question about something, in place of the one that is asked."""
    st.session_state[_ASKED] = (question, str(about))


def put_away() -> None:
    """Ask nothing any more."""
    st.session_state.pop(_ASKED, None)
