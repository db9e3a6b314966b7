"""Answers of stage 2: the paths that a chapter could take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError, ValidatorFunctionWrapHandler, field_validator

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

    @field_validator("goals", mode="wrap")
    @classmethod
    def _keeps_those_that_can_be_used(
        cls, said: Any, validate: ValidatorFunctionWrapHandler
    ) -> list[GoalAnswer]:
        """Return the paths that can be used, if there is one: others can be asked for in their place."""
        try:
            paths: list[GoalAnswer] = validate(said)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
            kept = [path for at, path in enumerate(said) if at not in wrong] if wrong else []
            if not kept:
                raise
            paths = validate(kept)
        return paths


def goals_schema(count: int, movables: Sequence[str] = ()) -> type[GoalsAnswer]:
    """Return the answer with at most `count` goals, each moving one of the labels, or nothing.

    So many are asked for; fewer come where some cannot be used.
    """
    goal: type[BaseModel] = (
        narrowed(GoalAnswer, moves=one_of_or_nothing(movables))
        if movables
        else reduced(GoalAnswer, {}, {"moves"})
    )
    return narrowed(GoalsAnswer, goals=list_of(goal, 1, count, asked=count))


def paths_of(answer: GoalsAnswer) -> list[GoalAnswer]:
    """Return the paths of an answer, with what was not asked filled in as *nothing*."""
    return [GoalAnswer.model_validate(path.model_dump()) for path in answer.goals]
