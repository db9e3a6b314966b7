"""The weave as it happens: a column a goal, filling with what each person does, in their words."""

from __future__ import annotations

import streamlit as st

from pages.components.services import workbench
from pages.components.text import plain
from store.models.proposals import Candidate, CandidateState, Turn

_IN_A_ROW = 3


def show(branch: str, chapter: int) -> None:
    """Show the goals of a chapter's newest round, and under each what was woven from it so far."""
    goals = [goal for goal in workbench().goals(branch, chapter) if not goal.is_dropped]
    if not goals:
        return
    woven = {one.goal: one for one in workbench().woven(branch, chapter, goals[0].round)}
    for start in range(0, len(goals), _IN_A_ROW):
        row = goals[start : start + _IN_A_ROW]
        for column, goal in zip(st.columns(len(row)), row, strict=True):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(goal.title)}**")
                st.caption(plain(goal.text))
                if goal.id in woven:
                    _relay(woven[goal.id])


def _relay(candidate: Candidate) -> None:
    rounds = {turn.round for turn in candidate.turns}
    marked = 0
    for turn in candidate.turns:
        if len(rounds) > 1 and turn.round != marked:
            marked = turn.round
            st.markdown(f":gray[:small[Round {turn.round}]]")
        _turn(turn)
    if candidate.state is CandidateState.GIVEN_UP:
        st.caption(":material/block: Too few gave an answer, so this one cannot be finished.")


def _turn(turn: Turn) -> None:
    if turn.is_skipped:
        why = plain(turn.problem) or "No answer that could be used\\."
        st.caption(f":material/person_off: **{plain(turn.name)}** was left out\\. {why}")
    else:
        st.markdown(f"**{plain(turn.name)}**  \n{plain(turn.text)}")
