"""Which of several stories readers prefer, who read them two at a time. Pure.

Of many stories that are read at once the most unusual stands out; of two, the better. Each is read beside
each of the others, before it and after it, for what is read first is judged differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

Pair = tuple[int, int]


def pairs(count: int) -> list[Pair]:
    """Return which of `count` stories are read together, from 0: first and second, each two in both orders."""
    return [
        (first, (first + distance) % count)
        for distance in range(1, count)
        for first in range(count)
    ]


def is_retold(pair: Pair, count: int) -> bool:
    """Return whether the first of two stories is retold when they are read; each story is, once."""
    first, second = pair
    return (second - first) % count == 1


def standing(count: int, margins: Mapping[Pair, float]) -> list[int]:
    """Return `count` stories from the one that readers prefer; of equals the first.

    `margins` says how much the first of two is preferred to the second; one that nobody read has none.
    """
    found: list[list[float]] = [[] for _ in range(count)]
    for (first, second), margin in margins.items():
        found[first].append(margin)
        found[second].append(-margin)
    means = [fmean(some or [0]) for some in found]
    return sorted(range(count), key=lambda story: (-means[story], story))
