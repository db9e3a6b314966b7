"""Where people, events and scenes stand in the pictures. Pure; nobody moves from chapter to chapter.

A place is computed only from what was already so when its owner first appeared, so that a
later chapter adds to the picture and never rearranges it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import NamedTuple

import networkx as nx

from pages.components.plot_cut import PlotCut
from store.models.plot import Participation
from store.models.prototype import Snapshot


class Point(NamedTuple):
    """A place in a picture, in its own units (a name is about 120 wide); y grows downwards."""

    x: float
    y: float


_SEAT = 190.0
"""Room for one name on a ring."""
_RING_GAP = 170.0
_SMALLEST_RING = 170.0
_FLATTENING = 0.72
"""Screens are wider than high, and so are the rings."""
_WIDEST_TURN = math.pi / 3
_SEED = 11

_COLUMN = 280.0
_ROW = 92.0
_PEOPLE_GAP = 150.0
_PEOPLE_ROW = -140.0
_STAGGER = 22.0
_SCENE_SHIFT = 68.0


def role_positions(beginning: Snapshot, now: Snapshot) -> dict[str, Point]:
    """Return where each character of `now` stands.

    The cast of the beginning sits on a ring, those who are close side by side. Newcomers sit on
    rings around it, on the side of the people they first appear with.
    """
    rings = _Rings(_seating_order(beginning))
    companions = _first_companions(now)
    for character in now.characters:
        rings.seat_newcomer(character.id, companions.get(character.id, []))
    return {character.id: rings.seats[character.id] for character in now.characters}


class _Rings:
    """Rings of seats; ring 0 is full from the start."""

    def __init__(self, cast: list[str]) -> None:
        self._radius = 0.0 if len(cast) < 2 else max(_SMALLEST_RING, _circumradius(len(cast)))
        angles = [2 * math.pi * seat / len(cast) - math.pi / 2 for seat in range(len(cast))]
        if len(cast) == 2:  # They face each other across the page.
            angles = [math.pi, 0.0]
        self.seats = {
            person: _on_ring(self._radius, angle)
            for person, angle in zip(cast, angles, strict=True)
        }
        self._taken: list[set[int]] = []

    def seat_newcomer(self, person: str, companions: Iterable[str]) -> None:
        """Give a person who has no seat yet the free one that is nearest to their companions."""
        if person in self.seats:
            return
        wanted = self._direction(person, companions)
        for ring in range(len(self._taken) + 1):
            seat = self._nearest_free(ring, wanted)
            if seat is not None:
                self._taken[ring].add(seat)
                self.seats[person] = _on_ring(self._radius_of(ring), self._angle(ring, seat))
                return

    def _direction(self, person: str, companions: Iterable[str]) -> float:
        places = [self.seats[other] for other in companions if other in self.seats]
        x, y = sum(place.x for place in places), sum(place.y for place in places)
        if math.hypot(x, y) > 1.0:
            return math.atan2(y / _FLATTENING, x)
        # Nobody to sit by: a direction that is theirs alone, and the same every time.
        digest = hashlib.sha256(person.encode()).digest()
        return 2 * math.pi * int.from_bytes(digest[:4], "big") / 2**32

    def _nearest_free(self, ring: int, wanted: float) -> int | None:
        if ring == len(self._taken):
            self._taken.append(set())
        free = set(range(self._seat_count(ring))) - self._taken[ring]
        near = [(_turn(self._angle(ring, seat), wanted), seat) for seat in free]
        turn, seat = min(near, default=(math.inf, 0))
        return seat if turn <= _WIDEST_TURN else None

    def _radius_of(self, ring: int) -> float:
        return self._radius + _RING_GAP * (ring + 1)

    def _seat_count(self, ring: int) -> int:
        return max(6, int(2 * math.pi * self._radius_of(ring) * _FLATTENING / _SEAT))

    def _angle(self, ring: int, seat: int) -> float:
        # Half a seat on from ring to ring: nobody sits exactly behind another.
        return 2 * math.pi * (seat + 0.5 * (ring % 2 + 1)) / self._seat_count(ring)


def _on_ring(radius: float, angle: float) -> Point:
    return Point(round(radius * math.cos(angle)), round(radius * math.sin(angle) * _FLATTENING))


def _circumradius(people: int) -> float:
    return people * _SEAT / (2 * math.pi * _FLATTENING)


def _turn(one: float, other: float) -> float:
    """Return how far apart two directions are, from 0 to pi."""
    return abs((one - other + math.pi) % (2 * math.pi) - math.pi)


def _seating_order(beginning: Snapshot) -> list[str]:
    """Return the first cast in an order that puts close people side by side."""
    people = [character.id for character in beginning.characters]
    if len(people) < 4:  # Up to three, every order is the same ring.
        return people
    ties: nx.Graph[str] = nx.Graph()
    ties.add_nodes_from(people)
    for tie in beginning.relationships:
        ties.add_edge(tie.source, tie.target, weight=tie.strength)
    spread = nx.spring_layout(ties, seed=_SEED, method="force")
    return sorted(people, key=lambda person: (math.atan2(*reversed(spread[person])), person))


def _first_companions(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return, for each person, those who share their first events with them."""
    parts: dict[str, list[Participation]] = {}
    for part in snapshot.of(Participation):
        parts.setdefault(part.event, []).append(part)
    companions: dict[str, list[str]] = {}
    for together in parts.values():
        for part in together:
            if snapshot.told_in(part.id) == snapshot.told_in(part.character):
                others = [one.character for one in together if one.character != part.character]
                companions.setdefault(part.character, []).extend(others)
    return companions


def plot_positions(told: PlotCut) -> dict[str, Point]:
    """Return where the events of some chapters, their people and their scenes stand.

    A column is a chapter: its events in order, beneath them the scenes that it opens. People
    stand in a row above, those who act first to the left.
    """
    places: dict[str, Point] = {}
    lowest: dict[int, float] = {}
    for chapter, events in told.events_by_chapter():
        lowest[chapter] = (len(events) - 1) * _ROW
        for row, event in enumerate(events):
            # Out of line by turns, so that a line to the lower ones does not run through the upper.
            shift = _STAGGER if row % 2 else -_STAGGER
            places[event.id] = Point(chapter * _COLUMN + shift, row * _ROW)
    opened: dict[int, int] = {}
    for scene in told.scenes:
        # A scene that an earlier chapter opened stands left of what is shown.
        column = max(told.chapter_of[scene.id], told.first - 1)
        place = opened[column] = opened.get(column, -1) + 1
        x = column * _COLUMN + (_SCENE_SHIFT if place % 2 else -_SCENE_SHIFT)
        places[scene.id] = Point(x, lowest.get(column, 0.0) + _ROW * (1 + place // 2))
    left = min(lowest, default=told.first) * _COLUMN
    for seat, person in enumerate(told.people):
        x = left + seat * _PEOPLE_GAP
        places[person.id] = Point(x, _PEOPLE_ROW - (seat % 2) * _ROW * 0.55)
    return places


def chapter_heading(chapter: int) -> Point:
    """Return where the heading of a chapter's column stands."""
    return Point(chapter * _COLUMN, -_ROW * 0.7)
