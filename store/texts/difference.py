"""What two texts do not have in common: by paragraph, and within a paragraph by word. Pure.

In scripts without spaces a word is a character, with the marks that belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from store.models.manuscript import PARAGRAPH_BREAK
from store.records.paragraphs import changes, is_alike, origins
from store.text import UNSPACED

_MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u3099\u309a"
"""What stands above or below a character of these scripts."""
_PUNCTUATION = r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3000-\u303f\uff01-\uff0f\uff1a-\uff20"
_LETTERS = rf"[^\s{UNSPACED}{_PUNCTUATION}]+"
_WORD = re.compile(rf"\s+|[{UNSPACED}][{_MARKS}]*|{_LETTERS}(?:['’\-]{_LETTERS})*|.", re.DOTALL)
_COMPARED = 2_000
"""Words of a paragraph up to which what was taken out and put in is compared one by one."""

Kind = Literal["same", "out", "in"]


class Piece(NamedTuple):
    """Some words of a paragraph that stayed, were taken out, or were put in."""

    kind: Kind
    text: str


class Unchanged(NamedTuple):
    """Paragraphs, one after the other, that both texts have."""

    paragraphs: Sequence[str]


class Changed(NamedTuple):
    """A paragraph as it was and as it is; None: it was not there, or is not there any more."""

    before: str | None
    after: str | None

    @property
    def pieces(self) -> list[Piece]:
        """What was taken out of the paragraph and put into it, and what stayed, in order."""
        if self.before is None or self.after is None:
            return _pieces_of(self.before or "", self.after or "")
        return compared(self.before, self.after)


def difference(before: str, after: str) -> list[Unchanged | Changed]:
    """Return what has become of the paragraphs of a text, in order."""
    old, new = before.split(PARAGRAPH_BREAK), after.split(PARAGRAPH_BREAK)
    found: list[Unchanged | Changed] = []
    for change in changes(old, new):
        passage = new[change.first : change.last]
        if change.kind != "equal":
            found += _rewritten(old[change.start : change.end], passage)
        elif found and isinstance(found[-1], Unchanged):
            found[-1] = Unchanged([*found[-1].paragraphs, *passage])
        elif passage:
            found.append(Unchanged(passage))
    return found


def compared(before: str, after: str) -> list[Piece]:
    """Return what was taken out of a paragraph and put into it, word by word, in order."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    pieces = [Piece("same", "".join(old[:head]))]
    pieces += _middle(old[head : len(old) - tail], new[head : len(new) - tail])
    pieces.append(Piece("same", "".join(old[len(old) - tail :])))
    return _joined([piece for piece in pieces if piece.text])


def _rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[Changed]:
    at = 0
    for text, origin in zip(new, origins(old, new), strict=True):
        if origin is not None:
            yield from (Changed(gone, None) for gone in old[at:origin])
            at = origin + 1
        if origin is None:
            yield Changed(None, text)
        elif is_alike(old[origin], text):
            yield Changed(old[origin], text)
        else:
            yield from (Changed(old[origin], None), Changed(None, text))
    yield from (Changed(gone, None) for gone in old[at:])


def _middle(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if max(len(old), len(new)) > _COMPARED:
        yield from _pieces_of("".join(old), "".join(new))
        return
    for kind, start, end, first, last in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(new[first:last]))
        else:
            yield from _pieces_of("".join(old[start:end]), "".join(new[first:last]))


def _pieces_of(out: str, put: str) -> list[Piece]:
    both: list[Piece] = [Piece("out", out), Piece("in", put)]
    return [piece for piece in both if piece.text]


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces as somebody would mark them: words that changed side by side are one change."""
    joined: list[Piece] = []
    out = put = ""
    for at, (kind, text) in enumerate(pieces):
        is_gap = text.isspace() and bool(out or put) and at + 1 < len(pieces)
        if kind == "same" and not is_gap:
            joined += [*_pieces_of(out, put), Piece("same", text)]
            out = put = ""
        else:
            out += text if kind != "in" else ""
            put += text if kind != "out" else ""
    return joined + _pieces_of(out, put)
