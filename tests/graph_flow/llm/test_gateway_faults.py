"""Endpoints that fail, refuse or hang, and a writer who stops."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from graph_flow.llm.errors import (
    CreditUsedUp,
    EndpointFailing,
    EndpointUnreachable,
    KeyRefused,
    ModelError,
    NotAModel,
    PromptTooLong,
    RequestRefused,
    TooManyRequests,
    UnusableAnswer,
)
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, Sent, say
from tests.graph_flow.llm.desk import KEY, Desk

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
    (fake.page(), NotAModel, 7),
    (fake.broken_json(), NotAModel, 7),
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


def test_web_page_instead_of_an_answer_is_waited_out_like_a_bad_gateway(desk: Desk) -> None:
    troubles: list[str] = []
    scope = replace(desk.request().scope, on_trouble=troubles.append)
    desk.server.queue(fake.page(), fake.refuse(502, "bad gateway"), fake.page(), say("Soup."))

    assert desk.gateway.text(desk.request(scope=scope)) == "Soup."

    assert desk.pauses == [1.0, 2.0, 4.0]
    assert [words for words in troubles if words] == [
        "Something other than an answer came back; trying again in 1 s.",
        "The model is not answering; trying again in 2 s.",
        "Something other than an answer came back; trying again in 4 s.",
    ]


def test_web_page_that_stays_is_told_with_what_to_do(desk: Desk) -> None:
    desk.server.answer = lambda _sent: fake.page()

    with pytest.raises(NotAModel, match=r"nothing is lost.*check the address in Settings"):
        desk.gateway.text(desk.request())

    assert desk.pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    assert sum(call.tokens_in + call.tokens_out for call in desk.ledger.calls) == 0


def test_connection_test_does_not_wait_out_a_web_page(desk: Desk) -> None:
    desk.server.answer = lambda _sent: fake.page()

    report = desk.gateway.test_connection(desk.endpoint)

    assert not report.ok
    assert "address" in report.message
    assert len(desk.server.history) == 1


def test_nonsense_in_the_middle_of_an_answer_breaks_it_off(desk: Desk) -> None:
    chunk = json.dumps({"choices": [{"delta": {"content": "So"}, "finish_reason": None}]})
    headers = {"Content-Type": "text/event-stream"}
    half = Reply(headers=headers, whole_body=f"data: {chunk}\n\ndata: <html>\n\n")
    desk.server.queue(half, say("Soup."))

    assert desk.gateway.text(desk.request()) == "Soup."

    assert desk.ledger.calls[0].answer == "So"
    assert "broke off" in desk.ledger.calls[0].problem


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
        ("Unrecognized request argument supplied: seed", "seed"),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_for_good(
    desk: Desk, refusal: str, parameter: str
) -> None:
    desk.endpoint = desk.endpoint.model_copy(update={"seed": 7})

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
