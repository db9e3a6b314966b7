"""What the store and the engine say, in the language that is spoken.

They say it in English, also in the background and into the library, so it is put into another language when
it is shown. A language has two modules for that:

- `records.py`: `WORDS`, the labels of fields, forms, agents …, English to the other language; and
  `SENTENCES`, templates like those below of what a change to the story is called.
- `messages.py`: `MESSAGES`, sentences and templates of them, for example
  `"The chapter “{name}” is locked.": "“{name}”这一章已锁定。"`.

A placeholder stands for any text. On the side of the other language it may say what it is: `{kind:word}` is
one of `WORDS` (the template fits nothing else), `{count:number}` is a number, `{host:name}` has no spaces,
`{problem:message}` is put into the language in turn if it is known, and so are the members of `{people:list}`,
of which one has to be. The most
specific template that fits is taken. What fits none is taken apart into its sentences; one that is not known
stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from pages.components.words.speaking import Language, spoken, words_in
from store.text import capital

_KEPT = 4_000
_LONGEST = 3_000
"""Characters of what is put into another language; a longer text is hardly a message."""
_DEEPEST = 8
"""Messages within messages; what says more of itself is hardly one."""
_PLACEHOLDER = re.compile(r"\{(\w+)(?::(word|number|name|message|list))?\}")
_NUMBER = re.compile(r"-?\d[\d,.]*")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…]”)\s+")


def said(message: str) -> str:
    """Return what the store or the engine says in the language that is spoken; English if it is not known."""
    language = spoken()
    return message if language is Language.ENGLISH else in_language(language, message)


@lru_cache(_KEPT)
def in_language(language: Language, message: str) -> str:
    """Return what the store or the engine says in a language that is not English."""
    return message if len(message) > _LONGEST else _Saying(language).of(message)


class Template(NamedTuple):
    """An English sentence with gaps, and the same in another language."""

    literals: tuple[str, ...]
    """What stands around the gaps: one more than there are gaps."""
    gaps: tuple[str, ...]
    other: str

    @property
    def length(self) -> int:
        """How much of it is fixed, in characters."""
        return sum(map(len, self.literals))


def template(english: str, other: str) -> Template:
    """Return a template of the two tables."""
    parts = _PLACEHOLDER.split(english)
    return Template(tuple(parts[::3]), tuple(parts[1::3]), other)


def gaps_filled(one: Template, message: str) -> dict[str, str] | None:
    """Return what fills the gaps of a template, by name; None if a message does not fit it.

    Each gap ends where the next fixed text is first found, so this takes no longer for a hostile message.
    """
    first, *middle = one.literals
    if not middle:
        return {} if message == first else None
    *middle, last = middle
    end = len(message) - len(last)
    if not (message.startswith(first) and message.endswith(last) and end > len(first)):
        return None
    filled, at = [], len(first)
    for literal in middle:
        found = message.find(literal, at + 1, end)
        if found < 0:
            return None
        filled.append(message[at:found])
        at = found + len(literal)
    if at >= end:
        return None
    return dict(zip(one.gaps, [*filled, message[at:end]], strict=True))


class _Saying:
    """Puts a message into a language, and what is within it in turn."""

    def __init__(self, language: Language, depth: int = 0) -> None:
        self._language = language
        self._depth = depth

    def of(self, message: str) -> str:
        """Return a message in the language, or as much of it as is known."""
        if not message.strip() or self._depth > _DEEPEST:
            return message
        whole = self._whole(message)
        if whole is not None:
            return whole
        sentences = _SENTENCE_ENDS.split(message)
        if len(sentences) == 1:
            return message
        found = [(self._whole(one), one) for one in sentences]
        if all(one is None for one, _ in found):
            return message
        return "".join(f" {english} " if one is None else one for one, english in found).strip()

    def _whole(self, message: str) -> str | None:
        known = _word(self._language, message)
        if known is not None:
            return known
        exact, templates = _tables(self._language)
        return exact.get(message) or next(self._fitting(templates, message), None)

    def _fitting(self, templates: tuple[Template, ...], message: str) -> Iterator[str]:
        for one in templates:
            filled = gaps_filled(one, message)
            said_of_it = None if filled is None else self._filled(one.other, filled)
            if said_of_it is not None:
                yield said_of_it

    def _filled(self, other: str, filled: Mapping[str, str]) -> str | None:
        parts = []
        at = 0
        for gap in _PLACEHOLDER.finditer(other):
            text = self._gap(gap.group(2), filled[gap.group(1)])
            if text is None:
                return None
            parts += [other[at : gap.start()], text]
            at = gap.end()
        return "".join([*parts, other[at:]])

    def _gap(self, sort: str | None, text: str) -> str | None:
        match sort:
            case "word":
                return _word(self._language, text)
            case "number":
                return text if _NUMBER.fullmatch(text) else None
            case "name":
                return None if " " in text else text
            case "message":
                return self._within.of(text)
            case "list":
                return self._list(text)
        return text

    def _list(self, text: str) -> str | None:
        """Return the members of a list, which may have lists in it; None if none of them is known."""
        groups = [group.split(", ") for group in text.split("; ")]
        said_of_them = [[self._within.of(one) for one in group] for group in groups]
        if said_of_them == groups:
            return None
        return "；".join("、".join(group) for group in said_of_them)

    @property
    def _within(self) -> _Saying:
        return _Saying(self._language, self._depth + 1)


def _word(language: Language, word: str) -> str | None:
    words = _table(language, "records", "WORDS")
    return words.get(word) or words.get(capital(word))


@cache
def _tables(language: Language) -> tuple[Mapping[str, str], tuple[Template, ...]]:
    """Return the sentences without gaps, and the templates, those with most fixed text first."""
    whole = {
        **_table(language, "messages", "MESSAGES"),
        **_table(language, "records", "SENTENCES"),
    }
    exact = {english: other for english, other in whole.items() if "{" not in english}
    made = [template(english, other) for english, other in whole.items() if english not in exact]
    return exact, tuple(sorted(made, key=lambda one: one.length, reverse=True))


def _table(language: Language, module: str, name: str) -> Mapping[str, str]:
    found = words_in(language, module).get(name, {})
    return found if isinstance(found, Mapping) else {}
