"""The only way to reach language models: text that streams, and objects that follow a schema."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import TypeVar

from pydantic import BaseModel

from graph_flow.llm.attempt import Question
from graph_flow.llm.dialects import OnDialect, QuirksBook, is_enforced
from graph_flow.llm.errors import ModelError
from graph_flow.llm.exchange import Capacity, Exchange, Ledger, Pause
from graph_flow.llm.objects import ObjectTask
from graph_flow.llm.parsing import AnswerError, parse_answer
from graph_flow.llm.request import (
    CallScope,
    ConnectionReport,
    Message,
    Request,
    prompt_hash,
)
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.texts import OnText, TextTask, parts_so_far
from graph_flow.llm.transport.endpoints import EndpointBook
from store.models.endpoint import Dialect, Endpoint
from store.models.run import Outcome

__all__ = ["CallScope", "ConnectionReport", "Gateway", "Message", "Request"]

T = TypeVar("T", bound=BaseModel)

TEST_TIMEOUT = 30.0
"""The longest silence that a writer sits through in a connection test, in seconds."""


def wait_or_stop(seconds: float, stop: threading.Event) -> None:
    """Wait for the given seconds, or until the event is set."""
    stop.wait(seconds)


def forget_dialect(_endpoint: Endpoint, _dialect: Dialect) -> None:
    """Save nothing: a dialect is then remembered only as long as the gateway exists."""


class Colour(BaseModel):
    """The answer that a connection test asks for."""

    colour: str


_COLOUR = AnswerSchema(Colour)


class Gateway:
    """Ask each agent's endpoint. Thread-safe.

    Every attempt is recorded in the ledger, and a finished call is looked up there instead of
    being repeated. `on_dialect` is called with the schema dialect that an endpoint turns out to
    accept. Without a `capacity`, nothing is shared with other gateways.
    """

    def __init__(
        self,
        book: EndpointBook,
        ledger: Ledger,
        *,
        on_dialect: OnDialect = forget_dialect,
        pause: Pause = wait_or_stop,
        capacity: Capacity | None = None,
    ) -> None:
        self._book = book
        self._ledger = ledger
        self._exchange = Exchange(
            book, ledger, QuirksBook(on_dialect), pause, capacity or Capacity()
        )

    def endpoint(self, agent: str = "") -> Endpoint:
        """Return the endpoint that an agent uses, or the app's default; start nothing."""
        return self._book.current(agent)

    def endpoints(self, agents: Iterable[str]) -> dict[str, Endpoint]:
        """Return the endpoint that each of these agents uses; start nothing."""
        return self._book.current_of(agents)

    def text(self, request: Request, on_text: OnText | None = None) -> str:
        """Return a text; `on_text` is called repeatedly with the whole text so far.

        One that comes in parts, because the model stops in the middle, goes on from those that have
        come, also after the app was stopped or killed.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if there is no usable answer; `partial` holds what had arrived.
        """
        hashed = prompt_hash(request)
        found = self._finished(request, hashed)
        if found is None:
            return TextTask(self._exchange, request, on_text, self._parts(request, hashed)).run()
        if on_text:
            on_text(found)
        return found

    def structured(
        self, request: Request, schema: AnswerSchema[T], on_text: OnText | None = None
    ) -> T:
        """Return an object of the schema, validated; `on_text` gets what has come of it so far.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if there is no usable answer; `partial` holds the last one.
        """
        hashed = prompt_hash(request, schema)
        kept = self._kept(request, hashed, schema)
        if kept is not None:
            return kept
        question = Question(
            request,
            hashed,
            request.messages,
            request.max_tokens,
            schema,
            on_text=on_text,
            endpoint=request.endpoint,
        )
        return ObjectTask(self._exchange, question, schema).run()

    def likelihood(self, request: Request) -> tuple[float, ...]:
        """Return the log-probability of each token of the second message, given the first.

        Raises:
            LikelihoodUntold: if the endpoint does not tell them.
            RunStopped: if the scope's stop event is set.
            ModelError: if the endpoint fails.
        """
        hashed = prompt_hash(request)
        found = self._finished(request, hashed)
        if found is None:
            question = Question(
                request,
                hashed,
                request.messages,
                request.max_tokens,
                endpoint=request.endpoint,
                is_likelihood=True,
            )
            answer = self._exchange.ask(question)
            self._exchange.settle(question, answer, Outcome.OK)
            found = answer.text
        return tuple(float(one) for one in found.split())

    def finished(self, request: Request, schema: AnswerSchema[T]) -> T | None:
        """Return the answer to a call that is finished; None if it still had to be made."""
        return self._kept(request, prompt_hash(request, schema), schema)

    def test_connection(self, endpoint: Endpoint) -> ConnectionReport:
        """Ask an endpoint for a tiny object, and report in plain words how that went.

        Its schema dialect is found anew, whichever was saved for it, and saved.
        """
        changes = {"timeout": min(endpoint.timeout, TEST_TIMEOUT), "dialect": None}
        endpoint = endpoint.model_copy(update=changes)
        words = 'Which colour has snow? Answer as JSON: {"colour": "..."}'
        scope = CallScope(branch=None, run=None, step="connection test", stop=threading.Event())
        request = Request("connection test", (Message("user", words),), scope, max_tokens=100)
        hashed = prompt_hash(request)
        question = Question(
            request, hashed, request.messages, 100, _COLOUR, endpoint=endpoint, is_trial=True
        )
        started = time.monotonic()
        try:
            known_as = self._book.connect(endpoint).endpoint
            self._exchange.quirks.forget(known_as)
            ObjectTask(self._exchange, question, _COLOUR).run()
        except ModelError as error:
            return ConnectionReport(False, time.monotonic() - started, None, str(error))
        seconds = time.monotonic() - started
        dialect = self._exchange.quirks.keep(known_as)
        keeps = "always" if is_enforced(dialect) else "but not always"
        return ConnectionReport(
            True, seconds, dialect, f"Answers in {seconds:.1f} s, {keeps} as asked."
        )

    def close(self) -> None:
        """Stop the embedded server."""
        self._book.close()

    def _kept(self, request: Request, hashed: str, schema: AnswerSchema[T]) -> T | None:
        found = self._finished(request, hashed)
        return _parsed(found, schema) if found is not None else None

    def _parts(self, request: Request, hashed: str) -> list[str]:
        scope = request.scope
        if scope.branch is None:
            return []
        return parts_so_far(self._ledger.calls_of_step(scope.branch, scope.step, hashed))

    def _finished(self, request: Request, hashed: str) -> str | None:
        scope = request.scope
        if scope.branch is None:
            return None
        call = self._ledger.finished_call(scope.branch, scope.step, hashed)
        return call.answer if call is not None else None


def _parsed(answer: str, schema: AnswerSchema[T]) -> T | None:
    """Return a recorded answer as an object; None if it does not follow today's rules."""
    try:
        return parse_answer(answer, schema)
    except AnswerError:
        return None
