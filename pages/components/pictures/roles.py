"""The Role Graph as a picture: the people, and what they are to each other. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from pydantic import JsonValue

from pages.components.pictures import strings
from pages.components.pictures.drawing import (
    DEAD,
    MARK_COLORS,
    MISSING,
    PERSON,
    Mark,
    Picture,
    Shape,
    Sketch,
    Tone,
    line_color,
)
from pages.components.pictures.filters import Filters, Sieve
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import FAINT, TIE_COLORS
from pages.components.pictures.story_index import Viewpoint
from store.models.cast import Awareness, Character, Life, Relationship
from store.models.prototype import AnyEntity, Snapshot
from store.text import clip

_LABELLED_TIES = 40
_LABEL = 48
"""Characters of a relationship's name on its line; the tooltip has all of it."""
"""With more relationships than this, labels would overlap: only those of a selected person show."""
_NAMED_PEOPLE = 24
"""More people than this are drawn as dots, larger the more relationships they have."""
_DASHES: dict[Awareness, bool | list[int]] = {
    Awareness.MUTUAL: False,
    Awareness.ONE_SIDED: [10, 7],
    Awareness.HIDDEN: [2, 7],
}
_LIVES: Mapping[Life, Shape] = {Life.LIVING: PERSON, Life.DEAD: DEAD, Life.MISSING: MISSING}
_LIFE_SIGNS: Mapping[Life, str] = {Life.LIVING: "", Life.DEAD: "† ", Life.MISSING: "? "}
_QUIET = 0.4
_QUIET_IN_A_CROWD = 0.32
_ENDED = 0.45


def draw_roles(cut: RoleCut, places: Mapping[str, Point], *, tone: Tone = Tone.CHAPTER) -> Picture:
    """Return a Role Graph, with marked entities standing out."""
    sketch = Sketch(tone)
    is_crowd = len(cut.people) > _NAMED_PEOPLE
    for person in cut.people:
        look: dict[str, JsonValue] = {"rank": _rank(cut, person)}
        if is_crowd:
            look["size"] = _size(cut, person)
        add = sketch.dot if is_crowd else sketch.node
        mark = cut.marks[person.id]
        name = f"{_LIFE_SIGNS[person.life]}{person.name}"
        add(person.id, name, _LIVES[person.life], places[person.id], mark, **look)
    _Ties(sketch, cut, tone, is_crowd=is_crowd).draw()
    return sketch.picture()


def _size(cut: RoleCut, person: Character) -> float:
    """Return the size of a dot: visible among a whole crowd, but no larger than its seat."""
    return round(min(80.0, (9 + 4 * math.sqrt(cut.degrees[person.id])) * _growth(cut)), 1)


def _growth(cut: RoleCut) -> float:
    """Return how much larger everything is drawn in a crowd, which is seen from further away."""
    return max(1.0, math.sqrt(len(cut.people) / 60))


def _rank(cut: RoleCut, person: Character) -> int:
    is_touched = cut.marks[person.id] is not Mark.AS_BEFORE
    return cut.degrees[person.id] + (10_000 if is_touched else 0)


def relationship_sentence(relationship: Relationship, snapshot: Snapshot) -> str:
    """Return a relationship in words: "Mara: distrust towards Hale, 7 of 10"."""
    return strings.relationship_sentence(
        relationship,
        snapshot.get(Character, relationship.source).name,
        snapshot.get(Character, relationship.target).name,
    )


class _Ties:
    def __init__(self, sketch: Sketch, cut: RoleCut, tone: Tone, *, is_crowd: bool) -> None:
        self._sketch = sketch
        self._cut = cut
        self._tone = tone
        self._quiet = 1.0
        if cut.has_changes or is_crowd:
            self._quiet = _QUIET_IN_A_CROWD if is_crowd else _QUIET
        self._between = Counter(_pair(relationship) for relationship in cut.relationships)
        self._drawn: Counter[tuple[str, str]] = Counter()

    def draw(self) -> None:
        for relationship in self._cut.relationships:
            ends = (relationship.source, relationship.target)
            self._sketch.edge(
                relationship.id,
                ends,
                has_arrow=not relationship.is_mutual,
                **self._look(relationship),
            )

    def _look(self, relationship: Relationship) -> dict[str, JsonValue]:
        mark = self._cut.marks[relationship.id]
        kind = strings.relationship_kind(relationship)
        words = f"{mark} {clip(kind, _LABEL)} {relationship.strength}".strip()
        sentence = strings.relationship_sentence(
            relationship, self._cut.name(relationship.source), self._cut.name(relationship.target)
        )
        look: dict[str, JsonValue] = {
            "width": round((0.8 + relationship.strength * 0.6) * _growth(self._cut), 1),
            "color": line_color(self._color(relationship, mark), self._opacity(mark)),
            "dashes": _dashes(relationship),
            "title": (strings.relationship_ended(sentence) if mark is Mark.ENDED else sentence),
            "smooth": self._bend(relationship),
            "words": words,
        }
        if len(self._cut.relationships) <= _LABELLED_TIES:
            look["label"] = words
        return look

    def _opacity(self, mark: Mark) -> float:
        if mark is Mark.AS_BEFORE:
            return self._quiet
        return _ENDED if mark is Mark.ENDED and self._tone is Tone.CHAPTER else 1.0

    def _color(self, relationship: Relationship, mark: Mark) -> str:
        """Return the colour of a relationship's kind, or in a comparison of its mark."""
        if self._tone is Tone.CHAPTER:
            return TIE_COLORS[relationship.tie]
        return MARK_COLORS[self._tone].get(mark, FAINT)

    def _bend(self, relationship: Relationship) -> JsonValue:
        """Curve relationships between the same two people apart, so each can be clicked."""
        pair = _pair(relationship)
        if self._between[pair] == 1:
            return False
        place = self._drawn[pair]
        self._drawn[pair] += 1
        spread = place - (self._between[pair] - 1) / 2
        if spread == 0:
            return False
        # Clockwise is as seen from the source, and the source may be either of the two.
        is_clockwise = (spread > 0) == (relationship.source == pair[0])
        return {
            "enabled": True,
            "type": "curvedCW" if is_clockwise else "curvedCCW",
            "roundness": round(abs(spread) * 0.26, 3),
        }


def _dashes(relationship: Relationship) -> JsonValue:
    dashes = _DASHES[relationship.awareness]
    return list(dashes) if isinstance(dashes, list) else dashes


def _pair(relationship: Relationship) -> tuple[str, str]:
    return min(relationship.source, relationship.target), max(
        relationship.source, relationship.target
    )


class RoleCut:
    """The people and relationships that a Role Graph shows, including those the chapter ended."""

    def __init__(self, viewpoint: Viewpoint, filters: Filters | None = None) -> None:
        sieve = Sieve(filters or Filters(), viewpoint.now)
        self._standing = viewpoint.now.snapshot.entities
        ended = viewpoint.ended()
        left = [one for one in ended if isinstance(one, Character)]
        self._names = {one.id: one for one in left} | viewpoint.now.people
        relationships = [
            relationship
            for relationship in (
                *viewpoint.now.relationships,
                *(one for one in ended if isinstance(one, Relationship)),
            )
            if sieve.has_tie(relationship)
        ]
        shown = sieve.people(relationships) | {
            one.id for one in left if not filters or not filters.count
        }
        self.people = [one for id_, one in self._names.items() if id_ in shown]
        self.relationships = [
            relationship
            for relationship in relationships
            if {relationship.source, relationship.target} <= shown
        ]
        shown_ones: list[AnyEntity] = [*self.people, *self.relationships]
        self.marks: Mapping[str, Mark] = {one.id: viewpoint.mark(one) for one in shown_ones}

    @cached_property
    def degrees(self) -> Counter[str]:
        """How many of the shown relationships each person has."""
        return Counter(
            end
            for relationship in self.relationships
            for end in (relationship.source, relationship.target)
        )

    @property
    def standing(self) -> tuple[int, int]:
        """How many people and relationships there are, without those the chapter ended."""
        entities = self._standing
        return (
            sum(person.id in entities for person in self.people),
            sum(relationship.id in entities for relationship in self.relationships),
        )

    @property
    def has_changes(self) -> bool:
        """Whether anything stands out."""
        return any(mark is not Mark.AS_BEFORE for mark in self.marks.values())

    def lives(self) -> set[Life]:
        """Return the states of life of the people shown."""
        return {person.life for person in self.people}

    def name(self, person_id: str) -> str:
        """Return the name of a person."""
        return self._names[person_id].name
