"""The way out: what is sent to an endpoint, and nothing else.

langchain-openai and openai read organization, project, proxy, headers and more from the
environment. Here every request is stripped of all but what the endpoint needs, redirects are
not followed, and no proxy is picked up: a key reaches its own address only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import SecretStr

from graph_flow.llm.completions import Completions
from graph_flow.llm.endpoints import Connection
from graph_flow.llm.errors import explain, not_a_model
from graph_flow.llm.request import Message

CONNECT_LIMIT = 10.0

_SENT_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-length", "content-type"}
)


@dataclass(frozen=True)
class Piece:
    """What one chunk of a stream brings: text, the reason why it ends, or token counts."""

    text: str = ""
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


class Wire:
    """Stream answers from one endpoint. Threads may share it; close it when it is done with."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        endpoint = connection.endpoint
        timeout = httpx2.Timeout(endpoint.timeout, connect=min(CONNECT_LIMIT, endpoint.timeout))
        self._http = httpx2.Client(
            timeout=timeout,
            trust_env=False,
            event_hooks={"request": [self._strip], "response": [self._refuse]},
        )
        self._chat = BaseChatOpenAI(
            client=Completions(self._http, endpoint.base_url),
            model=endpoint.model,
            base_url=endpoint.base_url,
            api_key=SecretStr(connection.key),
            timeout=timeout,
            max_retries=0,
            openai_proxy=None,
            http_client=self._http,
            http_socket_options=(),
            output_version="v0",
            use_responses_api=False,
            cache=False,
        )

    def stream(
        self, messages: Sequence[Message], parameters: dict[str, Any], *, takes_usage: bool
    ) -> Iterator[Piece]:
        """Yield an answer piece by piece.

        Raises:
            ModelError: if the endpoint fails; it holds no key.
        """
        spoken = [_spoken(message) for message in messages]
        try:
            for chunk in self._chat.stream(spoken, stream_usage=takes_usage, **parameters):
                yield _piece(chunk)
        except Exception as error:  # noqa: BLE001 - `explain` passes on what is not its own
            failure = explain(error, self._connection.endpoint)
        else:
            return
        failure.detail = self._connection.redact(failure.detail)
        raise failure from None  # the cause may quote the key

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._http.close()

    def _strip(self, request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name.lower() not in _SENT_HEADERS]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {self._connection.key}"

    def _refuse(self, response: httpx2.Response) -> None:
        """Raise for what is no answer, before langchain-openai gives advice that is not for us."""
        endpoint = self._connection.endpoint
        if not response.is_success:
            said = response.read().decode("utf-8", "replace")
            raise explain(openai.APIStatusError(said, response=response, body=said), endpoint)
        kind = response.headers.get("content-type", "")
        if "html" in kind:  # a web page, of which a stream would only say that it is empty
            raise not_a_model(endpoint, kind)


def _spoken(message: Message) -> BaseMessage:
    match message.role:
        case "system":
            return SystemMessage(message.content)
        case "user":
            return HumanMessage(message.content)
        case "assistant":
            return AIMessage(message.content)


def _piece(chunk: AIMessageChunk) -> Piece:
    usage = chunk.usage_metadata
    return Piece(
        text=str(chunk.text),
        finish=chunk.response_metadata.get("finish_reason"),
        tokens_in=usage["input_tokens"] if usage else None,
        tokens_out=usage["output_tokens"] if usage else None,
    )
