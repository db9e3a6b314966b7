"""Limited cognition: what a character can know at a moment (CreAgentive, PlotWeave). Pure.

A character knows itself; what it is to others; what others are to it where they know that it knows;
the events it had a part in; and of the people it has met only what anybody can see.
"""

from __future__ import annotations

from store.models.base import Record
from store.models.cast import Awareness, Character, Relationship
from store.models.plot import Event, Participation, Scene
from store.models.prototype import Snapshot


class Outward(Record):
    """What anybody can see of a person."""

    id: str
    name: str
    gender: str
    age: str
    occupation: str


class Memory(Record):
    """An event as one person lived it. `scene` is None where no place is known."""

    event: Event
    part: Participation
    scene: Scene | None
    chapter: int


class Knowledge(Record):
    """All that one character can know: what a role agent may be told."""

    character: Character
    toward: tuple[Relationship, ...]
    """The character's own relationships."""
    known_of_others: tuple[Relationship, ...]
    """Relationships of others towards the character, as far as the character is aware of them."""
    memories: tuple[Memory, ...]
    """In the order of the chapters."""
    people: tuple[Outward, ...]


def knowledge_of(snapshot: Snapshot, character_id: str) -> Knowledge:
    """Return what a character can know in a snapshot, a draft's events included.

    Raises:
        KeyError: if there is no such character.
    """
    character = snapshot.get(Character, character_id)
    relationships = snapshot.relationships
    toward = tuple(tie for tie in relationships if tie.source == character_id)
    of_others = tuple(
        tie
        for tie in relationships
        if tie.target == character_id and (tie.is_mutual or tie.awareness is Awareness.MUTUAL)
    )
    memories = _memories(snapshot, character_id)
    met = {tie.target for tie in toward} | {tie.source for tie in of_others}
    met |= _company(snapshot, {memory.event.id for memory in memories})
    people = tuple(
        _outward(person) for person in snapshot.characters if person.id in met - {character_id}
    )
    return Knowledge(
        character=character,
        toward=toward,
        known_of_others=of_others,
        memories=memories,
        people=people,
    )


def _memories(snapshot: Snapshot, character_id: str) -> tuple[Memory, ...]:
    parts = {
        part.event: part for part in snapshot.of(Participation) if part.character == character_id
    }
    return tuple(
        Memory(
            event=event,
            part=parts[event.id],
            scene=snapshot.scene_of(event.id),
            chapter=snapshot.told_in(event.id),
        )
        for event in snapshot.events
        if event.id in parts
    )


def _company(snapshot: Snapshot, events: set[str]) -> set[str]:
    return {part.character for part in snapshot.of(Participation) if part.event in events}


def _outward(person: Character) -> Outward:
    return Outward(
        id=person.id,
        name=person.name,
        gender=person.gender,
        age=person.age,
        occupation=person.occupation,
    )
