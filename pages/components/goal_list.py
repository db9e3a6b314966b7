"""A chapter's goals: to read while they are woven, to edit where the writer is asked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components import autosave
from pages.components.autosave import Box
from pages.components.editing import with_fields
from pages.components.gate_buttons import Look, ask_again, decide
from pages.components.notices import act, attempt
from pages.components.services import workbench
from pages.components.text import plain
from store.models.proposals import Goal
from store.models.run import Question


def edit(question: Question) -> None:
    """Show the goals to edit, drop and add to, and go on with what is left."""
    goals = workbench().goals(question.branch, question.chapter)
    st.markdown(
        "Each of these leads to a candidate for the chapter. Edit, drop or add as you like."
    )
    for goal in goals:
        with st.container(border=True, key=f"goal-{goal.id}"):
            _goal(goal)
    _own(question, goals)
    with st.container(horizontal=True):
        decide(question, Look("Weave these", "approve-goals"))
        ask_again(question, "Ask for other goals", "What should be different?")


def _goal(goal: Goal) -> None:
    if goal.is_dropped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":gray[Dropped: {plain(goal.title)}]")
            if st.button("Take it back", key=f"keep-{goal.id}", type="tertiary"):
                act(lambda: workbench().save_goal(with_fields(goal, is_dropped=False)))
        return
    autosave.text_box(
        Box(f"goal-title-{goal.id}", "Title"),
        goal.title,
        lambda text: workbench().save_goal(with_fields(goal, title=text)),
    )
    autosave.text_box(
        Box(f"goal-text-{goal.id}", "Where this chapter would go", height=80),
        goal.text,
        lambda text: workbench().save_goal(with_fields(goal, text=text)),
    )
    if st.button("Drop", key=f"drop-{goal.id}", type="tertiary", icon=":material/close:"):
        act(lambda: workbench().save_goal(with_fields(goal, is_dropped=True)))


def _own(question: Question, goals: Sequence[Goal]) -> None:
    title, text = f"own-title-{question.id}", f"own-text-{question.id}"
    with st.expander("Add a goal of your own", icon=":material/add:"):
        st.text_input("Title", key=title, persist_state="session")
        st.text_area("Where this chapter would go", key=text, height=80, persist_state="session")
        st.button("Add", key="add-goal", on_click=_add, args=(question, goals, title, text))


def _add(question: Question, goals: Sequence[Goal], title: str, text: str) -> None:
    def save() -> None:
        workbench().save_goal(
            Goal(
                id=workbench().new_entity_id(),
                branch=question.branch,
                chapter=question.chapter,
                round=question.round,
                position=len(goals),
                title=st.session_state[title],
                text=st.session_state[text],
                is_by_writer=True,
            )
        )

    if attempt(save):
        st.session_state[title] = st.session_state[text] = ""
