"""The weave as it happens: a column a goal, filling with what each person does."""

from __future__ import annotations

import streamlit as st

from pages.components.services import workbench
from pages.components.text import plain
from store.models.proposals import Candidate


def show(branch: str, chapter: int) -> None:
    """Show the goals of a chapter's newest round, and under each what was woven from it so far."""
    goals = [goal for goal in workbench().goals(branch, chapter) if not goal.is_dropped]
    if not goals:
        return
    woven = {
        view.goal.id: view.candidate
        for view in workbench().candidates(branch, chapter)
        if view.candidate.round == goals[0].round
    }
    for column, goal in zip(st.columns(len(goals)), goals, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{plain(goal.title)}**")
            st.caption(plain(goal.text))
            if goal.id in woven:
                _turns(woven[goal.id])


def _turns(candidate: Candidate) -> None:
    for turn in candidate.turns:
        if turn.is_skipped:
            st.markdown(f":gray[{plain(turn.name)} had nothing to add.]")
        else:
            st.markdown(f"**{plain(turn.name)}**  \n{plain(turn.text)}")
