"""What a sentence has to say, however it is phrased."""

from __future__ import annotations

import re


def says(text: str, *facts: object) -> bool:
    """Return whether a text names every one of some facts: names, numbers, words that choose.

    A fact is looked for as a whole word, in capitals or not: 3 is not found in 13, nor “cast” in
    “castle”.
    """
    return not missing(text, *facts)


def missing(text: str, *facts: object) -> list[str]:
    """Return the facts that a text does not name."""
    return [str(fact) for fact in facts if not _pattern(str(fact)).search(text)]


def _pattern(fact: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(fact)}(?!\w)", re.IGNORECASE)
