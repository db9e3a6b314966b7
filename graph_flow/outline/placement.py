"""Keeping the parts of an outline in the chapters that an able model proposes for them. Pure.

Only what cannot stand is changed: a part without a chapter goes between those around it, one that comes too
early waits for what leads to it, and a chapter that is left empty takes a part from the nearest that has several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from graph_flow.outline.arrangement import Arrangement, OutlinePart, in_order


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
    proposed = [
        replace(part, wanted=chapter)
        for part, chapter in zip(parts, _proposed(parts, chapters), strict=True)
    ]
    ordered = in_order(proposed, chapters)
    reached = accumulate((part.wanted or chapters[0] for part in ordered), max)
    return _filled(
        [(part.id, chapter) for part, chapter in zip(ordered, reached, strict=True)], chapters
    )


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
