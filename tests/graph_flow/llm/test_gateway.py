"""One gateway for many calls: none is paid for twice, and no more are made at once than may be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_flow.llm.errors import ModelError
from graph_flow.llm.gateway import CallScope, Gateway, Message, Request
from graph_flow.llm.transport.endpoints import Connection, EndpointBook, embedded_endpoint
from graph_flow.llm.transport.offer import OwnModels
from store.errors import LibraryUnavailable
from store.models.endpoint import Dialect, ModelSettings
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.ledgers import MemoryLedger
from tests.fakes.scripted_server import ScriptedServer, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, Desk

MakeDesk = Callable[..., Desk]


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
    book = EndpointBook(ModelSettings, OwnModels(lambda _name: None), lambda _model_file: local)
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


def test_a_text_goes_on_from_the_parts_that_came_before_a_failure(desk: Desk) -> None:
    desk.server.queue(
        fake.truncated("The soup was "), fake.truncated("cold, and "), fake.refuse(401, "no key")
    )
    with pytest.raises(ModelError):
        desk.gateway.text(desk.request())
    desk.server.queue(say("nobody said so."))

    assert desk.gateway.text(desk.request()) == "The soup was cold, and nobody said so."

    assert len(desk.server.history) == 4
    assert desk.server.history[3].prompt == desk.server.history[2].prompt
    assert "The soup was cold, and" in desk.server.history[3].prompt


def test_a_text_that_never_ended_or_was_of_no_use_is_begun_anew(desk: Desk) -> None:
    desk.server.queue(*[fake.truncated(f"Part {number}, ") for number in range(5)])
    with pytest.raises(ModelError):
        desk.gateway.text(desk.request())
    desk.server.queue(fake.truncated("The soup "), say("was cold."))

    assert desk.gateway.text(desk.request()) == "The soup was cold."

    assert desk.server.history[5].prompt == desk.server.history[0].prompt


def test_nothing_more_is_paid_for_before_what_was_paid_for_is_recorded(desk: Desk) -> None:
    desk.gateway.text(desk.request())
    desk.ledger.is_full = True

    with pytest.raises(LibraryUnavailable):
        desk.gateway.text(desk.request("And who stays away?"))

    assert len(desk.server.history) == 1
    desk.ledger.is_full = False
    desk.gateway.text(desk.request("And who stays away?"))
    assert len(desk.server.history) == 2


def test_a_finished_object_is_found_again(desk: Desk) -> None:
    first = desk.gateway.structured(desk.request(), ASKED)

    assert desk.gateway.structured(desk.request(), ASKED) == first

    assert len(desk.server.history) == 1


def test_an_object_that_took_two_tries_is_found_by_the_first_prompt(desk: Desk) -> None:
    desk.server.queue(say("nonsense"), say_json(DINNER))
    first = desk.gateway.structured(desk.request(), ASKED)

    assert desk.gateway.structured(desk.request(), ASKED) == first

    assert len(desk.server.history) == 2


def test_another_prompt_step_or_branch_is_another_call(desk: Desk) -> None:
    desk.gateway.text(desk.request())
    desk.gateway.text(desk.request("Who leaves early?"))
    for branch, step in (("b2", "dinner"), ("b1", "supper"), (None, "dinner")):
        scope = CallScope(branch=branch, run="r1", step=step, stop=desk.stop)
        desk.gateway.text(desk.request(scope=scope))

    assert len(desk.server.history) == 5


# Many at once


def test_no_more_calls_at_once_than_the_endpoint_takes(make_desk: MakeDesk) -> None:
    with ScriptedServer() as server, ThreadPoolExecutor(8) as pool:
        server.answer_together(2)
        desk = make_desk(server, concurrency=2)
        requests = [desk.request(f"dinner {number}") for number in range(8)]
        list(pool.map(desk.gateway.text, requests))

        assert len(server.history) == 8
        assert server.most_at_once == 2


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
