"""A chapter's goals when the writer is asked about them: edit, pin, drop, and cast each one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from graph_flow.views import GoalView
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver
from pages.components.fields.editing import with_fields
from pages.components.fields.gate_buttons import Look, ask_again, decide, take_back
from pages.components.fields.keeping import show_problem
from pages.components.notices import act, attempt
from pages.components.plot import strings
from pages.components.words import plain, prose
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.base import new_id
from store.models.proposals import Goal
from store.models.run import Question

_HIGH = 320
"""Pixels of a chapter that has been told that are seen at a time."""


def edit(question: Question) -> None:
    """Show the goals to edit, pin, drop and add to, and the button that continues with them."""
    views = workbench().plot.goal_views(question.branch, question.chapter)
    players = workbench().plot.players(question.branch)
    st.markdown(strings.GOALS_HELP)
    for view in views:
        with st.container(border=True, key=f"goal-{view.goal.id}"):
            _goal(view, players)
    goals = [view.goal for view in views]
    _own(question, goals)
    with st.container(horizontal=True):
        decide(
            question,
            Look(strings.GOALS_APPROVE, "approve-goals"),
            # Whoever has typed a goal and goes on means it.
            before=lambda: _save_typed(question, goals),
        )
        ask_again(question, strings.GOALS_ASK_AGAIN, strings.ASK_AGAIN_PROMPT)
        take_back(
            question,
            strings.GOALS_BACK,
            lambda: workbench().plot.bring_back_goals(
                question.branch, question.chapter, question.round
            ),
        )


def _goal(view: GoalView, players: Mapping[str, str]) -> None:
    goal = view.goal
    if goal.is_dropped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":gray[{strings.goal_dropped(plain(goal.title))}]")
            if st.button(strings.GOAL_RESTORE, key=f"keep-{goal.id}", type="tertiary"):
                act(lambda: _change(goal, is_dropped=False))
        return
    autosave.text_box(
        Box(f"goal-title-{goal.id}", strings.GOAL_TITLE),
        goal.title,
        lambda text: _change(goal, title=text),
    )
    if goal.sketch:
        st.caption(strings.GOAL_TOLD)
        with st.container(height=_HIGH, key=f"goal-told-{goal.id}"):
            st.markdown(prose(goal.sketch.text))
    else:
        _text(goal)
    if view.parts:
        st.caption(strings.goal_parts(plain(" ".join(view.parts))))
    if not goal.sketch:
        left, right = st.columns(2)
        with left:
            _moves(view)
        with right:
            _people(goal, players)
    _buttons(goal)


def _text(goal: Goal) -> None:
    """Show what the goal is, to be edited."""
    autosave.text_box(
        Box(f"goal-text-{goal.id}", strings.GOAL_TEXT, height=80),
        goal.text,
        lambda text: _change(goal, text=text),
    )
    if goal.is_sketched:
        st.caption(strings.GOAL_SKETCHED)


def _moves(view: GoalView) -> None:
    """Show which thread or relationship the goal would advance."""
    goal = view.goal
    options: dict[str | None, str] = {None: strings.GOAL_MOVES_NOTHING}
    options.update({one: said(words) for one, words in view.targets.items()})
    autosave.choice_box(
        Box(f"goal-moves-{goal.id}", strings.GOAL_MOVES),
        options,
        goal.moves if goal.moves in options else None,
        lambda moved: _change(goal, moves=moved),
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
            lambda chosen: _change(goal, roles=tuple(chosen)),
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
            act(lambda: _change(goal, is_dropped=True))


def _change(goal: Goal, **values: object) -> None:
    workbench().plot.change_goal(goal.id, lambda now: with_fields(now, **values))


def _pin(goal: Goal) -> None:
    attempt(lambda: _change(goal, is_pinned=not goal.is_pinned))


class _Own(NamedTuple):
    """The keys of the fields for a goal of the writer's own, which wait until it is added."""

    title: str
    text: str


def _fields_of(question: Question) -> _Own:
    place = f"{question.branch}-{question.chapter}"
    return _Own(f"own-title-{place}", f"own-text-{place}")


def _is_typed(question: Question) -> bool:
    return any(str(st.session_state.get(key) or "").strip() for key in _fields_of(question))


def _own(question: Question, goals: Sequence[Goal]) -> None:
    own = _fields_of(question)
    with st.expander(strings.GOAL_NEW, icon=":material/add:", expanded=_is_typed(question)):
        autosave.session_text_box(Box(own.title, strings.GOAL_TITLE))
        autosave.session_text_box(Box(own.text, strings.GOAL_TEXT, height=80))
        st.button(
            strings.GOAL_ADD,
            key="add-goal",
            on_click=_add,
            args=(question, goals),
        )


def _save_typed(question: Question, goals: Sequence[Goal]) -> None:
    if _is_typed(question):
        _save_own(question, goals)


def _add(question: Question, goals: Sequence[Goal]) -> None:
    attempt(lambda: _save_own(question, goals))


def _save_own(question: Question, goals: Sequence[Goal]) -> None:
    own = _fields_of(question)
    title, text = (str(st.session_state.get(key) or "").strip() for key in own)
    workbench().plot.save_goal(
        Goal(
            id=new_id(),
            branch=question.branch,
            chapter=question.chapter,
            round=question.round,
            position=1 + max((goal.position for goal in goals), default=-1),
            title=title or text,
            text=text or title,
            parts=goals[0].parts if goals else (),
            is_by_writer=True,
        )
    )
    st.session_state[own.title] = st.session_state[own.text] = ""
