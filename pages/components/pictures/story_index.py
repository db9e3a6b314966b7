"""The story as of a chapter, sorted for drawing, and what it is compared with. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Literal, NamedTuple

from pages.components.pictures.drawing import Mark
from store.deltas.delta import diff
from store.deltas.sentences import Sentence, describe
from store.models.cast import Character, Relationship
from store.models.plot import Event, EventLink, LinkKind, Occurrence, Participation, Thread
from store.models.prototype import AnyEntity, Snapshot

_OF_THREADS = {LinkKind.FORESHADOWS, LinkKind.PAYS_OFF}


class StoryIndex:
    """The people, ties, events and threads of a snapshot; the snapshot is never changed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.people: dict[str, Character] = {}
        self.ties: list[Relationship] = []
        self.threads: dict[str, Thread] = {}
        self.links: list[EventLink] = []
        self.place_of: dict[str, Occurrence] = {}
        """Where each event occurs, by event."""
        self._events: dict[int, list[Event]] = defaultdict(list)
        self._parts: dict[str, list[Participation]] = defaultdict(list)
        self._links: dict[str, list[EventLink]] = defaultdict(list)
        for entity in snapshot.entities.values():
            self._sort(entity)
        for told in self._events.values():
            told.sort(key=lambda event: event.position)

    @property
    def chapter(self) -> int:
        """The chapter at whose end the story stands."""
        return self.snapshot.chapter

    def _sort(self, entity: AnyEntity) -> None:
        match entity:
            case Participation():
                self._parts[entity.event].append(entity)
            case Event():
                self._events[self.snapshot.told_in(entity.id)].append(entity)
            case Occurrence():
                self.place_of.setdefault(entity.event, entity)
            case Relationship():
                self.ties.append(entity)
            case Character():
                self.people[entity.id] = entity
            case Thread():
                self.threads[entity.id] = entity
            case EventLink():
                self.links.append(entity)
                self._links[entity.source].append(entity)
                self._links[entity.target].append(entity)

    def events_in(self, chapters: Iterable[int]) -> list[Event]:
        """Return what some chapters tell, in order."""
        return [event for chapter in chapters for event in self._events.get(chapter, ())]

    def events_told(self) -> list[tuple[int, int]]:
        """Return how many events each chapter tells that tells any, in order."""
        return [(chapter, len(self._events[chapter])) for chapter in sorted(self._events)]

    def parts_in(self, event_id: str) -> list[Participation]:
        """Return who takes part in an event."""
        return self._parts.get(event_id, [])

    def links_of(self, event_id: str) -> list[EventLink]:
        """Return the links that begin or end at an event."""
        return self._links.get(event_id, [])

    @cached_property
    def chapters_of(self) -> dict[str, list[int]]:
        """The chapter of each event that somebody takes part in, by person."""
        found: dict[str, list[int]] = defaultdict(list)
        for event_id, parts in self._parts.items():
            chapter = self.snapshot.told_in(event_id)
            for part in parts:
                found[part.character].append(chapter)
        return found

    def events_of_thread(self, thread_id: str) -> frozenset[str]:
        """Return the events that bear on a thread: of the chapters that come upon it, plant it or
        pay it off, those that foreshadow or pay off something, or all where none does; and the
        events that these are linked to so.
        """
        thread = self.threads.get(thread_id)
        if thread is None:
            return frozenset()
        chapters = {self.snapshot.told_in(thread.id), thread.planted_in, thread.paid_off_in}
        found: set[str] = set()
        for chapter in chapters - {None}:
            told = {event.id for event in self._events.get(chapter or 0, ())}
            bearing = {event for event in told if self._threading(event)}
            found |= bearing or told
            for event in bearing:
                found |= {
                    end for link in self._threading(event) for end in (link.source, link.target)
                }
        return frozenset(found)

    def _threading(self, event_id: str) -> list[EventLink]:
        return [link for link in self.links_of(event_id) if link.link in _OF_THREADS]


class Viewpoint(NamedTuple):
    """A snapshot, sorted, and what it is held against; without a `before` nothing stands out.

    What only `before` has is shown as ended; not on a `side` of a comparison, for there the other
    side shows it. What only the left side has is what ends.
    """

    now: StoryIndex
    before: Snapshot | None = None
    side: Literal["left", "right"] | None = None

    def mark(self, entity: AnyEntity) -> Mark:
        """Return what came to an entity between the two."""
        if entity.id not in self.now.snapshot.entities:
            return Mark.ENDED
        mark = mark_of(entity, self.before)
        return Mark.ENDED if mark is Mark.NEW and self.side == "left" else mark

    def ended(self) -> list[AnyEntity]:
        """Return what is shown though only `before` has it."""
        if self.before is None or self.side is not None:
            return []
        standing = self.now.snapshot.entities
        return [entity for id_, entity in self.before.entities.items() if id_ not in standing]


_NOT_STORY = ("invented", "locked")
"""Fields that say something of the writing, not of the story."""


def mark_of(entity: AnyEntity, before: Snapshot | None) -> Mark:
    """Return whether `before` lacks an entity or has it otherwise; without one, nothing is new.

    That a field is no longer marked as invented, or is locked, is not a change to the story.
    """
    if before is None:
        return Mark.AS_BEFORE
    earlier = before.entities.get(entity.id)
    if earlier is None:
        return Mark.NEW
    # Most of what stands in two chapters is one and the same object: that is the quicker answer.
    return Mark.AS_BEFORE if earlier is entity or _is_same(earlier, entity) else Mark.CHANGED


def sentences(before: Snapshot | None, now: Snapshot) -> list[Sentence]:
    """Return what `now` has otherwise than `before`, in a writer's words; None: everything."""
    earlier = before or Snapshot()
    return describe(diff(earlier, now), earlier)


def _is_same(earlier: AnyEntity, entity: AnyEntity) -> bool:
    ours = {field: getattr(entity, field) for field in _NOT_STORY}
    return earlier.model_copy(update=ours) == entity
