"""Asking for an object until it follows its schema; the model is shown what was wrong.

Models repeat what they see, small ones above all. A model that repeats the mistake it was shown is
therefore asked the original question again; one that copies the worked example is asked without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from graph_flow.llm.attempt import Answer, Question
from graph_flow.llm.dialects import describe, is_enforced
from graph_flow.llm.errors import unusable
from graph_flow.llm.exchange import Exchange
from graph_flow.llm.parsing import AnswerError, leaked_phrase, parse_answer
from graph_flow.llm.request import Message
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.tokens import estimate_tokens
from store.models.run import Outcome

T = TypeVar("T", bound=BaseModel)

MORE_TRIES = 2
"""How often to ask again after an unusable answer."""
SHOWN_LIMIT = 1_500
"""How many characters of a bad answer the model is shown."""


class _Unusable(Exception):
    """An answer was recorded, but cannot be used."""


class ObjectTask(Generic[T]):
    """Get one object. Make one task per call of `run`."""

    def __init__(self, exchange: Exchange, question: Question, schema: AnswerSchema[T]) -> None:
        self._exchange = exchange
        self._first = question
        self._question = question
        self._schema = schema
        self._mistake = ""

    def run(self) -> T:
        """Return an object of the schema, validated.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if no answer is usable; `partial` holds the last one.
        """
        failed = 0
        while True:
            answer = self._exchange.ask(self._question)
            try:
                found = self._usable(answer)
            except _Unusable as error:
                failed += 1
                if failed > MORE_TRIES:
                    endpoint = answer.connection.endpoint
                    raise unusable(endpoint, str(error), answer.text) from None
            else:
                self._exchange.settle(self._question, answer, Outcome.OK)
                if self._question.messages == self._first.messages:
                    self._exchange.note_good(answer)  # shown its mistake, it may know the schema
                return found

    def _usable(self, answer: Answer) -> T:
        """Return the object that an answer holds, or prepare the next question.

        Raises:
            _Unusable: if it holds none.
        """
        if answer.is_truncated:
            raise self._take_truncated(answer)
        try:
            found = parse_answer(answer.text, self._schema)
        except AnswerError as error:
            raise self._take_unusable(answer, error) from error
        leak = leaked_phrase(answer.text, self._first.request)
        if leak is not None:
            raise self._take_leak(answer, leak)
        return found

    def _take_truncated(self, answer: Answer) -> _Unusable:
        """Record an answer that was cut off, and allow the next one twice the length."""
        problem = "the answer was cut off"
        self._exchange.settle(self._question, answer, Outcome.TRUNCATED, problem)
        if not answer.text.strip():
            self._exchange.note_starved(answer)
        window = answer.connection.endpoint.context_window
        room = window - estimate_tokens(answer.prompt) - answer.quirks.headroom
        more = max(self._question.max_tokens, min(2 * self._question.max_tokens, room))
        self._question = replace(self._question, max_tokens=more)
        return _Unusable(problem)

    def _take_unusable(self, answer: Answer, error: AnswerError) -> _Unusable:
        """Record an answer that does not follow the schema, and show the model its error."""
        self._exchange.settle(self._question, answer, Outcome.UNUSABLE, str(error))
        has_form = is_enforced(answer.quirks.dialect) and not error.is_off_schema
        if error.is_off_schema and is_enforced(answer.quirks.dialect):
            self._exchange.note_broken(answer)
        wanted = "Answer again." if has_form else describe(self._schema)
        shown = (
            Message("assistant", answer.text[:SHOWN_LIMIT]),
            Message("user", f"That answer cannot be used:\n{error}\n\n{wanted}"),
        )
        is_of_use = answer.text.strip() and str(error) != self._mistake
        messages = self._first.messages + (shown if is_of_use else ())
        self._question = replace(self._question, messages=messages)
        self._mistake = str(error)
        return _Unusable(self._mistake)

    def _take_leak(self, answer: Answer, leak: str) -> _Unusable:
        """Record an answer that repeats the example, and ask again without the example."""
        problem = f"it repeats “{leak}” from the example"
        self._exchange.settle(self._question, answer, Outcome.UNUSABLE, problem)
        self._question = replace(self._question, messages=self._first.request.bare_messages)
        return _Unusable(problem)
