"""Texts against each other: in both orders, once each, and blind."""

from __future__ import annotations

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.telling.evaluation.ranking import ranked
from graph_flow.views import SideState
from graph_flow.workbench.beside.pairing import Contestant, PairService, in_order
from store.models.desk.pairs import PairTrial
from store.models.endpoint import Endpoint
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say, say_json
from tests.graph_flow.telling.evaluation.conftest import book
from tests.graph_flow.telling.evaluation.test_card import texts_in
from tests.store.records.test_evaluations import NOW

SECONDS = 60
A, B, C = ("a" * 64, "b" * 64, "c" * 64)


def text(name: str, word: str) -> Contestant:
    return Contestant(name, "\n\n".join(f"It was {word} at {hour}." for hour in range(8)))


GOOD, FAIR, POOR = text("Good", "gold"), text("Fair", "felt"), text("Poor", "dust")
WORTH = {"gold": 3, "felt": 2, "dust": 1}


def worth(passage: str) -> int:
    return next(value for word, value in WORTH.items() if word in passage)


def honest(sent: Sent) -> Reply:
    first, second = map(worth, texts_in(sent))
    return say_json({"better": "A" if first > second else "B", "margin": 2, "reason": "It is."})


@pytest.fixture
def pairs(able: Desk) -> PairService:
    able.server.answer = honest
    return able.workbench.pairs


def compared(
    pairs: PairService, texts: list[Contestant], judges: list[Endpoint] | None = None
) -> None:
    place = pairs.begin(texts, judges or pairs.judges())
    assert pairs.wait(place, SECONDS)
    seen = pairs.seen(place)
    assert seen is not None
    assert not seen.message


def trial(first: str, second: str, margin: float, at: int = 0) -> PairTrial:
    return PairTrial(
        id=f"{first[0]}{second[0]}{at}",
        first=first,
        second=second,
        at=at,
        of=9,
        judge="j",
        margin=margin,
        created=NOW,
    )


def test_texts_are_ranked_by_passages_in_both_orders_and_once(
    pairs: PairService, able: Desk
) -> None:
    texts = [POOR, GOOD, FAIR]
    compared(pairs, texts)

    standings = pairs.standings(texts)
    assert [one.name for one in standings] == ["Good", "Fair", "Poor"]
    assert [one.standing.wins for one in standings] == [8, 4, 0]
    assert able.server.asked == 3 * 4 * 2
    for one in standings:
        assert one.standing.low is not None
        assert one.standing.high is not None
        assert one.standing.low <= one.standing.strength <= one.standing.high

    compared(pairs, [GOOD, FAIR, POOR])
    assert able.server.asked == 3 * 4 * 2


def test_a_judge_that_prefers_a_place_prefers_no_text(pairs: PairService, able: Desk) -> None:
    able.server.answer = lambda _: say_json({"better": "A", "margin": 3})
    compared(pairs, [GOOD, POOR])

    trials = pairs.trials([GOOD, POOR])
    assert [(one.margin, one.is_consistent) for one in trials] == [(0, False)] * 4
    assert [one.standing.draws for one in pairs.standings([GOOD, POOR])] == [4, 4]


def test_several_judges_are_asked_each_at_its_own_place(pairs: PairService, able: Desk) -> None:
    with ScriptedServer(answer=honest) as other:
        named = Endpoint(name="Other", base_url=other.url, model="second", context_window=32_000)
        able.workbench.models.change_settings(
            lambda now: now.model_copy(update={"others": (named,)})
        )
        compared(pairs, [GOOD, POOR], [*pairs.judges(), *pairs.judges(["Other"])])

        assert other.asked == able.server.asked == 8
    assert {one.judge for one in pairs.trials([GOOD, POOR])} == {
        "My model: scripted",
        "Other: second",
    }
    with pytest.raises(WorkbenchError, match="no model"):
        pairs.judges(["Nobody"])


def test_a_reader_judges_blind_and_each_passage_once(pairs: PairService) -> None:
    sides = []
    while (pair := pairs.blind(GOOD, POOR, "Ida")) is not None:
        sides.append(pair.is_turned)
        pairs.prefer(pair, "Ida", 2 if worth(pair.left) > worth(pair.right) else -2)

    assert len(sides) == 4
    [best, _] = pairs.standings([POOR, GOOD])
    assert best.name == "Good"
    assert best.standing.wins == 4
    assert pairs.blind(GOOD, POOR, "Ben") is not None
    pair = pairs.blind(GOOD, POOR, "Ben")
    assert pair is not None
    with pytest.raises(WorkbenchError, match="who"):
        pairs.prefer(pair, " ", 1)


def test_each_judge_stands_beside_what_readers_among_one_another_come_to(
    pairs: PairService,
) -> None:
    compared(pairs, [GOOD, POOR])
    for reader, preferred in (("Ida", "gold"), ("Ben", "at 0")):
        while (pair := pairs.blind(GOOD, POOR, reader)) is not None:
            pairs.prefer(pair, reader, 1 if preferred in pair.left else -1)

    judge, ben, ida = pairs.judged_by([GOOD, POOR])

    assert (judge.is_reader, judge.trials, judge.consistent) == (False, 4, 1)
    assert [one.judge for one in (ben, ida)] == ["Ben", "Ida"]
    assert ida.with_readers == ben.with_readers
    assert ida.with_readers is not None
    assert judge.with_readers == pytest.approx((1 + ida.with_readers) / 2)
    assert ida.consistent is None


def test_texts_that_cannot_be_compared_are_said(pairs: PairService) -> None:
    with pytest.raises(WorkbenchError, match="From 2"):
        in_order([GOOD])
    with pytest.raises(WorkbenchError, match="the same"):
        in_order([GOOD, GOOD._replace(name="Again")])
    with pytest.raises(WorkbenchError, match="not compared"):
        pairs.standings([GOOD, POOR])
    with pytest.raises(WorkbenchError, match="no text"):
        pairs.of_book(book([" "]))


def test_strengths_of_bradley_and_terry() -> None:
    even = [trial(A, B, 1, 0), trial(A, B, -1, 1)]
    first, second = ranked([A, B], even)
    assert first.strength == pytest.approx(second.strength, abs=1e-6)
    assert first.low is None

    chain = [trial(A, B, 1, at) for at in range(3)] + [trial(B, C, 1, at) for at in range(3)]
    assert [one.text for one in ranked([C, B, A], chain)] == [A, B, C]
    won = ranked([A, B], [trial(A, B, 1, at) for at in range(9)])
    assert won[0].low is None, "without a doubt in the data, no interval can be had of it"
    with pytest.raises(ValueError, match="nothing"):
        ranked([A, B], [])
    mixed = [trial(A, B, 1 if at else -1, at) for at in range(6)]
    assert {one.text for one in ranked([A, B, C], mixed)} == {A, B}, "of C nothing is known"


def test_a_judge_that_writes_essays_is_said_and_can_be_gone_on_with(
    pairs: PairService, able: Desk
) -> None:
    able.server.answer = lambda _: say("Both have their merits, as texts often do. " * 40)
    place = pairs.begin([GOOD, POOR], pairs.judges())
    assert pairs.wait(place, SECONDS)

    seen = pairs.seen(place)
    assert seen is not None
    assert seen.state is SideState.FAILED
    assert seen.message
    assert "merits" not in seen.message
    assert pairs.trials([GOOD, POOR]) == []
    assert pairs.missing([GOOD, POOR], pairs.judges()) == 4
    able.server.answer = honest
    compared(pairs, [GOOD, POOR])
    assert pairs.missing([GOOD, POOR], pairs.judges()) == 0
