"""Requests to an endpoint, with what it needs and nothing else.

langchain-openai and openai read organization, project, proxy, headers and more from the
environment. Here every request is stripped down to what the endpoint needs, redirects are not
followed, and no proxy is picked up: a key reaches its own address only.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

import httpx2
import openai
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import SecretStr

from graph_flow.llm.errors import ModelError, NotAModel, broken_off, explain, not_a_model
from graph_flow.llm.request import Message
from graph_flow.llm.transport.endpoints import Connection
from graph_flow.llm.transport.line import HangsUp, Line
from graph_flow.llm.transport.pump import ALTOGETHER

CONNECT_LIMIT = 10.0

_SENT_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-length", "content-type"}
)


@dataclass(frozen=True)
class Piece:
    """The content of one chunk of a stream: text, the reason for its end, or token counts.

    `is_thought` says that the model was thinking, in words that are not part of its answer.
    """

    text: str = ""
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    is_thought: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is nothing but words."""
        return not (self.finish or self.tokens_in or self.tokens_out)

    @property
    def is_empty(self) -> bool:
        """Whether it says no more than that the endpoint is still there."""
        return self.is_text and not (self.text or self.is_thought)


Chunk = dict[str, Any]
"""A piece of an answer, as the endpoint sends it."""


class _Chat(BaseChatOpenAI):
    """A model whose requests langchain-openai puts together, and whose answers are read as they arrive.

    Making a message of each chunk, and merging them all, takes longer than all the rest of a call.
    """

    def answer(
        self, line: Line, messages: Sequence[Message], parameters: dict[str, Any]
    ) -> AbstractContextManager[Iterator[Piece | None]]:
        """Ask for an answer; the block gets its pieces."""
        payload = self._get_request_payload([], **parameters, stream=True)
        payload["messages"] = [
            {"role": message.role, "content": message.content} for message in messages
        ]
        answer: AbstractContextManager[Iterator[Piece | None]] = self.client.create(line, **payload)
        return answer


class Wire:
    """Stream answers from one endpoint. Thread-safe."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        endpoint = connection.endpoint
        client = Completions(endpoint.base_url)
        self._chat = _Chat(
            client=client,
            # Nobody asks it; without one, openai's would be made, and half a second of modules read in for it.
            async_client=client,
            model=endpoint.model,
            base_url=endpoint.base_url,
            api_key=SecretStr(connection.key),
            max_retries=0,
            openai_proxy=None,
            http_socket_options=(),
            output_version="v0",
            use_responses_api=False,
            cache=False,
        )

    def call(
        self, messages: Sequence[Message], parameters: dict[str, Any], *, takes_usage: bool
    ) -> WireCall:
        """Return a call, which is made when it is read."""
        if takes_usage:
            parameters = {**parameters, "stream_options": {"include_usage": True}}
        line = Line(self.client())
        return WireCall(self.connection, line, self._chat.answer(line, messages, parameters))

    def client(self) -> httpx2.Client:
        """Return a client for one call; whoever reads it decides how long to wait for content."""
        timeout = self.connection.endpoint.timeout
        return httpx2.Client(
            timeout=httpx2.Timeout(timeout * ALTOGETHER, connect=min(CONNECT_LIMIT, timeout)),
            trust_env=False,
            verify=_encryption(),
            event_hooks={"request": [self._strip], "response": [self._refuse]},
        )

    def _strip(self, request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name.lower() not in _SENT_HEADERS]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {self.connection.key}"

    def _refuse(self, response: httpx2.Response) -> None:
        """Raise if this is no answer."""
        endpoint = self.connection.endpoint
        if not response.is_success:
            said = response.read().decode("utf-8", "replace")
            raise explain(openai.APIStatusError(said, response=response, body=said), endpoint)
        kind = response.headers.get("content-type", "")
        if "html" in kind:  # a web page, which would only look like an empty stream
            raise not_a_model(endpoint, kind)


class WireCall:
    """One question to an endpoint."""

    def __init__(
        self,
        connection: Connection,
        line: HangsUp,
        answer: AbstractContextManager[Iterator[Piece | None]],
    ) -> None:
        self._connection = connection
        self._line = line
        self._answer = answer

    def read(self) -> Iterator[Piece | None]:
        """Yield the answer piece by piece; None where the endpoint only shows that it is there.

        Raises:
            ModelError: if the endpoint fails; the error holds no key.
        """
        has_begun = False
        try:
            with self._answer as pieces:
                for piece in pieces:
                    has_begun = has_begun or bool(piece and piece.text)
                    yield piece
        except Exception as error:  # noqa: BLE001 - `explain` raises what it does not know
            failure = self._explained(error, has_begun=has_begun)
        else:
            return
        try:
            raise failure  # outside of the clause above: the cause may quote the key
        finally:
            del failure  # an error that is raised in a frame that knows it holds on to itself

    def _explained(self, error: Exception, *, has_begun: bool) -> ModelError:
        endpoint = self._connection.endpoint
        failure = explain(error, endpoint)
        if has_begun and isinstance(failure, NotAModel):
            failure = broken_off(endpoint, detail=failure.detail)
        failure.detail = self._connection.redact(failure.detail)
        return failure

    def hang_up(self) -> None:
        """End the call now, from any thread; nothing is sent afterwards."""
        self._line.hang_up()


@cache
def _encryption() -> ssl.SSLContext:
    """Return what all connections are encrypted with; putting it together takes a quarter of a second."""
    return httpx2.create_ssl_context(trust_env=False)


LONGEST_LINE = 1_000_000
"""Bytes in one line of a stream; no piece of an answer has that many."""

_DONE = "[DONE]"


class Completions:
    """Ask one endpoint for completions."""

    def __init__(self, base_url: str) -> None:
        self._url = f"{base_url}/chat/completions"

    @contextmanager
    def create(
        self, line: Line, *, extra_body: Chunk | None = None, **payload: object
    ) -> Iterator[Iterator[Piece | None]]:
        """Send a request; the block gets the pieces of the answer as they arrive.

        `extra_body` is sent along with the rest, as openai's client does.

        Raises:
            HungUp, httpx2.HTTPError: if the endpoint cannot be reached, is silent, or breaks off.
            openai.APIError: if the endpoint reports a failure in the middle of an answer.
            ValueError, LookupError, TypeError, AttributeError: if what it sends is no such stream.
        """
        body = {**payload, **(extra_body or {})}
        with line.post(self._url, body) as response:
            yield _pieces(response)


def _pieces(response: httpx2.Response) -> Iterator[Piece | None]:
    """Yield the pieces of an answer, and None when something came that has no content.

    A comment has none, nor has a chunk without words: gateways send both while a model is thinking.
    """
    is_empty = True
    yield None
    for arrived in events(response.iter_bytes()):
        chunks = (_parsed(data, response.request) for data in _before_end(arrived))
        has_content = False
        for piece in joined(filter(None, map(_piece, chunks))):
            is_empty = False
            if not piece.is_empty:
                has_content = True
                yield piece
        if not has_content:
            yield None
        if any(data.startswith(_DONE) for data in arrived):
            break
    if is_empty:
        raise ValueError("the answer has no pieces")


def _before_end(arrived: Iterable[str]) -> Iterator[str]:
    return takewhile(lambda data: not data.startswith(_DONE), arrived)


def _parsed(data: str, request: httpx2.Request) -> Chunk:
    chunk = json.loads(data)
    if not isinstance(chunk, dict):
        raise ValueError("a piece of the answer is not an object")
    if problem := chunk.get("error"):
        said = problem.get("message") if isinstance(problem, dict) else problem
        raise openai.APIError(f"{said}", request, body=problem)
    return chunk


def _piece(chunk: Chunk) -> Piece | None:
    """Return what a chunk says, if it says anything."""
    choices, usage = chunk.get("choices"), chunk.get("usage") or {}
    choice = choices[0] if choices else {"delta": {}}
    if choice["delta"] is None:
        return None
    delta = choice["delta"]
    text = _text_of(delta.get("content"))
    return Piece(
        text=text,
        finish=choice.get("finish_reason"),
        tokens_in=usage.get("prompt_tokens"),
        tokens_out=usage.get("completion_tokens"),
        is_thought=not text and any(said for name, said in delta.items() if name != "role"),
    )


def _text_of(content: str | list[str | Chunk] | None) -> str:
    """Return the text of a chunk; some endpoints send it in blocks, those of thoughts among them."""
    if isinstance(content, list):
        said = (
            block if isinstance(block, str) else block["text"]
            for block in content
            if isinstance(block, str) or block.get("type") == "text"
        )
        return "".join(said)
    if not isinstance(content, str | None):
        raise TypeError("the text of the answer is no text")
    return content or ""


def joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces that have arrived together, merging those in a row that are only text.

    If reading a piece fails, what came before it is yielded first.
    """
    texts: list[Piece] = []
    try:
        for piece in pieces:
            if piece.is_text:
                texts.append(piece)
                continue
            yield from _as_one(texts)
            texts = []
            yield piece
    except Exception:
        yield from _as_one(texts)
        raise
    yield from _as_one(texts)


def _as_one(texts: Sequence[Piece]) -> Iterator[Piece]:
    if texts:
        said = "".join(piece.text for piece in texts)
        yield Piece(said, is_thought=not said and any(piece.is_thought for piece in texts))


def events(stream: Iterable[bytes]) -> Iterator[list[str]]:
    """Yield the data of the server-sent events that each piece of a byte stream completes.

    An event that is never completed is ignored.

    Raises:
        ValueError: if a line is far too long, or is not UTF-8.
    """
    data: list[bytes] = []
    for lines in _lines(stream):
        ended: list[str] = []
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                ended.append(b"\n".join(data).decode())
                data = []
        yield ended


def _lines(stream: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines that each piece of a stream completes, wherever it is cut."""
    rest = b""
    for piece in stream:
        *lines, rest = (rest + piece).split(b"\n")
        yield [line.removesuffix(b"\r") for line in lines]
        if len(rest) > LONGEST_LINE:
            raise ValueError("a line of the answer is too long")
