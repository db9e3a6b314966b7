"""A picture of a graph as data for the browser, built with pyvis. Pure.

Every label is plain text: the browser draws it on a canvas and never reads it as HTML.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pydantic import JsonValue
from pyvis.network import Network

from graph_flow.views import View
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import ACCENT, FAINT, GREEN, INK, ORANGE, PAPER, RED, SHADE
from store.text import clip


class Mark(StrEnum):
    """How something changed; shown before its name."""

    NEW = "+"
    CHANGED = "±"
    ENDED = "−"
    AS_BEFORE = ""


class Guide(View):
    """A chapter's column or a person's lane: a line at `at`, and a label that is always in view.

    `short` replaces the label of a column where there is little room, unless it is empty. `subject`
    is the id of what a click on the label selects; empty: nothing.
    """

    at: float
    words: str
    short: str = ""
    subject: str = ""


class Picture(View):
    """Nodes, edges and options as vis-network reads them, and the guides behind them.

    Beside vis-network's own fields a node or edge may have: `subject`, the id of what it represents
    if that is not its own; `caption`, a name shown beside it if there is room; `rank`, its priority
    when not all names fit; `words`, shown on an edge when one of its ends is selected.
    """

    nodes: tuple[dict[str, JsonValue], ...]
    edges: tuple[dict[str, JsonValue], ...]
    options: dict[str, JsonValue]
    columns: tuple[Guide, ...] = ()
    rows: tuple[Guide, ...] = ()


class Shape(View):
    """How one sort of node looks: vis-network's name of the form, and its group in the options.

    `room` is how many letters of a name fit; the tooltip has the rest.
    """

    form: str
    group: str
    room: int


class Tone(StrEnum):
    """What the marks of a picture mean, and so how they are coloured."""

    CHAPTER = "chapter"
    COMPARISON = "comparison"


PERSON: Final = Shape(form="ellipse", group="person", room=24)
DEAD: Final = Shape(form="ellipse", group="dead", room=24)
MISSING: Final = Shape(form="ellipse", group="missing", room=24)
FIGURE: Final = Shape(form="ellipse", group="figure", room=18)
"""A person in one chapter of the Plot Graph, which has many."""
EVENT: Final = Shape(form="box", group="event", room=48)
SCENE: Final = Shape(form="diamond", group="scene", room=28)
BEAD: Final = Shape(form="dot", group="bead", room=40)

_SHAPES: Final = (PERSON, DEAD, MISSING, FIGURE, EVENT, SCENE, BEAD)
_PREFIXES: Final = {Mark.NEW: "new-", Mark.CHANGED: "changed-", Mark.ENDED: "ended-"}
MARK_COLORS: Final[Mapping[Tone, Mapping[Mark, str]]] = {
    Tone.CHAPTER: {Mark.NEW: ACCENT, Mark.CHANGED: ACCENT, Mark.ENDED: FAINT},
    Tone.COMPARISON: {Mark.NEW: GREEN, Mark.CHANGED: ORANGE, Mark.ENDED: RED},
}
"""For a chapter one colour says "look here"; in a comparison each colour says what differs."""


class Sketch:
    """Collects nodes and edges in a pyvis network and returns them as a picture."""

    def __init__(self, tone: Tone = Tone.CHAPTER) -> None:
        self._network = Network(directed=True)
        self._network.set_options(json.dumps(_options(tone)))
        self._columns: list[Guide] = []
        self._rows: list[Guide] = []

    def node(
        self, id_: str, name: str, shape: Shape, place: Point, mark: Mark, **look: JsonValue
    ) -> None:
        """Add a node; one that changed has a heavy outline and its mark before the name."""
        self._add(id_, name, shape, place, mark)
        self._network.nodes[-1].update(look)

    def dot(
        self, id_: str, name: str, shape: Shape, place: Point, mark: Mark, **look: JsonValue
    ) -> None:
        """Add a node as a dot; its name, if any, is shown beside it if there is room."""
        self._add(id_, name, shape, place, mark)
        node = self._network.nodes[-1]
        node.update({"shape": "dot", "caption": node["label"] if name else "", "label": ""}, **look)

    def _add(self, id_: str, name: str, shape: Shape, place: Point, mark: Mark) -> None:
        shown = clip(name, shape.room)
        self._network.add_node(
            id_,
            label=f"{mark} {shown}".strip(),
            shape=shape.form,
            group=f"{_PREFIXES.get(mark, '')}{shape.group}",
            x=place.x,
            y=place.y,
        )
        if shown != name:
            self._network.nodes[-1]["title"] = name

    def edge(
        self, id_: str, ends: tuple[str, str], *, has_arrow: bool = False, **look: JsonValue
    ) -> None:
        """Add an edge; `look` overrides the options, in vis-network's own fields."""
        # Set on every edge: pyvis gives an arrow to any that leaves it out.
        self._network.add_edge(*ends, id=id_, arrows={"to": {"enabled": has_arrow}}, **look)

    def column(self, guide: Guide) -> None:
        """Add a heading above a horizontal position."""
        self._columns.append(guide)

    def row(self, guide: Guide) -> None:
        """Add a line across the whole picture, with a label at its left."""
        self._rows.append(guide)

    def picture(self) -> Picture:
        """Return the finished picture."""
        return Picture.model_construct(
            nodes=tuple(self._network.nodes),
            edges=tuple(self._network.edges),
            options=self._network.options,
            columns=tuple(self._columns),
            rows=tuple(self._rows),
        )


def line_color(color: str, opacity: float = 1.0) -> dict[str, JsonValue]:
    """Return the colours of an edge, the same in each of its states."""
    return {"color": color, "highlight": color, "hover": color, "opacity": opacity}


def fill(background: str, border: str) -> dict[str, JsonValue]:
    """Return the colours of a node in each of its states."""
    return {
        "background": background,
        "border": border,
        "highlight": {"background": background, "border": INK},
        "hover": {"background": background, "border": ACCENT},
    }


def _groups(tone: Tone) -> dict[str, JsonValue]:
    """Return the look of each sort of node, unchanged and with each mark."""
    groups: dict[str, JsonValue] = {}
    for shape in _SHAPES:
        look = _LOOKS.get(shape.group, {})
        paper = PAPER if shape in (EVENT, DEAD, MISSING) else SHADE
        plain: dict[str, JsonValue] = {"color": fill(paper, FAINT)}
        groups[shape.group] = plain | look
        for mark, prefix in _PREFIXES.items():
            rim: dict[str, JsonValue] = {
                "color": fill(paper, MARK_COLORS[tone][mark]),
                "borderWidth": 3,
            }
            groups[f"{prefix}{shape.group}"] = look | rim
        if tone is Tone.CHAPTER:
            groups[f"ended-{shape.group}"] = look | _ENDED
    return groups


_LOOKS: dict[str, dict[str, JsonValue]] = {
    "dead": {"font": {"color": FAINT}},
    "missing": {"shapeProperties": {"borderDashes": [6, 5]}},
    "figure": {
        "font": {"size": 15},
        "margin": {"top": 6, "bottom": 6, "left": 8, "right": 8},
        "widthConstraint": {"maximum": 118},
    },
    "event": {"shapeProperties": {"borderRadius": 4}},
    "scene": {"size": 12, "font": {"color": FAINT, "size": 15}},
    "bead": {"borderWidth": 2, "borderWidthSelected": 3},
}
_ENDED: dict[str, JsonValue] = {
    "color": fill(PAPER, FAINT),
    "font": {"color": FAINT},
    "shapeProperties": {"borderDashes": [2, 4]},
}


def _options(tone: Tone) -> dict[str, JsonValue]:
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {
            "hover": True,
            "dragNodes": False,
            "tooltipDelay": 150,
            "selectConnectedEdges": False,
        },
        "nodes": {
            "font": {"color": INK, "size": 17, "face": "serif"},
            "borderWidth": 1,
            "borderWidthSelected": 4,
            "labelHighlightBold": False,
            "margin": {"top": 9, "bottom": 9, "left": 12, "right": 12},
            "widthConstraint": {"maximum": 190},
            "scaling": {"label": {"drawThreshold": _LEGIBLE}},
        },
        "groups": _groups(tone),
        "edges": {
            "smooth": False,
            "arrows": {"to": {"scaleFactor": 0.7}},
            "scaling": {"label": {"drawThreshold": _LEGIBLE}},
            "font": {
                "color": INK,
                "size": 15,
                "face": "sans-serif",
                "strokeWidth": 0,
                "background": PAPER,
                "align": "horizontal",
            },
            "labelHighlightBold": False,
            "selectionWidth": 2,
            "hoverWidth": 1,
        },
    }


_LEGIBLE = 9
"""Pixels on the screen; a name that would be smaller is drawn beside its shape instead, at a
legible size, if there is room."""
