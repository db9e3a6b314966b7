"""The timeline as a picture: a lane for each person, events as beads, chapters as columns. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from pages.components import words
from pages.components.pictures import strings
from pages.components.pictures.drawing import BEAD, Guide, Mark, Picture, Sketch, fill, line_color
from pages.components.pictures.filters import Filters, Sieve
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import FAINT, INK, LINK_COLORS, PAPER, PART_COLORS
from pages.components.pictures.plot import Window, chapter_guide
from pages.components.pictures.story_index import Viewpoint
from store.models.cast import Character
from store.models.plot import Event, EventLink, Part, Participation, moment

MOST_LANES = 14
"""More lanes than this do not fit a screen."""
_LANE = 80.0
_WIDTH = 1_400.0
"""The total width of a window's chapters, if there are not too many."""
_NARROWEST = 48.0
_OTHERS = "others"
_SIZES: Mapping[Part, float] = {
    Part.ACTS: 11,
    Part.IS_AFFECTED: 10,
    Part.WITNESSES: 8,
    Part.IS_TOLD: 7,
}


class Order(StrEnum):
    """What the beads are ordered by."""

    TELLING = "telling"
    STORY = "story"


class TimelineCut:
    """The lanes of a timeline and what happens on them within a window of chapters.

    With `Order.STORY` the window is in the story's own time, where chapter n begins at n
    (`Event.story_order`).
    """

    def __init__(
        self, viewpoint: Viewpoint, window: Window, order: Order, filters: Filters | None = None
    ) -> None:
        filters = (filters or Filters()).standing_in(viewpoint.now)
        self.viewpoint = viewpoint
        self.window = window
        self.order = order
        self._sieve = Sieve(filters, viewpoint.now)
        # In story time the window may hold any event, whenever it is told.
        told = window if order is Order.TELLING else Window(0, viewpoint.now.chapter)
        events = viewpoint.now.events_in(range(told.first, told.last + 1))
        self._times = self._times_of(events)
        self.events = [
            event for event in self._happening(events) if self._sieve.has_event(event.id)
        ]
        self.people = self._lanes(filters.people)
        lanes = {person.id for person in self.people}
        self.parts: dict[str, list[Participation]] = {}
        """The participations of those who have a lane, by event, in the order of the lanes."""
        order_of = {person.id: lane for lane, person in enumerate(self.people)}
        for event in self.events:
            parts = [one for one in viewpoint.now.parts_in(event.id) if self._sieve.has_part(one)]
            on_lanes = [part for part in parts if part.character in lanes]
            self.parts[event.id] = sorted(on_lanes, key=lambda part: order_of[part.character])

    def time_of(self, event_id: str) -> float:
        """Return when an event is told, or happens, on the scale of the chapters."""
        return self._times[event_id]

    def is_told_out_of_order(self, event: Event) -> bool:
        """Return whether an event happens outside the time of the chapter that tells it."""
        told = self.viewpoint.now.snapshot.first_chapter_of(event.id)
        return event.story_order is not None and max(0, int(event.story_order // 1)) != told

    def links_of(self, event_id: str) -> list[EventLink]:
        """Return the links between an event and others that are shown."""
        shown = {event.id for event in self.events}
        links = self.viewpoint.now.links_of(event_id)
        return [link for link in links if {link.source, link.target} <= shown]

    def _happening(self, events: list[Event]) -> list[Event]:
        """Return the events whose time lies within the window, in order of time."""
        first, last = self.window.first, self.window.last + 1
        found = [event for event in events if first <= self._times[event.id] < last]
        return sorted(found, key=lambda event: self._times[event.id])

    def _times_of(self, events: Sequence[Event]) -> dict[str, float]:
        """Return the time of each event; as told, a chapter's events are spread over it."""
        first_chapter_of = self.viewpoint.now.snapshot.first_chapter_of
        if self.order is Order.STORY:
            return _gathered({one.id: moment(one, first_chapter_of(one.id)) for one in events})
        told: dict[int, list[Event]] = defaultdict(list)
        for event in events:
            told[first_chapter_of(event.id)].append(event)
        return {
            event.id: chapter + (place + 0.5) / len(together)
            for chapter, together in told.items()
            for place, event in enumerate(together)
        }

    def _lanes(self, asked_for: tuple[str, ...]) -> list[Character]:
        """Return those asked for, or else those who appear most, in order of appearance."""
        present = Counter(
            part.character
            for event in self.events
            for part in self.viewpoint.now.parts_in(event.id)
            if self._sieve.has_part(part)
        )
        chosen = set(asked_for) or {id_ for id_, _ in present.most_common(MOST_LANES)}
        return [person for id_, person in self.viewpoint.now.people.items() if id_ in chosen]


def _gathered(moments: Mapping[str, float]) -> dict[str, float]:
    """Return some moments with all before chapter 1 spread over one column, in their order.

    What came before the story may lie a hundred years back: true to scale, it would be a picture of
    empty columns.
    """
    early = sorted({moment for moment in moments.values() if moment < 1})
    places = {moment: (place + 0.5) / len(early) for place, moment in enumerate(early)}
    return {id_: places.get(moment, moment) for id_, moment in moments.items()}


def draw_timeline(cut: TimelineCut, *, selected: str = "") -> Picture:
    """Return a timeline, with the links of the event whose id is `selected`."""
    return _Timeline(cut).draw(selected)


class _Timeline:
    def __init__(self, cut: TimelineCut) -> None:
        self._cut = cut
        self._sketch = Sketch()
        self._lanes = {person.id: lane * _LANE for lane, person in enumerate(cut.people)}
        self._has_others = any(not parts for parts in cut.parts.values())
        self._bead_of: dict[str, str] = {}
        """The id of the uppermost bead of each event."""

    def draw(self, selected: str) -> Picture:
        for chapter in _chapters(self._cut):
            self._sketch.column(chapter_guide(chapter, self._place(chapter + 0.5)))
        for person in self._cut.people:
            guide = Guide(at=self._lanes[person.id], words=person.name, subject=person.id)
            self._sketch.row(guide)
        if self._has_others:
            self._sketch.row(Guide(at=self._others, words=strings.OTHERS_LANE))
        for event in self._cut.events:
            self._draw_event(event)
        for link in self._cut.links_of(selected):
            self._draw_link(link)
        return self._sketch.picture()

    def _place(self, time: float) -> float:
        """Return the position of a moment: the fewer chapters are shown, the wider each is."""
        chapters = self._cut.window.last - self._cut.window.first + 1
        return round(time * max(_NARROWEST, _WIDTH / max(3, chapters)), 1)

    @property
    def _others(self) -> float:
        return len(self._lanes) * _LANE

    def _draw_event(self, event: Event) -> None:
        beads: list[str] = []
        for id_, part, lane in self._beads(event):
            # Only the first bead carries the title, so each event is named once.
            caption = "" if beads else event.title
            self._draw_bead((id_, caption), event, part, lane)
            beads.append(id_)
        self._bead_of[event.id] = beads[0]
        for upper, lower in pairwise(beads):
            self._sketch.edge(
                f"{upper}~{lower}",
                (upper, lower),
                subject=event.id,
                width=1.5,
                color=line_color(FAINT, 0.7),
            )

    def _beads(self, event: Event) -> Iterator[tuple[str, Participation | None, float]]:
        parts = self._cut.parts[event.id]
        for part in parts:
            yield part.id, part, self._lanes[part.character]
        if not parts:
            yield f"{event.id}@{_OTHERS}", None, self._others

    def _draw_bead(
        self, bead: tuple[str, str], event: Event, part: Participation | None, lane: float
    ) -> None:
        color = PART_COLORS[part.part] if part else FAINT
        is_new = self._cut.viewpoint.mark(event) is not Mark.AS_BEFORE
        background = PAPER if self._cut.is_told_out_of_order(event) else color
        self._sketch.dot(
            bead[0],
            bead[1],
            BEAD,
            Point(self._place(self._cut.time_of(event.id)), lane),
            Mark.AS_BEFORE,
            subject=event.id,
            title=strings.event_tooltip(event, part),
            size=_SIZES[part.part] if part else 7,
            color=fill(background, INK if is_new else color),
            borderWidth=2.5 if is_new or background is PAPER else 1,
            rank=len(self._cut.parts[event.id]) + (100 if is_new else 0),
        )

    def _draw_link(self, link: EventLink) -> None:
        self._sketch.edge(
            link.id,
            (self._bead_of[link.source], self._bead_of[link.target]),
            has_arrow=True,
            width=2.5,
            label=words.link_words(link.link),
            title=words.link_words(link.link),
            smooth={"enabled": True, "type": "curvedCW", "roundness": 0.25},
            color=line_color(LINK_COLORS[link.link]),
        )


def _chapters(cut: TimelineCut) -> Iterable[int]:
    """Return the chapters on the scale, including those in which nothing happens."""
    if not cut.events:
        return ()
    times = [int(cut.time_of(event.id) // 1) for event in cut.events]
    return range(min(times), max(times) + 1)
