"""The sheet that an SVG file is drawn on: elements and text, in the colours of a theme. Pure.

It is built as a tree of elements: a name is always text in it, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from pages.components.layout import Point

SERIF = "Georgia, 'Times New Roman', serif"
SANS = "Helvetica, Arial, sans-serif"

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML file may hold, not even escaped."""
_UNKNOWN = "#808080"


class Pen(NamedTuple):
    """How words are written: in which colour of the theme or CSS, how large, and where from."""

    color: str
    size: float
    face: str = SERIF
    anchor: str = "middle"


class Sheet:
    """An SVG document that grows. Colours may be variables of the theme."""

    def __init__(self, colors: Mapping[str, str]) -> None:
        self._colors = colors
        self._root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})

    def open(self, corner: Point, size: Point, title: str) -> None:
        """Say which part of the plane is seen and what it shows; lay the paper."""
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
        """Add words, whose foot is at a place."""
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
