"""Endpoints that say nothing: how long they are waited for, what is said of it, and that it ends."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from graph_flow.llm.errors import EndpointTimeout, never_done, silent, without_content
from graph_flow.llm.retries import Tries
from graph_flow.llm.transport.pump import KEPT_ALIVE
from store.models.run import Outcome
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, say
from tests.graph_flow.llm.desk import Desk
from tests.graph_flow.llm.test_gateway_stops import expect_nobody_served

MakeDesk = Callable[..., Desk]

TIMEOUT = 0.2


def test_a_silent_endpoint_is_asked_twice_and_says_so_after_the_first_time(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, timeout=TIMEOUT)
    server.queue(*[fake.hang()] * 5)
    troubles: list[tuple[int, str]] = []
    scope = replace(
        desk.request().scope,
        on_trouble=lambda words: troubles.append((len(desk.ledger.outcomes), words)),
    )

    with pytest.raises(EndpointTimeout) as failure:
        desk.gateway.text(desk.request(scope=scope))

    assert desk.ledger.outcomes == [Outcome.FAILED] * 2
    assert desk.pauses == [1.0]
    [(asked, words)] = [said for said in troubles if said[1]]
    assert asked == 1
    assert re.fullmatch(
        r"The model has said nothing for [\d.]+ seconds?; trying again in 1 s\.", words
    )
    assert re.search(
        r"said nothing for [\d.]+ seconds?, [\d.]+ seconds? in all", str(failure.value)
    )
    expect_nobody_served(server)


def test_what_is_said_is_how_long_it_really_took(desk: Desk) -> None:
    """A silence of 20 minutes was once called one of 120 seconds."""
    desk.endpoint = desk.endpoint.model_copy(update={"timeout": 1.0})
    desk.server.queue(*[fake.hang()] * 2)

    with pytest.raises(EndpointTimeout) as failure:
        desk.gateway.text(desk.request())

    one, altogether = map(int, re.findall(r"(\d+) seconds?", str(failure.value)))
    assert 1 <= one < altogether
    assert altogether >= 2


def test_streams_of_comments_end_and_the_next_call_is_answered(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    """As many as there are slots, and more, all asked at once: none of them keeps its slot."""
    desk = make_desk(server, timeout=TIMEOUT, concurrency=4)
    server.answer = lambda _sent: fake.commenting()

    with ThreadPoolExecutor(6) as pool:
        waiting = [
            pool.submit(desk.gateway.text, desk.request(f"dinner {number}")) for number in range(6)
        ]
        for call in waiting:
            with pytest.raises(EndpointTimeout):
                call.result(timeout=60)
    # Counted where they are asked: a busy machine may give up on one before the server has it.
    assert desk.ledger.outcomes == [Outcome.FAILED] * 12, "each was asked twice"
    expect_nobody_served(server)

    may_go = threading.Event()
    server.answer = lambda _sent: fake.commenting("Soup.", may_go)
    desk.endpoint = desk.endpoint.model_copy(update={"timeout": 20.0})
    with ThreadPoolExecutor(4) as pool:
        waiting = [
            pool.submit(desk.gateway.text, desk.request(f"supper {number}")) for number in range(4)
        ]
        for _ in range(500):
            if server.at_once == 4:
                break
            threading.Event().wait(fake.MOMENT)
        assert server.at_once == 4, "every slot can be taken again"
        may_go.set()
        assert [call.result(timeout=60) for call in waiting] == ["Soup."] * 4


def test_comments_keep_a_call_alive_for_longer_than_its_timeout(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    """A gateway sends them while a slow model is thinking; the page says that it is waited for."""
    desk = make_desk(server, timeout=1.0)
    is_told = threading.Event()
    troubles: list[str] = []
    server.queue(fake.commenting("Soup.", is_told))

    def tell(words: str) -> None:
        troubles.append(words)
        if "it is still there" in words:
            is_told.set()

    scope = replace(desk.request().scope, on_trouble=tell)
    assert desk.gateway.text(desk.request(scope=scope)) == "Soup."

    assert len(server.history) == 1
    longest = f"waiting for up to {KEPT_ALIVE} seconds."
    assert [words.partition("; ")[2] for words in troubles if words] == [longest]
    assert troubles[-1] == "", "it is over as soon as the answer begins"


def test_an_answer_that_is_never_done_is_not_asked_for_again(desk: Desk) -> None:
    assert Tries().wait_after(never_done(desk.endpoint, 1_200)) is None
    assert Tries(silences=[120]).wait_after(silent(desk.endpoint, 120, 120)) == 1


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0.3 seconds", 0.3),
        ("1 second", 1.2),
        ("2 seconds", 1.6),
        ("90 seconds", 90.1),
        ("2 minutes", 120.3),
        ("20 minutes", 1_200.4),
    ],
)
def test_lengths_of_time_are_said_as_they_were(said: str, seconds: float, desk: Desk) -> None:
    assert f"for {said}. " in str(silent(desk.endpoint, seconds, seconds))
    assert f"after {said}. " in str(never_done(desk.endpoint, seconds))
    assert f"for {said}, 40 minutes in all. " in str(without_content(desk.endpoint, seconds, 2_400))


def test_a_whole_answer_is_kept_though_its_stream_does_not_end(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    """The last thing an endpoint sends are counts; without them, nothing is missing."""
    desk = make_desk(server, timeout=10 * TIMEOUT)
    may_end = threading.Event()
    server.queue(Reply("Soup.", second_half=None, before_end=may_end), say("Bread."))

    assert desk.gateway.text(desk.request()) == "Soup."

    assert desk.ledger.outcomes == [Outcome.OK]
    may_end.set()


def test_silences_between_other_faults_are_counted(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    # Long enough for a busy machine to refuse within it, or that would be a silence as well.
    desk = make_desk(server, timeout=2.0)
    server.queue(fake.refuse(500, "oops"), fake.hang(), fake.refuse(500, "oops"), fake.hang())
    server.queue(say("Soup."))

    with pytest.raises(EndpointTimeout):
        desk.gateway.text(desk.request())

    assert len(server.history) == 4


def test_connection_test_waits_out_one_silence(server: ScriptedServer, make_desk: MakeDesk) -> None:
    desk = make_desk(server, timeout=1.0)
    server.queue(fake.hang(), fake.hang())

    report = desk.gateway.test_connection(desk.endpoint)

    assert not report.ok
    assert "said nothing for" in report.message
    assert len(server.history) == 1
