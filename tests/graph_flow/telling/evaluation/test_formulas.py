"""HNES comes out as it was published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.telling.evaluation.formulas import (
    automated,
    combined,
    length_score,
    local_share,
    mean_of,
    overall,
    quality_of,
)
from store.models.desk.evaluation import (
    EvaluationSettings,
    Indicator,
    IndicatorScores,
    LengthReading,
    QualityWeights,
)

ORDER = (
    *(Indicator.RELEVANCE, Indicator.COHERENCE, Indicator.CREATIVITY, Indicator.EMPATHY),
    *(Indicator.SURPRISE, Indicator.COMPLEXITY, Indicator.IMMERSION),
)
DIRECT = (9.2, 8.0, 7.5, 6.3, 7.2, 7.8, 6.9)
WORM = (9.0, 8.7, 8.8, 8.2, 8.5, 8.5, 9.2)

some_scores = st.lists(st.floats(0, 10), min_size=7, max_size=7).map(
    lambda values: IndicatorScores.by(dict(zip(ORDER, values, strict=True)))
)


def scores(values: tuple[float, ...]) -> IndicatorScores:
    return IndicatorScores.by(dict(zip(ORDER, values, strict=True)))


def level(score: float) -> IndicatorScores:
    return scores((score,) * 7)


@pytest.mark.parametrize(
    ("words", "chapters", "published"),
    [
        pytest.param(650, 8, 0.65, id="Direct"),
        pytest.param(2396, 8, 1.01, id="LongWriter"),
        pytest.param(7391, 4, 1.26, id="DOC v2"),
        pytest.param(653, 8, 0.65, id="Dramatron"),
        pytest.param(3614, 5, 1.01, id="Agents' Room"),
        pytest.param(4337, 2770, 1.34, id="CreAgentive"),
        pytest.param(5158, 105, 1.41, id="Worm"),
    ],
)
def test_published_scores_of_length(words: int, chapters: int, published: float) -> None:
    assert round(length_score(words * chapters, chapters), 2) == published


@pytest.mark.parametrize(
    ("values", "published"),
    [pytest.param(DIRECT, 7.50, id="Direct"), pytest.param(WORM, 8.71, id="Worm")],
)
def test_published_scores_of_quality(values: tuple[float, ...], published: float) -> None:
    assert round(quality_of(scores(values)), 2) == published


def test_published_overall_scores() -> None:
    direct = overall((7.50 + 7.84) / 2, 0.65)
    worm = overall((8.71 + 8.37) / 2, 1.41)

    assert round(direct, 2) == 4.16
    # The paper prints 4.96; its own figures come to this.
    assert worm == pytest.approx(4.975)


def test_total_words_are_the_other_reading_of_length() -> None:
    total = EvaluationSettings(length=LengthReading.TOTAL)

    assert length_score(8 * 650, 8, total) > length_score(8 * 650, 8)
    assert length_score(650, 1, total) == length_score(650, 1)
    assert length_score(0, 0) == 0


def test_weights_of_one_s_own_count_by_their_share() -> None:
    only = QualityWeights.model_validate(
        {one.value: 3.0 if one is Indicator.SURPRISE else 0.0 for one in Indicator}
    )

    assert quality_of(scores(DIRECT), only) == pytest.approx(7.2)
    with pytest.raises(ValueError, match="must count"):
        QualityWeights.model_validate({one.value: 0.0 for one in Indicator})


def test_chapters_count_four_to_one_in_the_first_tenth_and_then_one_to_one() -> None:
    assert [local_share(place, 20) for place in (1, 2, 3, 20)] == [0.8, 0.8, 0.5, 0.5]
    early = automated([level(8)] * 2, [level(3)], 20)
    late = automated([level(8)] * 3, [level(3)], 20)

    assert early.coherence == pytest.approx(7.0)
    assert late.coherence == pytest.approx(5.5)
    assert automated([level(8)], [], 20) == level(8)


def test_readers_count_as_much_as_the_judge() -> None:
    assert combined(level(6), level(9)).empathy == pytest.approx(7.5)
    assert combined(level(6), None) == level(6)
    with pytest.raises(ValueError, match="no scores"):
        mean_of([])


@given(some_scores, some_scores)
def test_no_score_leaves_its_scale(one: IndicatorScores, other: IndicatorScores) -> None:
    mean = mean_of([one, other])

    assert 0 <= quality_of(mean) <= 10
    assert all(
        min(one.of(it), other.of(it)) - 1e-9 <= mean.of(it) <= max(one.of(it), other.of(it)) + 1e-9
        for it in Indicator
    )
