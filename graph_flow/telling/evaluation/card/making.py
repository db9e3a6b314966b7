"""A judge's card: it reads texts of our own, whole, spoiled and altered, and is held to what it says of them.

The bounds are ours. They are lenient: a judge that fails them is of no use for any comparison, and one that
passes them can still err often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import log2
from statistics import fmean, pstdev

from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.card.spoiling import ALTERED, SPOILED, Specimen, specimens
from graph_flow.telling.evaluation.formulas import quality_of
from graph_flow.telling.evaluation.judging import Judged, Reading, judge
from graph_flow.telling.evaluation.pairing import Pair, PairResult, compare_pair
from store.models.base import new_id
from store.models.desk.evaluation import Indicator, JudgeName
from store.models.desk.judge import CardTest, JudgeCard
from store.models.manuscript import count_words
from store.records.desk.evaluations import JudgedText

VERSION = 1
"""Of the texts and tests; a card of another version is none."""

ACCURACY = 0.8
"""Spoiled texts that have to score lower than the whole ones; one that scores the same is half an error."""
SHAKEN = 0.5
"""By how much, on average, typos, synonyms and punctuation may move a score."""
CONSISTENCY = 0.8
"""Pairs in which the same text has to be the better in both orders."""
PAIR_ACCURACY = 0.7
"""Pairs in which the whole text has to be the better one."""
RETEST = 0.5
"""By how much, on average, a second reading of the same text may differ."""
SPREAD = 0.3
"""The least standard deviation of all scores: a judge that gives everything the same says nothing."""
SLOPE = 0.75
"""By how much twice the length, of the same prose, may move a score, up or down."""
QUOTES = 0.9
"""Quotes that have to stand in the text."""

_PAIRED = ("paragraphs shuffled", "ending cut off")
_WHOLE, _AGAIN, _SCENE = "whole", "whole, again", "first scene"


@dataclass
class Trials:
    """What a judge said of each version of each specimen, and of each pair."""

    read: dict[tuple[str, str], Judged] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairResult] = field(default_factory=dict)

    def score(self, specimen: Specimen, version: str) -> float:
        """Return the quality that was given to a version of a specimen."""
        return quality_of(self.read[specimen.key, version].scores)


def make_card(context: StoryContext, name: JudgeName) -> JudgeCard:
    """Test a judge, with 45 readings if none has to be repeated, and keep its card.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop; what was paid for is found again.
    """
    trials = Trials()
    for specimen in specimens():
        for version, text in versions(specimen).items():
            context.progress.begin_step(f"Testing the judge: {version}", 1)
            trials.read[specimen.key, version] = judge(context, _reading(specimen, version, text))
        for version in _PAIRED:
            context.progress.begin_step("Testing the judge: two texts in both orders", 2)
            pair = Pair(
                specimen.text, SPOILED[version](specimen), _step(specimen, f"pair {version}")
            )
            trials.pairs[specimen.key, version] = compare_pair(context, pair)
    return context.store.judge_cards.save(card_of(name, trials))


def versions(specimen: Specimen) -> Mapping[str, str]:
    """Return every version of a specimen that is read by itself, by what is done to it."""
    made = {name: make(specimen) for name, make in {**SPOILED, **ALTERED}.items()}
    return {_WHOLE: specimen.text, _AGAIN: specimen.text, _SCENE: specimen.scenes[0], **made}


def card_of(name: JudgeName, trials: Trials) -> JudgeCard:
    """Return the card of a judge that has read everything. Pure but for its id and its date."""
    return JudgeCard(
        id=new_id(),
        judge=name,
        key=name.key,
        version=VERSION,
        tests=tuple(_tests(trials)),
        spoiled=tuple(_noticed(trials, version, f"notices {version}") for version in SPOILED),
        created=datetime.now(UTC),
    )


def _tests(trials: Trials) -> Iterable[CardTest]:
    every = specimens()
    wins = [_win(trials, one, version) for one in every for version in SPOILED]
    yield CardTest(
        name="accuracy on spoiled texts", value=fmean(wins), least=ACCURACY, of=len(wins)
    )
    shaken = [_gap(trials, one, version) for one in every for version in ALTERED]
    yield CardTest(
        name="shift by what must not matter", value=fmean(shaken), most=SHAKEN, of=len(shaken)
    )
    yield from _pair_tests(list(trials.pairs.values()))
    again = [_gap(trials, one, _AGAIN) for one in every]
    yield CardTest(name="shift on a second reading", value=fmean(again), most=RETEST, of=len(again))
    given = [one.scores.of(it) for one in trials.read.values() for it in Indicator]
    yield CardTest(name="spread of scores", value=pstdev(given), least=SPREAD, of=len(given))
    slopes = [_slope(trials, one) for one in every]
    slope = abs(fmean(slopes))
    yield CardTest(name="pull of length", value=slope, most=SLOPE, of=len(slopes))
    yield _quote_test(trials)


def _pair_tests(pairs: Sequence[PairResult]) -> Iterable[CardTest]:
    yield CardTest(
        name="same choice in both orders",
        value=fmean(one.is_consistent and one.margin != 0 for one in pairs),
        least=CONSISTENCY,
        of=len(pairs),
    )
    yield CardTest(
        name="accuracy in pairs",
        value=fmean(1.0 if one.margin > 0 else 0.5 if not one.margin else 0.0 for one in pairs),
        least=PAIR_ACCURACY,
        of=len(pairs),
    )


def _quote_test(trials: Trials) -> CardTest:
    shown = sum(len(one.shown) for one in trials.read.values())
    quotes = shown + sum(one.unfound for one in trials.read.values())
    share = shown / quotes if quotes else 0.0
    return CardTest(name="quotes that are in the text", value=share, least=QUOTES, of=quotes)


def _noticed(trials: Trials, version: str, name: str) -> CardTest:
    wins = [_win(trials, one, version) for one in specimens()]
    return CardTest(name=name, value=fmean(wins), of=len(wins))


def _win(trials: Trials, specimen: Specimen, version: str) -> float:
    whole, spoiled = trials.score(specimen, _WHOLE), trials.score(specimen, version)
    return 0.5 if whole == spoiled else float(whole > spoiled)


def _gap(trials: Trials, specimen: Specimen, version: str) -> float:
    return abs(trials.score(specimen, _WHOLE) - trials.score(specimen, version))


def _slope(trials: Trials, specimen: Specimen) -> float:
    """Return by how much a text scores higher than its first scene, for each doubling of its length."""
    doublings = log2(count_words(specimen.text) / count_words(specimen.scenes[0]))
    return (trials.score(specimen, _WHOLE) - trials.score(specimen, _SCENE)) / doublings


def _reading(specimen: Specimen, version: str, text: str) -> Reading:
    return Reading(
        chapter=JudgedText("", text),
        step=_step(specimen, version),
        place="A text that is whole in itself",
    )


def _step(specimen: Specimen, version: str) -> str:
    return f"0/card/{VERSION}/{specimen.key}/{version}"
