"""What the agents of a mystery answer: a case with its clues, parts of the host guide, a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from graph_flow.llm.schema import NOTHING, AnswerSchema, OneOf
from graph_flow.prompting.text import Sentence
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeName,
    WholeParagraph,
    WholePassage,
    number_in,
    usable,
)
from store.models.desk.mystery import MOST_ROUNDS

MOST_CLUES = 24
_MOST_NAMED = 12


def _as_round(said: object) -> int:
    number = number_in(said)
    return 1 if number is None else max(1, min(MOST_ROUNDS, round(number)))


class WholeClue(WholeAnswer):
    """A clue: what its card says, when it comes out, and what it rests on and proves."""

    title: Annotated[WholeName, Required]
    text: Annotated[WholeParagraph, Required]
    round: Annotated[int, BeforeValidator(_as_round)] = 1
    events: Annotated[tuple[WholeName, ...], usable(_MOST_NAMED)] = ()
    supports: Annotated[tuple[WholeName, ...], usable(_MOST_NAMED)] = ()
    clears: Annotated[tuple[WholeName, ...], usable(_MOST_NAMED)] = ()
    finder: WholeName = ""
    deduction: WholeParagraph = ""


class CaseAnswer(WholeAnswer):
    """How and why it was done, how it could be, what leads astray, and the clues."""

    means: Annotated[WholeParagraph, Required]
    motive: Annotated[WholeParagraph, Required]
    opportunity: WholeParagraph = ""
    false_trails: WholePassage = ""
    clues: Annotated[tuple[WholeClue, ...], usable(MOST_CLUES)] = ()


CASE_SCHEMA = AnswerSchema(CaseAnswer)


class CasePart(BaseModel):
    """The same from a small model: no clues, which are then those of the story."""

    means: Sentence
    motive: Sentence


CASE_PART = AnswerSchema(CasePart)


def widened_case(part: BaseModel) -> CaseAnswer:
    """Return a small model's case as a whole one."""
    return CaseAnswer.model_validate(part.model_dump())


class GuideAnswer(WholeAnswer):
    """What the host reads aloud, and what only the host reads."""

    opening: Annotated[WholePassage, Required]
    truth: WholePassage = ""
    false_trails: WholePassage = ""
    solution: Annotated[WholePassage, Required]


GUIDE_SCHEMA = AnswerSchema(GuideAnswer)


class GuideShort(BaseModel):
    """What a small model writes of it."""

    opening: Sentence
    solution: Sentence


GUIDE_PART = AnswerSchema(GuideShort)


def widened_guide(part: BaseModel) -> GuideAnswer:
    """Return a small model's texts as the whole."""
    return GuideAnswer.model_validate(part.model_dump())


class VerdictAnswer(WholeAnswer):
    """Whom a player takes for the culprit, by which reasons, and what they would need to be sure."""

    culprit: WholeName = ""
    reasons: Annotated[WholePassage, Required]
    missing: WholeParagraph = ""


VERDICT_SCHEMA = AnswerSchema(VerdictAnswer)


class VerdictPart(BaseModel):
    """The same from a small model."""

    culprit: Annotated[str, OneOf("suspects")]
    reasons: Sentence


def verdict_part(suspects: Sequence[str]) -> AnswerSchema[VerdictPart]:
    """Return the verdict that can name only those who play."""
    return AnswerSchema(VerdictPart, choices={"suspects": list(suspects) or [NOTHING]})


def widened_verdict(part: BaseModel) -> VerdictAnswer:
    """Return a small model's verdict as a whole one."""
    return VerdictAnswer.model_validate(part.model_dump())
