"""Answers about the story: in words, with evidence, and what they propose to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.changes import WholeChange
from graph_flow.prompting.text import Sentence
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeName,
    WholeParagraph,
    WholePassage,
    or_empty,
    usable,
)

_MOST_LABELS, _MOST_CHANGES, _MOST_NAMED = 12, 12, 3


class TalkAnswer(WholeAnswer):
    """An answer, what it rests on, and what it proposes, if the writer wants something changed."""

    answer: Annotated[WholePassage, Required]
    evidence: Annotated[tuple[WholeName, ...], usable(_MOST_LABELS)] = ()
    changes: Annotated[tuple[WholeChange, ...], usable(_MOST_CHANGES)] = ()
    goal_title: WholeName = ""
    goal: Annotated[WholeParagraph, AfterValidator(or_empty)] = ""


TALK_SCHEMA = AnswerSchema(TalkAnswer)


class PartAnswer(BaseModel):
    """What a small model says: an answer, and the events that it rests on."""

    answer: Sentence
    evidence: Annotated[list[Annotated[str, OneOf("events")]], Sized("evidence")]


class BareAnswer(BaseModel):
    """The same where nothing has happened yet."""

    answer: Sentence


def part_schema(events: Sequence[str]) -> AnswerSchema[PartAnswer] | AnswerSchema[BareAnswer]:
    """Return the answer that can name only the labelled events."""
    if not events:
        return AnswerSchema(BareAnswer)
    return AnswerSchema(
        PartAnswer,
        choices={"events": events},
        sizes={"evidence": Size(0, min(_MOST_NAMED, len(events)))},
    )


def widened(part: BaseModel) -> TalkAnswer:
    """Return a small model's answer as a whole one."""
    return TalkAnswer.model_validate(part.model_dump())
