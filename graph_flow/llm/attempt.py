"""One attempt at an answer: what is sent, what comes back, and its entry in the ledger."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graph_flow.llm import dialects
from graph_flow.llm.budget import Use
from graph_flow.llm.dialects import EndpointQuirks
from graph_flow.llm.parsing import visible_text, without_controls
from graph_flow.llm.request import Message, Request
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.transport.endpoints import Connection
from graph_flow.llm.transport.wire import Piece
from store.models.endpoint import Endpoint
from store.models.run import Call, Outcome

PROBLEM_LIMIT = 400


@dataclass(frozen=True)
class Question:
    """A request as it is sent this time: its messages may have grown since the first attempt."""

    request: Request
    prompt_hash: str
    messages: tuple[Message, ...]
    max_tokens: int
    schema: AnswerSchema[Any] | None = None
    on_text: Callable[[str], None] | None = None
    endpoint: Endpoint | None = None
    """None: the agent's own."""
    is_likelihood: bool = False
    """Whether the last message is not answered, but weighed: how likely is it after the one before?"""
    is_trial: bool = False
    """Whether a writer sits and waits for it, who wants to hear at once what does not work."""


@dataclass
class Answer:
    """What came back, and how. It is recorded only once it is clear whether it can be used."""

    connection: Connection
    quirks: EndpointQuirks
    prompt: str
    started: float = field(default_factory=time.monotonic)
    raw: str = ""
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    is_free: bool = False
    """Whether the endpoint turned the question away, which costs nothing."""

    @property
    def text(self) -> str:
        """The answer without reasoning, control characters or keys."""
        return self.connection.redact(visible_text(self.raw))

    @property
    def is_truncated(self) -> bool:
        """Whether the model ran out of tokens."""
        return self.finish == "length"

    @property
    def is_empty(self) -> bool:
        """Whether nothing came at all."""
        return not self.raw and self.finish is None

    def take(self, piece: Piece) -> None:
        """Add a piece of the stream."""
        self.raw += without_controls(piece.text)
        self.finish = piece.finish or self.finish
        self.tokens_in = piece.tokens_in or self.tokens_in
        self.tokens_out = piece.tokens_out or self.tokens_out


def messages_for(question: Question, quirks: EndpointQuirks) -> tuple[Message, ...]:
    """Return the messages, with the schema described if the endpoint does not enforce it."""
    if question.schema is None:
        return question.messages
    return dialects.with_schema(question.messages, question.schema, quirks.dialect)


def parameters_of(
    question: Question, connection: Connection, quirks: EndpointQuirks
) -> dict[str, Any]:
    """Return what is sent besides the messages.

    The response format goes into `extra_body`: as a parameter, it would make openai parse the
    answer itself, and raise where we could still use it.
    """
    extra: dict[str, Any] = {}
    seed = connection.endpoint.seed
    if seed is not None and quirks.takes_seed:
        extra |= {"seed": seed}
    if connection.is_embedded:
        extra |= {"repeat_penalty": 1.1, "min_p": 0.05}
    if question.schema is not None:
        wanted = dialects.response_format(question.schema, quirks.dialect)
        extra |= {"response_format": wanted} if wanted else {}
    parameters: dict[str, Any] = {quirks.limit_name: question.max_tokens + quirks.headroom}
    if quirks.takes_temperature:
        parameters["temperature"] = question.request.temperature
    return parameters | ({"extra_body": extra} if extra else {})


def most_of(question: Question, endpoint: Endpoint, quirks: EndpointQuirks) -> Use:
    """Return the most that an attempt is expected to use."""
    asked = sum(estimate_tokens(message.content) for message in messages_for(question, quirks))
    return _use(endpoint, asked, question.max_tokens + quirks.headroom)


def used_by(answer: Answer) -> Use:
    """Return what an attempt used, as recorded in the ledger."""
    return _use(answer.connection.endpoint, *_tokens(answer))


def _use(endpoint: Endpoint, tokens_in: int, tokens_out: int) -> Use:
    price = tokens_in * endpoint.price_in + tokens_out * endpoint.price_out
    return Use(tokens_in + tokens_out, price / 1_000_000)


def _tokens(answer: Answer) -> tuple[int, int]:
    """Return the tokens in and out that the endpoint counted, or an estimate."""
    if answer.is_free:
        return 0, 0
    asked = answer.tokens_in or estimate_tokens(answer.prompt)
    return asked, answer.tokens_out or estimate_tokens(answer.raw)


def as_call(question: Question, answer: Answer, outcome: Outcome, problem: str) -> Call:
    """Return the ledger entry for an attempt that ends now, without any key."""
    connection, scope = answer.connection, question.request.scope
    endpoint = connection.endpoint
    tokens_in, tokens_out = _tokens(answer)
    return Call(
        id=uuid.uuid4().hex,
        run=scope.run,
        branch=scope.branch,
        step=scope.step,
        agent=question.request.agent,
        endpoint=endpoint.name,
        model=endpoint.model,
        prompt=connection.redact(answer.prompt),
        prompt_hash=question.prompt_hash,
        words=question.request.words,
        sources=question.request.sources,
        answer=answer.text,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        milliseconds=round(1_000 * (time.monotonic() - answer.started)),
        cost=used_by(answer).cost,
        outcome=outcome,
        problem=connection.redact(problem)[:PROBLEM_LIMIT],
        created=datetime.now(UTC),
    )
