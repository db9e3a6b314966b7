"""Scores as the scorer answers them: each rule on its own scale, and whatever can be saved of a bad answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.dialects import full_schema, strict_schema
from graph_flow.llm.parsing import AnswerError, parse_answer
from graph_flow.scoring.answers import RuleScore, ScoringRequest, salvaged, scores_of, scores_schema

TOPS = {"conflict": 5, "quiet": 10, "json": 2}
"""A key may be a word that means something to pydantic."""

FULL = ScoringRequest({"A": ("A1", "A2"), "B": ("B1",)}, TOPS, with_reasons=True)
SHORT = ScoringRequest({"A": ("A1", "A2"), "B": ("B1",)}, TOPS, with_reasons=False)


def card(*scores: object, **more: object) -> dict[str, Any]:
    return {"Why": "a reason", **dict(zip(TOPS, scores, strict=True)), **more}


def told(score: object, *events: str, reason: str = "they shout") -> dict[str, Any]:
    return {"events": [*events], "reason": reason, "score": score}


def test_answer_gives_scores_reasons_and_evidence() -> None:
    said = {
        "A": card(told(5, "A2", "A2"), told(9, "A1", "A2"), told(1)),
        "B": card(told(1), told(10, "B1"), told(2)),
    }

    answer = parse_answer(json.dumps(said), scores_schema(FULL))
    cards = scores_of(answer, FULL)

    assert cards["A"].reason == "a reason"
    assert cards["A"].rules["conflict"] == RuleScore(5, "they shout", ("A2",))
    assert cards["A"].rules["quiet"] == RuleScore(9, "they shout", ("A1", "A2"))
    assert cards["B"].rules["json"] == RuleScore(2, "they shout")


def test_short_answer_gives_scores_alone() -> None:
    answer = parse_answer(
        json.dumps({"A": card(5, 10, 1), "B": card(1, 2, 2)}), scores_schema(SHORT)
    )

    assert scores_of(answer, SHORT)["B"].rules == {
        "conflict": RuleScore(1),
        "quiet": RuleScore(2),
        "json": RuleScore(2),
    }


@pytest.mark.parametrize("score", [0, 6, -1, 3.5, None, "high", True, [4]])
def test_score_out_of_range_is_refused(score: object) -> None:
    said = {"A": card(score, 1, 1), "B": card(1, 1, 1)}

    with pytest.raises(AnswerError, match=r"A\.conflict"):
        parse_answer(json.dumps(said), scores_schema(SHORT))


def test_evidence_is_of_the_candidate_that_is_scored() -> None:
    said = {"A": card(told(5, "B1"), told(1), told(1)), "B": card(told(1), told(1), told(1))}

    with pytest.raises(AnswerError, match="A1"):
        parse_answer(json.dumps(said), scores_schema(FULL))


def test_every_scale_stands_in_the_schema_of_every_dialect() -> None:
    full: Any = full_schema(scores_schema(SHORT))
    strict: Any = strict_schema(scores_schema(SHORT))

    for label in ("A", "B"):
        card = full["properties"][label]["properties"]
        told = strict["properties"][label]["properties"]
        assert list(card) == ["Why", *TOPS]
        assert {key: card[key]["maximum"] for key in TOPS} == TOPS
        assert all(f"at most {top}" in told[key]["description"] for key, top in TOPS.items())


def test_small_model_is_asked_for_little() -> None:
    short, full = (len(json.dumps(full_schema(scores_schema(one)))) for one in (SHORT, FULL))

    assert short * 2 < full


# What is saved


def test_only_what_is_out_of_range_is_lost() -> None:
    said = {
        "A": card(told(7), told("9", "A1", "B1"), told(2)),
        "B": card(told(1), told(10.0), told(True)),
    }

    cards = salvaged(json.dumps(said), FULL)

    assert cards["A"].rules == {"quiet": RuleScore(9, "they shout", ("A1",))}
    assert cards["B"].rules == {"quiet": RuleScore(10, "they shout")}


def test_rule_that_one_candidate_has_no_score_for_counts_for_none() -> None:
    said = {"A": {"conflict": 3, "quiet": 4}, "B": {"quiet": 2, "json": 1}}

    cards = salvaged(json.dumps(said), SHORT)

    assert {label: list(card.rules) for label, card in cards.items()} == {
        "A": ["quiet"],
        "B": ["quiet"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I like A best.",
        "{}",
        '{"A": {"conflict": 3}}',
        '{"A": 3, "B": 4}',
        '{"A": {"conflict": 3',
    ],
)
def test_nothing_is_saved_of_nothing(text: str) -> None:
    assert salvaged(text, SHORT) == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["A", "B", "score", "reason", "events", *TOPS]), inner, max_size=5
        )
    ),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(["A", "B", "Why"]), VALUES))
def test_what_is_saved_is_always_within_its_range(said: dict[str, Any]) -> None:
    for label, saved in salvaged(json.dumps(said), FULL).items():
        assert set(saved.rules) <= set(TOPS)
        for key, score in saved.rules.items():
            assert 1 <= score.score <= TOPS[key]
            assert set(score.events) <= set(FULL.events[label])
            assert len(score.reason) <= 80
