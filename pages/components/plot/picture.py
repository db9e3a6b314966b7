"""Before and after: the people a candidate touches and their relationships, drawn twice. Pure.

Everybody keeps their place in both pictures. They are drawn at about the size at which a card
shows them, which keeps the names legible.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from graph_flow.views import Circle
from pages.components.pictures.drawing import MARK_COLORS, Mark, Tone
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import FAINT, INK, LINE, PAPER
from pages.components.pictures.story_index import mark_of
from pages.components.pictures.svg_canvas import SANS, Pen, SvgCanvas, text_width
from pages.components.plot import strings
from store.models.cast import Character, Relationship
from store.models.prototype import AnyEntity
from store.text import clip

_WIDTH = 138.0
"""The width of each of the two pictures."""
_GAP = 8.0
_HEAD = 22.0
_DOT = 7.0
_NAME, _LABEL = 11.0, 10.0
_LETTERS = 12
_DOWN: Mapping[int, float] = {1: 0.0, 2: 0.0, 3: 36.0, 4: 46.0}
_DOWN_FOR_MORE = 66.0
_AROUND = 28.0
_ARROW = 5.0
_PLACES = (0.5, 0.34, 0.66, 0.22, 0.78)
"""Where along a relationship's line its label may go, best place first."""


def draw(circle: Circle, colors: Mapping[str, str]) -> str:
    """Return both pictures side by side as the text of an SVG file.

    `colors` gives the colour (as CSS has it) for each variable of the theme.
    """
    return _Drawing(circle, SvgCanvas(colors)).text()


def words(circle: Circle) -> str:
    """Return a description of the pictures, for those who cannot see them."""
    people = {one.id: one.name for half in (circle.before, circle.after) for one in half.characters}
    before, after = (
        [
            strings.picture_relationship(
                people.get(one.source, "?"), people.get(one.target, "?"), one
            )
            for one in half.relationships
        ]
        for half in (circle.before, circle.after)
    )
    return strings.picture(list(people.values()), before, after)


class _Drawing:
    def __init__(self, circle: Circle, canvas: SvgCanvas) -> None:
        self._circle = circle
        self._canvas = canvas
        everybody = {one.id: one for one in circle.before.characters}
        everybody |= {one.id: one for one in circle.after.characters}
        self._people: Mapping[str, Character] = everybody
        self._down = _DOWN.get(len(everybody), _DOWN_FOR_MORE)
        self._seats = seats_of(list(everybody), self._down)

    def text(self) -> str:
        """Draw both pictures, and return the SVG document."""
        height = _HEAD + 2 * (self._down + _AROUND)
        size = Point(2 * _WIDTH + _GAP, height)
        self._canvas.open(Point(0, 0), size, words(self._circle))
        middle = _WIDTH + _GAP / 2
        self._canvas.add("line", x1=middle, x2=middle, y1=6.0, y2=height - 6, stroke=LINE)
        self._half(strings.BEFORE, 0.0, is_after=False)
        self._half(strings.AFTER, _WIDTH + _GAP, is_after=True)
        return self._canvas.text()

    def _half(self, heading: str, left: float, *, is_after: bool) -> None:
        pen = Pen(FAINT, _NAME, SANS, "start")
        self._canvas.write(heading, Point(left + 6, 14), pen)
        middle = Point(left + _WIDTH / 2, _HEAD + self._down + _AROUND)
        seats = {id_: Point(middle.x + at.x, middle.y + at.y) for id_, at in self._seats.items()}
        half = _Half(self._canvas, self._circle, seats, is_after=is_after)
        names = {
            id_: at.y + (-_DOT - 9 if self._seats[id_].y < -1 else _DOT + 8)
            for id_, at in seats.items()
        }
        half.draw_relationships([Point(seats[id_].x, y) for id_, y in names.items()])
        for id_, person in self._people.items():
            half.draw_person(person, names[id_])


class _Half:
    """One of the two pictures: before, or after with the changes marked."""

    def __init__(
        self, canvas: SvgCanvas, circle: Circle, seats: Mapping[str, Point], *, is_after: bool
    ) -> None:
        self._canvas = canvas
        self._circle = circle
        self._seats = seats
        self._is_after = is_after
        self._middle = _WIDTH / 2 + (_WIDTH + _GAP if is_after else 0.0)
        self._written: list[Point] = []

    def draw_relationships(self, names: Iterable[Point]) -> None:
        """Draw the relationships, in the second picture also those that end.

        `names` are the centres of the names, which labels must avoid.
        """
        self._written += [*names, *self._seats.values()]
        before = {
            relationship.id: relationship for relationship in self._circle.before.relationships
        }
        after = {relationship.id: relationship for relationship in self._circle.after.relationships}
        between: Counter[frozenset[str]] = Counter()
        for relationship in ({**before, **after} if self._is_after else before).values():
            if {relationship.source, relationship.target} <= self._seats.keys():
                pair = frozenset((relationship.source, relationship.target))
                self._relationship(relationship, before.get(relationship.id), between[pair])
                between[pair] += 1

    def draw_person(self, person: Character, name_at: float) -> None:
        """Draw a person with their name, in the second picture also those who leave."""
        if not self._is_after and person.id not in self._circle.before.entities:
            return
        at, mark = self._seats[person.id], self._mark(person)
        style: dict[str, object] = {
            "fill": PAPER,
            "stroke": MARK_COLORS[Tone.COMPARISON].get(mark, FAINT),
            "stroke_width": 1.2 if mark is Mark.AS_BEFORE else 2.4,
        }
        if mark is Mark.ENDED:
            style["stroke_dasharray"] = "3 3"
        self._canvas.add("circle", cx=at.x, cy=at.y, r=_DOT, **style)
        name = f"{mark} {clip(person.name, _LETTERS)}".strip()
        # A long name near the edge is moved inwards to stay within its picture.
        room = max(0.0, _WIDTH / 2 - text_width(name, _NAME) / 2 - 2)
        aside = max(-room, min(room, at.x - self._middle))
        place = Point(self._middle + aside, name_at + 4)
        width = text_width(name, _NAME)
        box = {"width": width, "height": 12.0, "fill": PAPER, "rx": 3, "fill_opacity": 0.8}
        self._canvas.add("rect", x=place.x - width / 2, y=place.y - 9.5, **box)
        self._canvas.write(name, place, Pen(INK, _NAME, SANS))

    def _mark(self, entity: AnyEntity) -> Mark:
        if not self._is_after:
            return Mark.AS_BEFORE
        is_there = entity.id in self._circle.after.entities
        return mark_of(entity, self._circle.before) if is_there else Mark.ENDED

    def _relationship(
        self, relationship: Relationship, before: Relationship | None, place: int
    ) -> None:
        mark = self._mark(relationship)
        color = MARK_COLORS[Tone.COMPARISON].get(mark, FAINT)
        source, target = self._seats[relationship.source], self._seats[relationship.target]
        via = bowed(source, target, place, is_turned=relationship.source > relationship.target)
        start, tip = short(source, via, _DOT), short(target, via, _DOT + 1)
        style: dict[str, object] = {
            "stroke": color,
            "stroke_width": 0.8 + relationship.strength * 0.22,
            "fill": "none",
        }
        if mark is Mark.ENDED:
            style["stroke_dasharray"] = "4 4"
        path = f"M {start.x:.1f} {start.y:.1f} Q {via.x:.1f} {via.y:.1f} {tip.x:.1f} {tip.y:.1f}"
        self._canvas.add("path", d=path, **style)
        if not relationship.is_mutual:
            self._arrow(via, tip, color)
        label = self._label(relationship, before, mark)
        if label:
            self._write(label, (start, via, tip), color)

    def _label(self, relationship: Relationship, before: Relationship | None, mark: Mark) -> str:
        """Return the label of a relationship: its strength, if it changes in any way."""
        if not self._is_after:
            standing = self._circle.after.entities.get(relationship.id)
            return "" if standing == relationship else str(relationship.strength)
        if mark is Mark.CHANGED and before is not None:
            is_same = before.strength == relationship.strength
            return (
                f"± {relationship.strength}"
                if is_same
                else f"{before.strength} to {relationship.strength}"
            )
        return {Mark.NEW: f"+ {relationship.strength}", Mark.ENDED: "−"}.get(mark, "")

    def _arrow(self, via: Point, tip: Point, color: str) -> None:
        angle = math.atan2(tip.y - via.y, tip.x - via.x)
        wings = [
            Point(tip.x - _ARROW * math.cos(angle + turn), tip.y - _ARROW * math.sin(angle + turn))
            for turn in (0.5, -0.5)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *wings))
        self._canvas.add("polygon", points=points, fill=color)

    def _write(self, label: str, curve: tuple[Point, Point, Point], color: str) -> None:
        """Write a label on a relationship's line, where there is the most room."""
        free = [along(curve, share) for share in _PLACES]
        at = max(free, key=self._room)
        self._written.append(at)
        width = text_width(label, _LABEL) + 4
        box = {"width": width, "height": 13.0, "fill": PAPER, "rx": 3}
        self._canvas.add("rect", x=at.x - width / 2, y=at.y - 7, **box)
        self._canvas.write(label, Point(at.x, at.y + 3.5), Pen(color, _LABEL, SANS))

    def _room(self, at: Point) -> float:
        """Return the distance to the nearest text, from 0 (none) to 1 (enough)."""
        far = (max(abs(at.x - one.x) / 38, abs(at.y - one.y) / 13) for one in self._written)
        return min(1.0, *far, 1.0)


_ACROSS = 44.0
_BOW = 15.0


def seats_of(people: list[str], down: float) -> dict[str, Point]:
    """Return everybody's place around the middle: two face each other, more form a ring."""
    if len(people) == 1:
        return {people[0]: Point(0, 0)}
    first = math.pi if len(people) == 2 else -math.pi / 2
    angles = [first + 2 * math.pi * seat / len(people) for seat in range(len(people))]
    return {
        person: Point(_ACROSS * math.cos(angle), down * math.sin(angle))
        for person, angle in zip(people, angles, strict=True)
    }


def bowed(source: Point, target: Point, place: int, *, is_turned: bool) -> Point:
    """Return the control point of a line's curve, which keeps parallel relationships apart."""
    middle = Point((source.x + target.x) / 2, (source.y + target.y) / 2)
    length = math.hypot(target.x - source.x, target.y - source.y) or 1.0
    side = (-1 if place % 2 else 1) * (-1 if is_turned else 1)
    reach = side * 2 * _BOW * ((place + 1) // 2)
    return Point(
        middle.x - (target.y - source.y) / length * reach,
        middle.y + (target.x - source.x) / length * reach,
    )


def short(end: Point, via: Point, by: float) -> Point:
    """Return a point short of an end by `by`, where a line stops at the rim of a dot."""
    length = math.hypot(via.x - end.x, via.y - end.y) or 1.0
    return Point(end.x + (via.x - end.x) / length * by, end.y + (via.y - end.y) / length * by)


def along(curve: tuple[Point, Point, Point], share: float) -> Point:
    """Return the point at a share (0 to 1) of a curve given by start, control point and tip."""
    start, via, tip = curve
    rest = 1 - share
    return Point(
        rest * rest * start.x + 2 * rest * share * via.x + share * share * tip.x,
        rest * rest * start.y + 2 * rest * share * via.y + share * share * tip.y,
    )
