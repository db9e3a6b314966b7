"""What every record has in common: ids given by the store, bounds on text, and strictness."""

from __future__ import annotations

import json
import secrets
import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""An id given by the store, never by a model."""

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
"""The name of a person, place, event or thread: shown on one line."""

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
"""A sentence or two; may be empty."""

PARAGRAPH_LIMIT = 1_000
"""The most characters of a paragraph."""

Paragraph = Annotated[str, StringConstraints(strip_whitespace=True, max_length=PARAGRAPH_LIMIT)]
"""Some sentences; may be empty."""

PASSAGE_LIMIT = 20_000
"""The most characters of a passage."""

Passage = Annotated[str, StringConstraints(strip_whitespace=True, max_length=PASSAGE_LIMIT)]
"""Paragraphs; may be empty."""


class Record(BaseModel):
    """An immutable value that the store reads and writes; unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


WHOLE = "*"
"""The entry in `Entity.locked` that locks the whole entity."""


class Entity(Record):
    """A versioned part of the Story Prototype.

    `invented` names the fields that an agent made up and the writer has not touched yet, `locked`
    those that no agent may change, both in alphabetical order. `WHOLE` in `locked` locks the entity
    as a whole.
    """

    id: Id
    invented: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()


RANDOM_BYTES = 5


def new_id() -> str:
    """Return a url-safe id of 22 lower-case hexadecimal characters.

    It begins with the time in milliseconds, so newer ids are indexed behind older ones: a commit
    writes to the ends of the indexes, however long the story is.
    """
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(RANDOM_BYTES)}"


def dump_json(value: object) -> str:
    """Return a value as compact JSON with sorted keys, so equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
