"""A judge's card: it reads texts of our own, whole, spoiled and altered, and is held to what it says of them.

The bounds are ours. They are lenient: a judge that fails them is of no use for any comparison, and one that
passes them can still err often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import log2
from statistics import fmean, pstdev
from typing import TypeVar

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.card.liking import liking, own_against_given
from graph_flow.telling.evaluation.card.spoiling import ALTERED, SPOILED, Specimen, specimens
from graph_flow.telling.evaluation.formulas import quality_of
from graph_flow.telling.evaluation.judging import Judged, Reading, judge
from graph_flow.telling.evaluation.pairing import Pair, PairResult, compare_pair
from store.models.base import new_id
from store.models.desk.evaluation import Indicator, JudgeName
from store.models.desk.judge import CardTest, JudgeCard
from store.records.desk.evaluations import JudgedText
from store.text import count_words

T = TypeVar("T")

CALLS = 54
"""What a card takes if nothing has to be repeated."""
VERSION = 2
"""Of the texts and tests; a card of another version is none."""

USABLE = 0.9
"""Readings of which something usable has to come."""
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
    """What a judge said of each version of each specimen, and of each pair; None: nothing usable.

    `own` is what it said of its own version of a specimen and ours.
    """

    read: dict[tuple[str, str], Judged | None] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairResult | None] = field(default_factory=dict)
    own: dict[str, PairResult | None] = field(default_factory=dict)

    @property
    def judged(self) -> list[Judged]:
        """What was said that can be used."""
        return [one for one in self.read.values() if one is not None]

    def score(self, specimen: Specimen, version: str) -> float | None:
        """Return the quality that was given to a version of a specimen."""
        found = self.read[specimen.key, version]
        return quality_of(found.scores) if found else None


def make_card(context: StoryContext, name: JudgeName) -> JudgeCard:
    """Test a judge, with `CALLS` calls if none has to be repeated, and keep its card.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop; what was paid for is found again.
    """
    trials = Trials()
    for specimen in specimens():
        for version, text in versions(specimen).items():
            context.progress.begin_step(f"Testing the judge: {version}", 1)
            reading = _reading(specimen, version, text)
            trials.read[specimen.key, version] = _if_usable(partial(judge, context, reading))
        for version in _PAIRED:
            context.progress.begin_step("Testing the judge: two texts in both orders", 2)
            pair = Pair(
                specimen.text, SPOILED[version](specimen), _step(specimen, f"pair {version}")
            )
            trials.pairs[specimen.key, version] = _if_usable(partial(compare_pair, context, pair))
        context.progress.begin_step("Testing the judge: a text of its own", 3)
        trials.own[specimen.key] = own_against_given(context, specimen, _step(specimen, "own"))
    return context.store.judge_cards.save(card_of(name, trials))


def _if_usable(ask: Callable[[], T]) -> T | None:
    """Return what a judge says; nothing usable is something that is known of it, too."""
    try:
        return ask()
    except UnusableAnswer:
        return None


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
    said = [one is not None for one in (*trials.read.values(), *trials.pairs.values())]
    yield _mean_test("answers that can be used", map(float, said), least=USABLE)
    wins = [_win(trials, one, version) for one in every for version in SPOILED]
    yield _mean_test("accuracy on spoiled texts", wins, least=ACCURACY)
    shaken = [_gap(trials, one, version) for one in every for version in ALTERED]
    yield _mean_test("shift by what must not matter", shaken, most=SHAKEN)
    pairs = list(trials.pairs.values())
    yield _mean_test("same choice in both orders", map(_is_chosen, pairs), least=CONSISTENCY)
    yield _mean_test("accuracy in pairs", map(_is_right, pairs), least=PAIR_ACCURACY)
    again = [_gap(trials, one, _AGAIN) for one in every]
    yield _mean_test("shift on a second reading", again, most=RETEST)
    given = [one.scores.of(it) for one in trials.judged for it in Indicator]
    spread = pstdev(given) if given else 0.0
    yield CardTest(name="spread of scores", value=spread, least=SPREAD, of=len(given))
    slopes = [one for one in (_slope(trials, it) for it in every) if one is not None]
    slope = abs(fmean(slopes)) if slopes else 0.0
    yield CardTest(name="pull of length", value=slope, most=SLOPE, of=len(slopes))
    yield _quote_test(trials)
    yield liking(list(trials.own.values()))


def _mean_test(
    name: str,
    values: Iterable[float | None],
    least: float | None = None,
    most: float | None = None,
) -> CardTest:
    found = [one for one in values if one is not None]
    value = fmean(found) if found else 0.0
    return CardTest(name=name, value=value, least=least, most=most, of=len(found))


def _is_chosen(pair: PairResult | None) -> float:
    return float(pair is not None and pair.is_consistent and pair.margin != 0)


def _is_right(pair: PairResult | None) -> float:
    """Return 1 for a pair of which the whole text is the better; no choice is half an error."""
    if pair is None:
        return 0.0
    return 1.0 if pair.margin > 0 else 0.5 if not pair.margin else 0.0


def _quote_test(trials: Trials) -> CardTest:
    shown = sum(len(one.shown) for one in trials.judged)
    quotes = shown + sum(one.unfound for one in trials.judged)
    share = shown / quotes if quotes else 0.0
    return CardTest(name="quotes that are in the text", value=share, least=QUOTES, of=quotes)


def _noticed(trials: Trials, version: str, name: str) -> CardTest:
    return _mean_test(name, [_win(trials, one, version) for one in specimens()])


def _win(trials: Trials, specimen: Specimen, version: str) -> float:
    """Return 1 if a whole text scores higher than a spoiled one; the same score is half an error."""
    whole, spoiled = trials.score(specimen, _WHOLE), trials.score(specimen, version)
    if whole is None or spoiled is None:
        return 0.0
    return 0.5 if whole == spoiled else float(whole > spoiled)


def _gap(trials: Trials, specimen: Specimen, version: str) -> float | None:
    whole, other = trials.score(specimen, _WHOLE), trials.score(specimen, version)
    return None if whole is None or other is None else abs(whole - other)


def _slope(trials: Trials, specimen: Specimen) -> float | None:
    """Return by how much a text scores higher than its first scene, for each doubling of its length."""
    whole, scene = trials.score(specimen, _WHOLE), trials.score(specimen, _SCENE)
    doublings = log2(count_words(specimen.text) / count_words(specimen.scenes[0]))
    return None if whole is None or scene is None else (whole - scene) / doublings


def _reading(specimen: Specimen, version: str, text: str) -> Reading:
    return Reading(
        chapter=JudgedText("", text),
        step=_step(specimen, version),
        place="A text that is whole in itself",
        words=f"Testing the judge: {version}",
    )


def _step(specimen: Specimen, version: str) -> str:
    return f"0/card/{VERSION}/{specimen.key}/{version}"
