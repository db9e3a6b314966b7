"""The four steps of plotting a chapter, and the candidates as they grow, one column per goal."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from graph_flow.agents import AGENTS
from graph_flow.views import PlotStep
from pages.components.plot import cards, strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.proposals import Candidate, CandidateState, Turn
from store.models.run import Progress, Question
from store.models.story import Gate

STEPS: tuple[PlotStep, ...] = ("Goals", "Weave", "Score", "Choose")

_OF_GATE: Mapping[Gate, PlotStep] = {Gate.GOALS: "Goals", Gate.CANDIDATES: "Choose"}


def step_at(progress: Progress | None, question: Question | None) -> PlotStep | None:
    """Return the step that a chapter has reached; None if it cannot be known right now."""
    if question is not None:
        return _OF_GATE.get(question.gate)
    if progress is None:
        return None
    agents = [AGENTS[one.agent] for one in progress.activities if one.agent in AGENTS]
    steps = [agent.step for agent in agents if agent.step]
    return min(steps, key=STEPS.index) if steps else None


def show(now: PlotStep | None) -> None:
    """Show the four steps in a row, with the finished ones and the current one marked."""
    place = -1 if now is None else STEPS.index(now)
    words = []
    for position, step in enumerate(STEPS):
        label = strings.STEPS[step]
        if position == place:
            words.append(f":blue-badge[{label}]")
        else:
            words.append(f":gray[{':material/check: ' if position < place else ''}{label}]")
    st.markdown(" :gray[:material/chevron_right:] ".join(words))


_IN_A_ROW = 3


def show_weave(branch: str, chapter: int) -> None:
    """Show a chapter's newest goals, each with its candidate as far as it has grown."""
    goals = [goal for goal in workbench().plot.goals(branch, chapter) if not goal.is_dropped]
    if not goals:
        return
    by_goal = {
        one.goal: one for one in workbench().proposals.candidates(branch, chapter, goals[0].round)
    }
    for start in range(0, len(goals), _IN_A_ROW):
        row = goals[start : start + _IN_A_ROW]
        for column, goal in zip(st.columns(len(row)), row, strict=True):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(goal.title)}**")
                st.caption(plain(goal.text))
                if goal.id in by_goal:
                    _relay(by_goal[goal.id])


def _relay(candidate: Candidate) -> None:
    rounds = {turn.round for turn in candidate.turns}
    marked = 0
    for turn in candidate.turns:
        if len(rounds) > 1 and turn.round != marked:
            marked = turn.round
            st.markdown(f":gray[:small[{strings.relay_round(turn.round)}]]")
        _turn(turn)
    match candidate.state:
        case CandidateState.GIVEN_UP:
            st.caption(f":material/block: {strings.CANDIDATE_GIVEN_UP}")
        case CandidateState.PROPOSED:
            _finished(candidate)


def _finished(candidate: Candidate) -> None:
    """Offer a candidate that is finished to be read while others are woven."""
    folded = st.expander(
        strings.CANDIDATE_READ,
        icon=":material/menu_book:",
        key=f"read-{candidate.id}",
        on_change="rerun",
    )
    if not folded.open:
        return
    [view] = workbench().plot.cards(candidate.branch, candidate.chapter, [candidate])
    with folded:
        st.markdown(f"**{plain(candidate.title)}**")
        cards.show_warnings(view)
        cards.lines(view)


def _turn(turn: Turn) -> None:
    if turn.is_skipped:
        skipped = strings.turn_skipped(plain(turn.name), plain(said(turn.problem)))
        st.caption(f":material/person_off: {skipped}")
    else:
        st.markdown(f"**{plain(turn.name)}**  \n{plain(turn.text)}")
