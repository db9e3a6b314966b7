"""The story as of a chapter, indexed for drawing, and what it is compared with. Pure."""

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
    """The people, relationships, events and threads of a snapshot, which is never changed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.people: dict[str, Character] = {}
        self.relationships: list[Relationship] = []
        self.threads: dict[str, Thread] = {}
        self.links: list[EventLink] = []
        self.place_of: dict[str, Occurrence] = {}
        """The place of each event, by event id."""
        self._events: dict[int, list[Event]] = defaultdict(list)
        self._parts: dict[str, list[Participation]] = defaultdict(list)
        self._links: dict[str, list[EventLink]] = defaultdict(list)
        for entity in snapshot.entities.values():
            self._sort(entity)
        for told in self._events.values():
            told.sort(key=lambda event: event.position)

    @property
    def chapter(self) -> int:
        """The chapter of the snapshot."""
        return self.snapshot.chapter

    def _sort(self, entity: AnyEntity) -> None:
        match entity:
            case Participation():
                self._parts[entity.event].append(entity)
            case Event():
                self._events[self.snapshot.first_chapter_of(entity.id)].append(entity)
            case Occurrence():
                self.place_of.setdefault(entity.event, entity)
            case Relationship():
                self.relationships.append(entity)
            case Character():
                self.people[entity.id] = entity
            case Thread():
                self.threads[entity.id] = entity
            case EventLink():
                self.links.append(entity)
                self._links[entity.source].append(entity)
                self._links[entity.target].append(entity)

    def events_in(self, chapters: Iterable[int]) -> list[Event]:
        """Return the events that some chapters tell, in order."""
        return [event for chapter in chapters for event in self._events.get(chapter, ())]

    def events_told(self) -> list[tuple[int, int]]:
        """Return each chapter that tells any events, in order, with their number."""
        return [(chapter, len(self._events[chapter])) for chapter in sorted(self._events)]

    def parts_in(self, event_id: str) -> list[Participation]:
        """Return the participations in an event."""
        return self._parts.get(event_id, [])

    def links_of(self, event_id: str) -> list[EventLink]:
        """Return the links that begin or end at an event."""
        return self._links.get(event_id, [])

    @cached_property
    def chapters_of(self) -> dict[str, list[int]]:
        """The chapters of the events that each person takes part in, by id."""
        found: dict[str, list[int]] = defaultdict(list)
        for event_id, parts in self._parts.items():
            chapter = self.snapshot.first_chapter_of(event_id)
            for part in parts:
                found[part.character].append(chapter)
        return found

    def events_of_thread(self, thread_id: str) -> frozenset[str]:
        """Return the ids of the events that bear on a thread.

        From the chapters that introduce, plant or pay off the thread, these are the events that
        foreshadow or pay off something, with the events they are so linked to. If a chapter has
        none of these, all of its events count.
        """
        thread = self.threads.get(thread_id)
        if thread is None:
            return frozenset()
        chapters = {
            self.snapshot.first_chapter_of(thread.id),
            thread.planted_in,
            thread.paid_off_in,
        }
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
    """An indexed snapshot and what it is compared with; without a `before` nothing stands out.

    What only `before` has is shown as ended, except on a `side` of a comparison, where the other
    side shows it. What only the left side has is marked as ended.
    """

    now: StoryIndex
    before: Snapshot | None = None
    side: Literal["left", "right"] | None = None

    def mark(self, entity: AnyEntity) -> Mark:
        """Return how an entity changed between the two."""
        if entity.id not in self.now.snapshot.entities:
            return Mark.ENDED
        mark = mark_of(entity, self.before)
        return Mark.ENDED if mark is Mark.NEW and self.side == "left" else mark

    def ended(self) -> list[AnyEntity]:
        """Return what is shown although only `before` has it."""
        if self.before is None or self.side is not None:
            return []
        standing = self.now.snapshot.entities
        return [entity for id_, entity in self.before.entities.items() if id_ not in standing]


_NOT_STORY = ("invented", "locked")
"""Fields about the writing, not the story."""


def mark_of(entity: AnyEntity, before: Snapshot | None) -> Mark:
    """Return whether an entity is new or changed since `before`; with None, nothing is.

    Accepting an invented field, or locking a field, is not a change to the story.
    """
    if before is None:
        return Mark.AS_BEFORE
    earlier = before.entities.get(entity.id)
    if earlier is None:
        return Mark.NEW
    # Most entities are the same object in both snapshots, which is quicker to check.
    return Mark.AS_BEFORE if earlier is entity or _is_same(earlier, entity) else Mark.CHANGED


def sentences(before: Snapshot | None, now: Snapshot) -> list[Sentence]:
    """Return how `now` differs from `before`, in a writer's words; None is an empty story."""
    earlier = before or Snapshot()
    return describe(diff(earlier, now), earlier)


def _is_same(earlier: AnyEntity, entity: AnyEntity) -> bool:
    ours = {field: getattr(entity, field) for field in _NOT_STORY}
    return earlier.model_copy(update=ours) == entity
