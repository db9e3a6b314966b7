"""Answers of stage 1: the foundation, the cast, each person, and what ties them together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Annotated

from pydantic import BaseModel, Field

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.text import Answer, PersonName, Phrase, Sentence, Sentences, Title
from store.models.cast import Awareness, RelationshipKind

_MOST_PEOPLE = 6


class FoundationAnswer(Answer):
    """The world and the condition that ends the story."""

    title: Title
    background: Sentences
    long_term_goal: Sentence
    themes: Phrase
    tone: Phrase


class PersonAnswer(BaseModel):
    """Somebody of the cast, in a few words."""

    name: PersonName
    part: Phrase


class CastAnswer(BaseModel):
    """The cast."""

    people: Annotated[list[PersonAnswer], Sized("people")]


class CharacterAnswer(Answer):
    """One person, brought to life."""

    gender: Phrase
    age: Phrase
    occupation: Phrase
    personality: Phrase
    motivation: Sentence
    secret: Sentence


class RelationshipAnswer(BaseModel):
    """What one person is toward another."""

    who: Annotated[str, OneOf("pairs")]
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]
    awareness: Awareness
    reason: Phrase


class SceneAnswer(BaseModel):
    """A place where the story can begin."""

    name: Title
    place: Phrase
    time: Phrase
    atmosphere: Phrase


class RelationshipsAnswer(BaseModel):
    """What ties the cast together."""

    relationships: Annotated[list[RelationshipAnswer], Sized("relationships")]


class ScenesAnswer(BaseModel):
    """Where the story can begin."""

    scenes: Annotated[list[SceneAnswer], Field(min_length=2, max_length=3)]


FOUNDATION_SCHEMA = AnswerSchema(FoundationAnswer)
CHARACTER_SCHEMA = AnswerSchema(CharacterAnswer)
SCENES_SCHEMA = AnswerSchema(ScenesAnswer)


def cast_schema(named: int) -> AnswerSchema[CastAnswer]:
    """Return the answer for a cast in which `named` people are known already."""
    least = min(max(3, named), _MOST_PEOPLE)
    return AnswerSchema(CastAnswer, sizes={"people": Size(least, max(4, least))})


def pairs_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return every "X toward Y" of the people named, with the two names behind it."""
    return {f"{one} toward {other}": (one, other) for one, other in permutations(names, 2)}


def relationships_schema(names: Sequence[str]) -> AnswerSchema[RelationshipsAnswer]:
    """Return the answer in which relationships stand only between the people named (at least two)."""
    pairs = pairs_of(names)
    least = min(len(names) - 1, len(pairs))
    most = min(len(names) + 1, len(pairs))
    return AnswerSchema(
        RelationshipsAnswer,
        choices={"pairs": list(pairs)},
        sizes={"relationships": Size(least, most)},
    )
