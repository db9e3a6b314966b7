"""Versions of one text against each other, by the paragraphs that both have. Pure but for scipy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from graph_flow.telling.evaluation.likelihood.reading import Likelihood, Weighed

ALIKE = 0.5
"""How much of the shorter text's paragraphs the other must have to be a version of the same one."""
_LEAST = 5
"""Paragraphs below which nothing is said of how sure a difference is."""
_RESAMPLES, _SEED = 2_000, 1


class Difference(NamedTuple):
    """By how much the paragraphs that two versions share are likelier in the first, as a mean of a token.

    `low` and `high` are a 95 % interval, None where it would pretend to know more than is known.
    """

    paragraphs: int
    mean: float
    low: float | None = None
    high: float | None = None


def shared_part(first: Sequence[str], second: Sequence[str]) -> float:
    """Return which part of the shorter text the other has too, 0 to 1, by whole paragraphs."""
    counted = Counter(first), Counter(second)
    both = sum(len(text) * times for text, times in (counted[0] & counted[1]).items())
    shorter = min(sum(len(one) for one in it) for it in (first, second))
    return both / shorter if shorter else 0.0


def difference(first: Sequence[Weighed], second: Sequence[Weighed]) -> Difference:
    """Return how the paragraphs of which both have as many differ."""
    of_first, of_second = _by_text(first), _by_text(second)
    pairs = [
        (one, other)
        for text, found in of_first.items()
        if len(found) == len(of_second.get(text, []))
        for one, other in zip(found, of_second[text], strict=True)
    ]
    changes = [one.total - other.total for one, other in pairs]
    tokens = [one.tokens for one, _ in pairs]
    mean = sum(changes) / sum(tokens) if pairs else 0.0
    return Difference(len(pairs), mean, *_interval(changes, tokens))


def _by_text(weighed: Sequence[Weighed]) -> dict[str, list[Likelihood]]:
    found: dict[str, list[Likelihood]] = {}
    for one in weighed:
        found.setdefault(one.text, []).append(one.there)
    return found


def _interval(changes: Sequence[float], tokens: Sequence[int]) -> tuple[float | None, float | None]:
    if len(changes) < _LEAST or len(set(changes)) == 1:
        return None, None
    import numpy
    from scipy.stats import bootstrap

    def mean(totals: Any, counts: Any, axis: int = -1) -> Any:
        return totals.sum(axis=axis) / counts.sum(axis=axis)

    found = bootstrap(
        (numpy.asarray(changes), numpy.asarray(tokens)),
        mean,
        paired=True,
        n_resamples=_RESAMPLES,
        method="BCa",
        rng=numpy.random.default_rng(_SEED),
    ).confidence_interval
    low, high = float(found.low), float(found.high)
    return (low, high) if numpy.isfinite([low, high]).all() else (None, None)
