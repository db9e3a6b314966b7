"""Where people, events and scenes stand in the pictures. Pure; nobody moves from chapter to chapter.

A place is computed from all that ever came into the story, in the order in which it came, so that
it depends neither on the chapter that is looked at nor on what comes later or is taken out again.
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
    """A place in a picture, in its own units (a name is about 120 wide); y grows downwards."""

    x: float
    y: float


_SEAT = 190.0
"""Room for one name from left to right."""
_RANK = 112.0
"""Room for one name from top to bottom."""
_JITTER = 14.0
_SMALLEST_RING = 170.0
_LARGEST_RING = 12
"""People; more of them are a crowd, and sit beside those they are close to."""
_LARGEST_CROWD = 300
_FLATTENING = 0.72
"""Screens are wider than high, and so are the rings."""
_SEED = 11
_ROUNDS = 120
_SPREAD = 0.62
"""How close a crowd is drawn together before everybody takes a seat of their own."""

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
    """Return a seat for everybody who ever came into a story.

    Those who came first sit on a ring, or as a crowd where they are many; those who are close sit
    side by side. Everybody later takes the free seat that is nearest to those they came with.
    """
    hall = _Hall()
    for commit, together in groupby(arrivals, key=lambda arrival: arrival.commit):
        came = list(together)
        if commit != arrivals[0].commit:
            hall.seat_newcomers(came)
        elif len(came) <= _LARGEST_RING:
            hall.seat_on_ring(_seating_order(came))
        else:
            hall.seat_crowd(_spread(_closest(came)))
            hall.seat_newcomers(came)
    return hall.seats


def _closest(cast: list[Arrival]) -> list[Arrival]:
    """Return those of a crowd who are closest to others, as many as can be spread in good time."""
    return sorted(cast, key=lambda one: -sum(one.companions.values()))[:_LARGEST_CROWD]


class _Hall:
    """Seats in rows, every second row half a seat further on; and before them perhaps a ring."""

    def __init__(self) -> None:
        self.seats: dict[str, Point] = {}
        self._taken: set[_Cell] = set()
        self._ring = 0.0
        """The radius from left to right within which the seats of the rows are left free."""

    def seat_on_ring(self, cast: list[str]) -> None:
        """Give each of a few people a place on a ring around the middle."""
        radius = 0.0 if len(cast) < 2 else max(_SMALLEST_RING, _circumradius(len(cast)))
        self._ring = radius + 0.8 * _SEAT
        angles = [2 * math.pi * seat / len(cast) - math.pi / 2 for seat in range(len(cast))]
        if len(cast) == 2:  # They face each other across the page.
            angles = [math.pi, 0.0]
        for person, angle in zip(cast, angles, strict=True):
            self.seats[person] = _on_ring(radius, angle)

    def seat_crowd(self, wanted: Mapping[str, Point]) -> None:
        """Give many people the seats nearest to where each would be, from the middle outwards."""
        for person, place in sorted(wanted.items(), key=lambda one: (math.hypot(*one[1]), one[0])):
            self._seat(person, place)

    def seat_newcomers(self, arrivals: Iterable[Arrival]) -> None:
        """Give those who come together the free seats that are nearest to those they came with.

        Whoever came with somebody who has a seat takes theirs before those who have nobody yet.
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
        # Nobody to sit by: a direction that is theirs alone, and the same every time.
        digest = hashlib.sha256(arrival.person.encode()).digest()
        angle = 2 * math.pi * int.from_bytes(digest[:4], "big") / 2**32
        return _on_ring(max(self._ring, _SEAT * math.sqrt(len(self.seats)) / 2), angle)

    def _outside(self, place: Point) -> Point:
        """Return a place in the same direction that is not within the ring."""
        distance = math.hypot(place.x, place.y / _FLATTENING)
        if distance >= self._ring:
            return place
        return Point(place.x * self._ring / distance, place.y * self._ring / distance)

    def _seat(self, person: str, wanted: Point) -> None:
        cell = min(self._nearest(wanted), key=lambda one: (_distance(_place(one), wanted), one))
        self._taken.add(cell)
        self.seats[person] = _place(cell)

    def _nearest(self, wanted: Point) -> list[_Cell]:
        """Return free seats around a place, the nearest one among them."""
        centre = (round(wanted.x / _SEAT), round(wanted.y / _RANK))
        reach = 0
        while True:
            found = [cell for cell in _square(centre, reach) if self._is_free(cell)]
            if found:
                # A corner of this square may be further away than the middle of the next sides.
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
    """Yield the seats that are `reach` seats or rows away from one."""
    column, row = centre
    for step in range(-reach, reach + 1):
        sides = range(-reach, reach + 1) if abs(step) == reach else (-reach, reach)
        for side in sides:
            yield column + side, row + step


def _place(cell: _Cell) -> Point:
    column, row = cell
    # A little out of line, so that a crowd does not look like a table.
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
    if len(people) < 4:  # Up to three, every order is the same ring.
        return people
    spread = _sprung(cast)
    return sorted(people, key=lambda person: (math.atan2(*reversed(spread[person])), person))


def _spread(cast: Sequence[Arrival]) -> dict[str, Point]:
    """Return where each of a crowd would be if only closeness counted."""
    side = math.sqrt(len(cast)) * _SPREAD
    return {
        person: Point(x * side * _SEAT, y * side * _RANK * 0.9)
        for person, (x, y) in _sprung(cast).items()
    }


def _sprung(cast: Sequence[Arrival]) -> dict[str, tuple[float, float]]:
    """Return places at which those who are close are near each other, between -1 and 1."""
    ties: nx.Graph[str] = nx.Graph()
    ties.add_nodes_from(arrival.person for arrival in cast)
    for arrival in cast:
        for companion, closeness in arrival.companions.items():
            if companion in ties:
                ties.add_edge(arrival.person, companion, weight=closeness)
    sprung = nx.spring_layout(ties, seed=_SEED, method="force", iterations=_ROUNDS)
    return {person: (float(x), float(y)) for person, (x, y) in sprung.items()}


def figure_id(id_: str, chapter: int) -> str:
    """Return the id of a person, or a scene, as it stands in one chapter of the Plot Graph."""
    return f"{id_}@{chapter}"


def plot_positions(told: Iterable[ToldChapter]) -> dict[str, Point]:
    """Return where the events of some chapters stand, and in each chapter its people and scenes.

    A column is a chapter: its people above, its events in order, beneath them the scenes. A person
    or a scene stands in every chapter that has them (`figure_id`), so that lines stay short.
    """
    places: dict[str, Point] = {}
    for chapter in told:
        middle = chapter_place(chapter.chapter)
        for row, event in enumerate(chapter.events):
            # Out of line by turns, so that a line to the lower ones does not run through the upper.
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
    """Return where a chapter's column stands, or a moment between two on the same scale."""
    return chapter * COLUMN
