"""What an answer proposes, line by line: the writer takes it or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from pages.components.notices import act
from pages.components.runs.talk import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.desk.talk import ProposalState, ProposedChange, ProposedGoal, TalkTurn


def is_open(turn: TalkTurn) -> bool:
    """Return whether an answer proposes something that the writer has not decided on."""
    return any(one is not None and one.state is ProposalState.OPEN for one in _all(turn))


def show(turn: TalkTurn, *, is_newest: bool) -> None:
    """Show what an answer proposes; of the newest, the first thing is what to press."""
    is_first = is_newest
    if turn.change is not None:
        _change(turn, turn.change, is_primary=is_first)
        is_first = is_first and turn.change.state is not ProposalState.OPEN
    if turn.goal is not None:
        _goal(turn, turn.goal, is_primary=is_first)


def _all(turn: TalkTurn) -> tuple[ProposedChange | ProposedGoal | None, ...]:
    return turn.change, turn.goal


def _change(turn: TalkTurn, change: ProposedChange, *, is_primary: bool) -> None:
    with st.container(border=True, gap="small", key=f"change-{turn.id}"):
        st.markdown(f"**{strings.CHANGE}**")
        for line in workbench().talk.lines(change, turn.branch):
            st.markdown(f"{plain(line.mark)} {plain(said(line.text))}")
        if change.state is not ProposalState.OPEN:
            _decided(change.state, strings.CHANGE_TAKEN)
            return
        _buttons(
            turn,
            strings.TAKE_CHANGE,
            lambda: act(lambda: workbench().talk.take_change(turn.id), strings.CHANGED),
            lambda: act(lambda: workbench().talk.refuse_change(turn.id)),
            is_primary=is_primary,
        )


def _goal(turn: TalkTurn, goal: ProposedGoal, *, is_primary: bool) -> None:
    with st.container(border=True, gap="small", key=f"goal-{turn.id}"):
        st.markdown(f"**{strings.GOAL}**")
        title = "" if goal.text.startswith(goal.title) else f"**{plain(goal.title)}** · "
        st.markdown(f"{title}{plain(goal.text)}")
        if goal.state is not ProposalState.OPEN:
            _decided(goal.state, strings.GOAL_TAKEN)
            return
        _buttons(
            turn,
            strings.TAKE_GOAL,
            lambda: act(lambda: workbench().talk.take_goal(turn.id), strings.GOAL_ADDED),
            lambda: act(lambda: workbench().talk.refuse_goal(turn.id)),
            is_primary=is_primary,
        )


def _decided(state: ProposalState, taken: str) -> None:
    st.caption(taken if state is ProposalState.TAKEN else strings.REFUSED)


def _buttons(
    turn: TalkTurn,
    take: str,
    on_take: Callable[[], None],
    on_refuse: Callable[[], None],
    *,
    is_primary: bool,
) -> None:
    with st.container(horizontal=True, key=f"{take}-{turn.id}"):
        look: Literal["primary", "secondary"] = "primary" if is_primary else "secondary"
        if st.button(take, key=f"take-{take}-{turn.id}", type=look, icon=":material/check:"):
            on_take()
        if st.button(strings.REFUSE, key=f"refuse-{take}-{turn.id}"):
            on_refuse()
