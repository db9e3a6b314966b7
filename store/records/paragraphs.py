"""Which paragraph of a text became which of the text after a change. Pure.

A paragraph keeps its id while it is edited, so that what belongs to it stays with it: the events it
tells, and what the writer has noted beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from store.models.base import new_id
from store.models.telling import PARAGRAPH_BREAK, TextParagraph

_ALIKE = 0.5
"""How much of two paragraphs must be the same for one to have become the other."""
_AHEAD = 8
"""Among so many paragraphs the one is looked for that has become another."""


MOST_PARAGRAPHS = 20_000
"""Of a text with more of them, none is counted."""
_COMPARED = 1_000
"""Paragraphs up to which what was taken out and put in is compared one by one."""


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


def changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield what has become of which paragraphs; those that begin and end alike cost nothing."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    yield "equal", 0, head, 0, head
    out, put = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(out), len(put)) > _COMPARED:
        yield "replace", head, head + len(out), head, head + len(put)
    else:
        middle = SequenceMatcher(None, out, put, autojunk=False)
        for kind, start, end, first, last in middle.get_opcodes():
            yield kind, head + start, head + end, head + first, head + last
    yield "equal", len(old) - tail, len(old), len(new) - tail, len(new)


def _rewritten(
    old: Sequence[str],
    known: Sequence[TextParagraph],
    new: Sequence[str],
    before: Sequence[TextParagraph],
) -> Iterator[TextParagraph]:
    """Yield the paragraphs of a passage that was written anew, after those `before` it."""
    events = before[-1].events if before else known[0].events if known else ()
    at = 0
    for text in new:
        near = range(at, min(at + _AHEAD, len(old)))
        match = next((it for it in near if _is_alike(old[it], text)), None)
        if match is None and len(old) == len(new) and at < len(old):
            match = at
        if match is None:
            yield TextParagraph(id=new_id(), events=events)
        else:
            events, at = known[match].events, match + 1
            yield known[match]


def _is_alike(old: str, new: str) -> bool:
    one, other = _words(old), _words(new)
    shared = (one & other).total()
    return 2 * shared >= _ALIKE * (one.total() + other.total()) > 0


def _words(text: str) -> Counter[str]:
    """Return the words of a paragraph; in scripts without spaces, its characters."""
    words = text.split()
    return Counter(words if len(words) > 1 else text)
