"""How far readers agree: the ceiling of what any judge can be held to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from store.models.base import Record
from store.models.desk.evaluation import Indicator, IndicatorScores, ReaderScores
from store.models.desk.pairs import READER, PairTrial


class HumanCeiling(Record):
    """How far readers agree with one another, and how far a judge agrees with them (alpha).

    None of it is known as long as nobody has scored the same: `among` with fewer than two readers.
    """

    readers: int
    among: float | None = None
    with_judge: float | None = None


def human_ceiling(
    readers: Sequence[ReaderScores], judged: Mapping[int, IndicatorScores]
) -> HumanCeiling | None:
    """Return the ceiling for a judge that gave these scores, by place; None if nobody has read the text.

    A judge's agreement is the mean over readers: each is one person, as another reader would be.
    """
    names = list(dict.fromkeys(one.reader for one in readers))
    if not names:
        return None
    of_judge = [
        one.model_copy(update={"reader": "", "scores": judged[one.place]})
        for one in {it.place: it for it in readers if it.place in judged}.values()
    ]
    found = [
        alpha
        for name in names
        if (alpha := agreement([*(one for one in readers if one.reader == name), *of_judge]))
        is not None
    ]
    return HumanCeiling(
        readers=len(names),
        among=agreement(readers),
        with_judge=fmean(found) if found else None,
    )


def agreement(readers: Sequence[ReaderScores]) -> float | None:
    """Return Krippendorff's alpha over all scores; None if no two readers have scored the same.

    1 is full agreement, 0 what chance would give. Distances are squared differences, as fits a scale.
    """
    given = [
        (one.reader, f"{one.place} {indicator.value}", one.scores.of(indicator))
        for one in readers
        for indicator in Indicator
    ]
    shared = _shared(given)
    if not shared:
        return None
    if len({score for _, _, score in shared}) == 1:
        return 1.0  # without any difference there is none to be expected either
    # It takes a second or more to import, and is needed only where several people have read.
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import interval_distance

    return float(AnnotationTask(data=shared, distance=interval_distance).alpha())


class PairJudge(NamedTuple):
    """Somebody who preferred texts to others: how often, and how far it is to be relied on.

    `consistent` is the share of trials with the same choice in both orders; None for a person, who sees one.
    `with_readers` is the share of passages of which they prefer the same text as a reader, of those of which
    both prefer one; None if there are none. For a reader these are the others: that is the ceiling.
    """

    judge: str
    is_reader: bool
    trials: int
    consistent: float | None
    with_readers: float | None


def pair_judges(trials: Sequence[PairTrial]) -> list[PairJudge]:
    """Return who took part in some trials, models before readers."""
    by_judge: defaultdict[str, list[PairTrial]] = defaultdict(list)
    for one in trials:
        by_judge[one.judge].append(one)
    readers = [name for name in by_judge if name.startswith(READER)]
    found = [
        PairJudge(
            judge=name.removeprefix(READER) if name in readers else name,
            is_reader=name in readers,
            trials=len(given),
            consistent=None if name in readers else fmean(one.is_consistent for one in given),
            with_readers=_same_choices(given, [by_judge[it] for it in readers if it != name]),
        )
        for name, given in by_judge.items()
    ]
    return sorted(found, key=lambda one: (one.is_reader, one.judge))


def _same_choices(
    given: Sequence[PairTrial], readers: Sequence[Sequence[PairTrial]]
) -> float | None:
    chosen = {(one.first, one.second, one.at, one.of): one.margin for one in given if one.margin}
    same = [
        (chosen[place] > 0) == (one.margin > 0)
        for trials in readers
        for one in trials
        if one.margin and (place := (one.first, one.second, one.at, one.of)) in chosen
    ]
    return fmean(same) if same else None


def _shared(given: Sequence[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """Return what at least two readers have scored."""
    who: defaultdict[str, set[str]] = defaultdict(set)
    for reader, item, _ in given:
        who[item].add(reader)
    return [one for one in given if len(who[one[1]]) > 1]
