"""Which writing a text is in, by the Unicode names of its letters. Pure."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

_ENOUGH = 24
"""Letters from which on a text can be told to be in a writing; those of dense scripts count twice."""
_MOST = 0.6
"""The share of the letters that are in a text's own writing: names may be in another."""
_KANA = 0.08
"""The share of kana from which on a text with Chinese characters is Japanese."""

_CHINESE, _JAPANESE = "CJK", "JAPANESE"
_SYLLABLES = "HANGUL"


def writing_of(text: str) -> str | None:
    """Return the writing that most of a text is in; None where it is too short, or mixed.

    Japanese is told from Chinese by its kana. Languages that share a script are not told apart.
    """
    letters: Counter[str] = Counter()
    for one, often in Counter(unicodedata.normalize("NFKC", text)).items():
        if unicodedata.category(one)[0] in "LM":
            letters[_script(one)] += often
    kana = letters.pop(_JAPANESE, 0)
    letters[_CHINESE] += kana
    [(script, count)] = letters.most_common(1)
    if letters.total() + letters[_CHINESE] + letters[_SYLLABLES] < _ENOUGH:
        return None
    if count < _MOST * letters.total():
        return None
    return _JAPANESE if script == _CHINESE and kana >= _KANA * count else script


@lru_cache(maxsize=4_096)
def _script(letter: str) -> str:
    """Return the first word of a letter's name: LATIN, CYRILLIC, ARABIC, HANGUL …"""
    script = unicodedata.name(letter, "?").split()[0]
    if script.startswith(("HIRAGANA", "KATAKANA")):
        return _JAPANESE
    return script
