"""The canvas for an SVG file: elements, text and geometry, in the colours of a theme. Pure.

It is built as a tree of elements, so a name is always text, even if it looks like markup.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from pages.components.pictures.layout import Point

SERIF = "Georgia, 'Times New Roman', serif"
SANS = "Helvetica, Arial, sans-serif"

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids, even escaped."""
_UNKNOWN = "#808080"


class Pen(NamedTuple):
    """How text is written: its colour (of the theme or CSS), size, face and anchor."""

    color: str
    size: float
    face: str = SERIF
    anchor: str = "middle"


class SvgCanvas:
    """An SVG document being built. Colours may be variables of the theme."""

    def __init__(self, colors: Mapping[str, str]) -> None:
        self._colors = colors
        self._root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})

    def open(self, corner: Point, size: Point, title: str) -> None:
        """Set the visible part of the plane and the title, and fill the background."""
        view = f"{corner.x:.0f} {corner.y:.0f} {size.x:.0f} {size.y:.0f}"
        self._root.set("viewBox", view)
        self._root.set("width", f"{size.x:.0f}")
        self._root.set("height", f"{size.y:.0f}")
        ElementTree.SubElement(self._root, "title").text = _allowed(title)
        paper = {"width": size.x, "height": size.y, "fill": "var(--st-background-color)"}
        self.add("rect", x=corner.x, y=corner.y, **paper)

    def add(self, tag: str, **attributes: object) -> None:
        """Add an element; underscores in the names of attributes stand for hyphens."""
        values = {name.replace("_", "-"): self._value(value) for name, value in attributes.items()}
        ElementTree.SubElement(self._root, tag, values)

    def write(self, words: str, at: Point, pen: Pen) -> None:
        """Add text with its baseline at a point."""
        attributes = {
            "x": f"{at.x:.1f}",
            "y": f"{at.y:.1f}",
            "font-size": f"{pen.size:.0f}",
            "font-family": pen.face,
            "fill": self._value(pen.color),
            "text-anchor": pen.anchor,
        }
        ElementTree.SubElement(self._root, "text", attributes).text = _allowed(words)

    def text(self) -> str:
        """Return the document."""
        return ElementTree.tostring(self._root, encoding="unicode")

    def _value(self, value: object) -> str:
        if isinstance(value, float):
            return f"{value:.1f}"
        words = str(value)
        return self._colors.get(words[4:-1], _UNKNOWN) if words.startswith("var(") else words


def _allowed(words: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words)


class Box(NamedTuple):
    """A node's form, centre, half width and height, the lines of its name, and font size."""

    form: str
    at: Point
    half: Point
    lines: tuple[str, ...]
    font: float

    @property
    def is_named_below(self) -> bool:
        """Whether its name is below it, not inside it."""
        return self.form in {"dot", "diamond"}


def text_width(words: str, font: float) -> float:
    """Return the approximate width of a text: the fonts of whoever opens the file are unknown."""
    wide = sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.5 for letter in words)
    return wide * font


def wrapped(name: str, font: float, widest: float) -> list[str]:
    """Return a name in lines of about `widest` at most, broken between words."""
    lines: list[str] = []
    for word in name.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, font) <= widest:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def bow(source: Point, target: Point, smooth: object) -> Point | None:
    """Return the control point of a curved edge, as in vis-network; None if it is straight."""
    if not isinstance(smooth, Mapping):
        return None
    side = 1 if smooth["type"] == "curvedCW" else -1
    roundness = float(smooth["roundness"])
    dx, dy = target.x - source.x, source.y - target.y
    reach = (roundness * 0.5 + 0.5) * math.hypot(dx, dy)
    angle = math.atan2(dy, dx) + (side * roundness * 0.5 + 0.5) * math.pi
    return Point(source.x + reach * math.sin(angle), source.y + reach * math.cos(angle))


def rim(box: Box, origin: Point) -> Point:
    """Return where a line from `origin` to the centre of a node meets its outline."""
    dx, dy = origin.x - box.at.x, origin.y - box.at.y
    distance = math.hypot(dx, dy)
    if distance == 0:
        return box.at
    if box.form == "box":
        share = min(
            box.half.x / abs(dx) if dx else math.inf, box.half.y / abs(dy) if dy else math.inf
        )
    elif box.form == "diamond":
        share = 1 / (abs(dx) / box.half.x + abs(dy) / box.half.y)
    else:
        share = 1 / math.hypot(dx / box.half.x, dy / box.half.y)
    return Point(box.at.x + dx * share, box.at.y + dy * share)


def halfway(source: Point, via: Point | None, tip: Point) -> Point:
    """Return the middle of an edge, straight or curved."""
    if via is None:
        return Point((source.x + tip.x) / 2, (source.y + tip.y) / 2)
    return Point((source.x + 2 * via.x + tip.x) / 4, (source.y + 2 * via.y + tip.y) / 4)
