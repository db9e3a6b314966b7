"""The part of the Plot Graph that some chapters tell, gathered in one pass. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from graph_flow.views import View
from store.models.cast import Character
from store.models.plot import Event, EventLink, Occurrence, Participation, Scene
from store.models.prototype import Snapshot


class PlotCut(View):
    """What the chapters `first` to `last` tell; everything in the order of the telling."""

    first: int
    last: int
    events: tuple[Event, ...]
    chapter_of: dict[str, int]
    """The chapter of each event and scene."""
    parts: tuple[Participation, ...]
    occurrences: tuple[Occurrence, ...]
    links: tuple[EventLink, ...]
    people: tuple[Character, ...]
    scenes: tuple[Scene, ...]

    def events_by_chapter(self) -> Iterator[tuple[int, list[Event]]]:
        """Yield each chapter that tells something, with its events."""
        by_chapter: dict[int, list[Event]] = {}
        for event in self.events:
            by_chapter.setdefault(self.chapter_of[event.id], []).append(event)
        yield from by_chapter.items()


def cut(snapshot: Snapshot, first: int, last: int) -> PlotCut:
    """Return what the chapters `first` to `last` tell, both included."""
    told = [event for event in snapshot.events if first <= snapshot.told_in(event.id) <= last]
    order = {event.id: place for place, event in enumerate(told)}
    parts = sorted(
        (part for part in snapshot.of(Participation) if part.event in order),
        key=lambda part: order[part.event],
    )
    occurrences = sorted(
        (one for one in snapshot.of(Occurrence) if one.event in order),
        key=lambda one: order[one.event],
    )
    links = (one for one in snapshot.of(EventLink) if {one.source, one.target} <= order.keys())
    scenes = {one.scene: snapshot.get(Scene, one.scene) for one in occurrences}
    return PlotCut.model_construct(
        first=first,
        last=last,
        events=tuple(told),
        chapter_of={id_: snapshot.told_in(id_) for id_ in (*order, *scenes)},
        parts=tuple(parts),
        occurrences=tuple(occurrences),
        links=tuple(links),
        people=tuple(
            {part.character: snapshot.get(Character, part.character) for part in parts}.values()
        ),
        scenes=tuple(scenes.values()),
    )
