"""The Role Graph: characters and the relationships between them (CreAgentive, Story Prototype)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from store.models.base import Entity, Id, Line, Name, Record


class RelationshipKind(StrEnum):
    """What ties one person to another; the colour of an edge."""

    KINSHIP = "kinship"
    ROMANCE = "romance"
    FRIENDSHIP = "friendship"
    ALLIANCE = "alliance"
    MENTORSHIP = "mentorship"
    SERVICE = "service"
    RIVALRY = "rivalry"
    DISTRUST = "distrust"
    ENMITY = "enmity"
    DEBT = "debt"


class Awareness(StrEnum):
    """Who knows of a relationship: both; only its holder; or its holder, who hides it from all."""

    MUTUAL = "mutual"
    ONE_SIDED = "one-sided"
    HIDDEN = "hidden"


class Life(StrEnum):
    """Whether a person can act: what the continuity check goes by, in any language."""

    LIVING = "living"
    MISSING = "missing"
    DEAD = "dead"


class Trait(Record):
    """An attribute of a character that a genre needs and the model has no field for: rank, magic …"""

    name: Name
    value: Line = ""


class Character(Entity):
    """A person of the story, as they are at one moment of it."""

    kind: Literal["character"] = "character"
    name: Name
    aliases: tuple[Name, ...] = ()
    gender: Line = ""
    age: Line = ""
    occupation: Line = ""
    affiliations: Line = ""
    personality: Line = ""
    motivation: Line = ""
    health: Line = ""
    status: Line = ""
    secrets: Line = ""
    life: Life = Life.LIVING
    traits: Annotated[tuple[Trait, ...], Field(max_length=40)] = ()

    @field_validator("traits")
    @classmethod
    def _names_each_trait_once(cls, traits: tuple[Trait, ...]) -> tuple[Trait, ...]:
        if len({trait.name.casefold() for trait in traits}) < len(traits):
            raise ValueError("two traits have the same name")
        return traits


Strength = Annotated[int, Field(ge=1, le=10)]


class Relationship(Entity):
    """What `source` is to `target`: a directed edge; several may stand between the same two."""

    kind: Literal["relationship"] = "relationship"
    source: Id
    target: Id
    tie: RelationshipKind
    strength: Strength = 5
    is_mutual: bool = False
    awareness: Awareness = Awareness.MUTUAL
    reason: Line = ""

    @model_validator(mode="after")
    def _ties_two_people(self) -> Self:
        if self.source == self.target:
            raise ValueError("a relationship needs two different people")
        return self
