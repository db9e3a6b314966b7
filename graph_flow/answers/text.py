"""Bounded text in answers: what an endpoint is asked to keep to, and what is made of text cut at the bound.

The bound in the schema guides the model (and holds a small one); what is accepted is wider, so that
a good answer that is a little long is not asked for again at the writer's cost.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

ACCEPTED = 400
"""Characters of a bounded text that are accepted, whatever its bound."""

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


Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=80),
    AfterValidator(tidy),
    AfterValidator(lambda text: end_whole(text, 48).rstrip(".")),
    Field(description="at most 8 words", json_schema_extra={"minLength": 2, "maxLength": 48}),
]
"""A name or title: up to 48 characters asked for, 80 accepted."""

Phrase = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(lambda text: end_whole(text, 90)),
    Field(description="at most 15 words", json_schema_extra={"minLength": 2, "maxLength": 90}),
]
"""Part of a sentence: up to 90 characters asked for."""

Sentence = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(lambda text: end_whole(text, 180)),
    Field(description="one sentence", json_schema_extra={"minLength": 10, "maxLength": 180}),
]
"""A sentence: up to 180 characters asked for."""

Sentences = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=1_200),
    AfterValidator(tidy),
    AfterValidator(lambda text: end_whole(text, 360)),
    Field(
        description="two or three sentences", json_schema_extra={"minLength": 20, "maxLength": 360}
    ),
]
"""Two or three sentences: up to 360 characters asked for."""
