"""The buttons that answer a gate.

They answer in a callback: if another window was faster, the page that runs after the click no
longer has the button, and the click would otherwise be lost silently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from pages.components.fields import autosave, strings
from pages.components.fields.autosave import Box
from pages.components.notices import attempt
from pages.serving.services import workbench
from store.models.run import Action, Decision, Question


class Look(NamedTuple):
    """How a button that approves or chooses looks. `label` is Markdown."""

    label: str
    key: str
    icon: str = ":material/check:"
    is_primary: bool = True


def decide(
    question: Question,
    look: Look,
    choice: str | None = None,
    then: Callable[[], None] | None = None,
    before: Callable[[], object] | None = None,
) -> None:
    """Show a button that approves, with `choice` if given; call `then` on success.

    `before` is done first; if it fails, nothing is approved.
    """
    st.button(
        look.label,
        key=look.key,
        icon=look.icon,
        type="primary" if look.is_primary else "secondary",
        on_click=_answer,
        args=(question, Decision(choice=choice), then, before),
    )


def ask_again(question: Question, label: str, prompt: str) -> None:
    """Show a folded note with a button; the note stays until it is sent."""
    key = f"note-{question.id}"
    with st.popover(label, icon=":material/replay:"):
        autosave.session_text_box(Box(key, prompt, height=100, placeholder=strings.NOTE_OPTIONAL))
        st.button(label, key=f"again-{question.id}", on_click=_ask_again, args=(question, key))


def _ask_again(question: Question, key: str) -> None:
    note = str(st.session_state.get(key) or "").strip()
    attempt(
        lambda: workbench().runs.decide(question, Decision(action=Action.ASK_AGAIN, note=note)),
    )


def choose_again(question: Question, label: str, choice: str) -> None:
    """Show a button that asks again, for what is chosen."""
    st.button(
        label,
        key=f"again-{question.id}-{choice}",
        icon=":material/replay:",
        on_click=_answer,
        args=(question, Decision(action=Action.ASK_AGAIN, choice=choice), None, None),
    )


def take_back(question: Question, label: str, act: Callable[[], object]) -> None:
    """Show a button that brings back what there was before the writer asked again, if they did."""
    if question.round > 1:
        st.button(
            label,
            key=f"back-{question.id}",
            icon=":material/undo:",
            type="tertiary",
            on_click=_do,
            args=(act,),
        )


def _do(act: Callable[[], object]) -> None:
    attempt(act)


def _answer(
    question: Question,
    decision: Decision,
    then: Callable[[], None] | None,
    before: Callable[[], object] | None,
) -> None:
    if before is not None and not attempt(before):
        return
    if attempt(lambda: workbench().runs.decide(question, decision)) and then is not None:
        then()
