"""What the writer asked the story or one of its people, and what came back."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Name, Paragraph, Passage, Record
from store.models.delta import Delta

QUESTION_LIMIT = 20_000
"""The most characters of a question."""


class ProposalState(StrEnum):
    """What the writer has said to a proposal."""

    OPEN = "open"
    TAKEN = "taken"
    REFUSED = "refused"


class ProposedChange(Record):
    """Changes to what exists, which the writer can take or refuse."""

    delta: Delta
    state: ProposalState = ProposalState.OPEN


class ProposedGoal(Record):
    """A goal for the next chapter, which the writer can take or refuse."""

    title: Name
    text: Paragraph
    state: ProposalState = ProposalState.OPEN


class TalkTurn(Record):
    """A question of the writer, and its answer, which is empty until it has come.

    `person` is who was asked; None: the story. They were asked as of the end of `chapter`. `events`
    and `chapters` are the evidence for an answer about the story.
    """

    id: Id
    branch: Id
    person: Id | None = None
    chapter: Annotated[int, Field(ge=0)]
    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=QUESTION_LIMIT),
    ]
    answer: Passage = ""
    events: tuple[Id, ...] = ()
    chapters: tuple[int, ...] = ()
    change: ProposedChange | None = None
    goal: ProposedGoal | None = None
    is_put_away: bool = False
    created: datetime
