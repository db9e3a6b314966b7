"""Asking for a text until it is whole: continued where it was cut, asked again where it is bad."""

from __future__ import annotations

from collections.abc import Callable

from graph_flow.llm.attempt import Answer, Question
from graph_flow.llm.continuing import at_last_sentence, at_last_word, continuation, joined
from graph_flow.llm.errors import ModelError, UnusableAnswer, unusable
from graph_flow.llm.exchange import Exchange
from graph_flow.llm.leaks import leaked_phrase
from graph_flow.llm.request import Request, prompt_hash
from store.models.run import Outcome
from store.models.telling import count_words

OnText = Callable[[str], None]

MORE_TRIES = 2
"""How often an empty or unusable text is asked for again."""
CONTINUATIONS = 4


class TextTask:
    """One text to be had. Made for a single call of `run`."""

    def __init__(self, exchange: Exchange, request: Request, on_text: OnText | None) -> None:
        self._exchange = exchange
        self._request = request
        self._messages = request.messages
        self._on_text = on_text
        self._hash = prompt_hash(request)
        self._so_far = ""
        self._continued = 0
        self._failed = 0

    def run(self) -> str:
        """Return the whole text.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if there is none; `partial` holds what had arrived.
        """
        while True:
            question = self._question()
            try:
                answer = self._exchange.ask(question)
            except ModelError as error:
                error.partial = joined(self._so_far, error.partial)
                raise
            whole = joined(self._so_far, answer.text)
            ended = self._ended(whole) if answer.is_truncated else whole
            if ended is None:
                self._go_on(question, answer, whole)
            elif problem := self._problem(ended):
                self._ask_again(question, answer, problem)
            else:
                self._exchange.settle_whole(question, answer, ended)
                return ended

    def _ended(self, whole: str) -> str | None:
        """Return a text that was cut off, up to its last sentence; None if that is not enough."""
        if self._request.enough is None:
            return None
        ended = at_last_sentence(whole)
        return ended if count_words(ended) >= self._request.enough else None

    def _question(self) -> Question:
        messages = self._messages
        if self._so_far:
            is_last = self._continued == CONTINUATIONS
            messages = continuation(messages, self._so_far, is_last=is_last)
        return Question(
            self._request,
            self._hash,
            messages,
            self._request.max_tokens,
            on_text=self._show if self._on_text else None,
        )

    def _show(self, text: str) -> None:
        if self._on_text:
            self._on_text(joined(self._so_far, text))

    def _problem(self, whole: str) -> str:
        if not whole.strip():
            return "the answer was empty"
        leak = leaked_phrase(whole, self._request)
        if leak is None:
            return ""
        self._messages = self._request.bare_messages  # it would repeat what it sees again
        return f"it repeats “{leak}” from the example"

    def _go_on(self, question: Question, answer: Answer, whole: str) -> None:
        """Keep a text that was cut off, to be continued."""
        if not answer.text.strip():
            self._exchange.starve(answer)
            self._ask_again(question, answer, "no room was left for the answer")
            return
        self._exchange.settle(question, answer, Outcome.TRUNCATED, "cut off; continued")
        self._continued += 1
        if self._continued > CONTINUATIONS:
            raise self._given_up(answer, "the text did not come to an end", whole)
        self._so_far = at_last_word(whole)

    def _ask_again(self, question: Question, answer: Answer, problem: str) -> None:
        self._exchange.settle(question, answer, Outcome.UNUSABLE, problem)
        self._failed += 1
        if self._failed > MORE_TRIES:
            raise self._given_up(answer, problem, joined(self._so_far, answer.text))
        self._so_far = ""

    def _given_up(self, answer: Answer, problem: str, partial: str) -> UnusableAnswer:
        return unusable(answer.connection.endpoint, problem, partial)
