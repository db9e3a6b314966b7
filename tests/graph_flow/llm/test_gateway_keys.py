"""A key goes to its own address, and nothing else of the environment goes anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from graph_flow.llm.errors import (
    KeyMissing,
    KeyRefused,
    RequestRefused,
)
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, KEY, Desk

MakeDesk = Callable[..., Desk]


def test_the_key_goes_to_its_own_address_and_nowhere_else(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, key_variable="TEST_KEY")
    server.queue(fake.refuse(400, f"schema? {KEY}"), say_json({**DINNER, "note": KEY}))
    server.queue(say(f"You sent me {KEY}!"), fake.refuse(403, f"bad {KEY}"))

    desk.gateway.structured(desk.request(), ASKED)
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
