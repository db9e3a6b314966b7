"""How good a text is: the indicators of HNES, what a judge said of each chapter, and what comes of it.

HNES is the evaluation of CreAgentive (arXiv, 2025).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from store.models.base import Id, Line, Name, Paragraph, Record, dump_json

Score = Annotated[float, Field(ge=0, le=10)]
"""What a judge or a reader gives: 0 to 10."""
Weight = Annotated[float, Field(ge=0, le=1_000)]
Quote = Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)]
"""Words of a text, letter for letter."""
QUOTE_LIMIT = 600

FIRST_INTERVAL = 10
"""Chapters from one look at the whole to the next, as published."""
USUAL_CHAPTERS = 10
"""The number of chapters from which a book counts as long, as published."""


class Indicator(StrEnum):
    """What is judged, each by itself."""

    RELEVANCE = "relevance"
    COHERENCE = "coherence"
    CREATIVITY = "creativity"
    EMPATHY = "empathy"
    SURPRISE = "surprise"
    COMPLEXITY = "complexity"
    IMMERSION = "immersion"

    @property
    def short(self) -> str:
        """The two letters by which the published tables call it."""
        return _SHORT[self]


_SHORT: Mapping[Indicator, str] = {
    Indicator.RELEVANCE: "RE",
    Indicator.COHERENCE: "CH",
    Indicator.CREATIVITY: "CR",
    Indicator.EMPATHY: "EM",
    Indicator.SURPRISE: "SU",
    Indicator.COMPLEXITY: "CX",
    Indicator.IMMERSION: "IM",
}


class IndicatorScores(Record):
    """A score for each indicator, 0 to 10."""

    relevance: Score
    coherence: Score
    creativity: Score
    empathy: Score
    surprise: Score
    complexity: Score
    immersion: Score

    def of(self, indicator: Indicator) -> float:
        """Return the score of an indicator."""
        score: float = getattr(self, indicator.value)
        return score

    @classmethod
    def by(cls, scores: Mapping[Indicator, float]) -> Self:
        """Return the scores that are given for each indicator."""
        return cls.model_validate({one.value: score for one, score in scores.items()})


class QualityWeights(Record):
    """What each indicator counts in the quality of a text; the published ones by default.

    They need not sum to 1: what counts is their share.
    """

    relevance: Weight = 0.10
    coherence: Weight = 0.20
    creativity: Weight = 0.20
    empathy: Weight = 0.15
    surprise: Weight = 0.10
    complexity: Weight = 0.10
    immersion: Weight = 0.15

    @model_validator(mode="after")
    def _say_something(self) -> Self:
        if not sum(self.of(one) for one in Indicator):
            raise ValueError("at least one indicator must count")
        return self

    def of(self, indicator: Indicator) -> float:
        """Return the weight of an indicator."""
        weight: float = getattr(self, indicator.value)
        return weight


class LengthReading(StrEnum):
    """Which number of words the score of length goes by.

    The paper's text says the total; its table comes out only with words per chapter.
    """

    PER_CHAPTER = "words per chapter"
    TOTAL = "words in all"


class EvaluationSettings(Record):
    """How a text is evaluated: the published way by default.

    What is asked of a judge depends on `interval` alone; the rest says what is made of its answers, and can
    be changed at any time.
    """

    interval: Annotated[int, Field(ge=1, le=100)] = FIRST_INTERVAL
    weights: QualityWeights = QualityWeights()
    length: LengthReading = LengthReading.PER_CHAPTER
    usual_chapters: Annotated[int, Field(ge=1, le=10_000)] = USUAL_CHAPTERS

    @property
    def stored(self) -> str:
        """It as a row has it, by which the same settings are found."""
        return dump_json(self.model_dump(mode="json"))


class SurfaceFeatures(Record):
    """What a chapter tells, without how: all that later evaluations know of it.

    `summary` is its plot; the others are how things stand at its end.
    """

    summary: Paragraph = ""
    things: Line = ""
    relationships: Line = ""
    places: Line = ""
    tasks: Line = ""


class IntervalInfo(Record):
    """The story so far in three parts, each bounded: the context of every later evaluation."""

    synopsis: Line = ""
    people: tuple[Line, ...] = ()
    """How up to three main characters are now."""
    state: Line = ""


class Highlight(Record):
    """What earns an indicator more than a good score: words that stand in the text."""

    indicator: Indicator
    quote: Quote


class JudgeName(Record):
    """Who judges: a model, where it is reached."""

    endpoint: Line
    model: Line

    @property
    def stored(self) -> str:
        """It as a row has it, by which the same judge is found."""
        return dump_json(self.model_dump(mode="json"))

    @property
    def key(self) -> str:
        """Twelve hexadecimal characters, the same for the same model at the same place."""
        return hashlib.sha256(self.stored.encode()).hexdigest()[:12]


class EvaluatedChapter(Record):
    """What a judge said of a chapter. `text` is the SHA-256 (hexadecimal) of what it read.

    `held` are the indicators whose score was brought down because nothing in the text shows what it
    was given for, and `unfound` counts quotes that are not in the text. `addressed` are passages of the
    text that speak to whoever judges it.
    """

    id: Id
    evaluation: Id
    place: Annotated[int, Field(ge=1)]
    title: Name
    text: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    words: int
    features: SurfaceFeatures
    scores: IndicatorScores
    highlights: tuple[Highlight, ...] = ()
    held: tuple[Indicator, ...] = ()
    unfound: int = 0
    addressed: tuple[Quote, ...] = ()
    created: datetime


class EvaluatedInterval(Record):
    """What a judge said of the book up to a chapter, from surface features alone."""

    id: Id
    evaluation: Id
    place: Annotated[int, Field(ge=1)]
    scores: IndicatorScores
    info: IntervalInfo
    created: datetime


class ReaderScores(Record):
    """What somebody who has read it gives a chapter, or the whole book (`place` 0).

    `overall` is what they give it as a whole, if they have said so: no mean of the indicators.
    """

    id: Id
    evaluation: Id
    reader: Name
    place: Annotated[int, Field(ge=0)] = 0
    scores: IndicatorScores
    overall: Score | None = None
    created: datetime


class EvaluationState(StrEnum):
    """How far an evaluation is."""

    BEGUN = "begun"
    DONE = "done"


class Evaluation(Record):
    """An evaluation of one text by one judge.

    `branch` is where its calls are kept: the story's branch, or, for a text that is in no story, a
    name made of `text`, the SHA-256 (hexadecimal) of all its chapters. `planned` is how many chapters
    the book is to have in the end.
    """

    id: Id
    branch: Id
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
    text: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    chapters: Annotated[int, Field(ge=1)]
    planned: Annotated[int, Field(ge=1)]
    words: Annotated[int, Field(ge=0)]
    theme: Paragraph = ""
    judge: JudgeName
    settings: EvaluationSettings = EvaluationSettings()
    state: EvaluationState = EvaluationState.BEGUN
    created: datetime


class Quality(Record):
    """The scores of a text as published: S_q, S_l and QLS, from the scores of its indicators."""

    scores: IndicatorScores
    s_q: float
    s_l: float
    qls: float


class EvaluationResult(Record):
    """What came of an evaluation. `automated` is the judge's alone, `human` the readers' if there are any.

    `quality` combines the two where both exist.
    """

    evaluation: Evaluation
    automated: Quality
    human: Quality | None = None
    quality: Quality
