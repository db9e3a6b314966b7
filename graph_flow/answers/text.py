"""Bounded text in answers: what an endpoint is asked to keep to, and what is made of text cut at the bound.

The bound in the schema guides the model (and holds a small one); what is accepted is wider, so that
a good answer that is a little long is not asked for again at the writer's cost.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, model_validator

ACCEPTED = 400
"""Characters of a bounded text that are accepted, whatever its bound."""

LEAST_SENTENCES, MOST_SENTENCES = 20, 280
"""Characters of `Sentences` that are asked for."""

_BRACKETS = re.compile(r"[{}\[\]]\s*[{}\[\]]")
_LEAST_SAID = 0.9
_SAYING = re.compile(r"(?:[^\W_]|[ ,.;:!?'\"\-()’‘“”—–…、。，！？])+")
"""Letters, digits and the punctuation of prose."""
_LETTER = re.compile(r"[^\W_]")
_LONG_TEXT = 25
_NO_NAMES = frozenset({"the", "she", "her", "his", "him", "they", "who", "name", "nobody", "none"})
_WHOLE_NAME = re.compile(r"[A-Za-z]{3}")

_SENTENCE_END = re.compile(r"[.!?。！？؟…][\"'”’»)]*(?=\s|$)|[。！？]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def tidy(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def end_whole(text: str, bound: int) -> str:
    """Return a text that was cut off at `bound` characters up to its last whole sentence, or word."""
    if len(text) < bound - 1:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if ends and ends[-1] >= len(text) // 3:
        return text[: ends[-1]].rstrip()
    head, _, _ = text.rpartition(" ")
    return f"{head.rstrip(' ,;:-')}…" if head else text


def sound(text: str) -> str:
    """Return a text that says something.

    Raises:
        ValueError: if it is mostly brackets and signs.
    """
    said = len(text) - sum(map(_is_sign, _SAYING.sub("", text)))
    if _BRACKETS.search(text) or (text and said < _LEAST_SAID * len(text)):
        raise ValueError("this is not text")
    if text and not _LETTER.search(text):
        raise ValueError("this is not text")
    return text


def _is_sign(character: str) -> bool:
    """Return whether what is no letter belongs to no word: many scripts write vowels with marks."""
    return not unicodedata.category(character).startswith("M")


def name_of_a_person(text: str) -> str:
    """Return a name without what stands about it.

    Raises:
        ValueError: if it is only initials, or no name at all.
    """
    name = text.strip(" ,.;:-–—\"'“”")
    if name.casefold() in _NO_NAMES or (name.isascii() and not _WHOLE_NAME.search(name)):
        raise ValueError("give a whole name")
    return name


class Answer(BaseModel):
    """An answer whose parts say different things: a small model likes to say one thing everywhere."""

    @model_validator(mode="after")
    def _says_each_thing_once(self) -> Self:
        long_texts = [
            value.casefold()
            for _, value in self
            if isinstance(value, str) and len(value) >= _LONG_TEXT
        ]
        if len(long_texts) != len(set(long_texts)):
            raise ValueError("two parts say the same; let each say something of its own")
        return self


Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=80),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 48).rstrip(".")),
    Field(description="at most 8 words", json_schema_extra={"minLength": 2, "maxLength": 48}),
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
    Field(description="at most 12 words", json_schema_extra={"minLength": 2, "maxLength": 70}),
]
"""Part of a sentence: up to 70 characters asked for."""

Sentence = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 140)),
    Field(description="one sentence", json_schema_extra={"minLength": 10, "maxLength": 140}),
]
"""A sentence: up to 140 characters asked for."""

Path = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, 170)),
    Field(
        description="one sentence: who does what, and what comes of it",
        json_schema_extra={"minLength": 50, "maxLength": 170},
    ),
]
"""A sentence that says where something goes: of 50 to 170 characters asked for, so that a small model
does not answer with another title."""

Sentences = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=LEAST_SENTENCES, max_length=1_200),
    AfterValidator(tidy),
    AfterValidator(sound),
    AfterValidator(lambda text: end_whole(text, MOST_SENTENCES)),
    Field(
        description="two sentences",
        json_schema_extra={"minLength": LEAST_SENTENCES, "maxLength": MOST_SENTENCES},
    ),
]
"""Two sentences: up to 280 characters asked for."""
