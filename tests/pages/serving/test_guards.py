"""Whom the app answers, whatever it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving.guards import OwnPagesOnly, Unframed

OWN = "http://127.0.0.1:8501"
PUBLIC = "https://tales.example"


async def served(scope: Scope, _: Receive, send: Send) -> None:
    """Answer everything."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def first_answer(
    kind: str,
    origins: Sequence[str],
    host: str = "127.0.0.1:8501",
    method: str = "GET",
    scheme: str = "http",
    named: Sequence[str] = (),
) -> Message:
    """Return how the app begins to answer a request."""
    given = [("host", host), *(("origin", one) for one in origins)]
    scope = {
        "type": kind,
        "scheme": scheme.replace("http", "ws") if kind == "websocket" else scheme,
        "method": method,
        "path": "/",
        "headers": [(name.encode(), value.encode()) for name, value in given],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": f"{kind}.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Unframed(OwnPagesOnly(served, list(named)))(scope, receive, send))
    return sent[0]


FOREIGN = [
    pytest.param(["http://127.0.0.1:9999"], id="another port"),
    pytest.param(["http://127.0.0.1"], id="the usual port"),
    pytest.param(["https://127.0.0.1:8501"], id="another scheme"),
    pytest.param(["http://localhost:8501"], id="another name of this machine"),
    pytest.param(["http://127.0.0.1:8501.evil.example"], id="another host that begins alike"),
    pytest.param(["null"], id="hidden"),
    pytest.param([], id="not said"),
    pytest.param([OWN, "http://evil.example"], id="two at once"),
]


@pytest.mark.parametrize("origins", FOREIGN)
def test_page_from_elsewhere_neither_connects_nor_changes_anything(origins: list[str]) -> None:
    assert first_answer("websocket", origins)["type"] == "websocket.close"
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert first_answer("http", origins, method=method)["status"] == 403
    for method in ("GET", "HEAD", "OPTIONS"):
        assert first_answer("http", origins, method=method)["status"] == 200


@pytest.mark.parametrize("origin", [OWN, OWN.upper()])
def test_own_page_connects_and_changes_things(origin: str) -> None:
    assert first_answer("websocket", [origin])["type"] == "websocket.accept"
    assert first_answer("http", [origin], method="PUT")["status"] == 200


def test_own_page_is_so_by_the_scheme_that_it_was_asked_by() -> None:
    own = "https://127.0.0.1:8501"

    assert first_answer("websocket", [own], scheme="https")["type"] == "websocket.accept"
    assert first_answer("websocket", [OWN], scheme="https")["type"] == "websocket.close"


@pytest.mark.parametrize(
    ("origin", "host", "is_answered"),
    [
        (PUBLIC, "tales.example", True),
        (PUBLIC, "127.0.0.1:8501", True),
        (OWN, "127.0.0.1:8501", True),
        ("http://tales.example", "tales.example", False),
        ("https://tales.example:444", "tales.example", False),
        ("https://evil.example", "tales.example", False),
        ("https://x.tales.example", "tales.example", False),
    ],
)
def test_behind_a_proxy_the_named_origin_counts(origin: str, host: str, is_answered: bool) -> None:
    answer = first_answer("websocket", [origin], host, named=[f"{PUBLIC}/"])

    assert answer["type"] == ("websocket.accept" if is_answered else "websocket.close")


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("PUT", 403)])
def test_every_answer_forbids_frames(method: str, status: int) -> None:
    answer = first_answer("http", [], method=method)

    assert answer["status"] == status
    assert (b"content-security-policy", b"frame-ancestors 'none'") in answer["headers"]
    assert (b"x-frame-options", b"DENY") in answer["headers"]
