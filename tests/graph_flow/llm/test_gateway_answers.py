"""Texts and objects: what is asked of a model, and what is taken for an answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from graph_flow.llm.errors import (
    EndpointFailing,
    UnusableAnswer,
)
from graph_flow.llm.gateway import Message, Request
from store.models.endpoint import Dialect
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, Desk

MakeDesk = Callable[..., Desk]


# Text


def test_text_streams_and_is_recorded(desk: Desk) -> None:
    second_half = threading.Event()
    desk.server.queue(fake.in_halves("The soup was cold, and nobody said so.", second_half))
    seen: list[str] = []

    def see(so_far: str) -> None:
        seen.append(so_far)
        second_half.set()

    text = desk.gateway.text(desk.request(), see)

    assert text == "The soup was cold, and nobody said so."
    assert len(seen) > 1
    assert all(text.startswith(part) for part in seen)
    [call] = desk.ledger.calls
    assert (call.outcome, call.agent, call.step) == (Outcome.OK, "host", "dinner")
    assert (call.branch, call.run, call.endpoint) == ("b1", "r1", "Scripted")
    assert call.answer == text
    assert "Who comes to dinner?" in call.prompt
    assert call.tokens_out == len(text) // 4 + 1


def test_tokens_are_estimated_and_priced(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, price_in=2.0, price_out=8.0)
    server.queue(Reply("Soup.", reports_usage=False))

    desk.gateway.text(desk.request())

    [call] = desk.ledger.calls
    assert call.tokens_in > 0
    assert call.tokens_out > 0
    assert call.cost == pytest.approx((2.0 * call.tokens_in + 8.0 * call.tokens_out) / 1_000_000)


def test_a_truncated_text_is_continued_at_the_last_whole_word(desk: Desk) -> None:
    desk.server.queue(fake.truncated("The soup was cold, and nob"), say("nobody said so."))
    seen: list[str] = []

    assert (
        desk.gateway.text(desk.request(), seen.append) == "The soup was cold, and nobody said so."
    )

    assert desk.ledger.outcomes == [Outcome.TRUNCATED, Outcome.OK]
    assert seen[-1] == "The soup was cold, and nobody said so."
    assert desk.server.history[1].messages[-2]["content"] == "The soup was cold, and"


def test_a_text_that_never_ends_fails_with_what_there_is(desk: Desk) -> None:
    desk.server.queue(*[fake.truncated(f"Part {number} ends here ") for number in range(5)])

    with pytest.raises(UnusableAnswer) as failure:
        desk.gateway.text(desk.request())

    assert "Part 0" in failure.value.partial
    assert "Part 4" in failure.value.partial
    assert desk.ledger.outcomes == [Outcome.TRUNCATED] * 5


def test_a_cut_stream_is_noticed_and_asked_again(desk: Desk) -> None:
    desk.server.queue(fake.cut("The soup was"), say("The soup was cold."))

    assert desk.gateway.text(desk.request()) == "The soup was cold."

    assert desk.ledger.outcomes == [Outcome.FAILED, Outcome.OK]
    assert desk.ledger.calls[0].answer == "The soup was"


def test_a_stream_that_is_always_cut_fails_with_what_there_is(desk: Desk) -> None:
    desk.server.queue(*[fake.cut("The soup was")] * 4)

    with pytest.raises(EndpointFailing) as failure:
        desk.gateway.text(desk.request())

    assert failure.value.partial == "The soup was"
    assert len(desk.server.history) == 4


def test_an_empty_text_is_asked_again(desk: Desk) -> None:
    desk.server.queue(say(""), say("  \n"), say("Soup."))

    assert desk.gateway.text(desk.request()) == "Soup."

    assert desk.ledger.outcomes == [Outcome.UNUSABLE, Outcome.UNUSABLE, Outcome.OK]


def test_reasoning_is_neither_shown_nor_kept(desk: Desk) -> None:
    desk.server.queue(say("<think>They want soup, do they not?</think>\n\nThe soup was cold."))
    seen: list[str] = []

    assert desk.gateway.text(desk.request(), seen.append) == "The soup was cold."

    assert not any("they" in part.lower() or "<" in part for part in seen)
    assert desk.ledger.calls[0].answer == "The soup was cold."


def test_a_model_that_thinks_its_tokens_away_gets_more(desk: Desk) -> None:
    desk.server.queue(fake.truncated("<think>Soup, or rather bread"), say("Soup."), say("Bread."))

    assert desk.gateway.text(desk.request("first")) == "Soup."
    assert desk.gateway.text(desk.request("second")) == "Bread."

    limits = [sent.limit for sent in desk.server.history]
    assert limits[0] == 200
    assert limits[1] == limits[2] > 2_000


def with_example(desk: Desk, answer: str) -> Request:
    """Return a request with a worked example, whose Quillon may not come back."""
    told, asked = Message("system", "You lay tables."), Message("user", "Who comes?")
    example = (Message("user", "Who came?"), Message("assistant", answer))
    return replace(
        desk.request(forbidden=("Quillon", "bell of moss")), messages=(told, *example, asked)
    )


def expect_the_example_gone(desk: Desk) -> None:
    first, second = (sent.messages for sent in desk.server.history)
    assert second == [first[0], first[-1]]
    assert "Quillon" in json.dumps(first)
    assert "Quillon" not in json.dumps(second)


def test_a_text_that_repeats_the_example_is_asked_again_without_it(desk: Desk) -> None:
    desk.server.queue(say("Then Quillon came."), say("Then Odile came."))

    assert desk.gateway.text(with_example(desk, "Then Quillon came.")) == "Then Odile came."

    assert desk.ledger.outcomes == [Outcome.UNUSABLE, Outcome.OK]
    expect_the_example_gone(desk)


def test_a_phrase_of_the_story_itself_is_no_leak(desk: Desk) -> None:
    desk.server.queue(say("Then Quillon came."))

    request = desk.request("A story of Quillon.", forbidden=("Quillon",))

    assert desk.gateway.text(request) == "Then Quillon came."


# Objects


@pytest.mark.parametrize("dialect", list(Dialect))
def test_each_dialect_gets_what_it_takes(dialect: Dialect, make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=dialect) as server:
        desk = make_desk(server, dialect=dialect)
        dinner = desk.gateway.structured(desk.request(), ASKED)

        assert 1 <= len(dinner.guests) <= 3
        assert desk.ledger.outcomes == [Outcome.OK]
        assert len(server.history) == 1
        assert json.dumps("angry") in json.dumps(server.history[0].body).replace("\\", "")


@pytest.mark.parametrize("dialect", [Dialect.STRICT, Dialect.JSON_ONLY, Dialect.NONE])
def test_a_dialect_is_found_once_and_remembered(dialect: Dialect, make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=dialect) as server:
        desk = make_desk(server)
        desk.gateway.structured(desk.request("first"), ASKED)
        steps = len(server.history)
        desk.gateway.structured(desk.request("second"), ASKED)

        assert desk.dialects[-1] is dialect
        assert len(server.history) == steps + 1
        assert steps == 1 + list(Dialect).index(dialect)


def test_many_threads_find_a_dialect_together(make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=Dialect.NONE) as server, ThreadPoolExecutor(8) as pool:
        desk = make_desk(server, concurrency=8)
        requests = [desk.request(f"dinner {number}") for number in range(16)]
        found = list(pool.map(lambda request: desk.gateway.structured(request, ASKED), requests))

        assert len(found) == 16
        assert desk.dialects == [Dialect.STRICT, Dialect.JSON_ONLY, Dialect.NONE]


def test_the_model_is_shown_its_error(desk: Desk) -> None:
    bad = {"guests": [{"name": "Odile", "mood": "hungry", "age": 40}], "host": None}
    desk.server.queue(say_json(bad), say_json(DINNER))

    dinner = desk.gateway.structured(desk.request(), ASKED)

    assert dinner.guests[0].name == "Odile"
    assert desk.ledger.outcomes == [Outcome.UNUSABLE, Outcome.OK]
    shown = desk.server.history[1].messages
    assert "hungry" in shown[-2]["content"]
    assert "guests.0.mood" in shown[-1]["content"]
    assert desk.dialects == []


def test_a_model_that_makes_the_same_mistake_again_is_asked_as_at_first(desk: Desk) -> None:
    bad = {"guests": [{"name": "Odile", "mood": "hungry", "age": 40}], "host": None}
    desk.server.queue(say_json(bad), say_json(bad), say_json(DINNER))

    desk.gateway.structured(desk.request(), ASKED)

    first, second, third = (sent.messages for sent in desk.server.history)
    assert len(second) > len(first)
    assert third == first


def test_unusable_answers_end_in_a_clear_failure(desk: Desk) -> None:
    desk.server.queue(*[say("I would rather talk about the weather.")] * 3)

    with pytest.raises(UnusableAnswer) as failure:
        desk.gateway.structured(desk.request(), ASKED)

    assert failure.value.partial == "I would rather talk about the weather."
    assert "Settings" in str(failure.value)
    assert desk.ledger.outcomes == [Outcome.UNUSABLE] * 3


def test_a_truncated_object_is_never_complete(desk: Desk) -> None:
    desk.server.queue(fake.truncated(json.dumps(DINNER)), say_json(DINNER))

    desk.gateway.structured(desk.request(), ASKED)

    assert desk.ledger.outcomes == [Outcome.TRUNCATED, Outcome.OK]
    assert [sent.limit for sent in desk.server.history] == [200, 400]


def test_more_room_stays_within_the_window(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, context_window=512)
    server.queue(*[fake.truncated('{"guests": [')] * 3)

    with pytest.raises(UnusableAnswer):
        desk.gateway.structured(desk.request(max_tokens=300), ASKED)

    assert max(sent.limit for sent in server.history) < 512


def test_an_object_that_repeats_the_example_is_asked_again_without_it(desk: Desk) -> None:
    leak = {"guests": [{"name": "Quillon", "mood": "calm", "age": 40}], "host": None}
    desk.server.queue(say_json(leak), say_json(DINNER))

    dinner = desk.gateway.structured(with_example(desk, json.dumps(leak)), ASKED)

    assert dinner.guests[0].name == "Odile"
    expect_the_example_gone(desk)
