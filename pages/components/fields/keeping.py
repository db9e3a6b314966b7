"""What became of something that was to be saved, and what the page and the browser say of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components import words as wording
from pages.components.fields import strings
from pages.components.fields.memory import memory_of
from pages.components.fields.unsaved import Outcome
from pages.components.words import plain
from pages.components.words.messages import said
from store.errors import LibraryUnavailable, StoreError


class Problem(NamedTuple):
    """Why something was not saved, in a writer's words."""

    words: str
    is_passing: bool = False
    """Whether the same may be saved later, as it is."""


def problem_in(save: Callable[[], object], *, is_text: bool) -> Problem | None:
    """Save something; return why that failed, or None if it did not.

    A text that the library cannot take for a while is saved later by itself.
    """
    try:
        save()
    except ValidationError as error:
        return Problem(wording.problem_of(error))
    except LibraryUnavailable as error:
        if is_text and error.is_passing:
            return Problem(strings.saved_later(error.reason), is_passing=True)
        return Problem(str(error))
    except (WorkbenchError, StoreError, ModelError) as error:
        return Problem(str(error))
    return None


def outcome_of(problem: Problem | None, *, is_lasting: bool = True) -> Outcome:
    """Return what the browser is told of a text: one that is not `is_lasting` ends with the window."""
    if problem is None:
        return "saved" if is_lasting else "held"
    return "later" if problem.is_passing else "held"


def show_problem(key: str) -> None:
    """Say why the value of a widget was not saved, if it was not."""
    if held := memory_of(key).held:
        warn_not_saved(held.problem)


def warn_not_saved(problem: str) -> None:
    """Say why something was not saved. Plain text."""
    st.warning(strings.not_saved(plain(said(problem))), icon=":material/edit_off:")
