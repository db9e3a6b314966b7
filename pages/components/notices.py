"""Messages that outlive the rerun they came from, and the one question a page asks inline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components import words as wording
from pages.components.words import plain
from pages.components.words.messages import said
from store.errors import StoreError

_KEPT = "notices"

Tone = Literal["done", "problem"]


def keep(tone: Tone, words: str) -> None:
    """Show a message, plain text, the next time the page runs."""
    st.session_state.setdefault(_KEPT, []).append((tone, words))


def show() -> None:
    """Show the kept messages once; call this under the title of every page."""
    for tone, words in st.session_state.pop(_KEPT, []):
        if tone == "done":
            st.toast(plain(words))
        else:
            st.warning(plain(words), icon=":material/info:")


def attempt(action: Callable[[], object]) -> bool:
    """Do what the writer asked for, or keep the reason it failed; return whether it was done."""
    try:
        action()
    except (WorkbenchError, StoreError, ModelError) as error:
        keep("problem", said(str(error)))
        return False
    except ValidationError as error:
        keep("problem", wording.problem_of(error))
        return False
    return True


def act(action: Callable[[], object], done: str = "") -> None:
    """Do what the writer asked for, then run the page again."""
    if attempt(action) and done:
        keep("done", done)
    st.rerun()


_ASKED = "question asked inline"


def is_asked(question: str, about: object) -> bool:
    """Return whether this question is being asked about this subject."""
    return st.session_state.get(_ASKED) == (question, str(about))


def subject(question: str) -> str | None:
    """Return what a question is being asked about; None if it is not being asked."""
    asked = st.session_state.get(_ASKED)
    return str(asked[1]) if asked and asked[0] == question else None


def ask(question: str, about: object) -> None:
    """Ask a question about something, in place of any other."""
    st.session_state[_ASKED] = (question, str(about))


def stop_asking() -> None:
    """Stop asking."""
    st.session_state.pop(_ASKED, None)
