"""The geometry of a picture that is drawn without a browser: sizes of names, rims, bows. Pure."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from pages.components.layout import Point


class Box(NamedTuple):
    """A node's form, its middle, half its width and height, and the lines of its name."""

    form: str
    at: Point
    half: Point
    lines: tuple[str, ...]
    font: float

    @property
    def is_named_below(self) -> bool:
        """Whether its name stands beneath it, and not in it."""
        return self.form in {"dot", "diamond"}


def text_width(words: str, font: float) -> float:
    """Return about how wide words are: the file does not know the fonts of who opens it."""
    wide = sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.5 for letter in words)
    return wide * font


def wrapped(name: str, font: float, widest: float) -> list[str]:
    """Return a name in lines of about a width at most, broken between words."""
    lines: list[str] = []
    for word in name.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, font) <= widest:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def bow(source: Point, target: Point, smooth: object) -> Point | None:
    """Return the point towards which an edge bows, as vis-network has it; None: it is straight."""
    if not isinstance(smooth, Mapping):
        return None
    side = 1 if smooth["type"] == "curvedCW" else -1
    roundness = float(smooth["roundness"])
    dx, dy = target.x - source.x, source.y - target.y
    reach = (roundness * 0.5 + 0.5) * math.hypot(dx, dy)
    angle = math.atan2(dy, dx) + (side * roundness * 0.5 + 0.5) * math.pi
    return Point(source.x + reach * math.sin(angle), source.y + reach * math.cos(angle))


def rim(box: Box, origin: Point) -> Point:
    """Return where a line from `origin` to the middle of a node meets its rim."""
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
    """Return the middle of an edge, straight or bowed."""
    if via is None:
        return Point((source.x + tip.x) / 2, (source.y + tip.y) / 2)
    return Point((source.x + 2 * via.x + tip.x) / 4, (source.y + 2 * via.y + tip.y) / 4)
