"""The Plot Graph as a picture: what happens, who is in it, where, and what it leads to. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from pages.components.changes import mark_of
from pages.components.drawing import (
    ACCENT,
    EVENT,
    FAINT,
    PERSON,
    SCENE,
    Mark,
    Picture,
    Sketch,
)
from pages.components.layout import chapter_heading, plot_positions
from pages.components.plot_cut import PlotCut
from store.models.plot import EventLink, LinkKind, Occurrence, Part, Participation
from store.models.prototype import AnyEntity, Snapshot

LINK_COLORS: Final[Mapping[LinkKind, str]] = {
    LinkKind.CAUSES: "#23888C",
    LinkKind.ENABLES: "#3F8A43",
    LinkKind.FORESHADOWS: "#8D63C4",
    LinkKind.PAYS_OFF: "#C7641D",
    LinkKind.CONTRADICTS: "#C93C36",
    LinkKind.PARALLELS: "#3F7BC4",
    LinkKind.BEFORE: "#7C776D",
}
_HEADING = "chapter-heading-"
_QUIET = 0.4
_LEAP = 2


def draw_plot(told: PlotCut, before: Snapshot | None) -> Picture:
    """Return the Plot Graph of some chapters; what `before` lacks, or has otherwise, stands out."""
    sketch = Sketch()
    places = plot_positions(told)
    for chapter, _ in told.events_by_chapter():
        words = f"Chapter {chapter}" if chapter else "Before the story"
        sketch.heading(f"{_HEADING}{chapter}", words, chapter_heading(chapter))
    for person in told.people:
        # A person is marked in the Role Graph; here the chapter's events stand out.
        sketch.node(person.id, person.name, PERSON, places[person.id], Mark.AS_BEFORE)
    for event in told.events:
        sketch.node(event.id, event.title, EVENT, places[event.id], mark_of(event, before))
    for scene in told.scenes:
        sketch.node(scene.id, scene.name, SCENE, places[scene.id], mark_of(scene, before))
    _Edges(sketch, told, before).draw()
    return sketch.picture()


def links_shown(told: PlotCut) -> list[LinkKind]:
    """Return the kinds of links that stand in a picture, for its legend."""
    shown = {link.link for link in told.links}
    return [kind for kind in LinkKind if kind in shown]


class _Edges:
    def __init__(self, sketch: Sketch, told: PlotCut, before: Snapshot | None) -> None:
        self._sketch = sketch
        self._told = told
        self._before = before

    def draw(self) -> None:
        for part in self._told.parts:
            self._draw_part(part)
        for occurrence in self._told.occurrences:
            self._draw_occurrence(occurrence)
        for link in self._told.links:
            self._draw_link(link)

    def _draw_part(self, part: Participation) -> None:
        words = f"{part.part}, {part.emotion}" if part.emotion else str(part.part)
        self._sketch.edge(
            part.id,
            (part.character, part.event),
            title=words,
            width=2 if part.part is Part.ACTS else 1,
            dashes=False if part.part in {Part.ACTS, Part.IS_AFFECTED} else [6, 6],
            color=self._color(part, ACCENT),
        )

    def _draw_occurrence(self, occurrence: Occurrence) -> None:
        self._sketch.edge(
            occurrence.id,
            (occurrence.event, occurrence.scene),
            title="takes place here",
            dashes=[1, 6],
            color=self._color(occurrence, FAINT),
        )

    def _draw_link(self, link: EventLink) -> None:
        self._sketch.edge(
            link.id,
            (link.source, link.target),
            label=str(link.link),
            width=2.5,
            has_arrow=True,
            smooth=self._bow(link),
            color=self._color(link, LINK_COLORS[link.link]),
        )

    def _bow(self, link: EventLink) -> JsonValue:
        """Bow a link that leaps over a chapter, so that it is not lost behind what lies between."""
        chapters = self._told.chapter_of
        if abs(chapters[link.source] - chapters[link.target]) < _LEAP:
            return False
        return {"enabled": True, "type": "curvedCW", "roundness": 0.2}

    def _color(self, edge: AnyEntity, color: str) -> JsonValue:
        is_quiet = self._before is not None and mark_of(edge, self._before) is Mark.AS_BEFORE
        return {
            "color": color,
            "highlight": color,
            "hover": color,
            "opacity": _QUIET if is_quiet else 1.0,
        }
