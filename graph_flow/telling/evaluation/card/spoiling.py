"""Texts of our own, spoiled where a judge must notice, and altered where it must not. Pure.

The same text is always spoiled in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from zlib import crc32

import frontmatter
from pydantic import BaseModel, ConfigDict

from store.formats.reading.parts import SCENE_BREAK

_FOLDER = "specimens"
_GAP = "\n\n"
_LONG_WORD = re.compile(r"\b[a-z]{7,}\b")
_EACH = 12
"""One in so many long words gets a slip of the pen."""
_PLAIN_MARKS = str.maketrans("“”’", '""\'')
_CUT = 0.82
"""How much is left of a text whose ending is cut off."""


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid")

    names: tuple[str, str]
    contradictions: tuple[tuple[str, str], ...]
    synonyms: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Specimen:
    """A short text, with what is needed to spoil it.

    `names` are two people to be taken for one another; `contradictions` replace a fact that the text
    needs elsewhere; `synonyms` mean the same.
    """

    key: str
    text: str
    names: tuple[str, str]
    contradictions: tuple[tuple[str, str], ...]
    synonyms: tuple[tuple[str, str], ...]

    @property
    def scenes(self) -> list[str]:
        """Its scenes, of which each is whole by itself."""
        return [one.strip() for one in self.text.split(SCENE_BREAK)]

    @property
    def paragraphs(self) -> list[str]:
        """Its paragraphs, without the breaks between scenes."""
        return [one for one in self.text.split(_GAP) if one != SCENE_BREAK]


@cache
def specimens() -> tuple[Specimen, ...]:
    """Return the texts that judges are judged by."""
    folder = resources.files(__package__ or "") / _FOLDER
    found = sorted(
        (one for one in folder.iterdir() if one.name.endswith(".md")), key=lambda it: it.name
    )
    return tuple(_specimen(one.name[:-3], one.read_text(encoding="utf-8")) for one in found)


def _specimen(key: str, content: str) -> Specimen:
    post = frontmatter.loads(content)
    head = _Head.model_validate(post.metadata)
    return Specimen(key, post.content.strip(), head.names, head.contradictions, head.synonyms)


def shuffled(specimen: Specimen, salt: str = "") -> str:
    """Return a text with its paragraphs in another order, none where it was; another salt gives another."""
    paragraphs = specimen.paragraphs
    order = sorted(range(len(paragraphs)), key=lambda at: crc32(f"{salt}{paragraphs[at]}".encode()))
    while any(place == at for at, place in enumerate(order)):
        order = [*order[1:], order[0]]
    return _GAP.join(paragraphs[place] for place in order)


def names_swapped(specimen: Specimen) -> str:
    """Return a text in whose second half two people have each other's names."""
    head, _, tail = specimen.text.partition(SCENE_BREAK)
    first, second = specimen.names
    swap = {first: second, second: first}
    swapped = re.sub(rf"\b({first}|{second})\b", lambda it: swap[it[1]], tail)
    return f"{head}{SCENE_BREAK}{swapped}"


def contradicted(specimen: Specimen) -> str:
    """Return a text that says the opposite of what it needs elsewhere."""
    text = specimen.text
    for old, new in specimen.contradictions:
        text = text.replace(old, new, 1)
    return text


def repeated(specimen: Specimen) -> str:
    """Return a text of which two passages stand a second time, further down."""
    paragraphs = specimen.paragraphs
    longest = sorted(range(len(paragraphs) - 1), key=lambda at: -len(paragraphs[at]))[:2]
    again = [paragraphs[at] for at in sorted(longest)]
    return _GAP.join([*paragraphs[:-1], *again, paragraphs[-1]])


def cut_off(specimen: Specimen) -> str:
    """Return a text that breaks off before its end, in the middle of a sentence."""
    words = specimen.text[: int(len(specimen.text) * _CUT)].rsplit(maxsplit=1)[0]
    return words.rstrip(".,;:!?”’ ")


def with_typos(specimen: Specimen) -> str:
    """Return a text with slips of the pen: two letters of some long words change places."""
    seen = [0]

    def slip(found: re.Match[str]) -> str:
        seen[0] += 1
        word = found[0]
        if seen[0] % _EACH:
            return word
        at = len(word) // 2
        return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"

    return _LONG_WORD.sub(slip, specimen.text)


def with_synonyms(specimen: Specimen) -> str:
    """Return a text with other words for the same."""
    text = specimen.text
    for old, new in specimen.synonyms:
        text = re.sub(rf"\b{re.escape(old)}\b", new, text)
    return text


def with_other_punctuation(specimen: Specimen) -> str:
    """Return a text as somebody else would punctuate it."""
    text = specimen.text.translate(_PLAIN_MARKS)
    return text.replace(", and ", " and ").replace("; ", ", ")


SPOILED: Mapping[str, Callable[[Specimen], str]] = {
    "paragraphs shuffled": shuffled,
    "names swapped": names_swapped,
    "facts contradicted": contradicted,
    "passages repeated": repeated,
    "ending cut off": cut_off,
}
"""What makes a text worse."""

ALTERED: Mapping[str, Callable[[Specimen], str]] = {
    "typos": with_typos,
    "synonyms": with_synonyms,
    "punctuation": with_other_punctuation,
}
"""What must not matter."""
