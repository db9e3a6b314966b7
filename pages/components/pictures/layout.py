"""Positions of people, events and scenes in the pictures, the same in every chapter. Pure.

They are computed from all that ever entered the story, in order of arrival. So they depend neither
on the chapter shown, nor on what comes later or is removed again.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import networkx as nx

from store.prototype.arrivals import Arrival, ToldChapter


class Point(NamedTuple):
    """A point in a picture, in its own units (a name is about 120 wide); y grows downwards."""

    x: float
    y: float


_SEAT = 190.0
"""Horizontal space for one name."""
_RANK = 112.0
"""Vertical space for one name."""
_JITTER = 14.0
_SMALLEST_RING = 170.0
_LARGEST_RING = 12
"""People; more than this are a crowd, seated beside those they are close to."""
_LARGEST_CROWD = 300
_FLATTENING = 0.72
"""Screens are wider than they are high, and so are the rings."""
_SEED = 11
_ROUNDS = 120
_SPREAD = 0.62
"""How tightly a crowd is packed before everybody takes a seat of their own."""

COLUMN = 320.0
"""The width of a chapter."""
_ROW = 96.0
_PEOPLE_ROW = -92.0
_PEOPLE_RANK = 54.0
_PERSON_SHIFT = 68.0
_STAGGER = 34.0
_SCENE_SHIFT = 74.0

_Cell = tuple[int, int]


def role_positions(arrivals: Sequence[Arrival]) -> dict[str, Point]:
    """Return a seat for everybody who ever entered a story.

    Those who came first sit in a ring, or in a crowd if they are many; those who are close sit side
    by side. Everybody later takes the free seat nearest to the people they came with.
    """
    seating = _Seating()
    for commit, together in groupby(arrivals, key=lambda arrival: arrival.commit):
        came = list(together)
        if commit != arrivals[0].commit:
            seating.seat_newcomers(came)
        elif len(came) <= _LARGEST_RING:
            seating.seat_on_ring(_seating_order(came))
        else:
            seating.seat_crowd(_spread(_closest(came)))
            seating.seat_newcomers(came)
    return seating.seats


def _closest(cast: list[Arrival]) -> list[Arrival]:
    """Return the closest of a crowd, as many as can be laid out quickly."""
    return sorted(cast, key=lambda one: -sum(one.companions.values()))[:_LARGEST_CROWD]


class _Seating:
    """Seats in rows, every second row shifted by half a seat, around a ring if there is one."""

    def __init__(self) -> None:
        self.seats: dict[str, Point] = {}
        self._taken: set[_Cell] = set()
        self._ring = 0.0
        """The horizontal radius within which the rows' seats are left free."""

    def seat_on_ring(self, cast: list[str]) -> None:
        """Seat a few people on a ring around the middle."""
        radius = 0.0 if len(cast) < 2 else max(_SMALLEST_RING, _circumradius(len(cast)))
        self._ring = radius + 0.8 * _SEAT
        angles = [2 * math.pi * seat / len(cast) - math.pi / 2 for seat in range(len(cast))]
        if len(cast) == 2:  # They face each other.
            angles = [math.pi, 0.0]
        for person, angle in zip(cast, angles, strict=True):
            self.seats[person] = _on_ring(radius, angle)

    def seat_crowd(self, wanted: Mapping[str, Point]) -> None:
        """Seat many people as near as possible to where each would be, from the middle outwards."""
        for person, place in sorted(wanted.items(), key=lambda one: (math.hypot(*one[1]), one[0])):
            self._seat(person, place)

    def seat_newcomers(self, arrivals: Iterable[Arrival]) -> None:
        """Give those who arrive together the free seats nearest to the people they came with.

        Whoever came with somebody already seated is seated first.
        """
        waiting = [one for one in arrivals if one.person not in self.seats]
        while waiting:
            known = [one for one in waiting if not self.seats.keys().isdisjoint(one.companions)]
            for arrival in known or waiting[:1]:
                self._seat(arrival.person, self._wanted(arrival))
            waiting = [one for one in waiting if one.person not in self.seats]

    def _wanted(self, arrival: Arrival) -> Point:
        near = [
            (self.seats[one], closeness)
            for one, closeness in arrival.companions.items()
            if one in self.seats
        ]
        total = sum(weight for _, weight in near)
        if total:
            x = sum(place.x * weight for place, weight in near) / total
            y = sum(place.y * weight for place, weight in near) / total
            if math.hypot(x, y) >= 1.0:
                return self._outside(Point(x, y))
        # Nobody to sit by: a direction derived from the id, the same every time.
        digest = hashlib.sha256(arrival.person.encode()).digest()
        angle = 2 * math.pi * int.from_bytes(digest[:4], "big") / 2**32
        return _on_ring(max(self._ring, _SEAT * math.sqrt(len(self.seats)) / 2), angle)

    def _outside(self, place: Point) -> Point:
        """Return a point in the same direction, but not inside the ring."""
        distance = math.hypot(place.x, place.y / _FLATTENING)
        if distance >= self._ring:
            return place
        return Point(place.x * self._ring / distance, place.y * self._ring / distance)

    def _seat(self, person: str, wanted: Point) -> None:
        cell = min(self._nearest(wanted), key=lambda one: (_distance(_place(one), wanted), one))
        self._taken.add(cell)
        self.seats[person] = _place(cell)

    def _nearest(self, wanted: Point) -> list[_Cell]:
        """Return free seats around a point, the nearest one among them."""
        centre = (round(wanted.x / _SEAT), round(wanted.y / _RANK))
        reach = 0
        while True:
            found = [cell for cell in _square(centre, reach) if self._is_free(cell)]
            if found:
                # A corner of this square may be further away than the middle of a side of the next.
                wider = [
                    cell
                    for more in range(reach + 1, 3 * reach // 2 + 2)
                    for cell in _square(centre, more)
                    if self._is_free(cell)
                ]
                return found + wider
            reach += 1

    def _is_free(self, cell: _Cell) -> bool:
        if cell in self._taken:
            return False
        place = _place(cell)
        return math.hypot(place.x, place.y / _FLATTENING) >= self._ring


def _square(centre: _Cell, reach: int) -> Iterator[_Cell]:
    """Yield the seats that are `reach` seats or rows away from a centre."""
    column, row = centre
    for step in range(-reach, reach + 1):
        sides = range(-reach, reach + 1) if abs(step) == reach else (-reach, reach)
        for side in sides:
            yield column + side, row + step


def _place(cell: _Cell) -> Point:
    column, row = cell
    # Slightly out of line, or a crowd would look like a table.
    digest = hashlib.sha256(f"{column},{row}".encode()).digest()
    aside, down = (part / 127.5 - 1 for part in digest[:2])
    x = (column + 0.5 * (row % 2)) * _SEAT + aside * _JITTER
    return Point(round(x), round(row * _RANK + down * _JITTER))


def _distance(one: Point, other: Point) -> float:
    return math.hypot(one.x - other.x, (one.y - other.y) / _FLATTENING)


def _on_ring(radius: float, angle: float) -> Point:
    return Point(round(radius * math.cos(angle)), round(radius * math.sin(angle) * _FLATTENING))


def _circumradius(people: int) -> float:
    return people * _SEAT / (2 * math.pi * _FLATTENING)


def _seating_order(cast: Sequence[Arrival]) -> list[str]:
    """Return a small cast in an order that puts close people side by side."""
    people = [arrival.person for arrival in cast]
    if len(people) < 4:  # For up to three, every order gives the same ring.
        return people
    spread = _sprung(cast)
    return sorted(people, key=lambda person: (math.atan2(*reversed(spread[person])), person))


def _spread(cast: Sequence[Arrival]) -> dict[str, Point]:
    """Return where each of a crowd would sit if only closeness counted."""
    side = math.sqrt(len(cast)) * _SPREAD
    return {
        person: Point(x * side * _SEAT, y * side * _RANK * 0.9)
        for person, (x, y) in _sprung(cast).items()
    }


def _sprung(cast: Sequence[Arrival]) -> dict[str, tuple[float, float]]:
    """Return coordinates from -1 to 1 that put those who are close near each other."""
    relationships: nx.Graph[str] = nx.Graph()
    relationships.add_nodes_from(arrival.person for arrival in cast)
    for arrival in cast:
        for companion, closeness in arrival.companions.items():
            if companion in relationships:
                relationships.add_edge(arrival.person, companion, weight=closeness)
    sprung = nx.spring_layout(relationships, seed=_SEED, method="force", iterations=_ROUNDS)
    return {person: (float(x), float(y)) for person, (x, y) in sprung.items()}


def figure_id(id_: str, chapter: int) -> str:
    """Return the id of the node for a person or a scene in one chapter of the Plot Graph."""
    return f"{id_}@{chapter}"


def plot_positions(told: Iterable[ToldChapter]) -> dict[str, Point]:
    """Return the positions of the events of some chapters, and of each chapter's people and scenes.

    Each chapter is a column: people at the top, events in order, scenes at the bottom. A person or
    a scene appears in every chapter that has them (`figure_id`), which keeps lines short.
    """
    places: dict[str, Point] = {}
    for chapter in told:
        middle = chapter_place(chapter.chapter)
        for row, event in enumerate(chapter.events):
            # Staggered, to keep a line to a lower event from running through an upper one.
            places[event] = Point(middle + (_STAGGER if row % 2 else -_STAGGER), row * _ROW)
        for seat, person in enumerate(chapter.people):
            x = middle + (_PERSON_SHIFT if seat % 2 else -_PERSON_SHIFT)
            y = _PEOPLE_ROW - (seat // 2) * _PEOPLE_RANK
            places[figure_id(person, chapter.chapter)] = Point(x, y)
        for seat, scene in enumerate(chapter.scenes):
            x = middle + (_SCENE_SHIFT if seat % 2 else -_SCENE_SHIFT)
            y = (len(chapter.events) + seat // 2) * _ROW
            places[figure_id(scene, chapter.chapter)] = Point(x, y)
    return places


def chapter_place(chapter: float) -> float:
    """Return the horizontal position of a chapter's column, or of a moment between two chapters."""
    return chapter * COLUMN
