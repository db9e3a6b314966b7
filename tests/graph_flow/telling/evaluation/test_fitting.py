"""Weights that follow a reader's own ratings, beside the published ones."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_flow.telling.evaluation.formulas import quality_of
from graph_flow.telling.evaluation.readers.fitting import LEAST_RATINGS, Rating, fitted, ratings_of
from store.models.desk.evaluation import Indicator, IndicatorScores, QualityWeights
from tests.graph_flow.telling.evaluation.test_reports import gives
from tests.store.records.test_evaluations import level

OWN = QualityWeights(
    relevance=0,
    coherence=0.05,
    creativity=0.05,
    empathy=0.6,
    surprise=0.2,
    complexity=0,
    immersion=0.1,
)


def rated(count: int, weights: QualityWeights, noise: float = 0.0, seed: int = 1) -> list[Rating]:
    """Rate texts as a reader does for whom these weights hold."""
    drawn = Random(seed)
    found = []
    for _ in range(count):
        scores = IndicatorScores.by({one: drawn.randint(6, 20) / 2 for one in Indicator})
        whole = quality_of(scores, weights) + drawn.gauss(0, noise)
        found.append(Rating(scores=scores, overall=max(0.0, min(10.0, whole))))
    return found


def shares(weights: QualityWeights) -> list[float]:
    return [weights.of(one) for one in Indicator]


def test_many_ratings_show_what_counts_for_a_reader() -> None:
    found = fitted(rated(200, OWN, noise=0.3))

    assert found is not None
    assert shares(found.weights) == pytest.approx(shares(OWN), abs=0.06)
    assert found.is_better
    assert found.error < 0.5 * found.published_error


def test_few_ratings_stay_near_the_published_weights() -> None:
    few, many = fitted(rated(LEAST_RATINGS, OWN)), fitted(rated(200, OWN))

    assert few is not None
    assert many is not None
    published = QualityWeights()
    assert abs(few.weights.empathy - published.empathy) < 0.5 * abs(
        many.weights.empathy - published.empathy
    )


def test_a_reader_who_rates_as_published_gets_the_published_weights() -> None:
    found = fitted(rated(40, QualityWeights()))

    assert found is not None
    assert shares(found.weights) == pytest.approx(shares(QualityWeights()), abs=1e-3)
    assert found.published_error == pytest.approx(0, abs=1e-9)
    assert not found.is_better


def test_the_error_is_that_of_ratings_that_the_weights_do_not_know() -> None:
    ratings = rated(12, OWN, noise=1.0)
    found = fitted(ratings)
    assert found is not None

    known = fmean(abs(quality_of(one.scores, found.weights) - one.overall) for one in ratings)
    without_each = []
    for at, one in enumerate(ratings):
        others = fitted([*ratings[:at], *ratings[at + 1 :]])
        assert others is not None
        without_each.append(abs(quality_of(one.scores, others.weights) - one.overall))
    assert found.error == pytest.approx(fmean(without_each))
    assert found.error > known


def test_too_few_ratings_say_nothing() -> None:
    assert fitted(rated(LEAST_RATINGS - 1, OWN)) is None
    assert fitted([]) is None


def test_only_what_has_an_overall_score_is_a_rating() -> None:
    whole = gives("Ida", level(6)).model_copy(update={"overall": 7.5})

    assert ratings_of([gives("Ida", level(6)), whole]) == [Rating(scores=level(6), overall=7.5)]


SCORES = st.integers(0, 20).map(lambda one: one / 2)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.lists(SCORES, min_size=7, max_size=7), SCORES), min_size=5, max_size=9)
)
def test_weights_are_shares_whatever_is_rated(given_: list[tuple[list[float], float]]) -> None:
    found = fitted(
        [
            Rating(
                scores=IndicatorScores.by(dict(zip(Indicator, scores, strict=True))),
                overall=overall,
            )
            for scores, overall in given_
        ]
    )

    assert found is not None
    assert min(shares(found.weights)) >= 0
    assert sum(shares(found.weights)) == pytest.approx(1, abs=1e-3)
