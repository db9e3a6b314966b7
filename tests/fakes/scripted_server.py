"""An OpenAI-compatible HTTP server that says what a test tells it to, with latency and faults.

Replies come from a queue first, then from an `answer` function, then are made up: an instance of
the schema that was asked for, or a few paragraphs. It also runs by itself:

    python -m tests.fakes.scripted_server --port 8765 --dialect strict --latency 0.1
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import select
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from store.models.endpoint import Dialect
from tests.fakes.invention import invent, prose, schema_in

_REFUSED_BY_STRICT = frozenset(
    [
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "pattern",
        "format",
        "default",
        "oneOf",
        "allOf",
        "not",
        "discriminator",
    ]
)


MOMENT = 0.02
"""Seconds between two looks of a server that has nothing to say."""
_PATIENCE = 30.0
"""Seconds after which a request is answered although the others have not come."""


@dataclass(frozen=True)
class Sent:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of the prompt."""
        return list(self.body.get("messages", []))

    @property
    def prompt(self) -> str:
        """The whole prompt as one text."""
        return "\n\n".join(str(message.get("content", "")) for message in self.messages)

    @property
    def response_format(self) -> dict[str, Any]:
        """What was asked of the answer's form; empty for text."""
        return dict(self.body.get("response_format") or {})

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema that was sent or described."""
        if self.response_format.get("type") == "json_schema":
            return dict(self.response_format["json_schema"]["schema"])
        return schema_in(self.prompt)

    @property
    def limit(self) -> int:
        """The most tokens the answer may have."""
        return int(self.body.get("max_tokens") or self.body.get("max_completion_tokens") or 400)


@dataclass(frozen=True)
class Reply:
    """What the server says.

    `whole_body` replaces the OpenAI envelope; `is_cut` ends the connection before the end;
    `hangs` waits until the test lets go, or the client hangs up. The second half of a streamed text
    waits for `second_half`, if that is given. `meanwhile` is streamed again and again before the
    text, until `until` is set; what follows the end of a text waits for `before_end`.
    """

    text: str = ""
    finish: str | None = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    whole_body: str | None = None
    is_cut: bool = False
    hangs: bool = False
    has_choices: bool = True
    reports_usage: bool = True
    second_half: threading.Event | None = None
    meanwhile: str = ""
    until: threading.Event = field(default_factory=threading.Event)
    before_end: threading.Event | None = None


Answer = Callable[[Sent], Reply | None]


def say(text: str) -> Reply:
    """Answer with a text."""
    return Reply(text)


def say_json(value: object) -> Reply:
    """Answer with a value as JSON."""
    return Reply(json.dumps(value))


def refuse(status: int, message: str, *, code: str = "", retry_after: str = "") -> Reply:
    """Answer with an error, in OpenAI's shape."""
    body = json.dumps({"error": {"message": message, "code": code, "type": "error"}})
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Reply(status=status, whole_body=body, headers=headers)


def too_many(retry_after: str = "") -> Reply:
    """Answer 429."""
    return refuse(429, "Rate limit reached", code="rate_limit", retry_after=retry_after)


def page() -> Reply:
    """Answer with a web page."""
    headers = {"Content-Type": "text/html"}
    return Reply(headers=headers, whole_body="<html><body>Welcome to the router</body></html>")


def no_choices() -> Reply:
    """Answer without any choice."""
    return Reply(has_choices=False)


def broken_json() -> Reply:
    """Answer with an envelope that is not JSON."""
    return Reply(whole_body='{"choices": [')


def truncated(text: str) -> Reply:
    """Answer with a text that ran out of tokens."""
    return Reply(text, finish="length")


def cut(text: str) -> Reply:
    """Begin to answer, and break off without an error."""
    return Reply(text, finish=None, is_cut=True)


def in_halves(text: str, second_half: threading.Event) -> Reply:
    """Answer with the first half of a text, and with the rest when the event is set."""
    return Reply(text, second_half=second_half)


def hang() -> Reply:
    """Say nothing until the test lets go."""
    return Reply(hangs=True)


def commenting(text: str = "", until: threading.Event | None = None) -> Reply:
    """Send comments, as a gateway does while a model is thinking; by default for ever."""
    return Reply(text, meanwhile=": PROCESSING\n\n", until=until or threading.Event())


def sending(
    delta: Mapping[str, str], text: str = "", until: threading.Event | None = None
) -> Reply:
    """Send the same chunk again and again before the text; by default for ever."""
    chunk = json.dumps({"choices": [_delta(delta)]})
    return Reply(text, meanwhile=f"data: {chunk}\n\n", until=until or threading.Event())


@dataclass(frozen=True)
class ScriptedMemory:
    """What a server was sent, and how often each prompt, by its hash: by these it makes up what it says."""

    history: tuple[Sent, ...]
    seen: Mapping[str, int]


class ScriptedServer:
    """Serve on the loopback address, in threads; `history` holds what arrived, `asked` how often.

    One that does not remember has no history: a long run would fill the memory with it.
    """

    def __init__(
        self,
        *,
        dialect: Dialect = Dialect.FULL,
        latency: float = 0.0,
        answer: Answer | None = None,
        port: int = 0,
        remembers: bool = True,
    ) -> None:
        self.dialect = dialect
        self.latency = latency
        self.answer = answer
        self.history: list[Sent] = []
        self.asked = 0
        self._remembers = remembers
        self.most_at_once = 0
        self._at_once = 0
        self._queue: deque[Reply] = deque()
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._is_released = threading.Event()
        self.has_arrived = threading.Event()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._serve, name="scripted server", daemon=True)

    @property
    def url(self) -> str:
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Let hanging requests go, and end."""
        self._is_released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def queue(self, *replies: Reply) -> None:
        """Say these next, one for each request."""
        with self._lock:
            self._queue.extend(replies)

    @property
    def has_been_told(self) -> bool:
        """Whether it was sent anything yet, or has replies ready, or a dialect or latency of its own."""
        is_plain = self.dialect is Dialect.FULL and not self.latency
        return not is_plain or bool(self.history or self._queue)

    @property
    def memory(self) -> ScriptedMemory:
        """What it was sent so far."""
        with self._lock:
            return ScriptedMemory(tuple(self.history), dict(self._seen))

    def take_up(self, memory: ScriptedMemory) -> None:
        """Go on as if it had been sent what another server was sent."""
        with self._lock:
            self.history.extend(memory.history)
            self._seen.update(memory.seen)
        self.has_arrived.set()

    @property
    def at_once(self) -> int:
        """How many requests are being served, whether or not anything is said to them."""
        with self._lock:
            return self._at_once

    def release(self) -> None:
        """Let all hanging requests go."""
        self._is_released.set()

    def waits(self, event: threading.Event | None = None) -> bool:
        """Wait for a moment; return whether neither the event is set nor all requests are let go."""
        event = event or self._is_released
        return not (event.wait(MOMENT) or self._is_released.is_set())

    def miss(self) -> None:
        """Count a request whose client hung up before all of it had arrived."""
        with self._lock:
            self.asked += 1

    def reply_to(self, sent: Sent) -> Reply:
        """Choose the reply to a request, after the latency."""
        with self._lock:
            self.asked += 1
            if self._remembers:
                self.history.append(sent)
            queued = self._queue.popleft() if self._queue else None
        self.has_arrived.set()
        self._is_released.wait(self.latency)
        if queued is not None:
            return queued
        refusal = self._refusal(sent)
        answered = self.answer(sent) if self.answer and refusal is None else None
        return refusal or answered or self._invented(sent)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a request among those that are being served."""
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1

    def answer_together(self, count: int, kind: Callable[[Sent], bool] = lambda _: True) -> None:
        """Answer no request of a kind until so many are being served at once, however slow the machine."""
        are_together = threading.Event()
        given = self.answer

        def answer(sent: Sent) -> Reply | None:
            if kind(sent):
                if self.at_once >= count:
                    are_together.set()
                are_together.wait(_PATIENCE)
            return given(sent) if given else None

        self.answer = answer

    def _serve(self) -> None:
        self._http.serve_forever(poll_interval=0.02)

    def _refusal(self, sent: Sent) -> Reply | None:
        """Refuse what an endpoint of this dialect would refuse."""
        kind = sent.response_format.get("type", "text")
        if self.dialect is Dialect.NONE and kind != "text":
            return refuse(400, "response_format is not supported")
        if self.dialect is Dialect.JSON_ONLY and kind == "json_schema":
            return refuse(400, "This response_format type is unavailable now")
        if self.dialect is Dialect.STRICT and kind == "json_schema":
            problem = strict_problem(sent.response_format["json_schema"]["schema"])
            if problem:
                return refuse(400, f"Invalid schema for response_format: {problem}")
        return None

    def _invented(self, sent: Sent) -> Reply:
        """Make up a reply: the same for the same prompt, another when it is asked again."""
        prompt = hashlib.sha256(sent.prompt.encode()).hexdigest()
        with self._lock:
            self._seen[prompt] += 1
            seed = f"{self._seen[prompt]} {sent.prompt}"
        chance = random.Random(hashlib.sha256(seed.encode()).digest())
        schema = sent.schema
        if schema is not None:
            return say_json(invent(schema, chance))
        return say(prose(chance, words=min(160, max(12, sent.limit // 3))))


def strict_problem(schema: Any, where: str = "root") -> str:
    """Return why a strict endpoint refuses a schema; empty where it does not."""
    if not isinstance(schema, dict):
        return ""
    for keyword in sorted(_REFUSED_BY_STRICT & schema.keys()):
        return f"{where}: '{keyword}' is not permitted"
    properties = schema.get("properties", {})
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"{where}: 'additionalProperties' is required to be false"
        if sorted(schema.get("required", [])) != sorted(properties):
            return f"{where}: 'required' has to name every property"
    inside = {**properties, **schema.get("$defs", {}), "items": schema.get("items")}
    inside |= {f"option {place}": child for place, child in enumerate(schema.get("anyOf", []))}
    problems = (strict_problem(child, f"{where}.{name}") for name, child in inside.items())
    return next((problem for problem in problems if problem), "")


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    scripted: ScriptedServer


class _Handler(BaseHTTPRequestHandler):
    """HTTP/1.0: an answer ends with its connection, so that a cut one raises no error."""

    server: _Http

    def do_GET(self) -> None:
        models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
        self._send(200, {"Content-Type": "application/json"}, json.dumps(models))

    def do_POST(self) -> None:
        scripted = self.server.scripted
        length = int(self.headers.get("Content-Length", 0))
        try:
            body = self.rfile.read(length)
        except ConnectionError:
            body = b""
        if len(body) < length:
            scripted.miss()
            self.close_connection = True
            return
        sent = Sent(self.path, dict(self.headers), json.loads(body))
        try:
            with scripted.counted():
                self._answer(sent, scripted.reply_to(sent))
        except ConnectionError:
            self.close_connection = True  # the client did not wait for the end

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the history tells it all."""

    def _answer(self, sent: Sent, reply: Reply) -> None:
        headers = {"Content-Type": "application/json", **reply.headers}
        while reply.hangs and self.server.scripted.waits():
            self._expect_a_client()
        if reply.whole_body is not None:
            self._send(reply.status, headers, reply.whole_body)
        elif sent.body.get("stream"):
            self._stream(sent, reply)
        else:
            self._send(reply.status, headers, json.dumps(_whole(sent, reply)))

    def _send(self, status: int, headers: Mapping[str, str], body: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def _stream(self, sent: Sent, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while reply.meanwhile and self.server.scripted.waits(reply.until):
            self.wfile.write(reply.meanwhile.encode())
            self.wfile.flush()
        for chunk in _chunks(sent, reply):
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()
        if not reply.is_cut:
            self.wfile.write(b"data: [DONE]\n\n")

    def _expect_a_client(self) -> None:
        """Notice that the client has hung up.

        Raises:
            ConnectionError: if it has.
        """
        is_readable, _, _ = select.select([self.connection], [], [], 0)
        if is_readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionAbortedError


def _whole(sent: Sent, reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return _envelope(sent, "chat.completion", [choice] if reply.has_choices else []) | (
        {"usage": _usage(sent, reply)} if reply.reports_usage else {}
    )


def _chunks(sent: Sent, reply: Reply) -> Iterator[dict[str, Any]]:
    kind = "chat.completion.chunk"
    if reply.has_choices:
        yield _envelope(sent, kind, [_delta({"role": "assistant", "content": ""})])
        pieces = list(_pieces(reply.text))
        for place, piece in enumerate(pieces):
            if reply.second_half is not None and place == len(pieces) // 2:
                reply.second_half.wait()
            yield _envelope(sent, kind, [_delta({"content": piece})])
        if not reply.is_cut:
            yield _envelope(sent, kind, [_delta({}, reply.finish)])
    if reply.before_end is not None:
        reply.before_end.wait()
    if reply.reports_usage and not reply.is_cut and sent.body.get("stream_options"):
        yield _envelope(sent, kind, []) | {"usage": _usage(sent, reply)}


def _delta(content: Mapping[str, str], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": content, "finish_reason": finish}


def _pieces(text: str, size: int = 24) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _envelope(sent: Sent, kind: str, choices: list[Any]) -> dict[str, Any]:
    model = sent.body.get("model", "scripted")
    return {"id": "scripted", "object": kind, "created": 0, "model": model, "choices": choices}


def _usage(sent: Sent, reply: Reply) -> dict[str, int]:
    asked, answered = len(sent.prompt) // 4 + 1, len(reply.text) // 4 + 1
    return {
        "prompt_tokens": asked,
        "completion_tokens": answered,
        "total_tokens": asked + answered,
    }


def main() -> None:
    """Serve until interrupted, and print the base URL first."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server, for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dialect", type=Dialect, default=Dialect.FULL, choices=list(Dialect))
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    with ScriptedServer(
        dialect=options.dialect, latency=options.latency, port=options.port
    ) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
