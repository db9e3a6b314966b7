"""What a run may use: refused before it is spent, however many calls are under way at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as some

from graph_flow.llm.attempt import Question, most_of
from graph_flow.llm.budget import Budget, CapReached, Use
from graph_flow.llm.dialects import QuirksBook
from graph_flow.llm.errors import EndpointFailing, RunStopped
from graph_flow.llm.gateway import forget_dialect
from graph_flow.llm.request import CallScope
from store.models.run import Caps, Outcome, Totals
from tests.fakes.scripted_server import cut, refuse, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, Desk
from tests.wording import says

SMALL = Use(tokens=100, cost=0.01)


def goes(budget: Budget, expected: Use = SMALL, actual: Use | None = SMALL) -> bool:
    """Return whether an attempt is allowed; it then takes what is said."""
    try:
        with budget.attempt(expected, threading.Event()) as booking:
            booking.actual = actual
    except CapReached:
        return False
    return True


@pytest.mark.parametrize("caps", [Caps(calls=3), Caps(tokens=399), Caps(cost=0.035)])
def test_what_would_go_beyond_is_refused(caps: Caps) -> None:
    budget = Budget(caps, Totals())

    assert [goes(budget) for _ in range(5)] == [True] * 3 + [False] * 2


def test_without_caps_everything_goes() -> None:
    budget = Budget(Caps(), Totals())

    assert all(goes(budget, Use(10**9, 10**6)) for _ in range(10))


def test_what_was_used_before_counts() -> None:
    used = Totals(calls=2, tokens_in=150, tokens_out=50, cost=0.02)

    assert goes(Budget(Caps(calls=3, tokens=300, cost=0.03), used))
    assert not goes(Budget(Caps(calls=2), used))
    assert not goes(Budget(Caps(tokens=299), used))
    assert not goes(Budget(Caps(cost=0.029), used))


def test_what_was_not_used_is_given_back() -> None:
    budget = Budget(Caps(calls=3, tokens=300), Totals())

    assert goes(budget, Use(300, 0), Use(10, 0))
    assert goes(budget, Use(290, 0), None), "it never reached the model"
    assert goes(budget, Use(290, 0), Use(290, 0))
    assert not goes(budget, Use(1, 0))


def test_a_refusal_says_what_was_allowed() -> None:
    budget = Budget(Caps(calls=2), Totals(calls=2))

    with (
        pytest.raises(CapReached, match="This run has used the 2 calls that you allowed"),
        budget.attempt(SMALL, threading.Event()),
    ):
        pytest.fail("it was refused")


def test_a_call_that_would_fit_waits_for_those_under_way() -> None:
    budget = Budget(Caps(tokens=150), Totals())
    began = threading.Event()

    def wait_in_line() -> bool:
        began.set()
        return goes(budget)

    with ThreadPoolExecutor(1) as pool:
        with budget.attempt(SMALL, threading.Event()) as booking:
            second = pool.submit(wait_in_line)
            assert began.wait(10)
            booking.actual = Use(tokens=20, cost=0)
        assert second.result(10)


def test_a_stop_ends_the_waiting() -> None:
    budget, stop = Budget(Caps(tokens=150), Totals()), threading.Event()
    stop.set()

    with (
        budget.attempt(SMALL, threading.Event()),
        pytest.raises(RunStopped),
        budget.attempt(SMALL, stop),
    ):
        pytest.fail("it had to wait")


@given(
    caps=some.builds(
        Caps,
        calls=some.none() | some.integers(1, 20),
        tokens=some.none() | some.integers(1, 2_000),
        cost=some.none() | some.floats(0.01, 1),
    ),
    attempts=some.lists(
        some.tuples(some.integers(1, 400), some.floats(0, 0.1), some.floats(0, 1)), max_size=30
    ),
)
def test_calls_at_once_never_use_more_than_is_allowed(
    caps: Caps, attempts: list[tuple[int, float, float]]
) -> None:
    """Estimates are at most what is used here, so nothing goes beyond at all."""
    budget, spent, lock = Budget(caps, Totals()), [], threading.Lock()

    def attempt(expected: Use, share: float) -> None:
        actual = Use(int(expected.tokens * share), expected.cost * share)
        if goes(budget, expected, actual):
            with lock:
                spent.append(actual)

    with ThreadPoolExecutor(4) as pool:
        for tokens, cost, share in attempts:
            pool.submit(attempt, Use(tokens, cost), share)

    assert caps.calls is None or len(spent) <= caps.calls
    assert caps.tokens is None or sum(use.tokens for use in spent) <= caps.tokens
    assert caps.cost is None or sum(use.cost for use in spent) <= caps.cost + 1e-9


# At the gateway


def scope(desk: Desk, caps: Caps) -> CallScope:
    return CallScope("b1", "r1", "dinner", desk.stop, Budget(caps, Totals()))


def test_every_attempt_counts(desk: Desk) -> None:
    desk.server.queue(refuse(500, "oops"), say("nonsense"), say_json(DINNER))

    with pytest.raises(CapReached):
        desk.gateway.structured(desk.request(scope=scope(desk, Caps(calls=2))), ASKED)

    assert len(desk.server.history) == 2
    assert desk.ledger.outcomes == [Outcome.FAILED, Outcome.UNUSABLE]


def test_a_call_that_is_found_again_counts_nothing(desk: Desk) -> None:
    within = scope(desk, Caps(calls=1))
    first = desk.gateway.text(desk.request(scope=within))

    assert desk.gateway.text(desk.request(scope=within)) == first
    with pytest.raises(CapReached):
        desk.gateway.text(desk.request("Who leaves early?", scope=within))


def test_a_budget_counts_as_the_ledger_does(desk: Desk) -> None:
    desk.endpoint = desk.endpoint.model_copy(update={"price_in": 2.0, "price_out": 8.0})
    caps = Caps(calls=100, tokens=100_000, cost=100)
    within = scope(desk, caps)
    desk.server.queue(refuse(500, "oops"), say("Soup."), say("More soup."))

    desk.gateway.text(desk.request(scope=within))
    desk.gateway.text(desk.request("And then?", scope=within))

    budget, calls = within.budget, desk.ledger.calls
    assert budget is not None
    assert budget.calls == len(calls) == 3
    assert budget.spent.tokens == sum(call.tokens_in + call.tokens_out for call in calls)
    assert budget.spent.cost == pytest.approx(sum(call.cost for call in calls))


def test_an_estimate_is_more_than_what_is_used(desk: Desk) -> None:
    request = desk.request()
    question = Question(request, "hash", request.messages, request.max_tokens)
    quirks = QuirksBook(forget_dialect).of(desk.endpoint)

    most = most_of(question, desk.endpoint, quirks)
    desk.gateway.text(request)

    [call] = desk.ledger.calls
    assert most.tokens >= call.tokens_in + call.tokens_out


def test_the_writer_is_told_while_a_call_waits(desk: Desk) -> None:
    told: list[str] = []
    within = CallScope("b1", "r1", "dinner", desk.stop, on_trouble=told.append)
    desk.server.answer = lambda _sent: refuse(503, "overloaded")

    with pytest.raises(EndpointFailing):
        desk.gateway.text(desk.request(scope=within))

    waits = zip([words for words in told if words], (1, 2, 4, 8, 16, 32), strict=True)
    assert all(says(words, seconds) for words, seconds in waits)
    assert sum(desk.pauses) == 63
    assert told[0] == "", "while it is asked nothing is said"


def test_what_an_endpoint_turns_away_costs_nothing(desk: Desk) -> None:
    desk.endpoint = desk.endpoint.model_copy(update={"price_in": 2.0, "price_out": 8.0})
    desk.server.queue(refuse(429, "not now"), refuse(500, "oops"), cut("Soup, and"), say("Soup."))

    desk.gateway.text(desk.request())

    *turned_away, begun, answered = desk.ledger.calls
    assert [(call.tokens_in, call.tokens_out, call.cost) for call in turned_away] == [(0, 0, 0)] * 2
    assert begun.cost > 0, "what it had answered is paid for"
    assert answered.cost > 0
