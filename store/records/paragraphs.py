"""Which paragraph of a text became which of the text after a change. Pure.

A paragraph keeps its id while it is edited, so that what belongs to it stays with it: the events it
tells, and what the writer has noted beside it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, Self

from store.models.base import new_id
from store.models.manuscript import PARAGRAPH_BREAK, TextParagraph

_ALIKE = 0.5
"""How much of two paragraphs must be the same for one to have become the other."""
_AHEAD = 8
"""Among so many paragraphs the one is looked for that has become another."""


MOST_PARAGRAPHS = 20_000
"""Of a text with more of them, none is counted."""
_COMPARED = 1_000
"""Paragraphs up to which what was taken out and put in is compared one by one."""


class Change(NamedTuple):
    """What has become of a stretch of paragraphs: as `difflib` calls it, and from where to where."""

    kind: str
    """One of "equal", "replace", "delete" and "insert"."""
    start: int
    end: int
    first: int
    last: int

    def moved(self, before: int, after: int) -> Self:
        """Return the change with its places so many paragraphs further on."""
        return self._replace(
            start=self.start + before,
            end=self.end + before,
            first=self.first + after,
            last=self.last + after,
        )


def begun(text: str) -> tuple[TextParagraph, ...]:
    """Return the paragraphs of a text of which nothing is known."""
    count = 1 + text.count(PARAGRAPH_BREAK)
    return tuple(
        TextParagraph(id=new_id()) for _ in range(count if count <= MOST_PARAGRAPHS else 0)
    )


def carried(before: str, known: Sequence[TextParagraph], text: str) -> tuple[TextParagraph, ...]:
    """Return the paragraphs of a text that came of another one, of which they are `known`.

    What was typed anew belongs to the events of the paragraph that it stands behind.
    """
    old, new = before.split(PARAGRAPH_BREAK), text.split(PARAGRAPH_BREAK)
    if len(known) != len(old) or len(new) > MOST_PARAGRAPHS:
        return begun(text)
    found: list[TextParagraph] = []
    for kind, start, end, first, last in changes(old, new):
        if kind == "equal":
            found += known[start:end]
        else:
            found += _rewritten(old[start:end], known[start:end], new[first:last], found)
    return tuple(found)


def changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Yield what has become of which paragraphs, in order; those that begin and end alike cost nothing."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    yield Change("equal", 0, head, 0, head)
    out, put = old[head : len(old) - tail], new[head : len(new) - tail]
    start = first = 0
    for at, there in [*_landmarks(out, put), (len(out), len(put))]:
        for change in _between(out[start:at], put[first:there]):
            yield change.moved(head + start, head + first)
        start, first = at, there
    yield Change("equal", len(old) - tail, len(old), len(new) - tail, len(new))


def _landmarks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return where paragraphs stand that are there once before and once after, in the order of both.

    Only where there are too many to compare one by one.
    """
    if max(len(old), len(new)) <= _COMPARED:
        return []
    before, after = Counter(old), Counter(new)
    place = {text: at for at, text in enumerate(new) if after[text] == 1}
    both = [(at, place[text]) for at, text in enumerate(old) if text in place and before[text] == 1]
    return _ascending(both)


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return as many of some pairs as possible whose second numbers ascend, as their first ones do."""
    ends: list[int] = []  # the lowest second number with which so many end
    which: list[int] = []
    before: list[int] = []
    for at, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        before.append(which[length - 1] if length else -1)
        ends[length : length + 1] = [second]
        which[length : length + 1] = [at]
    found: list[tuple[int, int]] = []
    at = which[-1] if which else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    if max(len(old), len(new)) > _COMPARED:
        yield Change("replace", 0, len(old), 0, len(new))
        return
    for found in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield Change(*found)


def _rewritten(
    old: Sequence[str],
    known: Sequence[TextParagraph],
    new: Sequence[str],
    before: Sequence[TextParagraph],
) -> Iterator[TextParagraph]:
    """Yield the paragraphs of a passage that was written anew, after those `before` it."""
    events = before[-1].events if before else known[0].events if known else ()
    for match in origins(old, new):
        if match is None:
            yield TextParagraph(id=new_id(), events=events)
        else:
            events = known[match].events
            yield known[match]


def origins(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Return, for each paragraph of a passage that was written anew, which of the old ones it was.

    The places ascend; None: it was none of them.
    """
    found: list[int | None] = []
    at = 0
    for text in new:
        near = range(at, min(at + _AHEAD, len(old)))
        match = next((it for it in near if is_alike(old[it], text)), None)
        if match is None and len(old) == len(new) and at < len(old):
            match = at
        at = at if match is None else match + 1
        found.append(match)
    return found


def is_alike(old: str, new: str) -> bool:
    """Return whether two paragraphs have so much in common that one may have become the other."""
    one, other = _words(old), _words(new)
    shared = (one & other).total()
    return 2 * shared >= _ALIKE * (one.total() + other.total()) > 0


def _words(text: str) -> Counter[str]:
    """Return the words of a paragraph; in scripts without spaces, its characters."""
    words = text.split()
    return Counter(words if len(words) > 1 else text)
