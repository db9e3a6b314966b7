"""Spreading the parts of an outline over chapters so that storylines interweave. Pure.

Every part is placed once, no part before one that must come first, no chapter is left empty where
there are parts enough, and two chapters in a row do not both keep to one and the same storyline
where that can be helped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

_STEPS = 3_000
"""Steps of the search for a better arrangement, at most; it seldom takes more than there are parts."""
_SEARCHED = 200
"""Of more parts than these no better arrangement is searched for."""

Arrangement = list[tuple[str, int]]
"""The ids of parts with their chapters, in the order of the telling."""


@dataclass(frozen=True)
class OutlinePart:
    """A part that is to be placed. `wanted` is the chapter that was proposed for it, if one was.

    `after` are the ids of the parts that must be told before it.
    """

    id: str
    line: str
    wanted: int | None = None
    after: Set[str] = frozenset()


def arrange(pieces: Sequence[OutlinePart], chapters: range) -> Arrangement:
    """Place all pieces in chapters, near to where they were proposed.

    The pieces must not wait for each other in a circle, nor for any that is not among them.

    Raises:
        ValueError: if there are pieces but no chapters.
    """
    if not pieces:
        return []
    if not chapters:
        raise ValueError("there is no chapter left to place anything in")
    lines = {piece.id: piece.line for piece in pieces}
    proposed = _cut(_in_order(pieces, chapters, is_woven=False), chapters)
    if not repeats(proposed, lines):
        return proposed
    found = _search(pieces, chapters, slack=1) or _search(pieces, chapters, slack=len(chapters))
    if found:
        return found
    woven = _cut(_in_order(pieces, chapters, is_woven=True), chapters)
    return min(proposed, woven, key=lambda one: repeats(one, lines))


def repeats(arrangement: Arrangement, lines: Mapping[str, str]) -> int:
    """Return how many neighbouring chapters have both only parts of one and the same storyline."""
    told: dict[int, set[str]] = {}
    for part, chapter in arrangement:
        told.setdefault(chapter, set()).add(lines[part])
    return sum(len(told[one]) == 1 and told[one] == told.get(one + 1) for one in told)


def _in_order(
    pieces: Sequence[OutlinePart], chapters: range, *, is_woven: bool
) -> list[OutlinePart]:
    """Return the pieces so that none comes before one that it waits for.

    They stand as they were proposed or, `is_woven`, so that the storylines take turns.
    """
    even = _even(len(pieces), chapters)
    left = Counter(piece.line for piece in pieces)
    waiting = {piece.id: set(piece.after) for piece in pieces}
    numbered = list(enumerate(pieces))
    ordered: list[OutlinePart] = []

    def rank(entry: tuple[int, OutlinePart]) -> tuple[int, int, int, int]:
        number, piece = entry
        wanted = even[number] if piece.wanted is None else piece.wanted
        is_same = bool(ordered) and ordered[-1].line == piece.line
        turn = (int(is_same), -left[piece.line]) if is_woven else (0, 0)
        return (*turn, wanted, number)

    while numbered:
        free = [entry for entry in numbered if not waiting[entry[1].id]]
        chosen = min(free, key=rank)
        numbered.remove(chosen)
        ordered.append(chosen[1])
        left[chosen[1].line] -= 1
        for after in waiting.values():
            after.discard(chosen[1].id)
    return ordered


def _cut(ordered: Sequence[OutlinePart], chapters: range) -> Arrangement:
    """Give each piece a chapter, near to the proposed one and to an even spread."""
    even = _even(len(ordered), chapters)
    placed: Arrangement = []
    for at, piece in enumerate(ordered):
        wanted = even[at] if piece.wanted is None else piece.wanted
        near = min(max(wanted, even[at] - 1), even[at] + 1)
        allowed = _allowed(at, placed[-1][1] if placed else None, len(ordered), chapters)
        placed.append((piece.id, min(max(near, allowed[0]), allowed[-1])))
    return placed


def _even(count: int, chapters: range) -> list[int]:
    return [chapters[at * len(chapters) // count] for at in range(count)]


def _allowed(at: int, last: int | None, count: int, chapters: range) -> range:
    """Return the chapters that a piece may take after the one before it.

    With pieces enough no chapter is passed by; else no chapter gets two.
    """
    least = chapters[-1] - (count - 1 - at)
    if count >= len(chapters):
        first, final = (chapters[0],) * 2 if last is None else (last, last + 1)
        return range(max(first, least), min(final, chapters[-1]) + 1)
    return range(chapters[0] if last is None else last + 1, least + 1)


def _search(pieces: Sequence[OutlinePart], chapters: range, slack: int) -> Arrangement | None:
    """Return an arrangement without repeats, at most `slack` chapters from an even spread."""
    is_one_line = len({piece.line for piece in pieces}) == 1 and len(pieces) >= len(chapters) > 1
    if len(pieces) > _SEARCHED or is_one_line:
        return None
    return _Search(pieces, chapters, slack).found()


class _Stand(NamedTuple):
    """How far a search has come: all that matters for what can follow.

    `lines` are the storylines of the chapter at work, `before` those of the chapter right before it.
    """

    told: frozenset[str] = frozenset()
    chapter: int | None = None
    lines: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()

    @property
    def repeats(self) -> bool:
        """Whether two chapters in a row keep to one and the same storyline."""
        return len(self.lines) == 1 and self.lines == self.before

    def after(self, piece: OutlinePart, chapter: int) -> _Stand:
        """Return how it stands when a piece more is placed."""
        told = self.told | {piece.id}
        if chapter == self.chapter:
            return _Stand(told, chapter, self.lines | {piece.line}, self.before)
        is_next = self.chapter is not None and chapter == self.chapter + 1
        before = self.lines if is_next else frozenset()
        return _Stand(told, chapter, frozenset({piece.line}), before)


@dataclass
class _Search:
    """Tries one piece after the other, and takes back what leads nowhere; never the same twice."""

    pieces: Sequence[OutlinePart]
    chapters: range
    slack: int
    dead: set[_Stand] = field(default_factory=set)
    placed: Arrangement = field(default_factory=list)

    def found(self) -> Arrangement | None:
        """Return an arrangement, or None where there is none or it takes too long."""
        self._even = _even(len(self.pieces), self.chapters)
        return self.placed if self._goes_on(_Stand()) else None

    def _goes_on(self, stand: _Stand) -> bool:
        if len(stand.told) == len(self.pieces):
            return not stand.repeats
        for piece, chapter in self._next(stand):
            if len(self.dead) >= _STEPS:
                return False
            then = stand.after(piece, chapter)
            # What a chapter tells is known when the next one begins.
            is_wrong = chapter != stand.chapter and stand.repeats
            if is_wrong or then in self.dead:
                continue
            self.placed.append((piece.id, chapter))
            if self._goes_on(then):
                return True
            self.placed.pop()
        self.dead.add(stand)
        return False

    def _next(self, stand: _Stand) -> Iterator[tuple[OutlinePart, int]]:
        at = len(stand.told)
        allowed = _allowed(at, stand.chapter, len(self.pieces), self.chapters)
        near = [one for one in allowed if abs(one - self._even[at]) <= self.slack]
        near.sort(key=lambda one: abs(one - self._even[at]))
        left = [piece for piece in self.pieces if piece.id not in stand.told]
        counts = Counter(piece.line for piece in left)
        free = [piece for piece in left if piece.after <= stand.told]
        free.sort(key=lambda one: (one.line in stand.lines, -counts[one.line]))
        yield from ((piece, chapter) for chapter in near for piece in free)
