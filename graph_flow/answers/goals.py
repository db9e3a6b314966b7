"""Answers of stage 2: the paths that a chapter could take."""

from __future__ import annotations

from pydantic import BaseModel

from graph_flow.answers.names import list_of, narrowed
from graph_flow.answers.text import Sentence, Title


class GoalAnswer(BaseModel):
    """One path that a chapter could take."""

    title: Title
    goal: Sentence


class GoalsAnswer(BaseModel):
    """Clearly different paths for one chapter."""

    goals: list[GoalAnswer]


def goals_schema(count: int) -> type[GoalsAnswer]:
    """Return the answer with exactly `count` goals."""
    return narrowed(GoalsAnswer, goals=list_of(GoalAnswer, count, count))
