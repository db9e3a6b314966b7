"""Whether a premise can be used: something is said, and the model can read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.errors import PremiseUnusable
from graph_flow.founding.premise import characters_that_fit, check_premise, founding_window
from store.models.endpoint import Endpoint, ModelStrength

WINDOW = 4_096


@pytest.mark.parametrize("nothing", ["", "   ", "\n\t "])
def test_empty_premise_asks_for_a_line(nothing: str) -> None:
    with pytest.raises(PremiseUnusable, match="line or two"):
        check_premise(nothing, WINDOW)


@pytest.mark.parametrize(
    "premise", ["A keeper finds a locked door.", "灯塔看守人发现门锁着。", "تجد مارا الباب مغلقا."]
)
def test_short_premise_in_any_script_can_be_used(premise: str) -> None:
    check_premise(premise, WINDOW)

    assert characters_that_fit(premise, WINDOW) == len(premise)


@pytest.mark.parametrize("word", ["lighthouse ", "灯塔看守人", "منارة "])
def test_long_premise_is_refused_with_how_much_of_it_would_do(word: str) -> None:
    premise = (word * 100_000)[:100_000]

    with pytest.raises(PremiseUnusable, match="100,000 characters") as refused:
        check_premise(premise, WINDOW)

    fits = refused.value.fits
    assert 0 < fits < len(premise)
    assert f"{fits:,}" in str(refused.value)
    check_premise(premise[:fits], WINDOW)
    with pytest.raises(PremiseUnusable):
        check_premise(premise[: fits + 50], WINDOW)


def test_larger_model_reads_more() -> None:
    premise = "lighthouse " * 2_000

    with pytest.raises(PremiseUnusable):
        check_premise(premise, WINDOW)
    check_premise(premise, 128_000)
    assert characters_that_fit(premise, WINDOW) < len(premise)
    assert characters_that_fit(premise, 128_000) == len(premise)


def window_of(strength: ModelStrength, tokens: int) -> int:
    endpoint = Endpoint(
        base_url="http://127.0.0.1", model="m", context_window=tokens, strength=strength
    )
    return founding_window(lambda _: endpoint)


@pytest.mark.parametrize("tokens", [4_096, 32_768])
def test_able_model_keeps_room_for_longer_answers(tokens: int) -> None:
    assert window_of(ModelStrength.SMALL, tokens) == tokens
    assert tokens // 2 <= window_of(ModelStrength.ABLE, tokens) < tokens


@given(st.text(min_size=1, max_size=300), st.integers(512, 8_192))
def test_what_is_said_to_fit_fits(premise: str, window: int) -> None:
    try:
        check_premise(premise * 40, window)
    except PremiseUnusable as refused:
        start = (premise * 40)[: refused.fits]
        if start.strip():
            check_premise(start, window)
            assert characters_that_fit(start, window) == len(start)
