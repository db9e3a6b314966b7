"""Which of several stories readers prefer, each of whom reads them in another order. Pure.

What is read first or last is judged differently for it, and readers differ in taste: so there are several,
and it is their rankings together that count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

READERS = 3


def orders(count: int) -> list[list[int]]:
    """Return in which order each reader has `count` stories: from 0 up, from the last down, every other."""
    upward = list(range(count))
    return [upward, upward[::-1], upward[1::2] + upward[::2]]


def groups(order: Sequence[int], tokens: Sequence[int], room: float) -> list[list[int]]:
    """Return the stories of an order in groups of two or more that are read at once.

    `tokens` has the length of each story. One that would be left alone is read with the last of the group
    before it.
    """
    found: list[list[int]] = []
    filled = 0
    for story in order:
        filled += tokens[story]
        is_full = not found or (len(found[-1]) > 1 and filled > room)
        if is_full:
            found.append([])
            filled = tokens[story]
        found[-1].append(story)
    if len(found) > 1 and len(found[-1]) == 1:
        found[-1].insert(0, found[-2][-1])
    return found


def ranked(said: Iterable[int], group: Sequence[int]) -> list[int]:
    """Return the stories of a group as a reader ranks them, who names them by their places in it, from 1.

    Those that the reader leaves out come last, as they stood.
    """
    named = [group[place - 1] for place in said if 0 < place <= len(group)]
    return list(dict.fromkeys([*named, *group]))


def standing(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Return the stories of some rankings, of two or more each, from the one that stands highest.

    A story gets, from each ranking, the share of the others there that it stands before. Of equals the
    first stands before the others.
    """
    shares = defaultdict[int, list[Fraction]](list)
    for ranking in rankings:
        for behind, story in enumerate(reversed(ranking)):
            shares[story].append(Fraction(behind, len(ranking) - 1))
    return sorted(shares, key=lambda story: (-sum(shares[story]) / len(shares[story]), story))
