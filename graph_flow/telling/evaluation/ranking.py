"""Which of several texts is the best, from trials of two at a time: Bradley and Terry's model.

Its libraries take seconds to import, so they are only where a ranking is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from store.models.desk.pairs import PairTrial

_ALPHA = 0.05
"""Keeps a text that wins or loses everything from infinity."""
_RESAMPLES = 499
_LEAST = 5
"""Trials below which an interval would say more than is known."""
_SEED = 20_260_101


class Standing(NamedTuple):
    """A text among others: `strength` is in log-odds, 0 being the mean of all.

    `low` and `high` are the 95 % interval (BCa bootstrap over trials); None if too little is known.
    """

    text: str
    strength: float
    low: float | None
    high: float | None
    wins: int
    draws: int
    losses: int


def ranked(texts: Sequence[str], trials: Sequence[PairTrial]) -> list[Standing]:
    """Return the standings of some texts, by their fingerprints, the strongest first.

    A text that was compared with no other has none.

    Raises:
        ValueError: if there are no trials.
    """
    if not trials:
        raise ValueError("nothing was compared")
    compared = [one for one in texts if any(one in (it.first, it.second) for it in trials)]
    number = {text: at for at, text in enumerate(compared)}
    outcomes = [_outcome(one, number) for one in trials]
    strengths = _strengths(len(compared), outcomes)
    intervals = _intervals(len(compared), outcomes)
    found = [
        Standing(
            text,
            strengths[at],
            *intervals[at],
            *_counts(text, trials),
        )
        for text, at in number.items()
    ]
    return sorted(found, key=lambda one: -one.strength)


def _outcome(trial: PairTrial, number: Mapping[str, int]) -> tuple[int, int, int]:
    """Return both texts of a trial, and 1, 0 or -1 for the first."""
    sign = (trial.margin > 0) - (trial.margin < 0)
    return number[trial.first], number[trial.second], sign


def _counts(text: str, trials: Sequence[PairTrial]) -> tuple[int, int, int]:
    of_text = [
        one.margin if one.first == text else -one.margin
        for one in trials
        if text in (one.first, one.second)
    ]
    wins, losses = sum(one > 0 for one in of_text), sum(one < 0 for one in of_text)
    return wins, len(of_text) - wins - losses, losses


def _strengths(texts: int, outcomes: Sequence[tuple[int, int, int]]) -> list[float]:
    from choix import ilsr_pairwise

    return [float(one) for one in ilsr_pairwise(texts, _games(outcomes), alpha=_ALPHA)]


def _games(outcomes: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return winners and losers: a trial is two games, of which each wins one in a draw."""
    games: list[tuple[int, int]] = []
    for first, second, sign in outcomes:
        games += [(first, second)] * (1 + sign) + [(second, first)] * (1 - sign)
    return games


def _intervals(
    texts: int, outcomes: Sequence[tuple[int, int, int]]
) -> list[tuple[float | None, float | None]]:
    unknown: list[tuple[float | None, float | None]] = [(None, None)] * texts
    if len(outcomes) < _LEAST or len(set(outcomes)) == 1:
        return unknown
    import numpy
    from scipy.stats import bootstrap

    @lru_cache(maxsize=4 * _RESAMPLES)
    def of_sample(places: bytes) -> list[float]:
        return _strengths(texts, [outcomes[at] for at in numpy.frombuffer(places, dtype=int)])

    def interval(text: int) -> tuple[float | None, float | None]:
        def strength(places: Any) -> float:
            return of_sample(numpy.asarray(places, dtype=int).tobytes())[text]

        found = bootstrap(
            (numpy.arange(len(outcomes)),),
            strength,
            n_resamples=_RESAMPLES,
            vectorized=False,
            method="BCa",
            rng=numpy.random.default_rng(_SEED),
        ).confidence_interval
        low, high = float(found.low), float(found.high)
        return (low, high) if numpy.isfinite([low, high]).all() else (None, None)

    return [interval(at) for at in range(texts)]
