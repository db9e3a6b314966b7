"""What judges answer: surface features and scores; a score is never moved, only refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints

from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.text import cut, tidy
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    as_text,
    usable,
)
from store.models.desk.consistency import ContradictionKind
from store.models.desk.evaluation import QUOTE_LIMIT, Indicator, IndicatorScores

_MOST_HIGHLIGHTS = 21
_MOST_PEOPLE = 3
_MOST_FACTS, _MOST_CONTRADICTIONS, _MOST_NAMED = 24, 12, 6
_OF_TEN = re.compile(r"\s*(-?\d+(?:\.\d+)?)(?:\s*(?:/|of|out of)\s*10)?\s*\.?\s*")


def _number(said: Any) -> Any:
    """Return the number that was said, to two decimals; true and false are none."""
    if isinstance(said, bool):
        raise ValueError("give a number")
    if isinstance(said, str) and (found := _OF_TEN.fullmatch(said)):
        said = float(found[1])
    return round(said, 2) if isinstance(said, float) else said


def _indicator(said: Any) -> Any:
    return said.strip().casefold() if isinstance(said, str) else said


GivenScore = Annotated[float, BeforeValidator(_number), Field(ge=0, le=10)]
"""A score of 0 to 10; one out of this range is refused."""

Quoted = Annotated[
    str,
    BeforeValidator(as_text),
    StringConstraints(strip_whitespace=True, min_length=1, max_length=QUOTE_LIMIT),
]
"""Words of the text, letter for letter."""


class _Scores(WholeAnswer):
    relevance: GivenScore
    coherence: GivenScore
    creativity: GivenScore
    empathy: GivenScore
    surprise: GivenScore
    complexity: GivenScore
    immersion: GivenScore

    @property
    def scores(self) -> IndicatorScores:
        """The scores alone."""
        return IndicatorScores.by({one: getattr(self, one.value) for one in Indicator})


class GivenHighlight(WholeAnswer):
    """What an indicator is scored high for."""

    indicator: Annotated[Indicator, BeforeValidator(_indicator)]
    quote: Quoted


class ChapterAnalysis(_Scores):
    """What a chapter tells, and how good it is."""

    summary: Annotated[WholeParagraph, Required]
    things: WholeLine = ""
    relationships: WholeLine = ""
    places: WholeLine = ""
    tasks: WholeLine = ""
    highlights: Annotated[tuple[GivenHighlight, ...], usable(_MOST_HIGHLIGHTS)] = ()


class GlobalEvaluation(_Scores):
    """How good a book is so far, and the story in three parts."""

    synopsis: Annotated[WholeParagraph, Required]
    people: Annotated[tuple[WholeLine, ...], usable(_MOST_PEOPLE)] = ()
    state: WholeParagraph = ""


def _better(said: Any) -> Any:
    return said.strip().strip(".").upper()[:4] if isinstance(said, str) else said


def _margin(said: Any) -> Any:
    return max(0, min(3, said)) if isinstance(said, int) and not isinstance(said, bool) else said


class PairVerdict(WholeAnswer):
    """Which of two texts is the better, and by how much: 0, not at all, to 3, far better."""

    better: Annotated[Literal["A", "B", "SAME"], BeforeValidator(_better)]
    margin: Annotated[int, BeforeValidator(_margin)] = 1
    reason: WholeParagraph = ""


def _kind(said: Any) -> Any:
    """Return a kind of contradiction; one that is not known is another one."""
    word = said.strip().casefold() if isinstance(said, str) else ""
    return word if word in set(ContradictionKind) else ContradictionKind.OTHER.value


MaybeQuoted = Annotated[
    str, BeforeValidator(as_text), AfterValidator(lambda text: text.strip()[:QUOTE_LIMIT].strip())
]
"""Words of the text, or nothing: whoever shows none is told apart later, and not refused."""


class GivenFact(WholeAnswer):
    """Something that a chapter establishes, with the words that say so."""

    who: Annotated[tuple[WholeName, ...], usable(_MOST_NAMED)] = ()
    fact: Annotated[WholeLine, Required]
    quote: Quoted


class GivenContradiction(WholeAnswer):
    """Two passages that cannot both be true; `fact` is the label of the earlier one, if it has one."""

    kind: Annotated[ContradictionKind, BeforeValidator(_kind)] = ContradictionKind.OTHER
    why: Annotated[WholeLine, Required]
    quote: MaybeQuoted = ""
    earlier: MaybeQuoted = ""
    fact: WholeName = ""


class ConsistencyAnswer(WholeAnswer):
    """What a chapter establishes, and where it contradicts itself or what came before."""

    facts: Annotated[tuple[GivenFact, ...], usable(_MOST_FACTS)] = ()
    contradictions: Annotated[tuple[GivenContradiction, ...], usable(_MOST_CONTRADICTIONS)] = ()


SmallScore = Annotated[int, Field(ge=0, le=10)]


_SMALL_LINE = 140
SmallLine = Annotated[
    str,
    AfterValidator(tidy),
    AfterValidator(lambda text: cut(text, _SMALL_LINE)),
    Field(min_length=1, json_schema_extra={"maxLength": _SMALL_LINE}),
]
"""A sentence of a small model, whatever it says: it is the scores that are asked for."""


class PartVerdict(BaseModel):
    """What a small model says of two texts."""

    because: SmallLine
    better: Literal["A", "B"]
    margin: Annotated[int, Field(ge=1, le=3)]


class _SmallScores(BaseModel):
    relevance: SmallScore
    coherence: SmallScore
    creativity: SmallScore
    empathy: SmallScore
    surprise: SmallScore
    complexity: SmallScore
    immersion: SmallScore

    @property
    def numbers(self) -> Mapping[str, float]:
        """The scores by indicator."""
        return {one.value: float(getattr(self, one.value)) for one in Indicator}


class PartAnalysis(_SmallScores):
    """What a small model says of a chapter."""

    summary: SmallLine
    situation: SmallLine


class PartEvaluation(_SmallScores):
    """What a small model says of a book so far."""

    synopsis: SmallLine
    state: SmallLine


ANALYSIS_SCHEMA = AnswerSchema(ChapterAnalysis)
PART_ANALYSIS = AnswerSchema(PartAnalysis)
GLOBAL_SCHEMA = AnswerSchema(GlobalEvaluation)
PART_GLOBAL = AnswerSchema(PartEvaluation)
CONSISTENCY_SCHEMA = AnswerSchema(ConsistencyAnswer)
PAIR_SCHEMA = AnswerSchema(PairVerdict)
PART_PAIR = AnswerSchema(PartVerdict)


def widened_analysis(part: PartAnalysis) -> ChapterAnalysis:
    """Return a small model's answer as a whole one."""
    return ChapterAnalysis.model_validate(
        {"summary": part.summary or "…", "tasks": part.situation, **part.numbers}
    )


def widened_evaluation(part: PartEvaluation) -> GlobalEvaluation:
    """Return a small model's answer as a whole one."""
    return GlobalEvaluation.model_validate(
        {"synopsis": part.synopsis or "…", "state": part.state, **part.numbers}
    )


def widened_verdict(part: PartVerdict) -> PairVerdict:
    """Return a small model's answer as a whole one."""
    return PairVerdict(better=part.better, margin=part.margin, reason=part.because)
