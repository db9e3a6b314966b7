"""Answers of stage 2: goals, a role's contribution, scores, and whether the story is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model

from graph_flow.answers.names import NOTHING, list_of, narrowed, one_of, one_of_or_nothing
from graph_flow.answers.text import Answer, Phrase, Sentence, Sentences, Title
from store.models.cast import RelationshipKind

NEW_PLACE = "a new place"
"""What a role answers as its scene when it takes the story somewhere new."""

CHANGEABLE = ("motivation", "health", "status", "personality", "affiliations", "occupation")
"""The attributes of a character that a role may change in a chapter."""


class GoalAnswer(BaseModel):
    """One path that a chapter could take."""

    title: Title
    goal: Sentence


class GoalsAnswer(BaseModel):
    """Clearly different paths for one chapter."""

    goals: list[GoalAnswer]


class Meeting(BaseModel):
    """How a role's relationship to somebody changes."""

    toward: str
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]
    reason: Phrase


class RoleAnswer(Answer):
    """What one role adds: its own move, its feeling, and what comes of it."""

    title: Title
    action: Sentences
    place: str
    new_place: Title
    together_with: list[str]
    because_of: str
    emotion: Phrase
    consequence: Phrase
    changed: str
    change: Phrase
    relationship: Meeting
    opens: Phrase


class ExitAnswer(BaseModel):
    """Whether the long-term goal is reached, with the events that show it."""

    reason: Sentence
    events: list[str]
    is_reached: bool


class RuleAnswer(BaseModel):
    """One rule's score of one candidate."""

    score: Annotated[int, Field(ge=1, le=5)]
    reason: Annotated[
        str, Field(max_length=300, json_schema_extra={"maxLength": 36}, description="a few words")
    ]


def goals_schema(count: int) -> type[GoalsAnswer]:
    """Return the answer with exactly `count` goals."""
    return narrowed(GoalsAnswer, goals=list_of(GoalAnswer, count, count))


def role_schema(
    others: Sequence[str], scenes: Sequence[str], events: Sequence[str]
) -> type[RoleAnswer]:
    """Return the answer of a role that can name only what its character can know.

    `others` are the people it can meet, `scenes` the places it knows, `events` the labels of what
    it knows to have happened.
    """
    meeting = narrowed(Meeting, toward=one_of_or_nothing(others))
    return narrowed(
        RoleAnswer,
        place=one_of([*scenes, NEW_PLACE]),
        together_with=list_of(one_of(others) if others else str, 0, min(3, len(others))),
        because_of=one_of_or_nothing(events),
        changed=one_of_or_nothing(CHANGEABLE),
        relationship=meeting,
    )


def exit_schema(events: Sequence[str]) -> type[ExitAnswer]:
    """Return the answer in which only the events labelled can be named as evidence."""
    return narrowed(ExitAnswer, events=list_of(one_of(events), 0, min(3, len(events))))


def scores_schema(candidates: Sequence[str], rules: Sequence[str]) -> type[BaseModel]:
    """Return the answer that scores every candidate label on every rule key.

    A validated answer has one attribute a candidate, and that one an attribute a rule
    (`RuleAnswer`): read them with `scores_of`.
    """
    fields: dict[str, Any] = {rule: (RuleAnswer, ...) for rule in rules}
    card = create_model("CandidateScores", **fields)
    cards: dict[str, Any] = {candidate: (card, ...) for candidate in candidates}
    return create_model("ScoresAnswer", **cards)


def scores_of(answer: BaseModel, candidate: str) -> dict[str, RuleAnswer]:
    """Return one candidate's scores by rule key, out of an answer to `scores_schema`."""
    card = getattr(answer, candidate)
    return {rule: getattr(card, rule) for rule in type(card).model_fields}


def named(choice: str) -> str | None:
    """Return what was chosen, or None where the answer named nothing."""
    return None if choice == NOTHING else choice
