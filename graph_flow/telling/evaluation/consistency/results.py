"""What comes of a check of consistency: errors in 10,000 words, in the whole book and along it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from store.models.desk.consistency import (
    CheckedChapter,
    Contradiction,
    ContradictionKind,
    Standing,
)

PER = 10_000
MOST_STRETCHES = 40
"""Stretches into which a book is cut at most, to show where its errors are."""


class FoundAt(NamedTuple):
    """A contradiction, and the place of the chapter in which it was found."""

    place: int
    found: Contradiction


class Errors(NamedTuple):
    """What was found in a text. `chapters` and `words` are those that the judge has read.

    `judge` is its model. `unread` counts chapters of which a part, or all, could not be read.
    """

    judge: str
    chapters: int
    words: int
    unread: int
    found: Sequence[FoundAt]

    @property
    def counted(self) -> list[FoundAt]:
        """Those that count: both quotes stand in the text."""
        return [one for one in self.found if one.found.counts]

    def number_of(self, standing: Standing) -> int:
        """Return how many findings have a certain standing."""
        return sum(one.found.standing is standing for one in self.found)

    @property
    def per_10k(self) -> float | None:
        """Errors in 10,000 words (the consistency error density of ConStory-Bench); None if none were read."""
        return PER * len(self.counted) / self.words if self.words else None


class Stretch(NamedTuple):
    """Successive chapters of a book, and the errors found in them by kind. `words` are those that were read."""

    first: int
    last: int
    words: int
    kinds: Mapping[ContradictionKind, int]


def errors_of(checked: Sequence[CheckedChapter]) -> Errors | None:
    """Return what was found in the chapters that a judge has read; None if it has read none."""
    if not checked:
        return None
    return Errors(
        judge=checked[-1].judge.model,
        chapters=sum(one.words > 0 for one in checked),
        words=sum(one.words for one in checked),
        unread=sum(one.unread > 0 for one in checked),
        found=[FoundAt(one.place, it) for one in checked for it in one.found],
    )


def along(checked: Sequence[CheckedChapter], most: int = MOST_STRETCHES) -> list[Stretch]:
    """Return the chapters that were read in at most so many stretches of as many chapters each."""
    size = -(-len(checked) // most) or 1
    return list(_stretches(checked, size))


def _stretches(checked: Sequence[CheckedChapter], size: int) -> Iterator[Stretch]:
    for at in range(0, len(checked), size):
        part = checked[at : at + size]
        kinds = Counter(it.kind for one in part for it in one.found if it.counts)
        yield Stretch(part[0].place, part[-1].place, sum(one.words for one in part), kinds)
