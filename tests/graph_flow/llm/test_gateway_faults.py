"""Endpoints that fail, refuse or hang, and a writer who stops."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_flow.llm.errors import (
    CreditUsedUp,
    EndpointFailing,
    EndpointTimeout,
    EndpointUnreachable,
    KeyRefused,
    ModelError,
    NotAModel,
    PromptTooLong,
    RequestRefused,
    RunStopped,
    TooManyRequests,
    UnusableAnswer,
)
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say
from tests.graph_flow.llm.desk import KEY, Desk

MakeDesk = Callable[..., Desk]


# What endpoints do


FAULTS: list[tuple[Reply, type[ModelError], int]] = [
    (fake.too_many(), TooManyRequests, 7),
    (fake.refuse(429, "no", code="insufficient_quota"), CreditUsedUp, 1),
    (fake.refuse(402, "Insufficient Balance"), CreditUsedUp, 1),
    (fake.refuse(500, "oops"), EndpointFailing, 7),
    (fake.refuse(503, "overloaded"), EndpointFailing, 7),
    (fake.refuse(401, f"Incorrect key {KEY}"), KeyRefused, 1),
    (fake.refuse(404, "no such model"), RequestRefused, 1),
    (fake.refuse(400, "we do not like this"), RequestRefused, 1),
    (fake.refuse(400, "x", code="context_length_exceeded"), PromptTooLong, 1),
    (fake.page(), NotAModel, 1),
    (fake.broken_json(), NotAModel, 1),
    (fake.no_choices(), EndpointFailing, 4),
]


@pytest.mark.parametrize(("reply", "error", "tries"), FAULTS)
def test_each_fault_ends_in_a_plain_message(
    desk: Desk, reply: Reply, error: type[ModelError], tries: int
) -> None:
    desk.server.answer = lambda _sent: reply

    with pytest.raises(error) as failure:
        desk.gateway.text(desk.request())

    assert len(desk.server.history) == tries
    assert desk.ledger.outcomes == [Outcome.FAILED] * tries
    message = str(failure.value)
    assert "Scripted" in message
    assert message.endswith(".")
    assert not any(word in message.lower() for word in ("http", "json", "error", "api", "token"))


def test_retry_after_is_kept_to(desk: Desk) -> None:
    desk.server.queue(fake.too_many("7"), fake.refuse(500, "oops"), say("Soup."))

    assert desk.gateway.text(desk.request()) == "Soup."

    assert desk.pauses == [7.0, 2.0]


def test_an_endpoint_that_wants_to_rest_for_long_is_left_alone(desk: Desk) -> None:
    desk.server.queue(fake.too_many("3600"))

    with pytest.raises(TooManyRequests):
        desk.gateway.text(desk.request())

    assert desk.pauses == []


def test_a_hanging_endpoint_times_out(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, timeout=0.2)
    server.queue(*[fake.hang()] * 3)

    with pytest.raises(EndpointTimeout):
        desk.gateway.text(desk.request())

    assert desk.ledger.outcomes == [Outcome.FAILED] * 3
    assert desk.pauses == [1.0, 2.0]


def test_nobody_at_the_address(desk: Desk) -> None:
    desk.endpoint = desk.endpoint.model_copy(update={"base_url": "http://127.0.0.1:9/v1"})

    with pytest.raises(EndpointUnreachable):
        desk.gateway.text(desk.request())


def test_an_address_that_is_none(desk: Desk) -> None:
    desk.endpoint = desk.endpoint.model_copy(update={"base_url": "my model"})

    with pytest.raises(EndpointUnreachable, match="http"):
        desk.gateway.text(desk.request())


@pytest.mark.parametrize(
    ("refusal", "parameter"),
    [
        ("Unsupported value: 'temperature' does not support 0.8", "temperature"),
        ("Unrecognized request argument: stream_options", "stream_options"),
        ("Unsupported parameter: 'max_tokens'; use 'max_completion_tokens'", "max_tokens"),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_for_good(
    desk: Desk, refusal: str, parameter: str
) -> None:
    def answer(sent: Sent) -> Reply:
        return fake.refuse(400, refusal) if parameter in sent.body else say("Soup.")

    desk.server.answer = answer
    desk.gateway.text(desk.request("first"))
    desk.gateway.text(desk.request("second"))

    assert [parameter in sent.body for sent in desk.server.history] == [True, False, False]
    assert all(sent.limit == 200 for sent in desk.server.history)


def test_a_refused_text_teaches_nothing_about_schemas(desk: Desk) -> None:
    desk.server.answer = lambda _sent: fake.refuse(400, "schema of messages is invalid")

    with pytest.raises(RequestRefused):
        desk.gateway.text(desk.request())

    assert len(desk.server.history) == 1
    assert desk.dialects == []


def test_an_answer_without_end_is_cut_short(desk: Desk) -> None:
    desk.server.answer = lambda _sent: say("la " * 20_000)

    with pytest.raises(UnusableAnswer):
        desk.gateway.text(desk.request())

    # What had arrived at once when the limit was passed is kept: one read of the connection.
    assert len(desk.ledger.calls[0].answer) < 20_000


# Stopping


def test_a_stopped_run_makes_no_call(desk: Desk) -> None:
    desk.stop.set()

    with pytest.raises(RunStopped):
        desk.gateway.text(desk.request())

    assert desk.server.history == []


def test_a_stop_while_the_endpoint_is_silent_ends_the_call(desk: Desk) -> None:
    desk.server.queue(fake.hang())

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(desk.gateway.text, desk.request())
        assert desk.server.has_arrived.wait(10)
        desk.stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=10)

    assert desk.ledger.calls[0].problem == "stopped by the writer"


def test_a_stop_between_chunks_ends_the_call(desk: Desk) -> None:
    desk.server.queue(say("Soup, and more soup. " * 50))

    with pytest.raises(RunStopped):
        desk.gateway.text(desk.request(), lambda _text: desk.stop.set())

    assert desk.ledger.outcomes == [Outcome.FAILED]
    assert desk.ledger.calls[0].answer.startswith("Soup")


def test_a_stop_during_a_pause_makes_no_further_call(desk: Desk) -> None:
    desk.server.answer = lambda _sent: fake.refuse(500, "oops")

    def count() -> int:
        desk.stop.set()
        return len(desk.server.history)

    desk.pauses = _Then(count)

    with pytest.raises(RunStopped):
        desk.gateway.text(desk.request())

    assert len(desk.server.history) == 1


class _Then(list[float]):
    """A list that does something when it grows."""

    def __init__(self, then: Callable[[], object]) -> None:
        super().__init__()
        self._then = then

    def append(self, item: float) -> None:
        super().append(item)
        self._then()
