from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from graph_flow.llm.errors import (
    CreditUsedUp,
    EndpointFailing,
    EndpointTimeout,
    EndpointUnreachable,
    KeyMissing,
    KeyRefused,
    ModelError,
    NotAModel,
    PromptTooLong,
    RequestRefused,
    RunStopped,
    TooManyRequests,
    UnusableAnswer,
)
from graph_flow.llm.gateway import CallScope, Gateway, Message, Request
from graph_flow.llm.transport.endpoints import Connection, EndpointBook, embedded_endpoint
from store.models.endpoint import Dialect, ModelSettings
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.ledgers import MemoryLedger
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say, say_json
from tests.graph_flow.llm.desk import DINNER, KEY, Desk, Dinner

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
        dinner = desk.gateway.structured(desk.request(), Dinner)

        assert 1 <= len(dinner.guests) <= 3
        assert desk.ledger.outcomes == [Outcome.OK]
        assert len(server.history) == 1
        assert json.dumps("angry") in json.dumps(server.history[0].body).replace("\\", "")


@pytest.mark.parametrize("dialect", [Dialect.STRICT, Dialect.JSON_ONLY, Dialect.NONE])
def test_a_dialect_is_found_once_and_remembered(dialect: Dialect, make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=dialect) as server:
        desk = make_desk(server)
        desk.gateway.structured(desk.request("first"), Dinner)
        steps = len(server.history)
        desk.gateway.structured(desk.request("second"), Dinner)

        assert desk.dialects[-1] is dialect
        assert len(server.history) == steps + 1
        assert steps == 1 + list(Dialect).index(dialect)


def test_many_threads_find_a_dialect_together(make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=Dialect.NONE) as server, ThreadPoolExecutor(8) as pool:
        desk = make_desk(server, concurrency=8)
        requests = [desk.request(f"dinner {number}") for number in range(16)]
        found = list(pool.map(lambda request: desk.gateway.structured(request, Dinner), requests))

        assert len(found) == 16
        assert desk.dialects == [Dialect.STRICT, Dialect.JSON_ONLY, Dialect.NONE]


def test_a_schema_that_is_taken_and_ignored_is_said_in_words(desk: Desk) -> None:
    desk.server.queue(say("With pleasure! Who shall come?"), say_json(DINNER))

    desk.gateway.structured(desk.request(), Dinner)

    assert desk.dialects == [Dialect.JSON_ONLY]
    assert '"enum":["calm","angry"]' in desk.server.history[1].messages[0]["content"]


def test_the_model_is_shown_its_error(desk: Desk) -> None:
    bad = {"guests": [{"name": "Odile", "mood": "hungry", "age": 40}], "host": None}
    desk.server.queue(say_json(bad), say_json(DINNER))

    dinner = desk.gateway.structured(desk.request(), Dinner)

    assert dinner.guests[0].name == "Odile"
    assert desk.ledger.outcomes == [Outcome.UNUSABLE, Outcome.OK]
    shown = desk.server.history[1].messages
    assert "hungry" in shown[-2]["content"]
    assert "guests.0.mood" in shown[-1]["content"]
    assert desk.dialects == []


def test_a_model_that_makes_the_same_mistake_again_is_asked_as_at_first(desk: Desk) -> None:
    bad = {"guests": [{"name": "Odile", "mood": "hungry", "age": 40}], "host": None}
    desk.server.queue(say_json(bad), say_json(bad), say_json(DINNER))

    desk.gateway.structured(desk.request(), Dinner)

    first, second, third = (sent.messages for sent in desk.server.history)
    assert len(second) > len(first)
    assert third == first


def test_unusable_answers_end_in_a_clear_failure(desk: Desk) -> None:
    desk.server.queue(*[say("I would rather talk about the weather.")] * 3)

    with pytest.raises(UnusableAnswer) as failure:
        desk.gateway.structured(desk.request(), Dinner)

    assert failure.value.partial == "I would rather talk about the weather."
    assert "Settings" in str(failure.value)
    assert desk.ledger.outcomes == [Outcome.UNUSABLE] * 3


def test_a_truncated_object_is_never_complete(desk: Desk) -> None:
    desk.server.queue(fake.truncated(json.dumps(DINNER)), say_json(DINNER))

    desk.gateway.structured(desk.request(), Dinner)

    assert desk.ledger.outcomes == [Outcome.TRUNCATED, Outcome.OK]
    assert [sent.limit for sent in desk.server.history] == [200, 400]


def test_more_room_stays_within_the_window(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, context_window=512)
    server.queue(*[fake.truncated('{"guests": [')] * 3)

    with pytest.raises(UnusableAnswer):
        desk.gateway.structured(desk.request(max_tokens=300), Dinner)

    assert max(sent.limit for sent in server.history) < 512


def test_an_object_that_repeats_the_example_is_asked_again_without_it(desk: Desk) -> None:
    leak = {"guests": [{"name": "Quillon", "mood": "calm", "age": 40}], "host": None}
    desk.server.queue(say_json(leak), say_json(DINNER))

    dinner = desk.gateway.structured(with_example(desk, json.dumps(leak)), Dinner)

    assert dinner.guests[0].name == "Odile"
    expect_the_example_gone(desk)


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


# A model of our own


class Reviving:
    """A local model whose server is gone until it is revived."""

    def __init__(self, server: ScriptedServer) -> None:
        self.server = server
        self.revived = 0

    def ensure(self) -> Connection:
        address = self.server.url if self.revived else "http://127.0.0.1:9/v1"
        endpoint = embedded_endpoint().model_copy(update={"base_url": address})
        return Connection(endpoint, "local-key", is_embedded=True)

    def revive(self, failed: Connection) -> None:
        assert failed.endpoint.base_url == "http://127.0.0.1:9/v1"
        self.revived += 1

    def stop(self) -> None:
        """Nothing runs."""


def test_the_embedded_server_is_restarted_when_it_is_gone(server: ScriptedServer) -> None:
    local = Reviving(server)
    ledger = MemoryLedger()
    book = EndpointBook(ModelSettings, lambda _name: None, lambda _model_file: local)
    gateway = Gateway(book, ledger, pause=lambda _seconds, _stop: None)
    scope = CallScope(branch=None, run=None, step="s", stop=threading.Event())

    assert gateway.text(Request("a", (Message("user", "A scene."),), scope, 100))
    gateway.close()

    assert local.revived == 1
    assert ledger.outcomes == [Outcome.FAILED, Outcome.OK]
    [sent] = server.history
    assert (sent.body["repeat_penalty"], sent.body["min_p"]) == (1.1, 0.05)


def test_other_endpoints_get_no_parameters_of_the_embedded_one(desk: Desk) -> None:
    desk.gateway.text(desk.request())

    assert set(desk.server.history[0].body) == {
        "model",
        "messages",
        "stream",
        "stream_options",
        "max_tokens",
        "temperature",
    }


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


# Nothing is paid for twice


def test_a_finished_text_is_found_again(desk: Desk) -> None:
    first = desk.gateway.text(desk.request())
    seen: list[str] = []

    assert desk.gateway.text(desk.request(), seen.append) == first

    assert seen == [first]
    assert len(desk.server.history) == 1


def test_a_continued_text_is_found_again_whole(desk: Desk) -> None:
    desk.server.queue(fake.truncated("The soup was "), say("cold."))
    desk.gateway.text(desk.request())

    assert desk.gateway.text(desk.request()) == "The soup was cold."

    assert len(desk.server.history) == 2


def test_a_finished_object_is_found_again(desk: Desk) -> None:
    first = desk.gateway.structured(desk.request(), Dinner)

    assert desk.gateway.structured(desk.request(), Dinner) == first

    assert len(desk.server.history) == 1


def test_an_object_that_took_two_tries_is_found_by_the_first_prompt(desk: Desk) -> None:
    desk.server.queue(say("nonsense"), say_json(DINNER))
    first = desk.gateway.structured(desk.request(), Dinner)

    assert desk.gateway.structured(desk.request(), Dinner) == first

    assert len(desk.server.history) == 2


def test_another_prompt_step_or_branch_is_another_call(desk: Desk) -> None:
    desk.gateway.text(desk.request())
    desk.gateway.text(desk.request("Who leaves early?"))
    for branch, step in (("b2", "dinner"), ("b1", "supper"), (None, "dinner")):
        scope = CallScope(branch=branch, run="r1", step=step, stop=desk.stop)
        desk.gateway.text(desk.request(scope=scope))

    assert len(desk.server.history) == 5


# Keys


def test_the_key_goes_to_its_own_address_and_nowhere_else(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, key_variable="TEST_KEY")
    server.queue(fake.refuse(400, f"schema? {KEY}"), say_json({**DINNER, "note": KEY}))
    server.queue(say(f"You sent me {KEY}!"), fake.refuse(403, f"bad {KEY}"))

    desk.gateway.structured(desk.request(), Dinner)
    text = desk.gateway.text(desk.request("the second"))
    with pytest.raises(KeyRefused) as failure:
        desk.gateway.text(desk.request("the third"))

    assert all(sent.headers["authorization"] == f"Bearer {KEY}" for sent in server.history)
    assert KEY not in text
    assert KEY not in str(failure.value) + failure.value.detail + repr(desk.gateway.endpoint())
    assert not any(KEY in call.model_dump_json() for call in desk.ledger.calls)


def test_a_redirect_is_not_followed(server: ScriptedServer, make_desk: MakeDesk) -> None:
    with ScriptedServer() as other:
        desk = make_desk(server, key_variable="TEST_KEY")
        server.queue(Reply(status=307, headers={"Location": other.url}, whole_body=""))

        with pytest.raises(RequestRefused):
            desk.gateway.text(desk.request())

        assert other.history == []


def test_a_missing_key_makes_no_call(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, key_variable="NOT_SET")

    with pytest.raises(KeyMissing, match="NOT_SET"):
        desk.gateway.text(desk.request())

    assert server.history == []


@pytest.mark.parametrize("value", ["two words", "schlüssel-0123456789", "a\nb"])
def test_what_cannot_be_a_key_is_not_sent(desk: Desk, value: str) -> None:
    desk.variables = {"TEST_KEY": value}
    desk.endpoint = desk.endpoint.model_copy(update={"key_variable": "TEST_KEY"})

    with pytest.raises(KeyRefused) as failure:
        desk.gateway.text(desk.request())

    assert value not in str(failure.value)
    assert desk.server.history == []


def test_nothing_of_the_environment_is_sent(
    server: ScriptedServer, make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaks = {
        "OPENAI_API_KEY": "sk-environment-0123456789",
        "OPENAI_ADMIN_KEY": "sk-admin-0123456789",
        "OPENAI_ORG_ID": "org-secret",
        "OPENAI_PROJECT_ID": "proj-secret",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
        "OPENAI_API_BASE": "http://127.0.0.1:9/elsewhere",
        "OPENAI_CUSTOM_HEADERS": "X-Leak: header-secret",
        "OPENAI_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "LC_OUTPUT_VERSION": "responses/v1",
    }
    for name, value in leaks.items():
        monkeypatch.setenv(name, value)
    desk = make_desk(server)

    desk.gateway.text(desk.request())

    [sent] = server.history
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == "Bearer no-key"
    told = json.dumps([dict(sent.headers), dict(sent.body)])
    assert not any(secret in told for secret in ("secret", "sk-", "stainless", "elsewhere"))


# Many at once


def test_no_more_calls_at_once_than_the_endpoint_takes(make_desk: MakeDesk) -> None:
    with ScriptedServer(latency=0.03) as server, ThreadPoolExecutor(8) as pool:
        desk = make_desk(server, concurrency=2)
        requests = [desk.request(f"dinner {number}") for number in range(8)]
        list(pool.map(desk.gateway.text, requests))

        assert len(server.history) == 8
        assert server.most_at_once == 2


def test_a_slot_is_held_until_an_abandoned_call_ends(make_desk: MakeDesk) -> None:
    with ScriptedServer() as server, ThreadPoolExecutor(2) as pool:
        desk = make_desk(server, concurrency=1)
        server.queue(fake.hang())
        first = pool.submit(desk.gateway.text, desk.request("first"))
        assert server.has_arrived.wait(10)
        desk.stop.set()
        with pytest.raises(RunStopped):
            first.result(timeout=10)

        patient = CallScope(branch="b1", run="r2", step="later", stop=threading.Event())
        second = pool.submit(desk.gateway.text, desk.request("second", scope=patient))
        server.release()
        second.result(timeout=10)

        assert server.most_at_once == 1


# Testing a connection


def test_a_connection_test_finds_the_dialect_anew(make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=Dialect.NONE) as server:
        desk = make_desk(server)
        assert desk.gateway.test_connection(desk.endpoint).dialect is Dialect.NONE

        server.dialect = Dialect.FULL
        assert desk.gateway.test_connection(desk.endpoint).dialect is Dialect.FULL


def test_a_good_connection_is_reported_with_its_dialect(make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=Dialect.JSON_ONLY) as server:
        desk = make_desk(server)
        report = desk.gateway.test_connection(desk.endpoint)

    assert report.ok
    assert report.dialect is Dialect.JSON_ONLY
    assert report.message.startswith("Answers in")


def test_a_bad_connection_is_reported_in_plain_words(desk: Desk) -> None:
    desk.server.answer = lambda _sent: fake.refuse(401, "no")
    report = desk.gateway.test_connection(desk.endpoint)

    assert not report.ok
    assert "key" in report.message
