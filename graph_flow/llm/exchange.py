"""One question to one endpoint, tried until it is answered or cannot be, and kept in the ledger."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel
from tenacity import RetryCallState, Retrying, retry_if_exception

from graph_flow.llm import dialects
from graph_flow.llm.endpoints import Connection, EndpointBook
from graph_flow.llm.errors import (
    EndpointTimeout,
    EndpointUnreachable,
    ModelError,
    RequestRefused,
    RunStopped,
    broken_off,
    declined,
    too_slow,
    unusable,
)
from graph_flow.llm.ledger import Ledger
from graph_flow.llm.manners import Manners, MannersBook
from graph_flow.llm.parsing import visible_so_far, visible_text, without_controls
from graph_flow.llm.pump import DeadlinePassed, Pump, Slots
from graph_flow.llm.request import Message, Request, as_text
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.wire import Piece, Wire
from store.models.endpoint import Endpoint
from store.models.run import Call, Outcome

Pause = Callable[[float, threading.Event], None]
"""Waits so many seconds, or until the event is set."""

TRIES = 4
TRIES_AFTER_SILENCE = 2
LONGEST_WAIT = 90.0
"""Seconds; an endpoint that wants to be left alone for longer is left alone."""
DEADLINE_FACTOR = 10
"""How many times an endpoint's timeout, which is for silence, an answer may take altogether."""
CHARACTERS_PER_TOKEN = 24
"""More than any language needs: an endpoint that sends more does not keep to its limit."""


@dataclass(frozen=True)
class Question:
    """A request as it is sent this time: the messages may have grown since the first."""

    request: Request
    prompt_hash: str
    messages: tuple[Message, ...]
    max_tokens: int
    schema: type[BaseModel] | None = None
    on_text: Callable[[str], None] | None = None
    endpoint: Endpoint | None = None
    """None: the one in use."""


@dataclass
class Answer:
    """What came back, and how; it is in the ledger only once its worth is known."""

    connection: Connection
    manners: Manners
    prompt: str
    started: float = field(default_factory=time.monotonic)
    raw: str = ""
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    @property
    def text(self) -> str:
        """The answer without reasoning, control characters and keys."""
        return self.connection.redact(visible_text(self.raw))

    @property
    def is_truncated(self) -> bool:
        """Whether the model ran out of tokens."""
        return self.finish == "length"

    def take(self, piece: Piece) -> None:
        """Take in a piece of the stream."""
        self.raw += without_controls(piece.text)
        self.finish = piece.finish or self.finish
        self.tokens_in = piece.tokens_in or self.tokens_in
        self.tokens_out = piece.tokens_out or self.tokens_out


class Exchange:
    """Ask questions, with retries, and keep every attempt. Threads share it."""

    def __init__(
        self, book: EndpointBook, ledger: Ledger, manners: MannersBook, pause: Pause
    ) -> None:
        self.manners = manners
        self._book = book
        self._ledger = ledger
        self._pause = pause
        self._lock = threading.Lock()
        self._wires: dict[tuple[str, str, str, float], Wire] = {}
        self._slots: dict[tuple[str, int], Slots] = {}

    def ask(self, question: Question) -> Answer:
        """Return an answer that has arrived whole; `settle` it once its worth is known.

        Raises:
            RunStopped: if the stop event is set before, between or during attempts.
            ModelError: after bounded retries.
        """
        stop = question.request.scope.stop
        retrying = Retrying(
            retry=retry_if_exception(_is_worth_a_retry),
            stop=_has_tried_enough,
            wait=_waiting_time,
            sleep=lambda seconds: self._pause(seconds, stop),
            reraise=True,
        )
        return retrying(self._ask_politely, question)

    def settle(
        self, question: Question, answer: Answer, outcome: Outcome, problem: str = ""
    ) -> None:
        """Keep an answer in the ledger, with what became of it."""
        self._keep(question, answer, outcome, problem, answer.text)

    def settle_whole(self, question: Question, answer: Answer, whole: str) -> None:
        """Keep the last part of an answer that came in several, under the whole text."""
        self._keep(question, answer, Outcome.OK, "", whole)

    def starve(self, answer: Answer) -> None:
        """Remember that a model needs more room, for it thought until there was none left."""
        self.manners.starved(answer.connection.endpoint, answer.manners)

    def distrust(self, answer: Answer) -> None:
        """Remember that an endpoint takes schemas and does not keep to them."""
        if answer.connection.is_embedded:
            return  # it does: what is wrong there is wrong this once
        self.manners.unenforced(answer.connection.endpoint, answer.manners)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for wire in self._wires.values():
                wire.close()
            self._wires.clear()

    def _ask_politely(self, question: Question) -> Answer:
        """Ask, and learn from each refusal; every lesson is learnt once, so this ends."""
        while True:
            if question.request.scope.stop.is_set():
                raise RunStopped
            connection = self._book.connect(question.endpoint)
            manners = self.manners.of(connection.endpoint)
            try:
                return self._attempt(question, connection, manners)
            except RequestRefused as refused:
                if not self.manners.learn(connection.endpoint, manners, refused.detail):
                    raise
            except EndpointUnreachable:
                if connection.is_embedded:
                    self._book.revive(connection)
                raise

    def _attempt(self, question: Question, connection: Connection, manners: Manners) -> Answer:
        messages = _worded(question, manners)
        parameters = _parameters(question, connection, manners)
        wire = self._wire(connection)
        pump = Pump(
            lambda: wire.stream(messages, parameters, takes_usage=manners.takes_usage),
            self._slots_of(connection.endpoint),
        )
        pump.begin(question.request.scope.stop)
        answer = Answer(connection, manners, as_text(messages))
        try:
            self._receive(question, answer, pump)
        except BaseException as error:
            self._keep(question, answer, Outcome.FAILED, _problem(error), answer.text)
            if isinstance(error, ModelError):
                error.partial = error.partial or answer.text
            raise
        return answer

    def _receive(self, question: Question, answer: Answer, pump: Pump[Piece]) -> None:
        endpoint = answer.connection.endpoint
        limit = (question.max_tokens + answer.manners.headroom) * CHARACTERS_PER_TOKEN
        seconds = endpoint.timeout * DEADLINE_FACTOR
        try:
            for piece in pump.pieces(question.request.scope.stop, seconds):
                answer.take(piece)
                if piece.text and question.on_text:
                    question.on_text(answer.connection.redact(visible_so_far(answer.raw)))
                if len(answer.raw) > limit:
                    raise unusable(endpoint, "the answer never ended", answer.text)
        except DeadlinePassed:
            raise too_slow(endpoint) from None
        if answer.finish is None:
            raise broken_off(endpoint)
        if answer.finish == "content_filter":
            raise declined(endpoint)

    def _wire(self, connection: Connection) -> Wire:
        """Return the open connection to an endpoint; open another when anything has changed."""
        endpoint = connection.endpoint
        name = (endpoint.base_url, endpoint.model, connection.key, endpoint.timeout)
        with self._lock:
            if name not in self._wires:
                self._wires[name] = Wire(connection)
            return self._wires[name]

    def _slots_of(self, endpoint: Endpoint) -> Slots:
        with self._lock:
            name = (endpoint.base_url, endpoint.concurrency)
            return self._slots.setdefault(name, Slots(endpoint.concurrency))

    def _keep(
        self, question: Question, answer: Answer, outcome: Outcome, problem: str, text: str
    ) -> None:
        endpoint = answer.connection.endpoint
        tokens_in = answer.tokens_in or estimate_tokens(answer.prompt)
        tokens_out = answer.tokens_out or estimate_tokens(answer.raw)
        price = tokens_in * endpoint.price_in + tokens_out * endpoint.price_out
        self._ledger.record_call(
            Call(
                id=uuid.uuid4().hex,
                run=question.request.scope.run,
                branch=question.request.scope.branch,
                step=question.request.scope.step,
                agent=question.request.agent,
                endpoint=endpoint.name,
                model=endpoint.model,
                prompt=answer.connection.redact(answer.prompt),
                prompt_hash=question.prompt_hash,
                answer=text,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                milliseconds=round(1_000 * (time.monotonic() - answer.started)),
                cost=price / 1_000_000,
                outcome=outcome,
                problem=answer.connection.redact(problem)[:400],
                created=datetime.now(UTC),
            )
        )


def _worded(question: Question, manners: Manners) -> tuple[Message, ...]:
    if question.schema is None:
        return question.messages
    return dialects.with_schema(question.messages, question.schema, manners.dialect)


def _parameters(question: Question, connection: Connection, manners: Manners) -> dict[str, Any]:
    """Return what is sent beside the messages.

    The response format travels in `extra_body`: given as a parameter it would make openai parse
    the answer itself, and raise where we can still do something with it.
    """
    extra: dict[str, Any] = {}
    if connection.is_embedded:
        extra |= {"repeat_penalty": 1.1, "min_p": 0.05}
    if question.schema is not None:
        wanted = dialects.response_format(question.schema, manners.dialect)
        extra |= {"response_format": wanted} if wanted else {}
    parameters: dict[str, Any] = {manners.limit_name: question.max_tokens + manners.headroom}
    if manners.takes_temperature:
        parameters["temperature"] = question.request.temperature
    return parameters | ({"extra_body": extra} if extra else {})


def _problem(error: BaseException) -> str:
    if isinstance(error, RunStopped):
        return "stopped by the writer"
    detail = error.detail if isinstance(error, ModelError) else ""
    return f"{error} {detail}".strip() or type(error).__name__


def _is_worth_a_retry(error: BaseException) -> bool:
    if not isinstance(error, ModelError) or not error.is_passing:
        return False
    return error.wait is None or error.wait <= LONGEST_WAIT


def _has_tried_enough(state: RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    tries = TRIES_AFTER_SILENCE if isinstance(error, EndpointTimeout) else TRIES
    return state.attempt_number >= tries


def _waiting_time(state: RetryCallState) -> float:
    """Return the seconds that the endpoint asked for, or 1, 2, 4."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, ModelError) else None
    return asked if asked is not None else float(2 ** (state.attempt_number - 1))
