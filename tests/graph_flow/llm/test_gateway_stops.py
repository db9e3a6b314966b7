"""A writer who stops: whatever a call is waiting for, it waits no longer, and its slot is free again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from graph_flow.llm.errors import RunStopped
from graph_flow.llm.gateway import CallScope, Gateway, Message, Request, wait_or_stop
from graph_flow.llm.transport.endpoints import Connection, EndpointBook, embedded_endpoint
from graph_flow.llm.transport.offer import OwnModels
from store.models.endpoint import ModelSettings
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.ledgers import MemoryLedger
from tests.fakes.scripted_server import Reply, ScriptedServer, say
from tests.graph_flow.llm.desk import Desk

MakeDesk = Callable[..., Desk]

SOON = 10
"""Seconds; what is waited for would take a minute at least."""


@contextmanager
def asking(desk: Desk) -> Iterator[Future[str]]:
    """Ask in a thread of its own, until the block has stopped the run; then the call must end."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(desk.gateway.text, desk.request())
        try:
            yield waiting
        finally:
            desk.stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=SOON)


def expect_nobody_served(server: ScriptedServer) -> None:
    """The endpoint has noticed that its clients hung up."""
    for _ in range(500):
        if server.at_once == 0:
            return
        threading.Event().wait(fake.MOMENT)
    raise AssertionError(f"{server.at_once} requests are still being served")


def expect_free(desk: Desk) -> None:
    """A call of a later run is answered, and the one that was stopped is over for the endpoint too."""
    expect_nobody_served(desk.server)
    desk.stop.clear()
    desk.server.queue(say("Bread."))
    assert desk.gateway.text(desk.request("What is for supper?")) == "Bread."


def test_a_stopped_run_makes_no_call(desk: Desk) -> None:
    desk.stop.set()

    with pytest.raises(RunStopped):
        desk.gateway.text(desk.request())

    assert desk.server.history == []


def test_a_stop_while_the_endpoint_is_silent_ends_the_call(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, concurrency=1)
    desk.server.queue(fake.hang())

    with asking(desk):
        assert desk.server.has_arrived.wait(SOON)

    assert desk.ledger.calls[0].problem == "stopped by the writer"
    expect_free(desk)


def test_a_stop_between_chunks_ends_the_call(desk: Desk) -> None:
    desk.server.queue(say("Soup, and more soup. " * 50))

    with pytest.raises(RunStopped):
        desk.gateway.text(desk.request(), lambda _text: desk.stop.set())

    assert desk.ledger.outcomes == [Outcome.FAILED]
    assert desk.ledger.calls[0].answer.startswith("Soup")
    expect_free(desk)


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


@pytest.mark.parametrize(
    "reply", [fake.commenting(), fake.sending({"reasoning_content": "Hm."}), fake.sending({})]
)
def test_stop_in_mid_stream_hangs_up(
    reply: Reply, server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, concurrency=1)
    server.queue(reply)

    with asking(desk):
        assert server.has_arrived.wait(SOON)

    expect_free(desk)


def test_stop_while_waiting_for_a_slot(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, concurrency=1)
    server.queue(fake.hang(), say("Soup."))
    patient = CallScope(branch="b1", run="r2", step="first", stop=threading.Event())

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(desk.gateway.text, desk.request("first", scope=patient))
        assert server.has_arrived.wait(SOON)
        with asking(desk):
            pass
        patient.stop.set()
        with pytest.raises(RunStopped):
            first.result(timeout=SOON)

    assert len(server.history) == 1
    assert [call.step for call in desk.ledger.calls] == ["first"], "the other asked for nothing"


def test_stop_while_connecting(server: ScriptedServer, make_desk: MakeDesk) -> None:
    """Something takes the connection, and never answers the handshake."""
    desk = make_desk(server, concurrency=1)
    address = desk.endpoint
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        desk.endpoint = address.model_copy(update={"base_url": f"https://127.0.0.1:{port}/v1"})
        with asking(desk):
            connection, _ = mute.accept()
    connection.close()

    assert desk.ledger.outcomes == [Outcome.FAILED]
    assert desk.server.history == []


@pytest.mark.parametrize("reply", [fake.too_many("60"), fake.refuse(503, "overloaded")])
def test_stop_between_two_attempts(reply: Reply, desk: Desk) -> None:
    is_waiting = threading.Event()
    desk.server.answer = lambda _sent: reply

    def pause(seconds: float, stop: threading.Event) -> None:
        is_waiting.set()
        wait_or_stop(seconds + 60, stop)

    desk.pause = pause
    with asking(desk):
        assert is_waiting.wait(SOON)

    assert len(desk.server.history) == 1


class Loading:
    """A model of our own that takes for ever to load."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.may_end = threading.Event()

    def ensure(self) -> Connection:
        self.has_begun.set()
        self.may_end.wait()
        return Connection(embedded_endpoint(), "local-key", is_embedded=True)

    def revive(self, failed: Connection) -> None:
        """It never ran."""

    def stop(self) -> None:
        """It never ran."""


def test_stop_while_a_model_of_our_own_is_loaded() -> None:
    local, stop = Loading(), threading.Event()
    book = EndpointBook(ModelSettings, OwnModels(lambda _name: None), lambda _file: local)
    gateway = Gateway(book, MemoryLedger())
    request = Request(
        "a", (Message("user", "A scene."),), CallScope(None, None, "s", stop), max_tokens=100
    )

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(gateway.text, request)
        assert local.has_begun.wait(SOON)
        stop.set()
        with pytest.raises(RunStopped):
            waiting.result(timeout=SOON)

    local.may_end.set()
