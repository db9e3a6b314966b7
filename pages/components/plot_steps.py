"""The four steps to a chapter, and where a run is among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import streamlit as st

from store.models.run import Progress, Question
from store.models.story import Gate

Step = Literal["Goals", "Weave", "Score", "Choose"]

STEPS: tuple[Step, ...] = ("Goals", "Weave", "Score", "Choose")

_OF_GATE: Mapping[Gate, Step] = {Gate.GOALS: "Goals", Gate.CANDIDATES: "Choose"}
_OF_AGENT: Mapping[str, Step] = {
    "goals": "Goals",
    "role": "Weave",
    "scorer": "Score",
}


def step_at(progress: Progress | None, question: Question | None) -> Step | None:
    """Return the step at which a chapter is; None where that cannot be told at this moment."""
    if question is not None:
        return _OF_GATE.get(question.gate)
    if progress is None:
        return None
    steps = [_OF_AGENT[one.agent] for one in progress.activities if one.agent in _OF_AGENT]
    return min(steps, key=STEPS.index) if steps else None


def show(now: Step | None) -> None:
    """Show the four steps in a line, those that are done and the present one marked."""
    place = -1 if now is None else STEPS.index(now)
    words = []
    for position, step in enumerate(STEPS):
        if position == place:
            words.append(f":blue-badge[{step}]")
        else:
            words.append(f":gray[{'✓ ' if position < place else ''}{step}]")
    st.markdown(" → ".join(words))
