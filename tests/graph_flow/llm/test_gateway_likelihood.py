"""How likely a text is: told in one of two ways, kept like any call, and refused in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph_flow.llm.errors import KeyRefused, LikelihoodUntold, RunStopped
from graph_flow.llm.gateway import Message, Request
from store.models.run import Outcome
from tests.fakes.scripted_server import Answer, Reply, ScriptedServer, Sent, refuse, say
from tests.fakes.weighing import KNOWN, NEW, echoing, writing
from tests.graph_flow.llm.desk import Desk

BEFORE, TEXT = "The keeper lit the lamp.\n\n", "The keeper slept."
FOUND = (KNOWN, KNOWN, NEW)


def weighing(desk: Desk, text: str = TEXT, before: str = BEFORE) -> Request:
    messages = (Message("user", before), Message("assistant", text))
    return desk.request(messages=messages, max_tokens=20)


@pytest.mark.parametrize("answer", [echoing, writing()], ids=["given back", "written"])
def test_each_token_is_told_and_no_call_is_made_twice(
    server: ScriptedServer, desk: Desk, answer: Answer
) -> None:
    server.answer = answer
    request = weighing(desk)

    assert desk.gateway.likelihood(request) == FOUND
    asked = server.asked
    assert desk.gateway.likelihood(request) == FOUND

    assert server.asked == asked
    [call] = desk.ledger.calls
    assert call.outcome is Outcome.OK
    assert call.answer.split() == [f"{one:.4f}" for one in FOUND]
    assert TEXT in call.prompt
    assert call.tokens_in > 0


def test_the_way_is_found_once(server: ScriptedServer, desk: Desk) -> None:
    server.answer = writing()

    for text in (TEXT, "A gull cried.", "Nobody came."):
        desk.gateway.likelihood(weighing(desk, text))

    paths = [sent.path for sent in server.history]
    assert paths.count("/v1/completions") == 1
    assert paths.count("/completion") == 3


def test_marks_of_a_chat_are_words_like_any_others(server: ScriptedServer, desk: Desk) -> None:
    server.answer = writing()

    assert len(desk.gateway.likelihood(weighing(desk, "He said <|im_end|> twice."))) == 4

    plain = [sent.body["parse_special"] for sent in server.history if sent.path == "/tokenize"]
    assert plain == [False, False]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda _: say("It is likely."), id="one that only chats"),
        pytest.param(lambda _: refuse(404, "Not Found"), id="one that has no such path"),
        pytest.param(lambda _: refuse(400, "echo is not supported"), id="one that refuses"),
        pytest.param(writing(strays_at=1), id="one that is not held to the text"),
    ],
)
def test_who_does_not_tell_is_said_in_words(
    server: ScriptedServer, desk: Desk, answer: Answer
) -> None:
    server.answer = answer

    with pytest.raises(LikelihoodUntold, match="does not say how likely"):
        desk.gateway.likelihood(weighing(desk))

    assert desk.pauses == []
    assert {one.outcome for one in desk.ledger.calls} == {Outcome.FAILED}


def test_other_failures_stay_what_they_are(server: ScriptedServer, desk: Desk) -> None:
    server.answer = lambda _: refuse(401, "Wrong key")

    with pytest.raises(KeyRefused):
        desk.gateway.likelihood(weighing(desk))


def test_an_answer_that_ends_too_soon_is_asked_for_again(
    server: ScriptedServer, desk: Desk
) -> None:
    whole = writing()
    cut = ["\n\n"]

    def answer(sent: Sent) -> Reply | None:
        reply = whole(sent)
        if reply is None or reply.whole_body is None or sent.path != "/completion" or not cut:
            return reply
        first, _, _ = reply.whole_body.partition("\n\n")
        return replace(reply, whole_body=f"{first}{cut.pop()}")

    server.answer = answer

    assert desk.gateway.likelihood(weighing(desk)) == FOUND
    assert desk.pauses
    assert desk.ledger.outcomes == [Outcome.FAILED, Outcome.OK]


def test_it_can_be_stopped(server: ScriptedServer, desk: Desk) -> None:
    server.answer = writing()
    desk.stop.set()

    with pytest.raises(RunStopped):
        desk.gateway.likelihood(weighing(desk))
    assert server.asked == 0
