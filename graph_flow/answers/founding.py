"""Answers of stage 1: the foundation, the cast, and what ties the cast together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from graph_flow.answers.names import list_of, narrowed, one_of
from graph_flow.answers.text import Phrase, Sentence, Sentences, Title
from store.models.cast import Awareness, RelationshipKind


class FoundationAnswer(BaseModel):
    """The world and the condition that ends the story."""

    title: Title
    background: Sentences
    long_term_goal: Sentence
    themes: Phrase
    tone: Phrase


class CharacterAnswer(BaseModel):
    """One person of the cast."""

    name: Title
    gender: Phrase
    age: Phrase
    occupation: Phrase
    personality: Phrase
    motivation: Sentence
    secret: Sentence


class CastAnswer(BaseModel):
    """The cast."""

    characters: Annotated[list[CharacterAnswer], Field(min_length=2, max_length=5)]


class TieAnswer(BaseModel):
    """What one person is to another."""

    source: str
    target: str
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


class TiesAnswer(BaseModel):
    """Relationships and first scenes."""

    relationships: Annotated[list[TieAnswer], Field(min_length=1, max_length=8)]
    scenes: Annotated[list[SceneAnswer], Field(min_length=1, max_length=4)]


def cast_schema(people: int) -> type[CastAnswer]:
    """Return the answer for a cast of 2 to `people` people."""
    return narrowed(CastAnswer, characters=list_of(CharacterAnswer, min(3, people), max(2, people)))


def ties_schema(names: Sequence[str]) -> type[TiesAnswer]:
    """Return the answer in which relationships stand only between the people named."""
    tie = narrowed(TieAnswer, source=one_of(names), target=one_of(names))
    pairs = len(names) * (len(names) - 1)
    few, many = min(len(names) - 1, pairs), min(2 * len(names), pairs)
    return narrowed(TiesAnswer, relationships=list_of(tie, few, many))
