"""The one door to language models: text that streams, and objects that follow a schema."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import TypeVar

from pydantic import BaseModel

from graph_flow.llm.attempt import Question
from graph_flow.llm.dialects import OnDialect, QuirksBook, is_enforced
from graph_flow.llm.errors import ModelError
from graph_flow.llm.exchange import Exchange, Ledger, Pause
from graph_flow.llm.objects import ObjectTask
from graph_flow.llm.parsing import AnswerError, parse_answer
from graph_flow.llm.request import (
    CallScope,
    ConnectionReport,
    Message,
    Request,
    prompt_hash,
)
from graph_flow.llm.texts import OnText, TextTask
from graph_flow.llm.transport.endpoints import EndpointBook
from store.models.endpoint import Dialect, Endpoint

__all__ = ["CallScope", "ConnectionReport", "Gateway", "Message", "Request"]

T = TypeVar("T", bound=BaseModel)

TEST_TIMEOUT = 30.0
"""Seconds that a writer waits for the test of a connection, at most."""


def wait_or_stop(seconds: float, stop: threading.Event) -> None:
    """Wait so many seconds, or until the event is set."""
    stop.wait(seconds)


def forget_dialect(_endpoint: Endpoint, _dialect: Dialect) -> None:
    """Keep nothing: a dialect is then remembered only as long as the gateway lives."""


class Colour(BaseModel):
    """What a test of a connection asks for."""

    colour: str


class Gateway:
    """Ask each agent's endpoint. Threads share one gateway.

    Every attempt is in the ledger, and a finished call is found there again instead of made
    again. `on_dialect` is told which schema dialect an endpoint was found to take.
    """

    def __init__(
        self,
        book: EndpointBook,
        ledger: Ledger,
        *,
        on_dialect: OnDialect = forget_dialect,
        pause: Pause = wait_or_stop,
    ) -> None:
        self._book = book
        self._ledger = ledger
        self._exchange = Exchange(book, ledger, QuirksBook(on_dialect), pause)

    def endpoint(self, agent: str = "") -> Endpoint:
        """Return the endpoint that an agent asks, or the app's; nothing is started for it."""
        return self._book.current(agent)

    def endpoints(self, agents: Iterable[str]) -> dict[str, Endpoint]:
        """Return the endpoint that each of some agents asks; nothing is started for them."""
        return self._book.current_of(agents)

    def text(self, request: Request, on_text: OnText | None = None) -> str:
        """Return a text; `on_text` gets the whole text so far, again and again.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if there is no usable answer; `partial` holds what had arrived.
        """
        found = self._finished(request, prompt_hash(request))
        if found is None:
            return TextTask(self._exchange, request, on_text).run()
        if on_text:
            on_text(found)
        return found

    def structured(self, request: Request, schema: type[T]) -> T:
        """Return an object of the schema, validated.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if there is no usable answer; `partial` holds the last one.
        """
        hashed = prompt_hash(request, schema)
        found = self._finished(request, hashed)
        kept = _parsed(found, schema) if found is not None else None
        if kept is not None:
            return kept
        question = Question(request, hashed, request.messages, request.max_tokens, schema)
        return ObjectTask(self._exchange, question, schema).run()

    def test_connection(self, endpoint: Endpoint) -> ConnectionReport:
        """Ask an endpoint for a tiny object, and say in plain words how that went.

        Its schema dialect is found out anew, from the one it has, where it has one.
        """
        endpoint = endpoint.model_copy(update={"timeout": min(endpoint.timeout, TEST_TIMEOUT)})
        words = 'Which colour has snow? Answer as JSON: {"colour": "..."}'
        scope = CallScope(branch=None, run=None, step="connection test", stop=threading.Event())
        request = Request("connection test", (Message("user", words),), scope, max_tokens=100)
        question = Question(
            request, prompt_hash(request), request.messages, 100, Colour, endpoint=endpoint
        )
        started = time.monotonic()
        try:
            known_as = self._book.connect(endpoint).endpoint
            self._exchange.quirks.forget(known_as)
            ObjectTask(self._exchange, question, Colour).run()
        except ModelError as error:
            return ConnectionReport(False, time.monotonic() - started, None, str(error))
        seconds = time.monotonic() - started
        dialect = self._exchange.quirks.of(known_as).dialect
        keeps = "keeps to schemas" if is_enforced(dialect) else "its answers need checking"
        return ConnectionReport(True, seconds, dialect, f"Answers in {seconds:.1f} s, {keeps}.")

    def close(self) -> None:
        """Close all connections, and stop the embedded server."""
        self._exchange.close()
        self._book.close()

    def _finished(self, request: Request, hashed: str) -> str | None:
        scope = request.scope
        if scope.branch is None:
            return None
        call = self._ledger.finished_call(scope.branch, scope.step, hashed)
        return call.answer if call is not None else None


def _parsed(answer: str, schema: type[T]) -> T | None:
    """Return a kept answer as an object; None where it was kept under other rules."""
    try:
        return parse_answer(answer, schema)
    except AnswerError:
        return None
