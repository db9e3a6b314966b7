"""One question to one endpoint: retried until it is answered or hopeless, and always recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from tenacity import RetryCallState, Retrying, retry_if_exception

from graph_flow.llm.attempt import (
    Answer,
    Question,
    as_call,
    messages_for,
    most_of,
    parameters_of,
    used_by,
)
from graph_flow.llm.budget import Booking
from graph_flow.llm.dialects import EndpointQuirks, QuirksBook
from graph_flow.llm.errors import (
    AnswerBrokenOff,
    EndpointTimeout,
    EndpointUnreachable,
    ModelError,
    RequestRefused,
    RunStopped,
    TooManyRequests,
    broken_off,
    declined,
    too_slow,
    unusable,
    was_turned_away,
)
from graph_flow.llm.parsing import visible_so_far
from graph_flow.llm.request import as_text
from graph_flow.llm.transport.endpoints import Connection, EndpointBook
from graph_flow.llm.transport.pump import DeadlinePassed, Pump, Slots
from graph_flow.llm.transport.wire import Piece, Wire
from store.models.endpoint import Endpoint
from store.models.run import Call, Outcome


class Ledger(Protocol):
    """Record every call, so that no finished one is paid for twice."""

    def record_call(self, call: Call) -> None:
        """Record a call that has ended, successfully or not."""

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        """Return the successful call of a step with exactly this prompt, if there is one."""


Pause = Callable[[float, threading.Event], None]
"""Waits for the given seconds, or until the event is set."""

DEADLINE_FACTOR = 10
"""How long a whole answer may take, in multiples of the endpoint's timeout for silence."""
CHARACTERS_PER_TOKEN = 24
"""More than any language needs: an endpoint that sends more is ignoring its limit."""


class Exchange:
    """Ask questions, with retries, and record every attempt. Thread-safe."""

    def __init__(
        self, book: EndpointBook, ledger: Ledger, quirks: QuirksBook, pause: Pause
    ) -> None:
        self.quirks = quirks
        self._book = book
        self._ledger = ledger
        self._pause = pause
        self._lock = threading.Lock()
        self._wires: dict[tuple[str, str, str, float], Wire] = {}
        self._slots: dict[tuple[str, str, int], Slots] = {}

    def ask(self, question: Question) -> Answer:
        """Return an answer that has arrived in full; `settle` it once it is known to be usable or not.

        Raises:
            RunStopped: if the stop event is set before, between or during attempts.
            CapReached: if another attempt would exceed what the run may use.
            ModelError: if a limited number of retries does not help.
        """
        stop, on_trouble = question.request.scope.stop, question.request.scope.on_trouble
        retrying = Retrying(
            retry=retry_if_exception(is_worth_a_retry),
            stop=has_tried_enough,
            wait=waiting_time,
            sleep=lambda seconds: self._pause(seconds, stop),
            before_sleep=lambda state: on_trouble(trouble_of(state)),
            reraise=True,
        )
        return retrying(self._ask_and_learn, question)

    def settle(
        self, question: Question, answer: Answer, outcome: Outcome, problem: str = ""
    ) -> None:
        """Record an answer in the ledger, with its outcome."""
        self._ledger.record_call(as_call(question, answer, outcome, problem))

    def settle_whole(self, question: Question, answer: Answer, whole: str) -> None:
        """Record the last part of an answer that came in several, with the whole text."""
        call = as_call(question, answer, Outcome.OK, "")
        self._ledger.record_call(call.model_copy(update={"answer": whole}))

    def note_starved(self, answer: Answer) -> None:
        """Remember that a model needs more tokens because its reasoning used them all up."""
        self.quirks.note_starved(answer.connection.endpoint, answer.quirks)

    def note_unenforced(self, answer: Answer) -> None:
        """Remember that an endpoint accepts schemas but does not follow them."""
        if answer.connection.is_embedded:
            return  # it does follow them: this one answer is an exception
        self.quirks.note_unenforced(answer.connection.endpoint, answer.quirks)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for wire in self._wires.values():
                wire.close()
            self._wires.clear()

    def _ask_and_learn(self, question: Question) -> Answer:
        """Ask, and learn from each refusal; no lesson is learned twice, so this ends."""
        while True:
            if question.request.scope.stop.is_set():
                raise RunStopped
            endpoint = question.endpoint or self._book.current(question.request.agent)
            connection = self._book.connect(endpoint)
            quirks = self.quirks.of(connection.endpoint)
            question.request.scope.on_trouble("")
            try:
                return self._within_budget(question, connection, quirks)
            except RequestRefused as refused:
                if not self._learn(question, connection, quirks, refused):
                    raise
            except EndpointUnreachable:
                if connection.is_embedded:
                    self._book.revive(connection)
                raise

    def _learn(
        self,
        question: Question,
        connection: Connection,
        quirks: EndpointQuirks,
        refused: RequestRefused,
    ) -> bool:
        """Return whether a refusal shows another way to ask."""
        had_schema = question.schema is not None
        return self.quirks.learn(connection.endpoint, quirks, refused.detail, had_schema=had_schema)

    def _within_budget(
        self, question: Question, connection: Connection, quirks: EndpointQuirks
    ) -> Answer:
        """Make an attempt, if the run's budget allows it."""
        scope = question.request.scope
        if scope.budget is None:
            return self._attempt(question, connection, quirks)
        most = most_of(question, connection.endpoint, quirks)
        with scope.budget.attempt(most, scope.stop) as booking:
            return self._attempt(question, connection, quirks, booking)

    def _attempt(
        self,
        question: Question,
        connection: Connection,
        quirks: EndpointQuirks,
        booking: Booking | None = None,
    ) -> Answer:
        messages = messages_for(question, quirks)
        parameters = parameters_of(question, connection, quirks)
        wire = self._wire(connection)
        pump = Pump(
            lambda: wire.stream(messages, parameters, takes_usage=quirks.takes_usage),
            self._slots_of(connection.endpoint),
        )
        pump.begin(question.request.scope.stop)
        answer = Answer(connection, quirks, as_text(messages))
        try:
            self._receive(question, answer, pump)
        except BaseException as error:
            answer.is_free = answer.is_empty and was_turned_away(error)
            self.settle(question, answer, Outcome.FAILED, _problem(error))
            if isinstance(error, ModelError):
                error.partial = error.partial or answer.text
            raise
        finally:
            if booking is not None:
                booking.actual = used_by(answer)
        return answer

    def _receive(self, question: Question, answer: Answer, pump: Pump[Piece]) -> None:
        endpoint = answer.connection.endpoint
        limit = (question.max_tokens + answer.quirks.headroom) * CHARACTERS_PER_TOKEN
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
        """Return the open connection to an endpoint; open a new one if anything has changed."""
        endpoint = connection.endpoint
        name = (endpoint.base_url, endpoint.model, connection.key, endpoint.timeout)
        with self._lock:
            if name not in self._wires:
                self._wires[name] = Wire(connection)
            return self._wires[name]

    def _slots_of(self, endpoint: Endpoint) -> Slots:
        with self._lock:
            name = (endpoint.base_url, endpoint.model, endpoint.concurrency)
            return self._slots.setdefault(name, Slots(endpoint.concurrency))


def _problem(error: BaseException) -> str:
    if isinstance(error, RunStopped):
        return "stopped by the writer"
    detail = error.detail if isinstance(error, ModelError) else ""
    return f"{error} {detail}".strip() or type(error).__name__


TRIES = 7
"""With 1, 2, 4, 8, 16 and 32 seconds between them: an endpoint may be down for a minute."""
TRIES_AT_ONCE = 4
"""Used where a long wait helps less: nothing is there, or unfinished answers cost money."""
TRIES_AFTER_SILENCE = 3
"""Each one takes the endpoint's whole timeout; with fewer, one silent call in twenty would keep
pausing a long run."""
LONGEST_WAIT = 90.0
"""Seconds; an endpoint that asks for a longer wait is not retried."""
LONGEST_ALTOGETHER = 120.0
"""Seconds of waiting after which a call fails, whatever the endpoint asks for."""


def is_worth_a_retry(error: BaseException) -> bool:
    """Return whether the same call may well succeed soon."""
    if not isinstance(error, ModelError) or not error.is_passing:
        return False
    return error.wait is None or error.wait <= LONGEST_WAIT


def has_tried_enough(state: RetryCallState) -> bool:
    """Return whether it is time to give up; silence gets fewer retries."""
    return (
        state.attempt_number >= _tries_after(_error_of(state))
        or state.idle_for >= LONGEST_ALTOGETHER
    )


def waiting_time(state: RetryCallState) -> float:
    """Return the seconds that the endpoint asked for, or 1, 2, 4 and so on."""
    error = _error_of(state)
    asked = error.wait if isinstance(error, ModelError) else None
    return asked if asked is not None else float(2 ** (state.attempt_number - 1))


def trouble_of(state: RetryCallState) -> str:
    """Return, in a writer's words, why a call is waiting and for how long."""
    match _error_of(state):
        case EndpointUnreachable():
            reason = "The model cannot be reached"
        case TooManyRequests():
            reason = "The model is getting too many requests"
        case AnswerBrokenOff():
            reason = "The answer broke off"
        case _:
            reason = "The model is not answering"
    return f"{reason}; trying again in {state.upcoming_sleep:.0f} s."


def _tries_after(error: BaseException | None) -> int:
    match error:
        case EndpointTimeout():
            return TRIES_AFTER_SILENCE
        case EndpointUnreachable() | AnswerBrokenOff():
            return TRIES_AT_ONCE
        case _:
            return TRIES


def _error_of(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
