"""The card of a model that weighs texts: whether it finds those whole that are, of the same ones as any judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from statistics import fmean

from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.card.spoiling import (
    ALTERED,
    SPOILED,
    Specimen,
    shuffled,
    specimens,
)
from graph_flow.telling.evaluation.likelihood.reading import Coherence, weigh, whole
from store.models.base import new_id
from store.models.desk.evaluation import JudgeName
from store.models.desk.judge import CardTest, JudgeCard

VERSION = 1
"""Of the texts and tests; a card of another version is none."""

ACCURACY = 0.8
"""Spoiled texts that have to hang together less than the whole ones."""
IN_ORDER = 0.8
"""Texts in another order that have to hang together less: this is what it is used for."""
SHAKEN = 0.5
"""How far what must not matter may move it, on average, as a share of what another order does."""

WHOLE, SHUFFLED = "whole", "paragraphs shuffled"
ORDERS = 4
"""Orders of each text's paragraphs: by these it is to be used."""

Trials = Mapping[tuple[str, str], Coherence]
"""What is known of each version of each text, by both their names."""
Value = Callable[[Coherence], float]
"""What a judgement goes by."""


def make_card(context: StoryContext, name: JudgeName) -> JudgeCard:
    """Weigh every version of our texts, and keep what that says of the model.

    Raises:
        LikelihoodUntold: if its endpoint does not say how likely a text is.
        ModelError: if the endpoint fails.
        RunStopped: if the work was asked to stop; what was paid for is found again.
    """
    trials = {
        (specimen.key, version): whole(weigh(context, text, f"Testing it: {version}"))
        for specimen in specimens()
        for version, text in versions(specimen).items()
    }
    return context.store.judge_cards.save(card_of(name, trials))


def versions(specimen: Specimen) -> Mapping[str, str]:
    """Return every version of a text that is weighed, by what is done to it."""
    made: dict[str, Callable[[Specimen], str]] = {**SPOILED, **ALTERED}
    made |= {_order(at): partial(shuffled, salt=_order(at)) for at in range(2, ORDERS + 1)}
    return {WHOLE: specimen.text, **{name: make(specimen) for name, make in made.items()}}


def _order(at: int) -> str:
    return SHUFFLED if at == 1 else f"{SHUFFLED}, {at}"


def card_of(name: JudgeName, trials: Trials) -> JudgeCard:
    """Return what the trials say of a model. Pure but for its id and its date."""
    return JudgeCard(
        id=new_id(),
        judge=name,
        key=name.key,
        version=VERSION,
        tests=tuple(_tests(trials)),
        spoiled=tuple(
            _noticed(f"notices {version}", trials, _kinds(version)) for version in SPOILED
        ),
        created=datetime.now(UTC),
    )


def _tests(trials: Trials) -> Iterable[CardTest]:
    yield _noticed("accuracy on spoiled texts", trials, list(SPOILED), least=ACCURACY)
    yield _noticed("notices another order", trials, _kinds(SHUFFLED), least=IN_ORDER)
    name = "shift by what must not matter, as a share of what another order does"
    yield CardTest(
        name=name, value=_shaken(trials, _gain), most=SHAKEN, of=len(ALTERED) * len(specimens())
    )
    name = "the same share, by likelihood alone"
    yield CardTest(
        name=name, value=_shaken(trials, _likelihood), of=len(ALTERED) * len(specimens())
    )


def _gain(found: Coherence) -> float:
    return found.gain


def _likelihood(found: Coherence) -> float:
    return found.likelihood


def _shaken(trials: Trials, value: Value) -> float:
    by_words = [_loss(trials, it, one, value) for it in specimens() for one in ALTERED]
    by_order = [_loss(trials, it, one, value) for it in specimens() for one in _kinds(SHUFFLED)]
    return fmean(map(abs, by_words)) / max(1e-9, fmean(map(abs, by_order)))


def _kinds(version: str) -> list[str]:
    return [_order(at) for at in range(1, ORDERS + 1)] if version == SHUFFLED else [version]


def _noticed(
    name: str, trials: Trials, kinds: Iterable[str], least: float | None = None
) -> CardTest:
    lost = [_loss(trials, it, one, _gain) > 0 for one in kinds for it in specimens()]
    return CardTest(name=name, value=fmean(map(float, lost)), least=least, of=len(lost))


def _loss(trials: Trials, specimen: Specimen, version: str, value: Value) -> float:
    """Return by how much a version has less than the whole text."""
    return value(trials[specimen.key, WHOLE]) - value(trials[specimen.key, version])
