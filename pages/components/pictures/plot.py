"""The Plot Graph as a picture: what happens, who is in it, where, and what it leads to. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from pages.components import words as wording
from pages.components.pictures import strings
from pages.components.pictures.drawing import (
    EVENT,
    FIGURE,
    SCENE,
    Guide,
    Mark,
    Picture,
    Sketch,
    Tone,
    line_color,
)
from pages.components.pictures.filters import Filters, Sieve
from pages.components.pictures.layout import Point, chapter_place, figure_id
from pages.components.pictures.palette import ACCENT, FAINT, INK, LINK_COLORS
from pages.components.pictures.story_index import Viewpoint
from store.models.cast import Character
from store.models.plot import Event, EventLink, Occurrence, Part, Participation, Scene
from store.models.prototype import AnyEntity

_QUIET = 0.4
_LEAP = 2
_LABELLED_LINKS = 30


def draw_plot(
    told: PlotCut, places: Mapping[str, Point], *, selected: str = "", tone: Tone = Tone.CHAPTER
) -> Picture:
    """Return the Plot Graph of some chapters, with marked entities standing out.

    If `selected` is the id of a character or scene, its appearances are joined by a line.
    """
    sketch = Sketch(tone)
    for chapter in told.chapters:
        sketch.column(chapter_guide(chapter, chapter_place(chapter)))
    for person, chapter in told.figures():
        # Changes to people are marked in the Role Graph; here the chapter's events stand out.
        id_ = figure_id(person.id, chapter)
        sketch.node(
            id_, person.name, FIGURE, places[id_], Mark.AS_BEFORE, subject=person.id, rank=1
        )
    for event in told.events:
        mark = told.viewpoint.mark(event)
        rank = 10 + len(told.viewpoint.now.links_of(event.id)) + 1_000 * bool(mark)
        sketch.node(event.id, event.title, EVENT, places[event.id], mark, rank=rank)
    for scene, chapter in told.places():
        id_ = figure_id(scene.id, chapter)
        mark = told.viewpoint.mark(scene)
        sketch.node(id_, scene.name, SCENE, places[id_], mark, subject=scene.id, rank=0)
    _Edges(sketch, told).draw(selected)
    return sketch.picture()


def chapter_guide(chapter: int, at: float) -> Guide:
    """Return the column of a chapter, which has only its number where there is little room."""
    short = str(chapter) if chapter else ""
    return Guide(at=at, words=strings.chapter_heading(chapter), short=short)


class _Edges:
    def __init__(self, sketch: Sketch, told: PlotCut) -> None:
        self._sketch = sketch
        self._told = told
        self._quiet = _QUIET if told.has_changes else 1.0

    def draw(self, selected: str) -> None:
        for part in self._told.parts:
            self._draw_part(part)
        for occurrence in self._told.occurrences:
            self._draw_occurrence(occurrence)
        for link in self._told.links:
            self._draw_link(link)
        self._draw_path(selected)

    def _draw_part(self, part: Participation) -> None:
        figure = figure_id(part.character, self._told.chapter_of(part.event))
        self._sketch.edge(
            part.id,
            (figure, part.event),
            title=strings.participation(part),
            width=2 if part.part is Part.ACTS else 1,
            dashes=False if part.part in {Part.ACTS, Part.IS_AFFECTED} else [6, 6],
            color=line_color(ACCENT, self._opacity(part)),
        )

    def _draw_occurrence(self, occurrence: Occurrence) -> None:
        scene = figure_id(occurrence.scene, self._told.chapter_of(occurrence.event))
        self._sketch.edge(
            occurrence.id,
            (occurrence.event, scene),
            title=strings.OCCURRENCE,
            dashes=[1, 6],
            color=line_color(FAINT, self._opacity(occurrence)),
        )

    def _draw_link(self, link: EventLink) -> None:
        words = wording.link_words(link.link)
        look: dict[str, JsonValue] = {"words": words}
        if len(self._told.links) <= _LABELLED_LINKS:
            look["label"] = words
        self._sketch.edge(
            link.id,
            (link.source, link.target),
            width=2.5,
            has_arrow=True,
            smooth=self._bow(link),
            color=line_color(LINK_COLORS[link.link], max(0.7, self._opacity(link))),
            title=words,
            **look,
        )

    def _draw_path(self, selected: str) -> None:
        """Join the appearances of a character or a scene from chapter to chapter."""
        chapters: dict[str, list[int]] = defaultdict(list)
        for one, chapter in (*self._told.figures(), *self._told.places()):
            if one.id == selected:
                chapters[one.id].append(chapter)
        for earlier, later in pairwise(sorted(chapters[selected])):
            ends = (figure_id(selected, earlier), figure_id(selected, later))
            self._sketch.edge(
                f"{selected}@{earlier}-{later}",
                ends,
                subject=selected,
                color=line_color(INK, 0.6),
                dashes=[4, 4],
            )

    def _bow(self, link: EventLink) -> JsonValue:
        """Curve a link that skips a chapter, to keep it from hiding behind what lies between."""
        leap = self._told.chapter_of(link.source) - self._told.chapter_of(link.target)
        if abs(leap) < _LEAP:
            return False
        return {"enabled": True, "type": "curvedCW", "roundness": 0.2}

    def _opacity(self, edge: AnyEntity) -> float:
        return self._quiet if self._told.viewpoint.mark(edge) is Mark.AS_BEFORE else 1.0


class Window(NamedTuple):
    """The first and last chapter shown."""

    first: int
    last: int

    def __contains__(self, chapter: object) -> bool:
        return isinstance(chapter, int) and self.first <= chapter <= self.last


class PlotCut:
    """What some chapters tell, in the order of the telling."""

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
        """The chapters that tell anything shown."""
        return sorted({self.chapter_of(event.id) for event in self.events})

    def chapter_of(self, event_id: str) -> int:
        """Return the chapter that tells an event."""
        return self.viewpoint.now.snapshot.first_chapter_of(event_id)

    def figures(self) -> Iterator[tuple[Character, int]]:
        """Yield each person once for every chapter they appear in."""
        seen = {(part.character, self.chapter_of(part.event)): None for part in self.parts}
        for person, chapter in seen:
            yield self.people[person], chapter

    def places(self) -> Iterator[tuple[Scene, int]]:
        """Yield each scene once for every chapter it appears in."""
        seen = {(one.scene, self.chapter_of(one.event)): None for one in self.occurrences}
        for scene, chapter in seen:
            yield self.scenes[scene], chapter

    @property
    def has_changes(self) -> bool:
        """Whether anything stands out."""
        return any(self.viewpoint.mark(event) is not Mark.AS_BEFORE for event in self.events)
