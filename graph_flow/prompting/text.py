"""Bounded text in answers: the length asked for, and how text that was cut off there is mended.

The bound in the schema guides the model (and limits a small one); what is accepted is longer, so
that the writer does not pay for another call because a good answer is a little too long.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic.config import JsonDict

from graph_flow.llm.schema import NOTHING, AnswerModel
from graph_flow.llm.tokens import estimate_tokens
from store.text import ends_sentence, sentences_of

ACCEPTED = 400
"""Characters that are accepted in a bounded text, whatever its bound."""

LEAST_SENTENCES, MOST_SENTENCES = 20, 280
"""How many characters of `Sentences` are asked for."""

_SIGNS = r'"\\{}\[\]<>|_'
"""Characters of JSON, tables and markup, for use in a regular expression's brackets."""
PROSE = f"[^{_SIGNS}]"
"""A character of prose, as a regular expression that also works in grammars and JSON."""
_FIRST = f"[^{_SIGNS} .,:;!?)]"

_BRACKETS = re.compile(r"[{}\[\]]\s*[{}\[\]]")
_LEAST_SAID = 0.9
_SAYING = re.compile(r"(?:[^\W_]|[ ,.;:!?'\"\-()’‘“”—–…、。，！？])+")
"""Letters, digits and the punctuation of prose."""
_LETTER = re.compile(r"[^\W_]")
_LONG_TEXT = 25
_NO_NAMES = frozenset({"the", "she", "her", "his", "him", "they", "who", "name", "nobody", "none"})
_WHOLE_NAME = re.compile(r"[A-Za-z]{3}")

_SENTENCE_END = re.compile(r"[.!?。！？؟…][\"'”’»)]*(?=\s|$)|[。！？]")
_GAP = " … "
_LEAST_PIECES = 3
"""Sentences of a text that has a middle to lose."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def tidy(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def end_whole(text: str, bound: int) -> str:
    """Return a text that was cut off at `bound` characters, up to its last whole sentence or word."""
    if len(text) < bound - 1:
        return text
    ends = [one.end() for one in _SENTENCE_END.finditer(text) if ends_sentence(text[: one.end()])]
    if ends and ends[-1] >= len(text) // 3:
        return text[: ends[-1]].rstrip()
    head, _, _ = text.rpartition(" ")
    return f"{head.rstrip(' ,;:-')}…" if head else text


def cut(text: str, length: int) -> str:
    """Return a text of at most about so many characters, up to a whole sentence or word."""
    return text if len(text) <= length else end_whole(text[:length], length)


def cut_inside(text: str, length: int) -> str:
    """Return a text of at most about so many characters that keeps its first and its last sentences.

    What a text leads up to stands at its end: the line that was said, the word that was found. What is
    quoted in it is a text of its own, whose end matters as much.
    """
    if len(text) <= length:
        return text
    pieces = sentences_of(text)
    room = length - len(_GAP)
    head, tail = len(pieces[0]), len(pieces[-1])
    if len(pieces) < _LEAST_PIECES or head + tail > room:
        return cut(text, length)
    first, last = 1, len(pieces) - 1
    while first < last:
        # What comes last has more of the room, as it is what the rest leads up to.
        is_from_end = tail <= head
        piece = len(pieces[last - 1] if is_from_end else pieces[first])
        if head + tail + piece > room:
            break
        if is_from_end:
            last, tail = last - 1, tail + piece
        else:
            first, head = first + 1, head + piece
    return f"{''.join(pieces[:first]).rstrip()}{_GAP}{''.join(pieces[last:])}"


def shortened(
    texts: Sequence[str],
    tokens: int,
    least: int = 60,
    shorten: Callable[[str, int], str] = cut,
) -> list[str]:
    """Return texts, each shortened by the same share if together they do not fit.

    None is cut to fewer than `least` characters, however little room there is.
    """
    wanted = sum(map(estimate_tokens, texts))
    if wanted <= tokens:
        return list(texts)
    share = tokens / wanted
    return [shorten(text, max(least, int(len(text) * share))) for text in texts]


def sound(text: str) -> str:
    """Return a text if it says something.

    Raises:
        ValueError: if it is mostly brackets and symbols.
    """
    said = len(text) - sum(map(_is_sign, _SAYING.sub("", text)))
    if _BRACKETS.search(text) or (text and said < _LEAST_SAID * len(text)):
        raise ValueError("this is not text")
    if text and not _LETTER.search(text):
        raise ValueError("this is not text")
    return text


def _is_sign(character: str) -> bool:
    """Return whether a character is not a mark, with which many scripts write vowels."""
    return not unicodedata.category(character).startswith("M")


def name_of_a_person(text: str) -> str:
    """Return a name without the punctuation around it.

    Raises:
        ValueError: if it is only initials, or not a name at all.
    """
    name = text.strip(" ,.;:-–—\"'“”")
    if name.casefold() in _NO_NAMES or (name.isascii() and not _WHOLE_NAME.search(name)):
        raise ValueError("give a whole name")
    return name


class Answer(AnswerModel):
    """An answer whose parts say different things: small models tend to repeat themselves.

    A part that only repeats another is refused, or becomes *nothing* if that is allowed.
    """

    may_say_nothing: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="after")
    def _says_each_thing_once(self) -> Self:
        said: set[str] = set()
        for name, value in self:
            if not isinstance(value, str) or len(value) < _LONG_TEXT:
                continue
            if value.casefold() not in said:
                said.add(value.casefold())
            elif name in self.may_say_nothing:
                setattr(self, name, NOTHING)
            else:
                raise ValueError("two parts say the same; let each say something of its own")
        return self


def _asked(words: str, least: int, most: int) -> Any:
    """Return how a text is asked for: in words, in characters, and as a pattern for prose.

    The pattern, for endpoints that can be held to it, keeps the text from beginning with a symbol.
    """
    pattern = f"^{_FIRST}{PROSE}{{{least - 1},{most - 1}}}$"
    limits: JsonDict = {"minLength": least, "maxLength": most, "pattern": pattern}
    return Field(description=words, json_schema_extra=limits)


Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=80),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 48).rstrip(".")),
    _asked("at most 8 words", 2, 48),
]
"""A name or title: up to 48 characters asked for, 80 accepted."""

PersonName = Annotated[Title, AfterValidator(name_of_a_person)]
"""The name of a person: a title that is more than initials."""

Phrase = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 70)),
    _asked("at most 12 words", 2, 70),
]
"""Part of a sentence: up to 70 characters asked for."""

Sentence = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 140)),
    _asked("one sentence", 10, 140),
]
"""A sentence: up to 140 characters asked for."""

Path = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 170)),
    _asked("one sentence: who does what, and what comes of it", 50, 170),
]
"""A sentence about where something leads: 50 to 170 characters asked for, because a small model would
otherwise answer with another title."""

Sentences = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=LEAST_SENTENCES, max_length=1_200),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, MOST_SENTENCES)),
    _asked("two sentences", LEAST_SENTENCES, MOST_SENTENCES),
]
"""Two sentences: up to 280 characters asked for."""
