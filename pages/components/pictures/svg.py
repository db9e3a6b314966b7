"""A picture and its legend as an SVG file, laid out as in the browser. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from pages.components.pictures.figure import Entry, Figure
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import FAINT, INK, LINE, PAPER
from pages.components.pictures.svg_canvas import (
    SANS,
    Box,
    Pen,
    SvgCanvas,
    bow,
    halfway,
    rim,
    text_width,
    wrapped,
)

_MARGIN = 40.0
_LANES = 180.0
_CAPTION = 24.0
_LINE_HEIGHT = 1.25
_ARROW = 11.0
_SMALL = 14.0

_Look = Mapping[str, Any]
"""A node, an edge or a group, in vis-network's fields."""


def render(figure: Figure, colors: Mapping[str, str]) -> str:
    """Return a figure as the text of an SVG file.

    `colors` gives the colour (as CSS has it) for each variable of the theme ("--st-text-color").
    """
    return _Drawing(figure, SvgCanvas(colors)).text()


class _Drawing:
    def __init__(self, figure: Figure, canvas: SvgCanvas) -> None:
        self._figure = figure
        self._picture = figure.picture
        self._canvas = canvas
        self._boxes = {str(node["id"]): self._box(node) for node in self._picture.nodes}

    def text(self) -> str:
        left, top, right, bottom = self._extent()
        legend = arranged(self._figure.legend, right - left - 2 * _MARGIN)
        size = Point(right - left, bottom - top + len(legend) * ROW + _MARGIN)
        self._canvas.open(Point(left, top), size, self._figure.description)
        self._draw_guides(left, top, right)
        for edge in self._picture.edges:
            self._draw_edge(edge)
        for node in self._picture.nodes:
            self._draw_node(node)
        draw(self._canvas, legend, Point(left + _MARGIN, bottom))
        return self._canvas.text()

    def _extent(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the picture, including its margin."""
        boxes = list(self._boxes.values()) or [Box("dot", Point(0, 0), Point(1, 1), (), 1)]
        beneath = [box.at.y + box.half.y + box.is_named_below * _CAPTION for box in boxes]
        lanes = _LANES if self._picture.rows else 0.0
        return (
            min(box.at.x - box.half.x for box in boxes) - _MARGIN - lanes,
            min(box.at.y - box.half.y for box in boxes) - _MARGIN - _CAPTION,
            max(box.at.x + box.half.x for box in boxes) + _MARGIN,
            max(beneath) + _MARGIN,
        )

    def _draw_guides(self, left: float, top: float, right: float) -> None:
        for column in self._picture.columns:
            self._canvas.write(column.words, Point(column.at, top + 22), Pen(FAINT, _SMALL, SANS))
        for row in self._picture.rows:
            self._canvas.add("line", x1=left, x2=right, y1=row.at, y2=row.at, stroke=LINE)
            pen = Pen(INK, _SMALL, anchor="start")
            self._canvas.write(row.words, Point(left + 8, row.at - 6), pen)

    def _look(self, node: _Look) -> dict[str, Any]:
        """Return the look of a node: its own, else its group's, else that of all nodes."""
        options: _Look = self._picture.options
        group = options["groups"].get(node.get("group"), {})
        font = {**options["nodes"]["font"], **group.get("font", {})}
        return {**options["nodes"], **group, **node, "font": font}

    def _box(self, node: _Look) -> Box:
        look = self._look(node)
        font = float(look["font"]["size"])
        name = str(node.get("caption") or node.get("label") or "")
        form, at = str(node["shape"]), Point(float(node["x"]), float(node["y"]))
        if form in {"dot", "diamond"}:
            size = float(look.get("size", 12))
            return Box(form, at, Point(size, size), (name,) if name else (), min(font, _SMALL))
        lines = tuple(wrapped(name, font, look["widthConstraint"]["maximum"]))
        # An oval is wider than its text.
        room = 1.2 if form == "ellipse" else 1.0
        width = max((text_width(line, font) for line in lines), default=0.0) * room
        height = len(lines) * font * _LINE_HEIGHT * room
        return Box(form, at, Point(width / 2 + 9, height / 2 + 7), lines, font)

    def _draw_node(self, node: _Look) -> None:
        box, look = self._boxes[str(node["id"])], self._look(node)
        style: dict[str, object] = {
            "fill": look["color"]["background"],
            "stroke": look["color"]["border"],
            "stroke_width": look.get("borderWidth", 1),
        }
        dashes = look.get("shapeProperties", {}).get("borderDashes")
        if dashes:
            style["stroke_dasharray"] = " ".join(map(str, dashes))
        self._draw_form(box, style)
        step = box.font * _LINE_HEIGHT
        first = box.at.y - (len(box.lines) - 1) * step / 2 + box.font * 0.35
        if box.is_named_below:
            first = box.at.y + box.half.y + box.font
        for row, line in enumerate(box.lines):
            pen = Pen(look["font"]["color"], box.font)
            self._canvas.write(line, Point(box.at.x, first + row * step), pen)

    def _draw_form(self, box: Box, style: dict[str, object]) -> None:
        (x, y), (half_width, half_height) = box.at, box.half
        match box.form:
            case "ellipse":
                self._canvas.add("ellipse", cx=x, cy=y, rx=half_width, ry=half_height, **style)
            case "dot":
                self._canvas.add("circle", cx=x, cy=y, r=half_width, **style)
            case "diamond":
                corners = [(x, y - half_height), (x + half_width, y), (x, y + half_height)]
                points = " ".join(f"{a:.1f},{b:.1f}" for a, b in (*corners, (x - half_width, y)))
                self._canvas.add("polygon", points=points, **style)
            case _:
                size = {"width": 2 * half_width, "height": 2 * half_height, "rx": 4}
                self._canvas.add("rect", x=x - half_width, y=y - half_height, **size, **style)

    def _draw_edge(self, edge: _Look) -> None:
        source, target = self._boxes[str(edge["from"])], self._boxes[str(edge["to"])]
        via = bow(source.at, target.at, edge.get("smooth"))
        tip = rim(target, via or source.at)
        style: dict[str, object] = {
            "stroke": edge["color"]["color"],
            "stroke_width": edge.get("width", 1),
            "stroke_opacity": edge["color"].get("opacity", 1),
            "fill": "none",
        }
        if edge.get("dashes"):
            style["stroke_dasharray"] = " ".join(map(str, edge["dashes"]))
        bend = f"Q {via.x:.1f} {via.y:.1f} " if via else "L "
        path = f"M {source.at.x:.1f} {source.at.y:.1f} {bend}{tip.x:.1f} {tip.y:.1f}"
        self._canvas.add("path", d=path, **style)
        if edge["arrows"]["to"]["enabled"]:
            self._draw_arrow(tip, via or source.at, edge)
        if edge.get("label"):
            self._draw_label(str(edge["label"]), halfway(source.at, via, tip))

    def _draw_arrow(self, tip: Point, origin: Point, edge: _Look) -> None:
        size = _ARROW + float(edge.get("width", 1))
        angle = math.atan2(tip.y - origin.y, tip.x - origin.x)
        wings = [
            Point(tip.x - size * math.cos(angle + turn), tip.y - size * math.sin(angle + turn))
            for turn in (0.42, -0.42)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *wings))
        color = edge["color"]
        self._canvas.add(
            "polygon", points=points, fill=color["color"], fill_opacity=color.get("opacity", 1)
        )

    def _draw_label(self, words: str, at: Point) -> None:
        width = text_width(words, _SMALL)
        size = {"width": width, "height": 18, "fill": PAPER}
        self._canvas.add("rect", x=at.x - width / 2, y=at.y - 9, **size)
        self._canvas.write(words, Point(at.x, at.y + 4.5), Pen(INK, _SMALL, SANS))


ROW = 26.0
"""The height of a row of entries."""
_FONT = 14.0
_SAMPLE = 36.0
_GAP = 24.0

Rows = list[list[tuple[float, Entry]]]
"""Rows of entries, each with its distance from the left."""


def arranged(entries: Iterable[Entry], width: float) -> Rows:
    """Return entries in rows no wider than `width`, unless a single entry is wider."""
    rows: Rows = []
    x = math.inf
    for entry in entries:
        room = _SAMPLE + text_width(entry.words, _FONT) + _GAP
        if x + room > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, entry))
        x += room
    return rows


def draw(canvas: SvgCanvas, rows: Rows, corner: Point) -> None:
    """Draw arranged entries below a corner."""
    for row, entries in enumerate(rows):
        for x, entry in entries:
            _draw_entry(canvas, entry, Point(corner.x + x, corner.y + (row + 0.5) * ROW))


def _draw_entry(canvas: SvgCanvas, entry: Entry, at: Point) -> None:
    x, y = at
    color = entry.color or INK
    line: dict[str, object] = {"stroke": color, "fill": "none", "stroke_width": 2}
    match entry.sample:
        case "sign":
            canvas.write(entry.sign, Point(x + 14, y + 5), Pen(INK, _FONT))
        case "oval":
            canvas.add("ellipse", cx=x + 14, cy=y, rx=14, ry=7, **line)
        case "box" | "touched":
            line["stroke_width"] = 3 if entry.sample == "touched" else 1
            canvas.add("rect", x=x, y=y - 7, width=28, height=14, rx=4, **line)
        case "diamond":
            points = f"{x + 14},{y - 8} {x + 22},{y} {x + 14},{y + 8} {x + 6},{y}"
            canvas.add("polygon", points=points, **line)
        case "bead" | "ring":
            line["fill"] = color if entry.sample == "bead" else "none"
            canvas.add("circle", cx=x + 14, cy=y, r=6, **line)
        case _:
            _draw_line(canvas, entry, at, color)
    pen = Pen(INK, _FONT, SANS, "start")
    canvas.write(entry.words, Point(x + _SAMPLE, y + 5), pen)


def _draw_line(canvas: SvgCanvas, entry: Entry, at: Point, color: str) -> None:
    style: dict[str, object] = {"stroke": color, "stroke_width": 3}
    if entry.sample == "thick":
        style["stroke_width"] = 6
    if entry.sample in {"dashed", "dotted"}:
        style["stroke_dasharray"] = "7 5" if entry.sample == "dashed" else "2 5"
    canvas.add("line", x1=at.x, x2=at.x + 28, y1=at.y, y2=at.y, **style)
    if entry.sample == "arrow":
        points = f"{at.x + 32},{at.y} {at.x + 23},{at.y - 5} {at.x + 23},{at.y + 5}"
        canvas.add("polygon", points=points, fill=color)
