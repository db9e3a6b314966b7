"""Answers of stage 2: the paths that a chapter could take."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graph_flow.answers.names import NOTHING, list_of, narrowed, one_of_or_nothing, reduced
from graph_flow.answers.text import Path, Title


class GoalAnswer(BaseModel):
    """One path that a chapter could take, and the thread or relationship that it would move."""

    title: Title
    goal: Path
    moves: str = NOTHING
    """Only asked where there is something to move."""


class GoalsAnswer(BaseModel):
    """Clearly different paths for one chapter."""

    goals: list[GoalAnswer]


def goals_schema(count: int, movables: Sequence[str] = ()) -> type[GoalsAnswer]:
    """Return the answer with exactly `count` goals, each moving one of the labels, or nothing."""
    goal: type[BaseModel] = (
        narrowed(GoalAnswer, moves=one_of_or_nothing(movables))
        if movables
        else reduced(GoalAnswer, {}, {"moves"})
    )
    return narrowed(GoalsAnswer, goals=list_of(goal, count, count))


def paths_of(answer: GoalsAnswer) -> list[GoalAnswer]:
    """Return the paths of an answer, with what was not asked filled in as *nothing*."""
    return [GoalAnswer.model_validate(path.model_dump()) for path in answer.goals]
