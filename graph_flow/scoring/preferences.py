"""Compare the writer's choices with the scores, and suggest weights that agree better. Pure.

In chapters where the scores preferred another candidate, each rule favoured either the writer's
choice or the other one. Each weight is multiplied by a factor that grows with how much its rule
favoured the choices, on average over these chapters: learning from mistakes only, as in Littlestone
("Learning quickly when irrelevant attributes abound", 1988), in the exponential form of Kivinen and
Warmuth ("Exponentiated gradient versus gradient descent for linear predictors", 1997). A factor
keeps weights above 0, leaves rules that are switched off at 0, and is bounded, so a few choices
never overturn the rules. Several step lengths are tried on all choices: the shortest of those that
agree with the most choices is suggested, if it beats the present weights.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp, floor
from statistics import fmean

from graph_flow.views import View
from store.models.proposals import Score
from store.models.scoring import ScoringRule
from store.records.choices import Choice

LEAST_CHOICES = 3
"""The fewest choices from which other weights are suggested."""

_STEPS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
_MOST_FACTOR = 2.0
"""Before the weights are normalized, none is more than doubled or halved."""
_UNIT = 100
"""Weights are suggested in hundredths."""

_TIE = 1e-9

Values = Mapping[str, float]
"""Weights, or differences of scores on a scale from 1 to 5, by the keys of rules."""

Contest = tuple[Values, ...]
"""One choice: how far the chosen candidate is above each one passed over, rule by rule."""


class RulePreference(View):
    """How one rule relates to the writer's choices.

    `difference` is how far the chosen candidates are above those that the scores preferred, on a
    scale from 1 to 5, on average over the chapters in which the two differ; None if there are none.
    """

    key: str
    name: str
    weight: float
    suggested: float | None
    difference: float | None


class PastChoices(View):
    """The writer's choices compared with the scores.

    `agreed` counts the choices of the candidate that had the highest score at the time. With the
    present weights it would be `agreed_now`, with the suggested ones `agreed_then` (None if there
    are none).
    """

    choices: int
    agreed: int
    agreed_now: int
    agreed_then: int | None
    rules: tuple[RulePreference, ...]

    @property
    def suggested(self) -> dict[str, float]:
        """The suggested weights by the keys of rules; empty if none are suggested."""
        return {rule.key: rule.suggested for rule in self.rules if rule.suggested is not None}


def past_choices(choices: Sequence[Choice], rules: Sequence[ScoringRule]) -> PastChoices:
    """Return how the writer's choices compare with the scores, and weights that agree better."""
    weights = {rule.key: rule.weight for rule in rules}
    contests = contests_of(choices, weights)
    suggested = suggest_weights(contests, weights)
    return PastChoices(
        choices=len(choices),
        agreed=sum(_is_favourite(choice) for choice in choices),
        agreed_now=agreement(contests, weights),
        agreed_then=None if suggested is None else agreement(contests, suggested),
        rules=tuple(
            RulePreference(
                key=rule.key,
                name=rule.name,
                weight=rule.weight,
                suggested=None if suggested is None else suggested[rule.key],
                difference=_from_favourites(choices, rule.key),
            )
            for rule in rules
        ),
    )


def contests_of(choices: Iterable[Choice], keys: Collection[str]) -> list[Contest]:
    """Return the choices as comparisons by those rules for which all candidates have scores."""
    return [contest for choice in choices if (contest := _contest(choice, keys))]


def agreement(contests: Iterable[Contest], weights: Values) -> int:
    """Return how many choices have the highest score by some weights, or share it."""
    return sum(all(_weighed(rival, weights) >= -_TIE for rival in contest) for contest in contests)


def suggest_weights(contests: Sequence[Contest], weights: Values) -> dict[str, float] | None:
    """Return weights, in hundredths, that agree with more of the choices; None if none are found.

    Their sum equals the sum of the present weights to within half a hundredth.
    """
    if len(contests) < LEAST_CHOICES:
        return None
    slope = _slope(contests, weights)
    best, most = None, agreement(contests, weights)
    for step in _STEPS:
        moved = _moved(weights, slope, step)
        agreed = agreement(contests, moved)
        if max(moved.values()) <= 1 and agreed > most:
            best, most = moved, agreed
    return best


def _contest(choice: Choice, keys: Collection[str]) -> Contest:
    chosen = _by_key(choice.chosen)
    rivals = [_by_key(scores) for scores in choice.passed_over]
    shared = [key for key in keys if all(key in one for one in (chosen, *rivals))]
    if not shared:
        return ()
    return tuple({key: chosen[key] - rival[key] for key in shared} for rival in rivals)


def _by_key(scores: Iterable[Score]) -> dict[str, float]:
    return {score.key: score.of_five for score in scores if score.key}


def _weighed(rival: Values, weights: Values) -> float:
    return sum(weights[key] * difference for key, difference in rival.items())


def _slope(contests: Iterable[Contest], weights: Values) -> dict[str, float]:
    """Return how much each rule favours the choices that the weights got wrong, on average."""
    wrong = [contest for contest in contests if not agreement([contest], weights)]
    favourites = [min(contest, key=lambda rival: _weighed(rival, weights)) for contest in wrong]
    return {
        key: fmean(rival.get(key, 0.0) for rival in favourites) if favourites else 0.0
        for key in weights
    }


def _moved(weights: Values, slope: Values, step: float) -> dict[str, float]:
    factors = {
        key: min(_MOST_FACTOR, max(1 / _MOST_FACTOR, exp(step * slope[key]))) for key in weights
    }
    moved = {key: weight * factors[key] for key, weight in weights.items()}
    whole, total = sum(weights.values()), sum(moved.values())
    return _in_units(
        {key: weight * whole / total for key, weight in moved.items()} if total else moved
    )


def _in_units(weights: Values) -> dict[str, float]:
    """Return weights in hundredths with the same sum; no weight above 0 is rounded to 0."""
    exact = {key: weight * _UNIT for key, weight in weights.items()}
    units = {key: max(1, floor(value)) if value else 0 for key, value in exact.items()}
    left = round(sum(exact.values())) - sum(units.values())
    by_rest = sorted(exact, key=lambda key: exact[key] - units[key], reverse=True)
    for key in by_rest[: max(0, left)]:
        units[key] += 1
    for _ in range(-left):
        largest = max(units, key=units.__getitem__)
        units[largest] -= 1
    return {key: count / _UNIT for key, count in units.items()}


def _is_favourite(choice: Choice) -> bool:
    """Return whether the chosen candidate had the highest score, by the weights at the time."""
    return _total(choice.chosen) >= max(map(_total, choice.passed_over)) - _TIE


def _total(scores: Iterable[Score]) -> float:
    given = [(score.of_five, score.weight) for score in scores]
    whole = sum(weight for _, weight in given)
    return sum(value * weight for value, weight in given) / whole if whole else 0.0


def _from_favourites(choices: Iterable[Choice], key: str) -> float | None:
    """Return how far the choices are above what the scores preferred, where the two differ."""
    differences = []
    for choice in choices:
        if not _is_favourite(choice):
            favourite = _by_key(max(choice.passed_over, key=lambda one: _total(one)))
            chosen = _by_key(choice.chosen)
            if key in chosen and key in favourite:
                differences.append(chosen[key] - favourite[key])
    return fmean(differences) if differences else None
