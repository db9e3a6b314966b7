"""Recognise a key where a name was expected: it must be refused before anything is done with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SHORTEST_SECRET = 12
"""Shorter values of a variable, such as “ollama”, are no secrets: local servers ask for any word."""

_BEGINNING = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        sk-(?:ant|proj|or|svcacct|admin|lf|None)-|  # these words never begin the name of a model
        sk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{8}|\Ask-(?=\S*\d)\S{4}|
        (?:csk|pk|rk)-(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{16}|
        (?:sk|pk|rk)_(?:live|test|prod)_[A-Za-z0-9]{8}|sk_[A-Za-z0-9]{16}|
        (?:gsk|hf|r8|fw|jina|tgp_v1|gh[opsur]|github_pat|glpat|dop_v1)[_-](?=[\w-]*\d)[A-Za-z0-9_-]{16}|
        (?:xai|pplx|nvapi|voyage|vapi)-(?=[\w-]*\d)[A-Za-z0-9]{16}|
        AIza[A-Za-z0-9_-]{16}|AQ\.Ab[A-Za-z0-9_-]{16}|ya29\.[A-Za-z0-9_-]{16}|
        AKIA[A-Z0-9]{16}|ABSK[A-Za-z0-9+/]{16}|dapi[0-9a-f]{16}|eyJ[A-Za-z0-9_-]{16}
    )""",
    re.VERBOSE,
)
"""How the keys of known services begin, with as much of them as no name has."""
_HEADER = re.compile(
    r"^\s*(?:authorization\s*[:=]|bearer\s+\S|basic\s+\S|x?-?api[-_ ]key\s*[:=])", re.I
)
_AROUND = " \t\r\n\"'`"
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_DIGEST = re.compile(r"[0-9a-f]{7,64}")
_BETWEEN_PARTS = re.compile(r"[\s/:@=\"'<>(),;]+")
_IN_NAME = re.compile(r"[^\s=]+")
_BETWEEN_WORDS = re.compile(r"[-_.+~|]+")
_VARIED = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_WORD_OF_NAME = 9
"""Characters that the words of a name have on average, at most."""
_LEAST = 18
"""Characters from which on a word can be a key."""
_MOST_NUMBERS = 3
"""Numbers within one word of a name: “llama31instruct70bq4” has three."""
_MOST_VARIED = 0.16
"""How varied a name is at most."""
_SPOKEN = re.compile(r"(?=.*[aeiouy])(?!.*[^aeiouy]{5})(?!.*[aeiouy]{4})[a-z]{4,}", re.I)
"""Letters that could be a word."""


def looks_like_key(text: str) -> bool:
    """Return whether a text holds a key: one of a known service, or a long random one.

    A name of a model is made of words: “org/model-8b:tag”. What follows it may be a digest.
    """
    return has_known_key(text) or any(map(_is_random, _parts(text)))


def has_known_key(text: str) -> bool:
    """Return whether a text holds a key that shows which service it is for."""
    bare = text.strip(_AROUND)
    return _HEADER.match(bare) is not None or _BEGINNING.search(bare) is not None


def address_holds_key(address: str) -> bool:
    """Return whether an address is or holds a key; long random parts of its path are none."""
    return has_known_key(address) or ("//" not in address and looks_like_key(address))


def holds_secret(text: str, secrets: Iterable[str]) -> bool:
    """Return whether one of these secrets stands in a text."""
    return any(len(one) >= SHORTEST_SECRET and one in text for one in secrets)


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a name; not the digests that say which version of what they follow it is."""
    can_have_digest, is_named = _IN_NAME.fullmatch(text.strip()) is not None, False
    for part in filter(None, _BETWEEN_PARTS.split(text)):
        if not (can_have_digest and is_named and _DIGEST.fullmatch(part)):
            yield part
        is_named = is_named or any(word.isalpha() for word in _BETWEEN_WORDS.split(part))


def _is_random(part: str) -> bool:
    return _ID.fullmatch(part) is not None or any(map(_is_random_word, _words(part)))


def _words(part: str) -> list[str]:
    """Return the words between separators; in a key there are few of these, and they separate nothing."""
    words = _BETWEEN_WORDS.split(part)
    is_whole = len(part) > _WORD_OF_NAME * len(words)
    return ["".join(words)] if is_whole else words


def _is_random_word(word: str) -> bool:
    if len(word) < _LEAST or not word.isascii() or word.isalpha() or word.isdigit():
        return False
    return len(re.findall(r"\d+", word)) > _MOST_NUMBERS or _variety(word) > _MOST_VARIED


def _variety(word: str) -> float:
    """Return how often a word changes between letters and digits, small and capital, for its length.

    What could be spoken speaks against a key.
    """
    pieces = _VARIED.findall(word)
    spoken = sum(len(piece) for piece in pieces if _SPOKEN.fullmatch(piece))
    return (len(pieces) - 1 - spoken / 2) / len(word)
