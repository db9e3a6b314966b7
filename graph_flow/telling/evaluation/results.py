"""What comes of an evaluation: the scores of the book, and how they stood after each chapter. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from graph_flow.telling.evaluation.formulas import (
    as_quality,
    automated,
    combined,
    local_share,
    mean_of,
    quality_of,
)
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    EvaluationResult,
    IndicatorScores,
    Quality,
    ReaderScores,
)

BOOK = 0
"""The place of what readers say of the whole book."""


class CurvePoint(NamedTuple):
    """The quality (S_q) of one chapter, of the look at the whole there, and of the book until then.

    `interval` is the mean of the chapters since the look at the whole before; it stands where there is one.
    """

    place: int
    title: str
    chapter: float
    whole: float | None
    book: float
    human: float | None
    interval: float | None = None


def result_of(
    evaluation: Evaluation,
    chapters: Sequence[EvaluatedChapter],
    intervals: Sequence[EvaluatedInterval],
    readers: Sequence[ReaderScores] = (),
) -> EvaluationResult | None:
    """Return the scores of what is judged so far; None if nothing is."""
    if not chapters:
        return None
    local = [one.scores for one in chapters]
    whole = [one.scores for one in intervals if one.place <= len(chapters)]
    words = sum(one.words for one in chapters)
    settings = evaluation.settings

    def quality(scores: IndicatorScores) -> Quality:
        return as_quality(scores, words, len(chapters), settings)

    judged = automated(local, whole, evaluation.planned)
    human = human_scores(readers)
    return EvaluationResult(
        evaluation=evaluation,
        automated=quality(judged),
        human=quality(human) if human else None,
        quality=quality(combined(judged, human)),
    )


def human_scores(readers: Sequence[ReaderScores]) -> IndicatorScores | None:
    """Return what the readers give the book, each reader counting the same; None without any.

    Who has scored the book as a whole is taken at that; of others, the mean of their chapters counts.
    """
    by_reader: defaultdict[str, list[ReaderScores]] = defaultdict(list)
    for one in readers:
        by_reader[one.reader].append(one)
    of_each = [_of_reader(given) for given in by_reader.values()]
    return mean_of(of_each) if of_each else None


def _of_reader(given: Sequence[ReaderScores]) -> IndicatorScores:
    whole = [one.scores for one in given if one.place == BOOK]
    return mean_of(whole or [one.scores for one in given])


def curve_of(
    evaluation: Evaluation,
    chapters: Sequence[EvaluatedChapter],
    intervals: Sequence[EvaluatedInterval],
    readers: Sequence[ReaderScores] = (),
) -> list[CurvePoint]:
    """Return how quality goes along the chapters; the work grows with the book, and no faster."""
    weights = evaluation.settings.weights
    looks = {one.place: one.scores for one in intervals}
    human: defaultdict[int, list[IndicatorScores]] = defaultdict(list)
    for one in readers:
        human[one.place].append(one.scores)
    points: list[CurvePoint] = []
    of_chapters, of_looks, of_interval = _Mean(), _Mean(), _Mean()
    for chapter in chapters:
        own = quality_of(chapter.scores, weights)
        of_chapters.add(own)
        of_interval.add(own)
        look = looks.get(chapter.place)
        whole = quality_of(look, weights) if look else None
        if whole is not None:
            of_looks.add(whole)
        given = human.get(chapter.place)
        points.append(
            CurvePoint(
                place=chapter.place,
                title=chapter.title,
                chapter=own,
                whole=whole,
                book=_book(of_chapters, of_looks, chapter.place, evaluation.planned),
                human=quality_of(mean_of(given), weights) if given else None,
                interval=of_interval.value if look else None,
            )
        )
        if look:
            of_interval = _Mean()
    return points


class _Mean:
    """A mean that grows."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self._sum += value

    @property
    def value(self) -> float:
        return self._sum / self.count


def _book(chapters: _Mean, looks: _Mean, place: int, planned: int) -> float:
    """Return the book's quality so far; quality is linear, so means of it can be weighed directly."""
    if not looks.count:
        return chapters.value
    share = local_share(place, planned)
    return share * chapters.value + (1 - share) * looks.value
