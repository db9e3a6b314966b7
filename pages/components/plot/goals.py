"""A chapter's goals when the writer is asked about them: edit, pin, drop, and cast each one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from graph_flow.views import GoalView
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver, show_problem
from pages.components.fields.editing import with_fields
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.notices import act, attempt
from pages.components.plot import strings
from pages.components.services import workbench
from pages.components.words import plain
from store.models.base import new_id
from store.models.proposals import Goal
from store.models.run import Question


def edit(question: Question) -> None:
    """Show the goals to edit, pin, drop and add to, and the button that continues with them."""
    views = workbench().plot.goal_views(question.branch, question.chapter)
    players = workbench().plot.players(question.branch)
    st.markdown(strings.GOALS_HELP)
    for view in views:
        with st.container(border=True, key=f"goal-{view.goal.id}"):
            _goal(view, players)
    _own(question, [view.goal for view in views])
    with st.container(horizontal=True):
        decide(question, Look(strings.GOALS_APPROVE, "approve-goals"))
        ask_again(question, strings.GOALS_ASK_AGAIN, strings.ASK_AGAIN_PROMPT)


def _goal(view: GoalView, players: Mapping[str, str]) -> None:
    goal = view.goal
    if goal.is_dropped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":gray[{strings.goal_dropped(plain(goal.title))}]")
            if st.button(strings.GOAL_RESTORE, key=f"keep-{goal.id}", type="tertiary"):
                act(lambda: workbench().plot.save_goal(with_fields(goal, is_dropped=False)))
        return
    autosave.text_box(
        Box(f"goal-title-{goal.id}", strings.GOAL_TITLE),
        goal.title,
        lambda text: workbench().plot.save_goal(with_fields(goal, title=text)),
    )
    autosave.text_box(
        Box(f"goal-text-{goal.id}", strings.GOAL_TEXT, height=80),
        goal.text,
        lambda text: workbench().plot.save_goal(with_fields(goal, text=text)),
    )
    if view.parts:
        st.caption(strings.goal_parts(plain(" ".join(view.parts))))
    left, right = st.columns(2)
    with left:
        _moves(view)
    with right:
        _people(goal, players)
    _buttons(goal)


def _moves(view: GoalView) -> None:
    """Show which thread or relationship the goal would advance."""
    goal = view.goal
    options: dict[str | None, str] = {None: strings.GOAL_MOVES_NOTHING}
    options.update(view.targets)
    autosave.choice_box(
        Box(f"goal-moves-{goal.id}", strings.GOAL_MOVES),
        options,
        goal.moves if goal.moves in options else None,
        lambda moved: workbench().plot.save_goal(with_fields(goal, moves=moved)),
    )


def _people(goal: Goal, players: Mapping[str, str]) -> None:
    """Show who takes part, in the order in which they act."""
    key = f"goal-roles-{goal.id}"
    bound = bind(key, [role for role in goal.roles if role in players])
    st.multiselect(
        strings.GOAL_ROLES,
        list(players),
        default=bound.value,
        format_func=lambda person: players.get(person, "?"),
        key=bound.key,
        placeholder=strings.GOAL_ROLES_ANYONE,
        on_change=saver(
            key,
            bound,
            lambda chosen: workbench().plot.save_goal(with_fields(goal, roles=tuple(chosen))),
        ),
    )
    show_problem(key)


def _buttons(goal: Goal) -> None:
    with st.container(horizontal=True):
        pinned = goal.is_pinned
        st.button(
            strings.GOAL_PINNED if pinned else strings.GOAL_PIN,
            key=f"pin-{goal.id}",
            type="tertiary",
            icon=":material/keep:" if pinned else ":material/keep_off:",
            help=strings.GOAL_PINNED_HELP if pinned else strings.GOAL_PIN_HELP,
            on_click=_pin,
            args=(goal,),
        )
        if st.button(
            strings.GOAL_DROP, key=f"drop-{goal.id}", type="tertiary", icon=":material/close:"
        ):
            act(lambda: workbench().plot.save_goal(with_fields(goal, is_dropped=True)))


def _pin(goal: Goal) -> None:
    attempt(lambda: workbench().plot.save_goal(with_fields(goal, is_pinned=not goal.is_pinned)))


def _own(question: Question, goals: Sequence[Goal]) -> None:
    title, text = f"own-title-{question.id}", f"own-text-{question.id}"
    with st.expander(strings.GOAL_NEW, icon=":material/add:"):
        st.text_input(strings.GOAL_TITLE, key=title, persist_state="session")
        st.text_area(strings.GOAL_TEXT, key=text, height=80, persist_state="session")
        st.button(
            strings.GOAL_ADD, key="add-goal", on_click=_add, args=(question, goals, title, text)
        )


def _add(question: Question, goals: Sequence[Goal], title: str, text: str) -> None:
    def save() -> None:
        workbench().plot.save_goal(
            Goal(
                id=new_id(),
                branch=question.branch,
                chapter=question.chapter,
                round=question.round,
                position=len(goals),
                title=st.session_state[title],
                text=st.session_state[text],
                parts=goals[0].parts if goals else (),
                is_by_writer=True,
            )
        )

    if attempt(save):
        st.session_state[title] = st.session_state[text] = ""
