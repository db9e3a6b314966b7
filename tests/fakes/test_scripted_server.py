"""The scripted server can stand alone, and play a whole story."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2

from store.models.endpoint import Dialect
from tests.fakes.scripted_server import ScriptedServer, truncated

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 20},
        "kind": {"type": "string", "enum": ["friend", "rival"]},
        "lines": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
    },
    "required": ["name", "kind", "lines"],
    "additionalProperties": False,
}


def ask(url: str, prompt: str, **parameters: Any) -> dict[str, Any]:
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}], **parameters}
    with httpx2.Client(trust_env=False, timeout=30) as client:
        found: dict[str, Any] = client.post(f"{url}/chat/completions", json=body).json()
    return found


def content(answer: dict[str, Any]) -> str:
    return str(answer["choices"][0]["message"]["content"])


def test_it_follows_a_schema_and_varies() -> None:
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    with ScriptedServer() as server:
        first = content(ask(server.url, "who?", response_format=wanted))
        second = content(ask(server.url, "who?", response_format=wanted))
    with ScriptedServer() as server:
        again = content(ask(server.url, "who?", response_format=wanted))

    person = json.loads(first)
    assert person["kind"] in {"friend", "rival"}
    assert len(person["name"]) <= 20
    assert len(person["lines"]) == 2
    assert first != second
    assert first == again


def test_it_follows_a_schema_that_is_only_described() -> None:
    with ScriptedServer(dialect=Dialect.NONE) as server:
        person = json.loads(content(ask(server.url, f"As JSON: {json.dumps(SCHEMA)}")))

    assert set(person) == {"name", "kind", "lines"}


def test_it_writes_paragraphs_within_the_limit() -> None:
    with ScriptedServer() as server:
        answer = ask(server.url, "A scene.", max_tokens=400)

    assert "\n\n" in content(answer)
    assert answer["usage"]["completion_tokens"] <= 400


def test_it_says_what_is_queued_without_a_stream_too() -> None:
    with ScriptedServer() as server:
        server.queue(truncated("The sea"))
        [choice] = ask(server.url, "A scene.")["choices"]

    assert (choice["message"]["content"], choice["finish_reason"]) == ("The sea", "length")


def test_it_runs_by_itself() -> None:
    command = [sys.executable, "-m", "tests.fakes.scripted_server", "--dialect", "strict"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2], text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        try:
            assert content(ask(url, "A scene."))
            assert httpx2.get(f"{url}/models", trust_env=False).json()["data"]
        finally:
            process.terminate()
