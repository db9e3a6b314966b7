"""The Story Prototype as a value: every entity by id, as it is at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from store.models.base import Record
from store.models.cast import Character, Relationship
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    Occurrence,
    Participation,
    Scene,
    Spine,
    Thread,
)

AnyEntity = Annotated[
    Foundation
    | Spine
    | Character
    | Relationship
    | Scene
    | Event
    | Participation
    | Occurrence
    | EventLink
    | Thread,
    Field(discriminator="kind"),
]

EntityKind = Literal[
    "foundation",
    "spine",
    "character",
    "relationship",
    "scene",
    "event",
    "participation",
    "occurrence",
    "event_link",
    "thread",
]

ENTITY_TYPES: Mapping[EntityKind, type[AnyEntity]] = {
    "foundation": Foundation,
    "spine": Spine,
    "character": Character,
    "relationship": Relationship,
    "scene": Scene,
    "event": Event,
    "participation": Participation,
    "occurrence": Occurrence,
    "event_link": EventLink,
    "thread": Thread,
}

REFERENCES: Mapping[EntityKind, Mapping[str, EntityKind]] = {
    "relationship": {"source": "character", "target": "character"},
    "participation": {"character": "character", "event": "event"},
    "occurrence": {"event": "event", "scene": "scene"},
    "event_link": {"source": "event", "target": "event"},
}
"""The fields that hold the id of another entity, with its kind."""

FOUNDATION_ID = "foundation"
SPINE_ID = "spine"
"""Every story has one foundation and one spine, and these are their ids."""

SINGLE: Mapping[EntityKind, str] = {"foundation": FOUNDATION_ID, "spine": SPINE_ID}
"""The kinds of which a story has one entity, with its id."""

E = TypeVar("E", bound=AnyEntity)


class Snapshot(Record):
    """The prototype at the end of a chapter: entities by id, and where each first appeared.

    A snapshot is a value: it is read by the store or folded from Deltas, and never changed.
    """

    chapter: int = 0
    entities: Mapping[str, AnyEntity] = Field(default_factory=dict)
    first_chapter: Mapping[str, int] = Field(default_factory=dict)

    def of(self, kind: type[E]) -> Iterator[E]:
        """Yield the entities of one type, in the order in which they came to be."""
        # No type of entity has a subtype, and pydantic makes `isinstance` slow.
        return (entity for entity in self.entities.values() if type(entity) is kind)

    def get(self, kind: type[E], entity_id: str) -> E:
        """Return one entity.

        Raises:
            KeyError: if it is not in this snapshot, or is of another type.
        """
        entity = self.entities[entity_id]
        if not isinstance(entity, kind):
            raise KeyError(f"{entity_id} is a {entity.kind}, not a {kind.__name__.lower()}")
        return entity

    def first_chapter_of(self, entity_id: str) -> int:
        """Return the chapter in which an entity first appeared; 0 is the beginning."""
        return self.first_chapter.get(entity_id, 0)

    @property
    def foundation(self) -> Foundation:
        """The foundation; an empty one before chapter 0 is committed."""
        return next(self.of(Foundation), Foundation(id=FOUNDATION_ID))

    @property
    def spine(self) -> Spine:
        """The spine; an empty one while there is none."""
        return next(self.of(Spine), Spine(id=SPINE_ID))

    @property
    def characters(self) -> list[Character]:
        """The cast, in order of appearance."""
        return list(self.of(Character))

    @property
    def relationships(self) -> list[Relationship]:
        """All relationships that hold."""
        return list(self.of(Relationship))

    @property
    def scenes(self) -> list[Scene]:
        """All scenes, in order of appearance."""
        return list(self.of(Scene))

    @property
    def events(self) -> list[Event]:
        """All events, by chapter and position."""
        return sorted(
            self.of(Event), key=lambda event: (self.first_chapter_of(event.id), event.position)
        )

    @property
    def threads(self) -> list[Thread]:
        """All threads, in order of appearance."""
        return list(self.of(Thread))

    def events_of(self, chapter: int) -> list[Event]:
        """Return the events that one chapter tells, in order."""
        return [event for event in self.events if self.first_chapter_of(event.id) == chapter]

    def participations_in(self, event_id: str) -> list[Participation]:
        """Return who takes part in an event."""
        return [part for part in self.of(Participation) if part.event == event_id]

    def scene_of(self, event_id: str) -> Scene | None:
        """Return the scene in which an event occurs, if one is known."""
        for occurrence in self.of(Occurrence):
            if occurrence.event == event_id:
                return self.get(Scene, occurrence.scene)
        return None
