"""The writer's choices against the scores: how often they agree, and weights that agree better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.scoring.preferences import (
    LEAST_CHOICES,
    Contest,
    agreement,
    contests_of,
    past_choices,
    suggest_weights,
)
from store.models.proposals import Score
from store.models.scoring import ScoringRule
from store.records.choices import Choice

KEYS = ("plot", "heart", "wit", "style")
RULES = [ScoringRule(key=key, name=key.title(), weight=0.25) for key in KEYS]
EVEN = dict.fromkeys(KEYS, 0.25)


def scored(*values: int, weight: float = 0.25, top: int = 5) -> tuple[Score, ...]:
    return tuple(
        Score(key=key, rule=key.title(), weight=weight, value=value, top=top)
        for key, value in zip(KEYS, values, strict=True)
    )


def choice(chosen: tuple[int, ...], *others: tuple[int, ...], chapter: int = 1) -> Choice:
    return Choice(
        branch="b",
        chapter=chapter,
        chosen=scored(*chosen),
        passed_over=tuple(scored(*other) for other in others),
    )


HEART = choice((2, 5, 3, 3), (5, 3, 3, 3), (1, 1, 1, 1))
"""The heart was chosen, though the plot had the higher score by one point."""
BEST = choice((5, 5, 4, 4), (2, 2, 2, 2))

# What is told


def test_without_choices_nothing_is_told() -> None:
    told = past_choices([], RULES)

    assert (told.choices, told.agreed, told.agreed_now, told.agreed_then) == (0, 0, 0, None)
    assert {rule.difference for rule in told.rules} == {None}
    assert told.suggested == {}


def test_choices_are_held_against_the_scores() -> None:
    told = past_choices([HEART, HEART, BEST], RULES)

    assert (told.choices, told.agreed) == (3, 1)
    assert {rule.key: rule.difference for rule in told.rules} == {
        "plot": -3,
        "heart": 2,
        "wit": 0,
        "style": 0,
    }


def test_heavier_rule_is_suggested_for_what_the_writer_follows() -> None:
    told = past_choices([HEART, HEART, BEST], RULES)

    assert (told.agreed_now, told.agreed_then) == (1, 3)
    assert sum(told.suggested.values()) == pytest.approx(1)
    assert told.suggested["heart"] > told.suggested["wit"] > told.suggested["plot"]
    assert past_choices([HEART, HEART, BEST], reweighed(told.suggested)).agreed_then is None


def reweighed(weights: dict[str, float]) -> list[ScoringRule]:
    return [rule.model_copy(update={"weight": weights[rule.key]}) for rule in RULES]


def test_too_few_choices_suggest_nothing() -> None:
    assert past_choices([HEART] * (LEAST_CHOICES - 1), RULES).agreed_then is None
    assert past_choices([HEART] * LEAST_CHOICES, RULES).agreed_then == LEAST_CHOICES


def test_nothing_is_suggested_where_nothing_would_be_better() -> None:
    assert past_choices([BEST] * 5, RULES).agreed_then is None
    beaten_in_all = choice((1, 1, 1, 1), (2, 2, 2, 2))
    assert past_choices([beaten_in_all] * 5, RULES).agreed_then is None


def test_what_was_agreed_is_counted_by_the_weights_of_its_day() -> None:
    def by_plot(plot: int, rest: int) -> tuple[Score, ...]:
        heavy = Score(key="plot", rule="Plot", weight=0.9, value=plot)
        return (heavy, *scored(1, rest, rest, rest)[1:])

    heavy_plot = Choice(branch="b", chapter=1, chosen=by_plot(5, 1), passed_over=(by_plot(3, 2),))

    told = past_choices([heavy_plot], RULES)

    assert (told.agreed, told.agreed_now) == (1, 0)


def test_scales_are_compared_as_shares_of_their_tops() -> None:
    long_scale = Choice(
        branch="b",
        chapter=1,
        chosen=scored(10, 10, 10, 10, top=10),
        passed_over=(scored(5, 5, 5, 5),),
    )

    assert contests_of([long_scale], KEYS) == [(dict.fromkeys(KEYS, 0.0),)]


def test_rules_that_are_gone_or_that_not_all_have_count_for_nothing() -> None:
    partial = Choice(
        branch="b", chapter=1, chosen=scored(1, 5, 1, 1), passed_over=(scored(5, 1, 1, 1)[:2],)
    )
    ancient = Choice(
        branch="b",
        chapter=1,
        chosen=(Score(rule="Plot", weight=1, value=5),),
        passed_over=((Score(rule="Plot", weight=1, value=1),),),
    )

    assert contests_of([partial], ["heart", "wit"]) == [({"heart": 4.0},)]
    assert contests_of([ancient], KEYS) == [], "from before rules had keys"
    assert past_choices([ancient], RULES).agreed == 1


# What must hold of any choices

DIFFERENCES = st.integers(-4, 4).map(float)
RIVALS = st.fixed_dictionaries(dict.fromkeys(KEYS, DIFFERENCES))
CONTESTS: st.SearchStrategy[list[Contest]] = st.lists(
    st.lists(RIVALS, min_size=1, max_size=4).map(tuple), max_size=12
)
WEIGHTS = st.fixed_dictionaries(
    dict.fromkeys(KEYS, st.integers(0, 100).map(lambda hundredths: hundredths / 100))
)


@given(CONTESTS, WEIGHTS)
def test_suggestion_agrees_with_more_and_keeps_the_sum(
    contests: list[Contest], weights: dict[str, float]
) -> None:
    suggested = suggest_weights(contests, weights)

    if suggested is None:
        return
    assert agreement(contests, suggested) > agreement(contests, weights)
    assert sum(suggested.values()) == pytest.approx(sum(weights.values()))
    assert all(0 <= weight <= 1 for weight in suggested.values())
    assert all(not suggested[key] for key, weight in weights.items() if not weight)
    assert all(suggested[key] for key, weight in weights.items() if weight)


@given(st.lists(st.tuples(RIVALS), min_size=3, max_size=9))
def test_suggestion_does_not_hang_on_the_order_of_the_choices(contests: list[Contest]) -> None:
    one, other = suggest_weights(contests, EVEN), suggest_weights(contests[::-1], EVEN)

    assert (one is None) == (other is None)
    if one and other:
        assert agreement(contests, one) == agreement(contests, other)


@given(st.data(), st.sampled_from(KEYS))
def test_rule_that_the_writer_always_follows_never_loses_weight(
    data: st.DataObject, followed: str
) -> None:
    better = st.integers(1, 4).map(float)
    rivals = st.fixed_dictionaries({**dict.fromkeys(KEYS, DIFFERENCES), followed: better})
    contests: list[Contest] = data.draw(st.lists(st.tuples(rivals), min_size=3, max_size=9))

    suggested = suggest_weights(contests, EVEN)

    if suggested is None:
        return
    others = [suggested[key] for key in KEYS if key != followed]
    assert suggested[followed] >= min(others)


@given(WEIGHTS)
def test_weights_of_any_size_are_moved_within_their_bound(weights: dict[str, float]) -> None:
    contests: list[Contest] = [({"plot": -1.0, "heart": 1.0, "wit": 0.0, "style": 0.0},)] * 5

    suggested = suggest_weights(contests, weights)

    if suggested is not None:
        assert suggested["heart"] <= 4 * weights["heart"] + 0.02
        assert suggested["plot"] >= weights["plot"] / 4 - 0.02
