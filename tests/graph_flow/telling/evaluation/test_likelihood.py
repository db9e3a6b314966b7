"""How well versions of a text hang together: what is weighed, what the card says, and what is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.evaluation.card.spoiling import SPOILED, specimens
from graph_flow.telling.evaluation.likelihood.card import ORDERS, SHUFFLED, card_of, versions
from graph_flow.telling.evaluation.likelihood.reading import (
    BEFORE,
    LONGEST,
    Coherence,
    Likelihood,
    Weighed,
    stretches,
    whole,
)
from graph_flow.telling.evaluation.likelihood.versions import difference, shared_part
from store.formats.reading.parts import SCENE_BREAK
from store.models.desk.evaluation import JudgeName
from store.models.desk.judge import JudgeCard
from tests.fakes.weighing import log_probabilities

WINDOW = 4_096
NAME = JudgeName(endpoint="Somewhere", model="one that weighs")


@given(st.lists(st.text(alphabet="ab ñ世。", min_size=1, max_size=60), max_size=40))
def test_every_paragraph_is_weighed_after_those_before_it(paragraphs: list[str]) -> None:
    kept = [one.strip() for one in paragraphs if one.strip()]

    found = list(stretches("\n\n".join(paragraphs), WINDOW))

    assert [one.text for one in found] == kept
    for at, one in enumerate(found):
        assert one.before.endswith("\n\n")
        before = [it for it in one.before.split("\n\n") if it]
        assert before == kept[at - len(before) : at]
        assert before or not at


@pytest.mark.parametrize("window", [1_000, WINDOW, 128_000])
def test_no_prompt_grows_with_the_text(window: int) -> None:
    text = "\n\n".join(f"Paragraph {at}. " + "It went on and on. " * 20 for at in range(300))
    endless = "word " * 60_000

    for one in stretches(f"{text}\n\n{SCENE_BREAK}\n\n{endless}", window):
        assert estimate_tokens(one.text) <= min(LONGEST, window // 4) * 1.1
        assert estimate_tokens(one.before) <= min(BEFORE, window // 4) + LONGEST * 1.1
        assert one.text != SCENE_BREAK


def weighed(text: str) -> list[Weighed]:
    """Weigh a text by whether its words were said before."""
    found = []
    for one in stretches(text, WINDOW):
        there = list(log_probabilities(one.before + one.text))
        alone = list(log_probabilities(one.text))
        new = there[-len(alone) :]
        found.append(
            Weighed(one.text, Likelihood(sum(new), len(new)), Likelihood(sum(alone), len(alone)))
        )
    return found


def made(value: dict[str, float], otherwise: float = 0.5) -> JudgeCard:
    """Return the card of a model that finds this gain in some versions of our texts."""
    trials = {
        (it.key, name): Coherence(-3.0, value.get(name, otherwise), 400)
        for it in specimens()
        for name in versions(it)
    }
    return card_of(NAME, trials)


SPOILS = {name: 0.2 for name in [*SPOILED, *(f"{SHUFFLED}, {at}" for at in range(2, ORDERS + 1))]}


def test_a_model_that_hears_what_does_not_follow_passes() -> None:
    card = made(SPOILS)

    assert card.is_passed
    assert {one.name: one.of for one in card.spoiled}[f"notices {SHUFFLED}"] == 3 * ORDERS


@pytest.mark.parametrize(
    ("value", "found"),
    [
        pytest.param({}, "notices another order", id="deaf"),
        pytest.param({one: 0.9 for one in SPOILS}, "accuracy on spoiled texts", id="contrary"),
        pytest.param({**SPOILS, "typos": -0.5}, "shift by what must not matter", id="a pedant"),
    ],
)
def test_a_model_that_does_not_fails(value: dict[str, float], found: str) -> None:
    assert found in made(value).says


def test_versions_of_our_texts_are_all_different() -> None:
    for one in specimens():
        made_of = versions(one)
        assert len(set(made_of.values())) == len(made_of) == 1 + 5 + 3 + ORDERS - 1


def test_the_better_order_of_the_same_paragraphs_is_found() -> None:
    told = [f"Then {name} came, whom nobody knew." for name in ("Ada", "Ben", "Cy", "Di", "Ed")]
    known = [
        f"So Ada and Ben and Cy and Di and Ed sat down, all five of them, {at}." for at in "xyz"
    ]
    first, second = ("\n\n".join(one) for one in ([*told, *known], [*known, *told]))

    one, other = weighed(first), weighed(second)
    found = difference(one, other)

    assert found.paragraphs == 8
    assert whole(one).gain > 0
    assert whole(one).tokens == whole(other).tokens
    assert found.mean == pytest.approx(whole(one).likelihood - whole(other).likelihood)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.mean <= found.high


def test_of_few_paragraphs_no_interval_is_given() -> None:
    one = weighed("A keeper.\n\nA lamp.")

    assert difference(one, one[:1]) == (1, 0.0, None, None)
    assert difference(one, []) == (0, 0.0, None, None)


@pytest.mark.parametrize(
    ("second", "share"),
    [(["a", "bb", "cc"], 1.0), (["cc", "x"], 2 / 3), (["x"], 0.0), ([], 0.0)],
)
def test_what_texts_share_is_counted_by_paragraphs(second: list[str], share: float) -> None:
    assert shared_part(["a", "bb", "cc"], second) == pytest.approx(share)
