"""Compare, shorten and capitalise texts, the same way everywhere. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Literal

UNSPACED = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
"""The characters of scripts that put no spaces between words, as ranges of a regular expression."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_COUNTED = re.compile(
    r"[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0ed0-\u0edf"
    r"\u1000-\u102a\u1040-\u1049\u1780-\u17b3\u17e0-\u17e9\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc"
    r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""What counts of them: letters and digits, and no marks above or below a letter."""
_LETTER = re.compile(r"[^\W_]")

_FOLDED = 4_096
"""Cached texts: the same names are compared again and again."""


_LONG = 2_000
"""Characters from which a text is no name, and is not remembered."""


def fold(text: str) -> str:
    """Return a text for comparison: without differences of case, width and ligature."""
    return _folded_name(text) if len(text) < _LONG else _folded(text)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=_FOLDED)
def _folded_name(text: str) -> str:
    return _folded(text)


def name_key(name: str) -> str:
    """Return a key that is equal for names that a reader would take to be the same."""
    return " ".join(fold(name).split())


def is_unspaced(character: str) -> bool:
    """Return whether a character belongs to a script that puts no spaces between words."""
    return character >= "\u0e00" and _UNSPACED.match(character) is not None


def count_words(text: str) -> int:
    """Return the length of a text: its words, and each character of scripts that put no spaces between words."""
    rest, characters = _COUNTED.subn(" ", text)
    words = rest.split()
    return characters + sum(map(_has_letter, words)) if characters else len(words)


Unit = Literal["words", "characters"]
"""What the length of a text counts."""
_IN_CHARACTERS = frozenset(
    "zh ja th lo km my chinese mandarin cantonese japanese thai lao khmer burmese 中文 汉语 漢語 普通话 简体中文 繁體中文 "
    "繁体中文 正體中文 日本語 日语 ไทย ภาษาไทย".split()
)


def length_unit(language: str, text: str = "") -> Unit:
    """Return what the length of a text in a language counts; without a name of it, a text in it tells."""
    words = re.split(r"[\s_-]+", fold(language.strip()))
    if any(word in _IN_CHARACTERS for word in words):
        return "characters"
    if language.strip():
        return "words"
    return "characters" if is_mostly_unspaced(text) else "words"


def is_mostly_unspaced(text: str) -> bool:
    """Return whether most of the length of a text is in scripts that put no spaces between words."""
    characters = len(_COUNTED.findall(text))
    return 2 * characters > count_words(text) > 0


def _has_letter(text: str) -> bool:
    return _LETTER.search(text) is not None


def likeness(one: str, other: str) -> float:
    """Return how much of the shorter of two texts stands in the other, 0 to 1; 0 if one has no words.

    Words count whatever their order; in scripts without spaces, pairs of characters.
    """
    some, others = units_of(one), units_of(other)
    least = min(some.total(), others.total())
    return (some & others).total() / least if least else 0.0


_UNIT = re.compile(r"[^\W_]+")


def units_of(text: str) -> Counter[str]:
    """Return the words of a text, folded, with how often each occurs; in scripts without spaces, pairs of characters."""
    units: list[str] = []
    for word in _UNIT.findall(fold(text)):
        is_dense = len(word) > 1 and any(map(is_unspaced, word))
        units += map("".join, pairwise(word)) if is_dense else [word]
    return Counter(units)


_SENTENCE = re.compile(r"[^.!?…。！？]*(?:[.!?…。！？]+[”\"'’»)\]]*|$)\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[^\w.])(?:[A-HJ-Z]|Mr|Mrs|Ms|Mx|Dr|Prof|St|Sr|Jr|Rev|Hon|Capt|Col|Gen|Lt|Sgt|Maj|Messrs|Mme|Mlle|Hr|Fr|Sra|Dra)\.\s*$"
)


def ends_sentence(text: str) -> bool:
    """Return whether a full stop at the end of a text ends its sentence, and belongs to no title or initial."""
    return not _ABBREVIATION.search(text)


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, each with the space behind it; a title such as "Mr." and an initial end none."""
    found: list[str] = []
    for piece in filter(None, _SENTENCE.findall(text)):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] += piece
        else:
            found.append(piece)
    return found


_TITLES = frozenset(
    "mr mrs ms mx miss mister dr doctor sir dame lady lord madam madame mme monsieur mlle herr frau señor señora "
    "don doña prof professor rev reverend father sister brother saint st capt captain col colonel gen general lt "
    "lieutenant sgt sergeant maj major inspector constable king queen prince princess count countess duke duchess "
    "baron baroness uncle aunt master".split()
)


def own_names(name: str) -> list[str]:
    """Return the words of a name without the titles before it, which others have as well: "Mr. Guest" has one."""
    words = name.split()
    while len(words) > 1 and fold(words[0]).strip(".") in _TITLES:
        words = words[1:]
    return words


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
