"""What an agent suggests for a passage of a text, which only the writer takes."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Line, Record
from store.models.manuscript import TEXT_LIMIT

WISH_LIMIT = 2_000
"""The most characters in which a writer says what they want of a passage."""


class SuggestionKind(StrEnum):
    """What is wanted of a passage, or at a place in the text."""

    REWRITE = "rewrite"
    EXPAND = "expand"
    SHORTEN = "shorten"
    DIALOGUE = "dialogue"
    SHOW = "show"
    VOICE = "voice"
    AS_ASKED = "as asked"
    AS_PLANNED = "as planned"
    GO_ON = "go on"
    OPTIONS = "options"

    @property
    def is_at_cursor(self) -> bool:
        """Whether it adds to a text where the cursor stands, and replaces nothing."""
        return self in {SuggestionKind.GO_ON, SuggestionKind.OPTIONS}

    @property
    def needs_wish(self) -> bool:
        """Whether it means nothing without the writer's own words."""
        return self in {SuggestionKind.VOICE, SuggestionKind.AS_ASKED}


class SuggestionState(StrEnum):
    """What the writer has done with a suggestion."""

    OPEN = "open"
    TAKEN = "taken"
    LEFT = "left"


class Suggestion(Record):
    """What is to stand in the place of a passage of a chapter, or after a place in it.

    The passage is the `quote`, which stood `at` a place of the text, in characters, after the words
    `before`; it is empty where the cursor stood. `wish` is what the writer said. `text` is the answer,
    empty until it has come; `options` are what could happen next, of which the writer chooses. `doubt`
    says what may be wrong with an answer, or why there is none. `attempt` counts from 1.
    """

    id: Id
    branch: Id
    chapter: Annotated[int, Field(ge=1)]
    kind: SuggestionKind
    quote: Annotated[str, Field(max_length=TEXT_LIMIT)] = ""
    before: str = ""
    at: Annotated[int, Field(ge=0)] = 0
    wish: Annotated[str, StringConstraints(strip_whitespace=True, max_length=WISH_LIMIT)] = ""
    text: Annotated[str, Field(max_length=TEXT_LIMIT)] = ""
    options: tuple[Line, ...] = ()
    doubt: Line = ""
    attempt: Annotated[int, Field(ge=1)] = 1
    state: SuggestionState = SuggestionState.OPEN
    created: datetime
