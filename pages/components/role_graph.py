"""The Role Graph as a picture: who there is, and what they are to each other. Pure."""

from __future__ import annotations

from collections import Counter

from pydantic import JsonValue

from pages.components.changes import mark_of
from pages.components.drawing import PERSON, TIE_COLORS, Mark, Picture, Sketch
from pages.components.layout import role_positions
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.prototype import Snapshot

_LABELLED_TIES = 40
"""With more ties than this their words would cover each other; a click still tells them."""
_DASHES: dict[Awareness, bool | list[int]] = {
    Awareness.MUTUAL: False,
    Awareness.ONE_SIDED: [10, 7],
    Awareness.HIDDEN: [2, 7],
}
_QUIET = 0.55


def draw_roles(beginning: Snapshot, before: Snapshot | None, now: Snapshot) -> Picture:
    """Return the Role Graph of `now`; what `before` does not have, or has otherwise, stands out.

    Without a `before` nothing stands out. `beginning` is chapter 0, for the places.
    """
    sketch = Sketch()
    places = role_positions(beginning, now)
    for person in now.characters:
        mark = mark_of(person, before)
        sketch.node(person.id, person.name, PERSON, places[person.id], mark)
    _Ties(sketch, before, now).draw()
    return sketch.picture()


def ties_shown(snapshot: Snapshot) -> list[RelationshipKind]:
    """Return the kinds of ties that stand in a picture, for its legend."""
    shown = {tie.tie for tie in snapshot.relationships}
    return [kind for kind in RelationshipKind if kind in shown]


def tie_sentence(tie: Relationship, snapshot: Snapshot) -> str:
    """Say what a relationship is: "Mara: distrust towards Hale, 7 of 10; Hale does not know"."""
    source = snapshot.get(Character, tie.source).name
    target = snapshot.get(Character, tie.target).name
    words = (
        f"{source} and {target}: {tie.tie}"
        if tie.is_mutual
        else (f"{source}: {tie.tie} towards {target}")
    )
    return f"{words}, {tie.strength} of 10{_known(tie, target)}"


def _known(tie: Relationship, target: str) -> str:
    match tie.awareness:
        case Awareness.MUTUAL:
            return ""
        case Awareness.ONE_SIDED:
            return f"; {target} does not know"
        case Awareness.HIDDEN:
            return "; only the reader knows"


class _Ties:
    def __init__(self, sketch: Sketch, before: Snapshot | None, now: Snapshot) -> None:
        self._sketch = sketch
        self._before = before
        self._now = now
        self._ties = now.relationships
        self._marks = {tie.id: mark_of(tie, before) for tie in self._ties}
        self._is_quiet = any(mark is not Mark.AS_BEFORE for mark in self._marks.values())
        self._between = Counter(_pair(tie) for tie in self._ties)
        self._drawn: Counter[tuple[str, str]] = Counter()

    def draw(self) -> None:
        for tie in self._ties:
            ends = (tie.source, tie.target)
            self._sketch.edge(tie.id, ends, has_arrow=not tie.is_mutual, **self._look(tie))

    def _look(self, tie: Relationship) -> dict[str, JsonValue]:
        mark = self._marks[tie.id]
        is_quiet = self._is_quiet and mark is Mark.AS_BEFORE
        color: dict[str, JsonValue] = {
            "color": TIE_COLORS[tie.tie],
            "highlight": TIE_COLORS[tie.tie],
            "hover": TIE_COLORS[tie.tie],
            "opacity": _QUIET if is_quiet else 1.0,
        }
        look: dict[str, JsonValue] = {
            "width": round(1 + tie.strength * 0.6, 1),
            "color": color,
            "dashes": _dashes(tie),
            "title": tie_sentence(tie, self._now),
            "smooth": self._bend(tie),
        }
        if len(self._ties) <= _LABELLED_TIES:
            look["label"] = f"{mark} {tie.tie} {tie.strength}".strip()
        return look

    def _bend(self, tie: Relationship) -> JsonValue:
        """Bow the ties between the same two apart, so that each can be seen and clicked."""
        pair = _pair(tie)
        if self._between[pair] == 1:
            return False
        place = self._drawn[pair]
        self._drawn[pair] += 1
        spread = place - (self._between[pair] - 1) / 2
        if spread == 0:
            return False
        # Clockwise is as seen from the source, and the source may be either of the two.
        is_clockwise = (spread > 0) == (tie.source == pair[0])
        return {
            "enabled": True,
            "type": "curvedCW" if is_clockwise else "curvedCCW",
            "roundness": round(abs(spread) * 0.26, 3),
        }


def _dashes(tie: Relationship) -> JsonValue:
    dashes = _DASHES[tie.awareness]
    return list(dashes) if isinstance(dashes, list) else dashes


def _pair(tie: Relationship) -> tuple[str, str]:
    return min(tie.source, tie.target), max(tie.source, tie.target)
