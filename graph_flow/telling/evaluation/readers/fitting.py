"""What a reader's own ratings say that each indicator counts, beside the published weights.

A reader's overall score is taken for a weighted mean of their scores of the indicators. The weights are not
below 0 and sum to 1. With few ratings they stay near the published ones: see `_PULL`.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Annotated, Any

from pydantic import Field

from graph_flow.telling.evaluation.formulas import quality_of
from store.models.base import Record
from store.models.desk.evaluation import (
    Indicator,
    IndicatorScores,
    QualityWeights,
    ReaderScores,
)

LEAST_RATINGS = 5
"""Ratings with an overall score below which nothing is fitted."""

_PULL = 50.0
"""How much the published weights count, in ratings: a rating is sure to 0.7 points, and what an indicator counts
differs by 0.1 from reader to reader; it is the ratio of these, squared."""
_SUM = 1e4
"""How much it counts that the weights sum to 1: more than all ratings together."""
_ROUNDED = 4


class Rating(Record):
    """What a reader gave the indicators of something, and what they gave it as a whole."""

    scores: IndicatorScores
    overall: Annotated[float, Field(ge=0, le=10)]


class FittedWeights(Record):
    """Weights that follow a reader's ratings.

    `error` is by how many points, on average, an overall score is missed by weights that were fitted to
    all other ratings; `published_error` is the same for the published weights.
    """

    weights: QualityWeights
    ratings: int
    error: float
    published_error: float

    @property
    def is_better(self) -> bool:
        """Whether these weights miss a rating that they do not know by less than the published ones."""
        return self.error < self.published_error


def ratings_of(given: Sequence[ReaderScores]) -> list[Rating]:
    """Return what a reader has given an overall score."""
    return [
        Rating(scores=one.scores, overall=one.overall) for one in given if one.overall is not None
    ]


def fitted(ratings: Sequence[Rating]) -> FittedWeights | None:
    """Return the weights that a reader's ratings come to; None if there are too few to say."""
    if len(ratings) < LEAST_RATINGS:
        return None
    published = QualityWeights()
    errors = [
        abs(quality_of(one.scores, _fit([*ratings[:at], *ratings[at + 1 :]])) - one.overall)
        for at, one in enumerate(ratings)
    ]
    return FittedWeights(
        weights=_fit(ratings),
        ratings=len(ratings),
        error=fmean(errors),
        published_error=fmean(
            abs(quality_of(one.scores, published) - one.overall) for one in ratings
        ),
    )


def _fit(ratings: Sequence[Rating]) -> QualityWeights:
    """Return the weights with the least squared error, and the least squared distance from the published ones."""
    # It takes a second to import, and is needed only where somebody has rated.
    import numpy
    from scipy.optimize import nnls

    scores: Any = numpy.array([[one.scores.of(it) for it in Indicator] for one in ratings])
    overall: Any = numpy.array([one.overall for one in ratings])
    published: Any = numpy.array([QualityWeights().of(it) for it in Indicator])
    pull = numpy.sqrt(_PULL)
    rows = numpy.vstack(
        [scores, pull * numpy.eye(len(published)), numpy.full((1, len(published)), _SUM)]
    )
    wanted = numpy.concatenate([overall, pull * published, [_SUM]])
    found, _ = nnls(rows, wanted)
    found = found / found.sum()
    return QualityWeights.model_validate(
        {
            it.value: round(float(share), _ROUNDED)
            for it, share in zip(Indicator, found, strict=True)
        }
    )
