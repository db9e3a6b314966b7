"""The legend of a picture in an SVG file. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pages.components.layout import Point
from pages.components.legend import Entry
from pages.components.palette import INK
from pages.components.svg_shapes import text_width
from pages.components.svg_sheet import SANS, Pen, Sheet

ROW = 26.0
"""The height of a row of entries."""
_FONT = 14.0
_SAMPLE = 36.0
_GAP = 24.0

Rows = list[list[tuple[float, Entry]]]
"""Entries in rows, each with its place from the left."""


def arranged(entries: Iterable[Entry], width: float) -> Rows:
    """Return entries in rows that are no wider than a width, if one alone is not."""
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


def draw(sheet: Sheet, rows: Rows, corner: Point) -> None:
    """Draw arranged entries beneath a corner."""
    for row, entries in enumerate(rows):
        for x, entry in entries:
            _draw_entry(sheet, entry, Point(corner.x + x, corner.y + (row + 0.5) * ROW))


def _draw_entry(sheet: Sheet, entry: Entry, at: Point) -> None:
    x, y = at
    color = entry.color or INK
    line: dict[str, object] = {"stroke": color, "fill": "none", "stroke_width": 2}
    match entry.sample:
        case "sign":
            sheet.write(entry.sign, Point(x + 14, y + 5), Pen(INK, _FONT))
        case "oval":
            sheet.add("ellipse", cx=x + 14, cy=y, rx=14, ry=7, **line)
        case "box" | "touched":
            line["stroke_width"] = 3 if entry.sample == "touched" else 1
            sheet.add("rect", x=x, y=y - 7, width=28, height=14, rx=4, **line)
        case "diamond":
            points = f"{x + 14},{y - 8} {x + 22},{y} {x + 14},{y + 8} {x + 6},{y}"
            sheet.add("polygon", points=points, **line)
        case "bead" | "ring":
            line["fill"] = color if entry.sample == "bead" else "none"
            sheet.add("circle", cx=x + 14, cy=y, r=6, **line)
        case _:
            _draw_line(sheet, entry, at, color)
    pen = Pen(INK, _FONT, SANS, "start")
    sheet.write(entry.words, Point(x + _SAMPLE, y + 5), pen)


def _draw_line(sheet: Sheet, entry: Entry, at: Point, color: str) -> None:
    style: dict[str, object] = {"stroke": color, "stroke_width": 3}
    if entry.sample == "thick":
        style["stroke_width"] = 6
    if entry.sample in {"dashed", "dotted"}:
        style["stroke_dasharray"] = "7 5" if entry.sample == "dashed" else "2 5"
    sheet.add("line", x1=at.x, x2=at.x + 28, y1=at.y, y2=at.y, **style)
    if entry.sample == "arrow":
        points = f"{at.x + 32},{at.y} {at.x + 23},{at.y - 5} {at.x + 23},{at.y + 5}"
        sheet.add("polygon", points=points, fill=color)
