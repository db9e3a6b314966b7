"""Compare, shorten and capitalise texts, the same way everywhere. Pure."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_FOLDED = 4_096
"""Cached texts: the same names are compared again and again."""


@lru_cache(maxsize=_FOLDED)
def fold(text: str) -> str:
    """Return a text for comparison: without differences of case, width and ligature."""
    return unicodedata.normalize("NFKC", text).casefold()


def name_key(name: str) -> str:
    """Return a key that is equal for names that a reader would take to be the same."""
    return " ".join(fold(name).split())


def capital(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def clip(text: str, longest: int) -> str:
    """Return a text on one line of at most `longest` characters, with an ellipsis if it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def without_middle(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters; a longer one loses its middle, not its end.

    What somebody says comes to its point at the end. For `longest` of at least 20.
    """
    if len(text) <= longest:
        return text
    head = first_characters(text, longest * 2 // 5)
    tail = text[len(head) - longest + 3 :]
    at_a_word = tail.partition(" ")[2] if " " in tail[: len(tail) // 5] else tail
    return f"{head} … {at_a_word.lstrip()}"


def first_line(text: str, longest: int = 140) -> str:
    """Return the first line of a text that is not empty, shortened at a word. Not Markdown."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= longest else f"{first_characters(line, longest - 1)}…"


def first_characters(text: str, limit: int) -> str:
    """Return at most `limit` characters, ending with a whole word if possible."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    if cut[-1:].isspace() or text[limit].isspace():
        return cut.rstrip()
    whole = cut.rsplit(maxsplit=1)[0] if len(cut.split()) > 1 else cut
    # In a script without spaces, or with one endless word, a cut at a space would lose too much.
    return whole.rstrip() if len(whole) > limit * 0.8 else cut
