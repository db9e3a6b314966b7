"""Keeping the parts of an outline in the chapters that an able model proposes for them. Pure.

Only what cannot stand is changed: a part without a chapter goes between those around it, one that comes too
early waits for what leads to it, and a chapter that is left empty takes a part from the nearest that has several.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from graph_flow.outline.arrangement import Arrangement, OutlinePart


def place(parts: Sequence[OutlinePart], chapters: range) -> Arrangement:
    """Return the parts in order, each with one of the chapters.

    `parts` are in the order in which they are to be told, as far as their chapters do not say otherwise.

    Raises:
        ValueError: if there are parts but no chapters.
    """
    if not parts:
        return []
    if not chapters:
        raise ValueError("there is no chapter for the parts")
    return _filled(_in_order(parts, _proposed(parts, chapters)), chapters)


def _proposed(parts: Sequence[OutlinePart], chapters: range) -> list[int]:
    """Return a chapter for each part; of several in a row that have none, spread between those around."""
    known = [
        (at, min(max(part.wanted, chapters[0]), chapters[-1]))
        for at, part in enumerate(parts)
        if part.wanted is not None
    ]
    ends = ((-1, chapters[0]), *known, (len(parts), chapters[-1]))
    found = dict(known)
    for (start, first), (end, last) in pairwise(ends):
        for at in range(start + 1, end):
            found[at] = first + (last - first) * (at - start) // (end - start)
    return [found[at] for at in range(len(parts))]


def _in_order(parts: Sequence[OutlinePart], wanted: Sequence[int]) -> Arrangement:
    """Return the parts by their chapters, each after all that have to be told before it."""
    place_of = {part.id: at for at, part in enumerate(parts)}
    waits = {part.id: len(part.after & place_of.keys()) for part in parts}
    later: dict[str, list[str]] = {part.id: [] for part in parts}
    for part in parts:
        for earlier in part.after & place_of.keys():
            later[earlier].append(part.id)
    free = [(wanted[place_of[id_]], place_of[id_]) for id_, count in waits.items() if not count]
    heapq.heapify(free)
    found: Arrangement = []
    while free:
        chapter, at = heapq.heappop(free)
        reached = max(chapter, found[-1][1] if found else chapter)
        found.append((parts[at].id, reached))
        for id_ in later[parts[at].id]:
            waits[id_] -= 1
            if not waits[id_]:
                heapq.heappush(free, (wanted[place_of[id_]], place_of[id_]))
    return found


def _filled(found: Arrangement, chapters: range) -> Arrangement:
    """Return an arrangement in which no chapter is empty, if there are parts enough; the order stays."""
    if len(found) < len(chapters):
        return found
    at = [chapter for _, chapter in found]
    counts = Counter(at)
    for empty in chapters:
        if counts[empty]:
            continue
        several = [one for one in chapters if counts[one] > 1]
        source = min(several, key=lambda one: abs(one - empty))
        step = 1 if source < empty else -1
        for chapter in range(source, empty, step):
            moving = max if step > 0 else min
            here = moving(place for place, one in enumerate(at) if one == chapter)
            at[here] = chapter + step
            counts[chapter] -= 1
            counts[chapter + step] += 1
    return [(id_, chapter) for (id_, _), chapter in zip(found, at, strict=True)]
