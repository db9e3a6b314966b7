"""The Role Graph: characters and the relationships between them (CreAgentive, Story Prototype)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from store.models.base import Entity, Id, Line, Name, Paragraph, Passage, Record
from store.models.fields import Shown


class RelationshipKind(StrEnum):
    """The kind of a relationship; the colour of its edge."""

    KINSHIP = "kinship"
    MARRIAGE = "marriage"
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
    """Who knows about a relationship: both people, only its source, or its source, who hides it."""

    MUTUAL = "mutual"
    ONE_SIDED = "one-sided"
    HIDDEN = "hidden"


class Life(StrEnum):
    """Whether a person can act; the continuity check relies on it, in any language."""

    LIVING = "living"
    MISSING = "missing"
    DEAD = "dead"


class Trait(Record):
    """An attribute that a genre needs and `Character` has no field for: rank, magic …"""

    name: Annotated[Name, Shown("Trait", "What the attribute is called.")]
    value: Annotated[Line, Shown("Value", "The trait itself.")] = ""


class Character(Entity):
    """A person in the story, as they are at one moment."""

    kind: Literal["character"] = "character"
    name: Annotated[
        Name,
        Shown("Name", "What the person is called.", is_searched=True, is_rewordable=True),
    ]
    aliases: Annotated[
        tuple[Name, ...],
        Shown("Other names", "Another name for the person.", is_plural=True, is_searched=True),
    ] = ()
    gender: Annotated[Line, Shown("Gender", "The person's gender.", is_rewordable=True)] = ""
    age: Annotated[Line, Shown("Age", "The person's age.", is_rewordable=True)] = ""
    occupation: Annotated[
        Line,
        Shown(
            "Occupation",
            "What the person does for a living.",
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    affiliations: Annotated[
        Line,
        Shown(
            "Affiliations",
            "The groups that the person belongs to.",
            is_plural=True,
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    personality: Annotated[
        Line,
        Shown(
            "Personality",
            "What the person is like.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    motivation: Annotated[
        Paragraph,
        Shown(
            "Motivation",
            "What the person wants.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    health: Annotated[
        Line,
        Shown(
            "Health",
            "The person's health.",
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    status: Annotated[
        Line,
        Shown(
            "Situation",
            "The person's present situation.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    secrets: Annotated[
        Paragraph,
        Shown(
            "Secrets",
            "What the person hides.",
            is_long=True,
            is_plural=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    history: Annotated[
        Passage,
        Shown(
            "History",
            "The person’s part in what came before the story.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    fear: Annotated[
        Line,
        Shown(
            "Fear",
            "What the person is most afraid of.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    misbelief: Annotated[
        Line,
        Shown(
            "Misbelief",
            "What the person wrongly believes about themselves or the world.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    voice: Annotated[
        Paragraph,
        Shown(
            "Voice",
            "How the person speaks, with a line in their own words.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    arc: Annotated[
        Paragraph,
        Shown(
            "Arc",
            "What the person must face, and how it changes them; no person of the story knows it.",
            is_long=True,
            is_searched=True,
        ),
    ] = ""
    life: Annotated[
        Life,
        Shown("Life", "Whether the person is living, missing or dead.", is_rewordable=True),
    ] = Life.LIVING
    traits: Annotated[
        tuple[Trait, ...],
        Field(max_length=40),
        Shown("Traits", "An attribute that the writer named.", is_plural=True, is_searched=True),
    ] = ()

    @field_validator("traits")
    @classmethod
    def _names_each_trait_once(cls, traits: tuple[Trait, ...]) -> tuple[Trait, ...]:
        if len({trait.name.casefold() for trait in traits}) < len(traits):
            raise ValueError("two traits have the same name")
        return traits


Strength = Annotated[int, Field(ge=1, le=10)]


class Relationship(Entity):
    """What `source` is to `target`: a directed edge. Two people may have several."""

    kind: Literal["relationship"] = "relationship"
    source: Annotated[Id, Shown("Person", "Whose relationship it is.")]
    target: Annotated[Id, Shown("Other person", "The person that a relationship is with.")]
    tie: Annotated[RelationshipKind, Shown("Kind", "The kind of a relationship.")]
    strength: Annotated[
        Strength,
        Shown(
            "Strength",
            "How strong a relationship is, 1 to 10.",
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = 5
    is_mutual: Annotated[
        bool, Shown("Mutual feeling", "Whether a relationship goes both ways.")
    ] = False
    awareness: Annotated[
        Awareness,
        Shown(
            "Awareness",
            "Who knows about a relationship: both (mutual), only its source (one-sided), "
            "or its source, who hides it (hidden).",
        ),
    ] = Awareness.MUTUAL
    reason: Annotated[
        Line,
        Shown(
            "Reason",
            "Why a relationship is as it is.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
            is_changed_by_agents=True,
        ),
    ] = ""
    called: Annotated[
        Line,
        Shown(
            "In your words",
            "A name for it beside its kind, such as “godmother”.",
            is_searched=True,
        ),
    ] = ""

    @property
    def words(self) -> str:
        """The kind, with the writer's own name for it if there is one: kinship (“godmother”)."""
        return f"{self.tie} (“{self.called}”)" if self.called else str(self.tie)

    @model_validator(mode="after")
    def _joins_two_people(self) -> Self:
        if self.source == self.target:
            raise ValueError("a relationship needs two different people")
        return self
