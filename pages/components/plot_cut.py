"""The part of the Plot Graph that some chapters tell and that is asked for. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pages.components.drawing import Mark
from pages.components.filters import Filters, Sieve
from pages.components.viewpoint import Viewpoint
from store.models.cast import Character
from store.models.plot import Event, EventLink, Occurrence, Participation, Scene


class Window(NamedTuple):
    """The chapters to be seen, both included."""

    first: int
    last: int

    def __contains__(self, chapter: object) -> bool:
        return isinstance(chapter, int) and self.first <= chapter <= self.last


class PlotCut:
    """What some chapters tell: everything in the order of the telling."""

    def __init__(
        self, viewpoint: Viewpoint, window: Window, filters: Filters | None = None
    ) -> None:
        now = viewpoint.now
        sieve = Sieve(filters or Filters(), now)
        snapshot = now.snapshot
        told = now.events_in(range(window.first, window.last + 1))
        self.viewpoint = viewpoint
        self.events: list[Event] = [event for event in told if sieve.has_event(event.id)]
        shown = {event.id for event in self.events}
        self.parts: list[Participation] = [
            part for event in self.events for part in now.parts_in(event.id) if sieve.has_part(part)
        ]
        self.occurrences: list[Occurrence] = [
            now.place_of[event] for event in shown if event in now.place_of
        ]
        links = {link.id: link for event in self.events for link in now.links_of(event.id)}
        self.links: list[EventLink] = [
            link
            for link in links.values()
            if {link.source, link.target} <= shown and sieve.has_link(link)
        ]
        self.people: dict[str, Character] = {
            part.character: now.people[part.character] for part in self.parts
        }
        self.scenes: dict[str, Scene] = {
            one.scene: snapshot.get(Scene, one.scene) for one in self.occurrences
        }

    @property
    def chapters(self) -> list[int]:
        """The chapters that tell anything that is shown."""
        return sorted({self.chapter_of(event.id) for event in self.events})

    def chapter_of(self, event_id: str) -> int:
        """Return the chapter that tells an event."""
        return self.viewpoint.now.snapshot.told_in(event_id)

    def figures(self) -> Iterator[tuple[Character, int]]:
        """Yield each person in each chapter that has them."""
        seen = {(part.character, self.chapter_of(part.event)): None for part in self.parts}
        for person, chapter in seen:
            yield self.people[person], chapter

    def places(self) -> Iterator[tuple[Scene, int]]:
        """Yield each scene in each chapter that has it."""
        seen = {(one.scene, self.chapter_of(one.event)): None for one in self.occurrences}
        for scene, chapter in seen:
            yield self.scenes[scene], chapter

    @property
    def has_changes(self) -> bool:
        """Whether anything stands out."""
        return any(self.viewpoint.mark(event) is not Mark.AS_BEFORE for event in self.events)
