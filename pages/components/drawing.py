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
from pages.components.layout import Point
from store.models.cast import RelationshipKind

TIE_COLORS: Final[Mapping[RelationshipKind, str]] = {
    RelationshipKind.KINSHIP: "#98683A",
    RelationshipKind.ROMANCE: "#CC4A86",
    RelationshipKind.FRIENDSHIP: "#3F8A43",
    RelationshipKind.ALLIANCE: "#23888C",
    RelationshipKind.MENTORSHIP: "#3F7BC4",
    RelationshipKind.SERVICE: "#7C776D",
    RelationshipKind.RIVALRY: "#C7641D",
    RelationshipKind.DISTRUST: "#8D63C4",
    RelationshipKind.ENMITY: "#C93C36",
    RelationshipKind.DEBT: "#8A7A12",
}
"""Of middle lightness, so that each stands out from light and from dark paper."""

INK: Final = "var(--st-text-color)"
PAPER: Final = "var(--st-background-color)"
SHADE: Final = "var(--st-secondary-background-color)"
ACCENT: Final = "var(--st-primary-color)"
FAINT: Final = "var(--st-gray-color)"
"""Colours of the theme: the browser looks them up, so that a picture follows light and dark."""


class Mark(StrEnum):
    """What the chapter did to something; shown before its name."""

    NEW = "＋"
    CHANGED = "±"
    AS_BEFORE = ""


class Picture(View):
    """Nodes, edges and options as vis-network reads them."""

    nodes: tuple[dict[str, JsonValue], ...]
    edges: tuple[dict[str, JsonValue], ...]
    options: dict[str, JsonValue]


class Shape(View):
    """How one sort of node looks: vis-network's name of the form, and its group in the options.

    `room` is how many letters of a name fit; a click tells the rest.
    """

    form: str
    group: str
    room: int


PERSON: Final = Shape(form="ellipse", group="person", room=24)
EVENT: Final = Shape(form="box", group="event", room=48)
SCENE: Final = Shape(form="diamond", group="scene", room=32)
HEADING: Final = Shape(form="text", group="heading", room=24)


class Sketch:
    """Collects nodes and edges into a pyvis network and hands them over as a picture."""

    def __init__(self) -> None:
        self._network = Network(directed=True)
        self._network.set_options(json.dumps(_OPTIONS))

    def node(self, id_: str, name: str, shape: Shape, place: Point, mark: Mark) -> None:
        """Add a node; one that the chapter touched has a heavy rim in the accent colour."""
        shown = clipped(name, shape.room)
        more = {} if shown == name else {"title": name}
        group = shape.group if mark is Mark.AS_BEFORE else f"touched-{shape.group}"
        self._network.add_node(
            id_,
            label=f"{mark} {shown}".strip(),
            shape=shape.form,
            group=group,
            x=place.x,
            y=place.y,
            **more,
        )

    def heading(self, id_: str, words: str, place: Point) -> None:
        """Add words that stand in the picture and cannot be clicked."""
        self._network.add_node(
            id_, label=words, shape=HEADING.form, group=HEADING.group, x=place.x, y=place.y
        )

    def edge(
        self, id_: str, ends: tuple[str, str], *, has_arrow: bool = False, **look: JsonValue
    ) -> None:
        """Add an edge; `look` is what differs from the options, in vis-network's own words."""
        # Said of every edge: pyvis gives an arrow to each one that says nothing.
        self._network.add_edge(*ends, id=id_, arrows={"to": {"enabled": has_arrow}}, **look)

    def picture(self) -> Picture:
        """Return what was collected."""
        return Picture(
            nodes=tuple(self._network.nodes),
            edges=tuple(self._network.edges),
            options=self._network.options,
        )


def clipped(name: str, room: int) -> str:
    """Return a name on one line of at most `room` letters."""
    line = " ".join(name.split())
    return line if len(line) <= room else f"{line[: room - 1].rstrip()}…"


def _groups() -> dict[str, JsonValue]:
    """Return the looks of each sort of node, as it was before and touched by the chapter."""
    shaped: dict[str, dict[str, JsonValue]] = {
        "person": {},
        "event": {"shapeProperties": {"borderRadius": 4}},
        "scene": {"size": 13, "font": {"color": FAINT, "size": 15}},
    }
    papers = {"person": SHADE, "event": PAPER, "scene": SHADE}
    groups: dict[str, JsonValue] = {
        "heading": {"font": {"color": FAINT, "size": 18, "strokeWidth": 6, "strokeColor": PAPER}}
    }
    for sort, look in shaped.items():
        groups[sort] = look | {"color": _colors(papers[sort], FAINT)}
        groups[f"touched-{sort}"] = look | {
            "color": _colors(papers[sort], ACCENT),
            "borderWidth": 3,
        }
    return groups


def _colors(background: str, border: str) -> dict[str, JsonValue]:
    return {
        "background": background,
        "border": border,
        "highlight": {"background": SHADE, "border": INK},
        "hover": {"background": SHADE, "border": ACCENT},
    }


_OPTIONS: dict[str, JsonValue] = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "dragNodes": False,
        "tooltipDelay": 150,
        "selectConnectedEdges": False,
        "hideEdgesOnDrag": False,
    },
    "nodes": {
        "font": {"color": INK, "size": 17, "face": "serif"},
        "borderWidth": 1,
        "borderWidthSelected": 4,
        "labelHighlightBold": False,
        "margin": {"top": 9, "bottom": 9, "left": 12, "right": 12},
        "widthConstraint": {"maximum": 190},
    },
    "groups": _groups(),
    "edges": {
        "smooth": False,
        "arrows": {"to": {"scaleFactor": 0.7}},
        "font": {
            "color": INK,
            "size": 13,
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
