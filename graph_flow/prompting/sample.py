"""What is read of the writer's own prose, whose manner a chapter is to take on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from graph_flow.prompting.text import cut

SAMPLE_READ = 4_000
"""Characters of the writer's own prose: enough to hear how it sounds."""

_GAP = "\n\n[…]\n\n"
_PARAGRAPH = re.compile(r"(?<=\n)(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?…。！？”\"’»)])(?=\s)")


def sample_read(sample: str, most: int = SAMPLE_READ) -> str:
    """Return at most so many characters of a sample: whole paragraphs, as far as possible.

    They are from its beginning, its middle and its end, since prose shows only some of what it can
    do in its first pages. A paragraph that is too long by itself is taken in sentences.
    """
    if len(sample) <= most:
        return sample
    share = (most - 2 * len(_GAP)) // 3
    pieces = [
        piece for paragraph in _PARAGRAPH.split(sample) for piece in _fitting(paragraph, share)
    ]
    starts = list(accumulate(map(len, pieces), initial=0))
    first = _as_many(pieces, range(len(pieces)), share)
    last = _as_many(pieces, reversed(range(len(first), len(pieces))), share)
    middle = (starts[-1] - share) // 2
    between = (at for at in range(len(first), len(pieces) - len(last)) if starts[at] >= middle)
    taken = {*first, *last, *_as_many(pieces, between, share)}
    return _joined(pieces, taken) or cut(sample, most)


def _fitting(paragraph: str, share: int) -> list[str]:
    """Return a paragraph, or its sentences if it is too long."""
    return [paragraph] if len(paragraph) <= share else _SENTENCE.split(paragraph)


def _as_many(pieces: Sequence[str], places: Iterable[int], share: int) -> list[int]:
    """Return the places of as many pieces in a row as fit into a share."""
    taken: list[int] = []
    for place in places:
        share -= len(pieces[place])
        if share < 0:
            break
        taken.append(place)
    return taken


def _joined(pieces: Sequence[str], taken: set[int]) -> str:
    """Return pieces in their order, with a sign where others are left out."""
    return _GAP.join("".join(run).strip() for run in _runs(pieces, taken))


def _runs(pieces: Sequence[str], taken: set[int]) -> Iterator[list[str]]:
    """Yield the pieces that follow one another."""
    run: list[str] = []
    for place, piece in enumerate(pieces):
        if place in taken:
            run.append(piece)
        elif run:
            yield run
            run = []
    if run:
        yield run
