"""Which of several stories readers prefer, who read them two at a time. Pure.

Of many stories that are read at once the most unusual stands out; of two, the better. Each is read beside
each of the others, as often first as second, for what is read first is judged differently. Those that are told
later are read beside the best of the others, before and after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

Pair = tuple[int, int]


def pairs(count: int) -> list[Pair]:
    """Return which of `count` stories are read together, from 0: first and second.

    Where they cannot come out even otherwise, two are read together in both orders.
    """
    return [
        (first, (first + distance) % count)
        for distance in range(1, count // 2 + 1)
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


def challenges(best: int, others: Iterable[int]) -> list[Pair]:
    """Return in which pairs stories are read that were told later, beside the best of those before them."""
    return [pair for other in others for pair in ((other, best), (best, other))]


def best_after(best: int, margins: Mapping[Pair, float]) -> int:
    """Return which story is the best once others were read beside the one that was; of equals that one."""
    found: dict[int, list[float]] = {}
    for (first, second), margin in margins.items():
        other, sign = (second, -1) if first == best else (first, 1)
        found.setdefault(other, []).append(sign * margin)
    means = {other: fmean(some) for other, some in found.items()}
    first = max(means, key=lambda other: means[other], default=best)
    return first if means.get(first, 0) > 0 else best
