"""Spreading the parts of an outline over chapters so that storylines interweave. Pure.

Every part is placed once, and never before one that must come first. No chapter is left empty if
there are enough parts, and two chapters in a row do not stay on the same storyline if that can be
avoided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

_STEPS = 3_000
"""The most steps of the search for a better arrangement; it seldom needs more than one per part."""
_SEARCHED = 200
"""With more parts than this, no better arrangement is searched for."""

Arrangement = list[tuple[str, int]]
"""The ids of parts with their chapters, in the order in which they are told."""


@dataclass(frozen=True)
class OutlinePart:
    """A part to be placed. `wanted` is the chapter proposed for it, if any.

    `after` holds the ids of the parts that must be told before it.
    """

    id: str
    line: str
    wanted: int | None = None
    after: Set[str] = frozenset()


def arrange(pieces: Sequence[OutlinePart], chapters: range) -> Arrangement:
    """Place all pieces in chapters, near the proposed ones.

    The pieces must not depend on each other in a circle, nor on any that is not among them.

    Raises:
        ValueError: if there are pieces but no chapters.
    """
    if not pieces:
        return []
    if not chapters:
        raise ValueError("there is no chapter left to place anything in")
    lines = {piece.id: piece.line for piece in pieces}
    proposed = _cut(in_order(pieces, chapters), chapters)
    if not repeats(proposed, lines):
        return proposed
    found = _search(pieces, chapters, slack=1) or _search(pieces, chapters, slack=len(chapters))
    if found:
        return found
    woven = _cut(in_order(pieces, chapters, is_woven=True), chapters)
    return min(proposed, woven, key=lambda one: repeats(one, lines))


def repeats(arrangement: Arrangement, lines: Mapping[str, str]) -> int:
    """Return how many pairs of neighbouring chapters keep to one and the same storyline."""
    told: dict[int, set[str]] = {}
    for part, chapter in arrangement:
        told.setdefault(chapter, set()).add(lines[part])
    return sum(len(told[one]) == 1 and told[one] == told.get(one + 1) for one in told)


def in_order(
    pieces: Sequence[OutlinePart], chapters: range, *, is_woven: bool = False
) -> list[OutlinePart]:
    """Return the pieces in an order in which none comes before one it depends on.

    They keep the proposed order or, with `is_woven`, the storylines take turns.
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
    """Give each piece a chapter, close to the proposed one and to an even spread."""
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
    """Return the chapters that a piece may be placed in, given the chapter of the piece before it.

    If there are enough pieces, no chapter is skipped; otherwise no chapter gets two.
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


class _Progress(NamedTuple):
    """How far a search has come: everything that decides what can follow.

    `lines` are the storylines of the current chapter, `before` those of the chapter just before it.
    """

    told: frozenset[str] = frozenset()
    chapter: int | None = None
    lines: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()

    @property
    def repeats(self) -> bool:
        """Whether two chapters in a row keep to one and the same storyline."""
        return len(self.lines) == 1 and self.lines == self.before

    def after(self, piece: OutlinePart, chapter: int) -> _Progress:
        """Return the progress after one more piece is placed."""
        told = self.told | {piece.id}
        if chapter == self.chapter:
            return _Progress(told, chapter, self.lines | {piece.line}, self.before)
        is_next = self.chapter is not None and chapter == self.chapter + 1
        before = self.lines if is_next else frozenset()
        return _Progress(told, chapter, frozenset({piece.line}), before)


@dataclass
class _Search:
    """A backtracking search that never visits the same state twice."""

    pieces: Sequence[OutlinePart]
    chapters: range
    slack: int
    dead: set[_Progress] = field(default_factory=set)
    placed: Arrangement = field(default_factory=list)

    def found(self) -> Arrangement | None:
        """Return an arrangement; None if there is none or the search takes too long."""
        self._even = _even(len(self.pieces), self.chapters)
        return self.placed if self._advance(_Progress()) else None

    def _advance(self, progress: _Progress) -> bool:
        if len(progress.told) == len(self.pieces):
            return not progress.repeats
        for piece, chapter in self._next(progress):
            if len(self.dead) >= _STEPS:
                return False
            then = progress.after(piece, chapter)
            # Which storylines a chapter has is known only when the next one begins.
            is_wrong = chapter != progress.chapter and progress.repeats
            if is_wrong or then in self.dead:
                continue
            self.placed.append((piece.id, chapter))
            if self._advance(then):
                return True
            self.placed.pop()
        self.dead.add(progress)
        return False

    def _next(self, progress: _Progress) -> Iterator[tuple[OutlinePart, int]]:
        at = len(progress.told)
        allowed = _allowed(at, progress.chapter, len(self.pieces), self.chapters)
        near = [one for one in allowed if abs(one - self._even[at]) <= self.slack]
        near.sort(key=lambda one: abs(one - self._even[at]))
        left = [piece for piece in self.pieces if piece.id not in progress.told]
        counts = Counter(piece.line for piece in left)
        free = [piece for piece in left if piece.after <= progress.told]
        free.sort(key=lambda one: (one.line in progress.lines, -counts[one.line]))
        yield from ((piece, chapter) for chapter in near for piece in free)
