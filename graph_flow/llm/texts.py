"""Asking for a text until it is complete: continued if it was cut off, asked for again if bad."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graph_flow.llm.attempt import Answer, Question
from graph_flow.llm.errors import ModelError, UnusableAnswer, unusable
from graph_flow.llm.exchange import Exchange
from graph_flow.llm.parsing import leaked_phrase
from graph_flow.llm.request import Message, Request, prompt_hash
from store.models.run import Call, Outcome
from store.text import count_words

OnText = Callable[[str], None]

MORE_TRIES = 2
"""How often to ask again after an empty or unusable text."""
CONTINUATIONS = 4


class TextTask:
    """Get one text. Make one task per call of `run`."""

    def __init__(
        self,
        exchange: Exchange,
        request: Request,
        on_text: OnText | None,
        parts: Sequence[str] = (),
    ) -> None:
        """Go on from the `parts` that had come before the app was stopped or killed."""
        self._exchange = exchange
        self._request = request
        self._messages = request.messages
        self._on_text = on_text
        self._hash = prompt_hash(request)
        self._so_far = ""
        for part in parts:
            self._so_far = at_last_word(joined(self._so_far, part))
        self._continued = len(parts)
        self._failed = 0

    def run(self) -> str:
        """Return the whole text.

        Raises:
            RunStopped: if the scope's stop event is set.
            ModelError: if no text is usable; `partial` holds what had arrived.
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
        """Return a truncated text up to its last sentence; None if that is too short."""
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
        self._messages = self._request.bare_messages  # shown the example, it would repeat it
        return f"it repeats “{leak}” from the example"

    def _go_on(self, question: Question, answer: Answer, whole: str) -> None:
        """Keep a text that was cut off, and have it continued."""
        if not answer.text.strip():
            self._exchange.note_starved(answer)
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


LONGEST_WORD = 40
LONGEST_OVERLAP = 400
SHORTEST_OVERLAP = 12

_SENTENCE_END = re.compile(r"[.!?…؟][\"'”’»)\]*_]*(?=\s)|[。！？][”’」』）]*")

_GO_ON = (
    "Your text stopped in the middle. Go on exactly where it stops, with the very next word. "
    "Repeat nothing and add no remark."
)
_FINISH = (
    "Your text stopped in the middle. Go on exactly where it stops, with the very next word, "
    "and bring it to its end in two or three sentences. Repeat nothing and add no remark."
)


def parts_so_far(calls: Sequence[Call]) -> list[str]:
    """Return the parts of a text that was being continued, from all calls of its step, oldest first.

    A text that was given up, or could not be used, is not gone on with.
    """
    parts: list[str] = []
    for call in calls:
        if call.outcome is Outcome.TRUNCATED:
            parts = [*parts, call.answer] if len(parts) <= CONTINUATIONS else [call.answer]
        elif call.outcome is not Outcome.FAILED:
            parts = []
    return parts if len(parts) <= CONTINUATIONS else []


def at_last_word(text: str) -> str:
    """Return a truncated text up to the last word that is certainly whole.

    A text without spaces between words is returned as it is.
    """
    tail = text[-LONGEST_WORD:]
    spaces = [place for place, character in enumerate(tail) if character.isspace()]
    return text[: len(text) - len(tail) + spaces[-1] + 1] if spaces else text


def at_last_sentence(text: str) -> str:
    """Return a truncated text up to the end of its last whole sentence, or an empty text."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""


def continuation(messages: Sequence[Message], so_far: str, *, is_last: bool) -> tuple[Message, ...]:
    """Return the messages that ask a model to go on, or, the last time, to finish."""
    return (
        *messages,
        Message("assistant", so_far.rstrip()),
        Message("user", _FINISH if is_last else _GO_ON),
    )


def joined(so_far: str, more: str) -> str:
    """Return a text with its continuation, without the words that the model repeated."""
    if not so_far:
        return more
    addition = more.lstrip(" \t")
    if so_far[-1:].isspace():
        addition = addition.lstrip("\n") if so_far.endswith("\n") else addition
    overlap = _overlap(so_far.rstrip(), addition)
    rest = addition[overlap:]
    return so_far + (rest.lstrip(" \t") if overlap else rest)


def _overlap(so_far: str, addition: str) -> int:
    """Return how many characters at the start of `addition` repeat the end of `so_far`."""
    longest = min(len(so_far), len(addition), LONGEST_OVERLAP)
    for length in range(longest, SHORTEST_OVERLAP - 1, -1):
        if so_far.endswith(addition[:length]):
            return length
    return 0
