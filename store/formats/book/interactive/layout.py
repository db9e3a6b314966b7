"""Where the passages of an interactive fiction stand on a map of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from store.formats.book.interactive.model import InteractiveFiction, Passage, PassageKind


class Position(NamedTuple):
    """A column from the left and a row from the top, both from 0; no two passages have the same."""

    column: int
    row: int


def positions(fiction: InteractiveFiction) -> Mapping[str, Position]:
    """Return the position of each passage by its id.

    The reader's way leads from left to right. What comes first in the fiction, the story as it was
    chosen, is at the top.
    """
    used: Counter[int] = Counter()
    found: dict[str, Position] = {}
    for one in fiction.passages:
        column = _column(fiction, one)
        found[one.id] = Position(column, used[column])
        used[column] += 1
    return found


def _column(fiction: InteractiveFiction, passage: Passage) -> int:
    """Return how far a passage is from the start; a crossroads is where its ways part."""
    if passage.kind is PassageKind.CROSSROADS:
        ahead = (fiction.by_id[one.target] for one in passage.choices)
        return min(
            fiction.depths[one.id] - 1 for one in ahead if one.kind is not PassageKind.CROSSROADS
        )
    return fiction.depths[passage.id]
