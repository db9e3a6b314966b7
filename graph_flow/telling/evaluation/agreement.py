"""How far readers agree: the ceiling of what any judge can be held to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from store.models.desk.evaluation import Indicator, ReaderScores


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


def _shared(given: Sequence[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """Return what at least two readers have scored."""
    who: defaultdict[str, set[str]] = defaultdict(set)
    for reader, item, _ in given:
        who[item].add(reader)
    return [one for one in given if len(who[one[1]]) > 1]
