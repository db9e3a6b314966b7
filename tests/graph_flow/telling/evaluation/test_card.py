"""A judge is judged first: an honest one passes, and those that do not read fail."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable

import pytest

from graph_flow.telling.evaluation.card.spoiling import ALTERED, SPOILED, Specimen, specimens
from graph_flow.telling.evaluation.measures import words_of
from graph_flow.workbench.beside.evaluating import EvaluationService
from store.models.desk.evaluation import Indicator
from store.models.desk.judge import JudgeCard
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import agent_of, request_of

SECONDS = 60
MOST_CALLS = 54
NUMBERS = "one two three four five six seven eight nine ten eleven noon twelve thirteen fourteen forty".split()
_HOUR = re.compile(r"\b(?:was|at|(?<!one )by|struck) (\w+)", re.IGNORECASE)
_COUNTED = re.compile(rf"\b({'|'.join(NUMBERS)}) (\w+)", re.IGNORECASE)
_HIS = {"he": 0, "his": 0, "him": 0, "she": 1, "her": 1}


def texts_in(sent: Sent) -> list[str]:
    """Return the texts that stand between marks in a request."""
    marks = re.findall(r"^(?:====\w+====|-----)$", request_of(sent), re.MULTILINE)
    return [one.strip() for one in request_of(sent).split(marks[0])[1::2]]


def flaws(text: str) -> float:
    """Measure what is wrong with a text: order, persons, numbers, repetition, and how it ends."""
    return (
        _disorder(text)
        + _mixed_persons(text)
        + _contradictions(text)
        + _repetition(text)
        + 2.0 * (not text.rstrip().endswith((".", "”", '"')))
    )


def _disorder(text: str) -> float:
    hours = [NUMBERS.index(one) for one in map(str.lower, _HOUR.findall(text)) if one in NUMBERS]
    hours = [one if one > 2 or not any(it > 8 for it in hours) else one + 12 for one in hours]
    return 1.5 * sum(later < earlier for earlier, later in itertools.pairwise(hours))


def _mixed_persons(text: str) -> float:
    """Count, for each name, the clauses of it alone whose pronoun is the rarer one."""
    names = {one for one in re.findall(r"(?<=[a-z,”“.] )[A-Z][a-z]{3,}", text) if one in PEOPLE}
    counts = {name: [0, 0] for name in names}
    for clause in re.split(r"[.“”\n]", text):
        inside = [name for name in names if name in clause]
        said = {_HIS[word] for word in words_of(clause) if word in _HIS}
        if len(inside) == 1 and len(said) == 1:
            counts[inside[0]][said.pop()] += 1
    return float(sum(min(both) for both in counts.values()))


PEOPLE = {name for one in specimens() for name in one.names}
OPPOSITES = (
    ("last of them", "stayed behind"),
    ("birdcage, in which a finch", "carried his birdcage"),
    ("lid stood open", "where the key had got to"),
    ("only child", "eldest brother"),
    ("nothing in it at all", "stood envelopes"),
    ("forty families", "as one draws a ruin"),
    ("never once been wrong", "by the moss"),
)


def _contradictions(text: str) -> float:
    counted: dict[str, set[str]] = {}
    for number, thing in _COUNTED.findall(text.lower()):
        counted.setdefault(thing, set()).add(number)
    facts = sum(len(one) - 1 for thing, one in counted.items() if thing in {"tickets", "wells"})
    opposed = sum(first in text and second in text for first, second in OPPOSITES)
    return 2.0 * (facts + opposed)


def _repetition(text: str) -> float:
    paragraphs = Counter(one for one in text.split("\n\n") if len(one) > 60)
    return float(sum(count - 1 for count in paragraphs.values()))


OWN = "It all went by as slowly as a barge, and she thought of her mother, who had said so."


def own_version(text: str) -> str:
    """Return a text of about the same length that says one thing again and again."""
    return "\n\n".join([OWN] * (len(text) // len(OWN)))


def scored(value: float, **more: object) -> Reply:
    return say_json({"summary": "It happens.", **{it.value: value for it in Indicator}, **more})


def honest(sent: Sent) -> Reply:
    """Judge by what is wrong with the text, and by nothing else."""
    texts = texts_in(sent)
    if agent_of(sent) == "card_writer":
        return say(own_version(texts[0]))
    if agent_of(sent) == "pair_judge":
        first, second = map(flaws, texts)
        better = "same" if first == second else "A" if first < second else "B"
        return say_json({"better": better, "margin": 2})
    return scored(round(max(1.0, 7.5 - flaws(texts[0])), 2))


def saying(score: float, better: str = "A") -> Callable[[Sent], Reply]:
    """Return a judge that says the same of everything."""

    def judge(sent: Sent) -> Reply:
        if agent_of(sent) == "card_writer":
            return honest(sent)
        if agent_of(sent) == "pair_judge":
            return say_json({"better": better, "margin": 3})
        return scored(score)

    return judge


def lover_of_the_first(sent: Sent) -> Reply:
    if agent_of(sent) == "pair_judge":
        return say_json({"better": "A", "margin": 3})
    return honest(sent)


def parrot(sent: Sent) -> Reply:
    if agent_of(sent) in {"pair_judge", "card_writer"}:
        return honest(sent)
    quotes = [{"indicator": "immersion", "quote": "a sentence that this text does not have"}]
    value = max(1.0, 7.5 - flaws(texts_in(sent)[0]))
    return scored(round(value, 2), highlights=quotes)


def made(service: EvaluationService) -> JudgeCard:
    judge = service.test_judge()
    assert service.wait_for_card(judge, SECONDS)
    assert service.card is not None, service.testing(judge)
    return service.card


def failed(card: JudgeCard) -> set[str]:
    return {one.name for one in card.tests if not one.is_passed}


def test_an_honest_judge_passes(service: EvaluationService, able: Desk) -> None:
    able.server.answer = honest

    card = made(service)

    assert card.says == "passed", [(one.name, one.value) for one in (*card.tests, *card.spoiled)]
    assert card.is_passed
    assert able.server.asked == MOST_CALLS
    assert {one.name for one in card.spoiled} == {f"notices {one}" for one in SPOILED}
    assert all(one.value > 0.5 for one in card.spoiled)


@pytest.mark.parametrize(
    ("judge", "found"),
    [
        pytest.param(saying(9.9), "accuracy on spoiled texts", id="a flatterer"),
        pytest.param(saying(4), "spread of scores", id="one that always says 4"),
        pytest.param(lover_of_the_first, "same choice in both orders", id="a lover of the first"),
        pytest.param(saying(4, "same"), "same choice in both orders", id="one that draws lots"),
        pytest.param(parrot, "quotes that are in the text", id="a parrot"),
    ],
)
def test_a_judge_that_does_not_read_fails(
    service: EvaluationService, able: Desk, judge: Callable[[Sent], Reply], found: str
) -> None:
    able.server.answer = judge

    card = made(service)

    assert not card.is_passed
    assert found in failed(card)
    assert found in card.says


def in_love_with_itself(sent: Sent) -> Reply:
    """Prefer whatever it has written, and be honest otherwise."""
    if agent_of(sent) == "pair_judge" and OWN in request_of(sent):
        return say_json({"better": "A" if OWN in texts_in(sent)[0] else "B", "margin": 3})
    return honest(sent)


def copyist(sent: Sent) -> Reply:
    """Give back the text that it is to tell anew."""
    return say(texts_in(sent)[0]) if agent_of(sent) == "card_writer" else honest(sent)


@pytest.mark.parametrize(
    ("judge", "value", "trials"),
    [
        pytest.param(honest, 0.0, 3, id="an honest one"),
        pytest.param(in_love_with_itself, 1.0, 3, id="one in love with itself"),
        pytest.param(copyist, 0.5, 0, id="one that writes nothing of its own"),
    ],
)
def test_what_a_judge_makes_of_its_own_texts_is_told_and_fails_nobody(
    service: EvaluationService,
    able: Desk,
    judge: Callable[[Sent], Reply],
    value: float,
    trials: int,
) -> None:
    able.server.answer = judge

    card = made(service)

    [own] = [one for one in card.tests if one.name == "liking for its own texts"]
    assert (own.value, own.of) == (value, trials)
    assert (own.least, own.most) == (None, None)
    assert card.is_passed


def test_a_judge_that_writes_essays_fails_and_does_not_end_the_test(
    service: EvaluationService, able: Desk
) -> None:
    able.server.answer = lambda _: say("It is, in a manner of speaking, a text. " * 9)

    card = made(service)

    assert {"answers that can be used", "same choice in both orders"} <= failed(card)


def test_an_inverted_judge_fails_in_everything_that_counts(
    service: EvaluationService, able: Desk
) -> None:
    def inverted(sent: Sent) -> Reply:
        texts = texts_in(sent)
        if agent_of(sent) == "card_writer":
            return honest(sent)
        if agent_of(sent) == "pair_judge":
            first, second = map(flaws, texts)
            return say_json({"better": "A" if first > second else "B", "margin": 2})
        return scored(min(8.0, 2 + flaws(texts[0])))

    able.server.answer = inverted

    assert {"accuracy on spoiled texts", "accuracy in pairs"} <= failed(made(service))


def test_a_card_that_was_interrupted_goes_on(service: EvaluationService, able: Desk) -> None:
    able.server.answer = lambda sent: refuse(401, "no") if able.server.asked == 20 else honest(sent)
    judge = service.test_judge()
    assert service.wait_for_card(judge, SECONDS)
    assert service.card is None

    able.server.answer = honest

    assert made(service).is_passed
    assert able.server.asked == MOST_CALLS + 1


@pytest.mark.parametrize("specimen", specimens(), ids=lambda one: one.key)
def test_texts_are_spoiled_as_it_is_said(specimen: Specimen) -> None:
    made = {name: make(specimen) for name, make in {**SPOILED, **ALTERED}.items()}

    assert specimen.text not in made.values()
    assert len(set(made.values())) == len(made)
    assert sorted(words_of(made["paragraphs shuffled"])) == sorted(words_of(specimen.text))
    assert all(new in made["facts contradicted"] for _, new in specimen.contradictions)
    assert all(old in specimen.text for old, _ in (*specimen.contradictions, *specimen.synonyms))
    assert len(made["ending cut off"]) < len(specimen.text) < len(made["passages repeated"])
    assert flaws(specimen.text) == 0
    for name in SPOILED:
        assert flaws(made[name]) > 0, name
    assert len(specimen.scenes) == 2
