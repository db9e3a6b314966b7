"""The formulas of HNES: quality, length, and both together (CreAgentive, arXiv 2025). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p
from statistics import fmean

from store.models.desk.evaluation import (
    EvaluationSettings,
    Indicator,
    IndicatorScores,
    LengthReading,
    Quality,
    QualityWeights,
)

_EARLY = 0.1
"""The share of a book's chapters in which a single chapter says more than the whole."""
_LOCAL_EARLY = 4 / 5
_LOCAL = 1 / 2


def quality_of(scores: IndicatorScores, weights: QualityWeights | None = None) -> float:
    """Return S_q: the weighted mean of the indicators, 0 to 10."""
    counted = weights or QualityWeights()
    total = sum(counted.of(one) for one in Indicator)
    return sum(counted.of(one) * scores.of(one) for one in Indicator) / total


def length_score(words: float, chapters: int, settings: EvaluationSettings | None = None) -> float:
    """Return S_l for a book of so many words in all and so many chapters.

    Half of ln(1 + L_w / 1000) + min(1, L_c / C_base), where L_w is words per chapter or in all, as the
    settings say. A book without chapters has 0.
    """
    if chapters < 1:
        return 0.0
    how = settings or EvaluationSettings()
    counted = words if how.length is LengthReading.TOTAL else words / chapters
    return (log1p(counted / 1_000) + min(1.0, chapters / how.usual_chapters)) / 2


def overall(s_q: float, s_l: float) -> float:
    """Return QLS: the mean of quality and length."""
    return (s_q + s_l) / 2


def as_quality(
    scores: IndicatorScores, words: float, chapters: int, settings: EvaluationSettings
) -> Quality:
    """Return all three scores of a text."""
    s_q = quality_of(scores, settings.weights)
    s_l = length_score(words, chapters, settings)
    return Quality(scores=scores, s_q=s_q, s_l=s_l, qls=overall(s_q, s_l))


def mean_of(scores: Iterable[IndicatorScores]) -> IndicatorScores:
    """Return the mean of each indicator.

    Raises:
        ValueError: if there are none.
    """
    listed = list(scores)
    if not listed:
        raise ValueError("there are no scores to average")
    return IndicatorScores.by({one: fmean(it.of(one) for it in listed) for one in Indicator})


def local_share(place: int, chapters: int) -> float:
    """Return what the chapters' own scores count at a chapter of a book: 4 of 5 early on, then half."""
    return _LOCAL_EARLY if place <= _EARLY * chapters else _LOCAL


def automated(
    local: Sequence[IndicatorScores], whole: Sequence[IndicatorScores], chapters: int
) -> IndicatorScores:
    """Return the judge's scores of a book after its first chapters.

    `local` are the scores of these chapters, `whole` those of the looks at the whole until then, and
    `chapters` is how many the book has in the end. Without a look at the whole, chapters alone count.

    Raises:
        ValueError: if no chapter is scored.
    """
    of_chapters = mean_of(local)
    if not whole:
        return of_chapters
    return mixed(of_chapters, mean_of(whole), local_share(len(local), chapters))


def combined(judge: IndicatorScores, human: IndicatorScores | None) -> IndicatorScores:
    """Return the judge's scores and the readers', half each; the judge's alone without readers."""
    return judge if human is None else mixed(judge, human, 0.5)


def mixed(first: IndicatorScores, second: IndicatorScores, share: float) -> IndicatorScores:
    """Return scores of which the first count a share, 0 to 1, and the second the rest."""
    return IndicatorScores.by(
        {one: share * first.of(one) + (1 - share) * second.of(one) for one in Indicator}
    )
