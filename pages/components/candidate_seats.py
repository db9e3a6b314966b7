"""Where people and ties stand in the small picture of a card. Pure."""

from __future__ import annotations

import math

from pages.components.layout import Point

_ACROSS = 44.0
_BOW = 15.0


def seats_of(people: list[str], down: float) -> dict[str, Point]:
    """Return where everybody is, around the middle: two face each other, more sit in a ring."""
    if len(people) == 1:
        return {people[0]: Point(0, 0)}
    first = math.pi if len(people) == 2 else -math.pi / 2
    angles = [first + 2 * math.pi * seat / len(people) for seat in range(len(people))]
    return {
        person: Point(_ACROSS * math.cos(angle), down * math.sin(angle))
        for person, angle in zip(people, angles, strict=True)
    }


def bowed(source: Point, target: Point, place: int, *, is_turned: bool) -> Point:
    """Return what a tie bows towards, so that each of several between the same two is seen."""
    middle = Point((source.x + target.x) / 2, (source.y + target.y) / 2)
    length = math.hypot(target.x - source.x, target.y - source.y) or 1.0
    side = (-1 if place % 2 else 1) * (-1 if is_turned else 1)
    reach = side * 2 * _BOW * ((place + 1) // 2)
    return Point(
        middle.x - (target.y - source.y) / length * reach,
        middle.y + (target.x - source.x) / length * reach,
    )


def short(end: Point, via: Point, by: float) -> Point:
    """Return a point a little way from an end, so that a line stops at the rim of a dot."""
    length = math.hypot(via.x - end.x, via.y - end.y) or 1.0
    return Point(end.x + (via.x - end.x) / length * by, end.y + (via.y - end.y) / length * by)


def along(curve: tuple[Point, Point, Point], share: float) -> Point:
    """Return the point at a share, from 0 to 1, of a curve: its start, what it bows to, its tip."""
    start, via, tip = curve
    rest = 1 - share
    return Point(
        rest * rest * start.x + 2 * rest * share * via.x + share * share * tip.x,
        rest * rest * start.y + 2 * rest * share * via.y + share * share * tip.y,
    )
