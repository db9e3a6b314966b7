"""One question to one endpoint: retried until it is answered or hopeless, and always recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from graph_flow.llm.attempt import (
    Answer,
    Question,
    as_call,
    messages_for,
    most_of,
    parameters_of,
    used_by,
)
from graph_flow.llm.budget import Booking, Meter, Unmetered
from graph_flow.llm.dialects import EndpointQuirks, QuirksBook
from graph_flow.llm.errors import (
    EndpointUnreachable,
    ModelError,
    RequestRefused,
    RunStopped,
    broken_off,
    declined,
    never_done,
    silent,
    unusable,
    was_turned_away,
    without_content,
)
from graph_flow.llm.parsing import visible_so_far
from graph_flow.llm.request import as_text
from graph_flow.llm.retries import Tries, quiet_words, trouble_of
from graph_flow.llm.transport.endpoints import Connection, EndpointBook
from graph_flow.llm.transport.likelihoods import Likelihoods
from graph_flow.llm.transport.offer import EMBEDDED_URL
from graph_flow.llm.transport.pump import (
    DeadlinePassed,
    Limit,
    Patience,
    Pump,
    SlotBook,
    unless_stopped,
)
from graph_flow.llm.transport.wire import Piece, Wire, WireCall
from store.models.endpoint import Endpoint
from store.models.run import Call, Outcome


class Ledger(Protocol):
    """Record every call, so that no finished one is paid for twice."""

    def record_call(self, call: Call) -> None:
        """Record a call that has ended, successfully or not; hold it if it cannot be recorded now."""

    def write_held(self) -> None:
        """Record the calls that could not be recorded before.

        Raises:
            StoreError: if they cannot be recorded now either.
        """

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        """Return the successful call of a step with exactly this prompt, if there is one."""

    def calls_of_step(self, branch: str, step: str, prompt_hash: str) -> list[Call]:
        """Return all calls of a step with exactly this prompt, the oldest first."""


Pause = Callable[[float, threading.Event], None]
"""Waits for the given seconds, or until the event is set."""

CHARACTERS_PER_TOKEN = 24
"""More than any language needs: an endpoint that sends more is ignoring its limit."""


@dataclass(frozen=True)
class Capacity:
    """How much may be asked: who allows each attempt, and the slots of each endpoint.

    Where several writers share their models, their gateways share the slots.
    """

    meter: Meter = field(default_factory=Unmetered)
    slots: SlotBook = field(default_factory=SlotBook)


class Exchange:
    """Ask questions, with retries, and record every attempt. Thread-safe."""

    def __init__(
        self,
        book: EndpointBook,
        ledger: Ledger,
        quirks: QuirksBook,
        pause: Pause,
        capacity: Capacity,
    ) -> None:
        self.quirks = quirks
        self._meter = capacity.meter
        self._slots = capacity.slots
        self._book = book
        self._ledger = ledger
        self._pause = pause
        self._lock = threading.Lock()
        self._likelihoods = Likelihoods()
        self._wires: dict[tuple[str, str, str, float], Wire] = {}

    def ask(self, question: Question) -> Answer:
        """Return an answer that has arrived in full; `settle` it once it is known to be usable or not.

        Raises:
            RunStopped: if the stop event is set before, between or during attempts.
            CapReached: if another attempt would exceed what the run may use.
            ModelError: if a limited number of retries does not help.
            StoreError: if earlier calls cannot be recorded: nothing more is paid for then.
        """
        scope, tries = question.request.scope, Tries(is_trial=question.is_trial)
        while True:
            try:
                return self._ask_and_learn(question, tries)
            except ModelError as error:
                seconds = tries.wait_after(error)
                if seconds is None:
                    raise
                scope.on_trouble(trouble_of(error, seconds))
            self._pause(seconds, scope.stop)

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

    def note_broken(self, answer: Answer) -> None:
        """Note that an endpoint accepted a schema, and did not follow it."""
        if answer.connection.is_embedded:
            return  # it does follow them: this one answer is an exception
        self.quirks.note_broken(answer.connection.endpoint, answer.quirks)

    def note_good(self, answer: Answer) -> None:
        """Note that an endpoint followed its schema at once."""
        self.quirks.note_good(answer.connection.endpoint, answer.quirks)

    def _ask_and_learn(self, question: Question, tries: Tries) -> Answer:
        """Ask, and learn from each refusal; no lesson is learned twice, so this ends."""
        scope = question.request.scope
        while True:
            if scope.stop.is_set():
                raise RunStopped
            self._ledger.write_held()
            connection = self._connection(question)
            quirks = self.quirks.of(connection.endpoint)
            scope.on_trouble("")
            try:
                return self._within_budget(question, connection, quirks, tries)
            except RequestRefused as refused:
                if not self._learn(question, connection, quirks, refused):
                    raise
            except EndpointUnreachable:
                if connection.is_embedded:
                    unless_stopped(partial(self._book.revive, connection), scope.stop)
                raise

    def _connection(self, question: Question) -> Connection:
        """Return a connection to the endpoint; starting a model of our own can take minutes."""
        endpoint = question.endpoint or self._book.current(question.request.agent)
        if endpoint.base_url != EMBEDDED_URL:
            return self._book.connect(endpoint)
        return unless_stopped(partial(self._book.connect, endpoint), question.request.scope.stop)

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
        self, question: Question, connection: Connection, quirks: EndpointQuirks, tries: Tries
    ) -> Answer:
        """Make an attempt, if the meter and the run's budget allow it."""
        scope = question.request.scope
        most = most_of(question, connection.endpoint, quirks)
        with ExitStack() as allowed:
            bookings = [allowed.enter_context(self._meter.attempt(connection.endpoint, most))]
            if scope.budget is not None:
                bookings.append(allowed.enter_context(scope.budget.attempt(most, scope.stop)))
            return self._attempt(question, connection, quirks, tries, bookings)

    def _attempt(
        self,
        question: Question,
        connection: Connection,
        quirks: EndpointQuirks,
        tries: Tries,
        bookings: Sequence[Booking],
    ) -> Answer:
        messages = messages_for(question, quirks)
        call = self._call(question, connection, quirks)
        pump = Pump(call, self._slots.of(connection.endpoint))
        pump.begin(question.request.scope.stop)
        answer = Answer(connection, quirks, as_text(messages))
        try:
            self._receive(question, answer, pump, tries)
        except BaseException as error:
            answer.is_free = answer.is_empty and was_turned_away(error)
            self.settle(question, answer, Outcome.FAILED, _problem(error))
            if isinstance(error, ModelError):
                error.partial = error.partial or answer.text
            raise
        finally:
            for booking in bookings:
                booking.actual = used_by(answer)
        return answer

    def _call(
        self, question: Question, connection: Connection, quirks: EndpointQuirks
    ) -> Callable[[], WireCall]:
        """Return what puts the question to the endpoint."""
        wire, messages = self._wire(connection), messages_for(question, quirks)
        if question.is_likelihood:
            before, text = (message.content for message in messages)
            return lambda: self._likelihoods.call(wire, before, text)
        parameters = parameters_of(question, connection, quirks)
        return lambda: wire.call(messages, parameters, takes_usage=quirks.takes_usage)

    def _receive(self, question: Question, answer: Answer, pump: Pump[Piece], tries: Tries) -> None:
        endpoint = answer.connection.endpoint
        try:
            self._take_pieces(question, answer, pump)
        except DeadlinePassed as passed:
            if answer.finish is None:
                raise _overdue(endpoint, passed, tries) from None
        if answer.finish is None:
            raise broken_off(endpoint)
        if answer.finish == "content_filter":
            raise declined(endpoint)

    def _take_pieces(self, question: Question, answer: Answer, pump: Pump[Piece]) -> None:
        scope, endpoint = question.request.scope, answer.connection.endpoint
        limit = (question.max_tokens + answer.quirks.headroom) * CHARACTERS_PER_TOKEN
        patience = Patience.of(endpoint.timeout)
        words = quiet_words(patience.silence, patience.content)
        pieces = pump.pieces(
            scope.stop, patience, lambda is_quiet: scope.on_trouble(words if is_quiet else "")
        )
        with closing(pieces):
            for piece in pieces:
                answer.take(piece)
                if piece.text and question.on_text:
                    question.on_text(answer.connection.redact(visible_so_far(answer.raw)))
                if len(answer.raw) > limit:
                    raise unusable(endpoint, "the answer never ended", answer.text)

    def _wire(self, connection: Connection) -> Wire:
        """Return the open connection to an endpoint; open a new one if anything has changed."""
        endpoint = connection.endpoint
        name = (endpoint.base_url, endpoint.model, connection.key, endpoint.timeout)
        with self._lock:
            if name not in self._wires:
                self._wires[name] = Wire(connection)
            return self._wires[name]


def _overdue(endpoint: Endpoint, passed: DeadlinePassed, tries: Tries) -> ModelError:
    """Return the error for an endpoint for which there is no more patience."""
    if passed.limit is Limit.WHOLE:
        return never_done(endpoint, passed.seconds)
    tries.silences.append(passed.seconds)
    say = silent if passed.limit is Limit.SILENCE else without_content
    return say(endpoint, passed.seconds, sum(tries.silences))


def _problem(error: BaseException) -> str:
    if isinstance(error, RunStopped):
        return "stopped by the writer"
    detail = error.detail if isinstance(error, ModelError) else ""
    return f"{error} {detail}".strip() or type(error).__name__
