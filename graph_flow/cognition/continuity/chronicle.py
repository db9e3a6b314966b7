"""A story indexed for the continuity check: who was where, in what, and what became of them. Pure.

Indexing a story takes one pass over it. Adding a candidate's Delta costs in proportion to the Delta
(plus shallow copies of the indexes, a few milliseconds for a very long story).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from store.deltas.names import Names
from store.models.cast import Character, Life, Relationship
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    Occurrence,
    Part,
    Participation,
    Scene,
    Thread,
    ThreadState,
    moment,
)
from store.models.prototype import AnyEntity, Snapshot
from store.prototype.states import Version

E = TypeVar("E", bound=AnyEntity)

PRESENT = frozenset({Part.ACTS, Part.IS_AFFECTED, Part.WITNESSES})
"""The parts that require a person to be present."""


Timelines = Mapping[str, tuple[Version, ...]]
"""How entities became what they are, by id, in the order of the chapters; one version a chapter."""


@dataclass(frozen=True)
class Chronicle:
    """A story up to a chapter, with the indexes that the rules use. Immutable."""

    chapter: int
    entities: Mapping[str, AnyEntity]
    told: Mapping[str, int]
    timelines: Timelines
    parts: Mapping[str, tuple[Participation, ...]] = field(default_factory=dict)
    """Who takes part, by event."""
    roles: Mapping[str, tuple[Participation, ...]] = field(default_factory=dict)
    """Where somebody takes part, by person."""
    scenes: Mapping[str, str] = field(default_factory=dict)
    """The id of the scene, by event."""
    relationships: Mapping[str, tuple[Relationship, ...]] = field(default_factory=dict)
    """Somebody's relationships to others, by person."""

    @classmethod
    def of(cls, snapshot: Snapshot, timelines: Timelines) -> Chronicle:
        """Index a snapshot. `timelines` holds those of characters, relationships and threads."""
        return cls(
            chapter=snapshot.chapter,
            entities=snapshot.entities,
            told=snapshot.first_chapter,
            timelines=timelines,
            **_Indexes.of(snapshot)._asdict(),
        )

    @cached_property
    def names(self) -> Names:
        """The entities' names for the writer."""
        return Names(Snapshot.model_construct(entities=self.entities), Delta())

    @cached_property
    def mortals(self) -> frozenset[str]:
        """The people who were ever dead or missing."""
        return frozenset(
            id_
            for id_, line in self.timelines.items()
            for at in line
            if isinstance(at.entity, Character) and at.entity.life is not Life.LIVING
        )

    def of_kind(self, kind: type[E]) -> Iterator[E]:
        """Yield the entities of one type, in the order in which they were added."""
        return (entity for entity in self.entities.values() if isinstance(entity, kind))

    def find(self, kind: type[E], entity_id: str) -> E | None:
        """Return an entity, or None if it does not exist or is of another type."""
        entity = self.entities.get(entity_id)
        return entity if isinstance(entity, kind) else None

    def first_chapter_of(self, entity_id: str) -> int:
        """Return the chapter in which an entity first appears."""
        return self.told.get(entity_id, 0)

    def telling_order(self, event: Event) -> tuple[int, int]:
        """Return an event's position in the order of the telling."""
        return self.first_chapter_of(event.id), event.position

    def moment(self, event: Event) -> float:
        """Return when an event happens in the story, on the scale of `Event.story_order`."""
        return moment(event, self.first_chapter_of(event.id))

    def scene_of(self, event_id: str) -> Scene | None:
        """Return the scene of an event, if one is known."""
        return self.find(Scene, self.scenes.get(event_id, ""))

    def life_at(self, person: str, chapter: int) -> Life:
        """Return somebody's state of life at the end of a chapter; living if nothing is known."""
        state = self.state_at(person, chapter)
        return state.life if isinstance(state, Character) else Life.LIVING

    def state_at(self, entity_id: str, chapter: int) -> AnyEntity | None:
        """Return an entity as it was at the end of a chapter, if its timeline is known."""
        line = self.timelines.get(entity_id, ())
        return next((at.entity for at in reversed(line) if at.chapter <= chapter), None)

    def meet_in(self, one: str, other: str, chapter: int) -> bool:
        """Return whether two people have a part in the same event of a chapter."""
        events = {part.event for part in self.roles.get(one, ())}
        shared = events & {part.event for part in self.roles.get(other, ())}
        return any(self.first_chapter_of(event) == chapter for event in shared)

    def after(self, delta: Delta, chapter: int) -> Chronicle:
        """Return the story with a Delta that fits it committed as `chapter`."""
        entities, told, timelines = dict(self.entities), dict(self.told), dict(self.timelines)
        indexes = _Indexes(
            dict(self.parts), dict(self.roles), dict(self.scenes), dict(self.relationships)
        )
        for change in delta.changes:
            if change.before is not None:
                indexes.remove(change.before)
            if change.after is None:
                entities.pop(change.id, None)
            else:
                entities[change.id] = change.after
                told.setdefault(change.id, chapter)
                indexes.add(change.after)
            if isinstance(change.entity, Character | Relationship | Thread):
                timelines[change.id] = _extended(timelines.get(change.id, ()), change, chapter)
        return replace(
            self,
            chapter=chapter,
            entities=entities,
            told=told,
            timelines=timelines,
            **indexes._asdict(),
        )

    def was_planted(self, thread: Thread) -> bool:
        """Return whether a thread was ever planted, even if it does not say in which chapter."""
        if thread.planted_in is not None:
            return True
        states = (at.entity for at in self.timelines.get(thread.id, ()))
        return any(isinstance(at, Thread) and at.state is ThreadState.PLANTED for at in states)


@dataclass(frozen=True)
class Scope:
    """What the rules examine: a whole story, or what a Delta affects."""

    ids: Collection[str]
    events: Collection[str]

    @classmethod
    def whole(cls, chronicle: Chronicle) -> Scope:
        """Return all of a story."""
        return cls(chronicle.entities, [event.id for event in chronicle.of_kind(Event)])

    @classmethod
    def of(cls, delta: Delta) -> Scope:
        """Return what a Delta adds or changes, and the events to which it adds people or a place."""
        ids = [change.id for change in delta.changes if change.after is not None]
        events: dict[str, None] = {}
        for change in delta.changes:
            if isinstance(change.after, Event):
                events[change.id] = None
            elif isinstance(change.after, Participation | Occurrence):
                events[change.after.event] = None
        return cls(ids, list(events))

    def in_kind(self, chronicle: Chronicle, kind: type[E]) -> Iterator[E]:
        """Yield the entities of one type to examine."""
        found = (chronicle.find(kind, id_) for id_ in self.ids)
        return (entity for entity in found if entity is not None)

    def all_events(self, chronicle: Chronicle) -> Iterator[Event]:
        """Yield the events to examine."""
        found = (chronicle.find(Event, id_) for id_ in self.events)
        return (event for event in found if event is not None)


def _extended(line: tuple[Version, ...], change: Change, chapter: int) -> tuple[Version, ...]:
    earlier = tuple(at for at in line if at.chapter < chapter)
    return (*earlier, Version(chapter=chapter, entity=change.after))


class _Indexes(NamedTuple):
    """A chronicle's indexes, while they are being built. Their tuples are replaced, not changed."""

    parts: dict[str, tuple[Participation, ...]]
    roles: dict[str, tuple[Participation, ...]]
    scenes: dict[str, str]
    relationships: dict[str, tuple[Relationship, ...]]

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Indexes:
        """Index a whole snapshot (in lists, because appending to tuples would be quadratic)."""
        parts: dict[str, list[Participation]] = {}
        roles: dict[str, list[Participation]] = {}
        scenes: dict[str, str] = {}
        relationships: dict[str, list[Relationship]] = {}
        for entity in snapshot.entities.values():
            match entity:
                case Participation():
                    parts.setdefault(entity.event, []).append(entity)
                    roles.setdefault(entity.character, []).append(entity)
                case Relationship():
                    relationships.setdefault(entity.source, []).append(entity)
                case Occurrence():
                    scenes.setdefault(entity.event, entity.scene)
        return cls(_frozen(parts), _frozen(roles), scenes, _frozen(relationships))

    def add(self, entity: AnyEntity) -> None:
        """Index an entity."""
        match entity:
            case Participation():
                self.parts[entity.event] = (*self.parts.get(entity.event, ()), entity)
                self.roles[entity.character] = (*self.roles.get(entity.character, ()), entity)
            case Relationship():
                self.relationships[entity.source] = (
                    *self.relationships.get(entity.source, ()),
                    entity,
                )
            case Occurrence():
                self.scenes.setdefault(entity.event, entity.scene)

    def remove(self, entity: AnyEntity) -> None:
        """Remove an entity from the indexes."""
        match entity:
            case Participation():
                self.parts[entity.event] = _without(self.parts[entity.event], entity)
                self.roles[entity.character] = _without(self.roles[entity.character], entity)
            case Relationship():
                self.relationships[entity.source] = _without(
                    self.relationships[entity.source], entity
                )
            case Occurrence():
                if self.scenes.get(entity.event) == entity.scene:
                    del self.scenes[entity.event]


def _frozen(lists: Mapping[str, list[E]]) -> dict[str, tuple[E, ...]]:
    return {id_: tuple(entities) for id_, entities in lists.items()}


def _without(entities: tuple[E, ...], gone: E) -> tuple[E, ...]:
    return tuple(one for one in entities if one.id != gone.id)
