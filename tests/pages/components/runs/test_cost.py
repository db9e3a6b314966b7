"""What calls took, in words."""

from __future__ import annotations

import pytest

from pages.components.runs import cost
from store.models.run import Caps, Spending, Totals
from tests.wording import says

USED = Totals(calls=12, tokens_in=9_000, tokens_out=1_200, cost=0.25, milliseconds=61_000)


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        (Caps(), "12 calls · 10,200 tokens · 0.25 at your prices"),
        (Caps(calls=40), "12 of 40 calls · 10,200 tokens · 0.25 at your prices"),
        (
            Caps(tokens=50_000, cost=1),
            "12 calls · 10,200 of 50,000 tokens · 0.25 of 1.00 at your prices",
        ),
    ],
)
def test_use_is_told_beside_what_is_allowed(caps: Caps, told: str) -> None:
    assert cost.used_of(USED, caps) == told


def test_money_is_told_only_where_there_is_some() -> None:
    free = USED.model_copy(update={"cost": 0.0})

    assert cost.used_of(free, Caps()) == "12 calls · 10,200 tokens"
    assert "prices" not in cost.facts(free)
    assert says(cost.facts(USED), "1:01", "0.25")


@pytest.mark.parametrize(
    ("amount", "told"), [(0, "0.00"), (0.0042, "0.0042"), (0.5, "0.50"), (1_234.5, "1,234.50")]
)
def test_little_money_is_not_shown_as_nothing(amount: float, told: str) -> None:
    assert cost.money(amount) == told
    assert cost.money(amount, 3) == f"{amount:,.3f}"


def test_trouble_is_told_only_where_there_is_some() -> None:
    assert cost.trouble(Spending(calls=3)) == ""
    assert cost.trouble(Spending(calls=9, failed=1, repeated=2)).startswith(
        "1 call got no answer and 2 answers could not be used"
    )
