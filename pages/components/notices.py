"""Messages that outlive the rerun they came from: what was done, and what could not be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components.editing import problem_of
from pages.components.text import plain
from store.errors import StoreError

_KEPT = "notices"

Tone = Literal["done", "problem"]


def keep(tone: Tone, words: str) -> None:
    """Show a message, plain text, the next time the page runs."""
    st.session_state.setdefault(_KEPT, []).append((tone, words))


def show() -> None:
    """Show the messages that were kept, once; call it under the title of every page."""
    for tone, words in st.session_state.pop(_KEPT, []):
        if tone == "done":
            st.toast(plain(words))
        else:
            st.warning(plain(words), icon=":material/info:")


def attempt(action: Callable[[], object]) -> bool:
    """Do what the writer asked for; where it cannot be done keep the reason. Returns whether it was."""
    try:
        action()
    except (WorkbenchError, StoreError, ModelError) as error:
        keep("problem", str(error))
        return False
    except ValidationError as error:
        keep("problem", problem_of(error))
        return False
    return True


def act(action: Callable[[], object], done: str = "") -> None:
    """Do what the writer asked for, then show the page as it stands now."""
    if attempt(action) and done:
        keep("done", done)
    st.rerun()
