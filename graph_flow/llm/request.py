"""What a caller gives the gateway, and what a connection test returns."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graph_flow.llm.budget import Budget
from graph_flow.llm.schema import AnswerSchema
from store.models.endpoint import Dialect, Endpoint
from store.models.run import PromptSource


@dataclass(frozen=True)
class Message:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


def ignore_trouble(_words: str) -> None:
    """Ignore a call's trouble."""


@dataclass(frozen=True)
class CallScope:
    """Where a call belongs, the event that stops it, and what it may use.

    `step` names the call within its branch; a finished call is found again by branch, step and
    prompt. Without a branch, nothing is found again. `on_trouble` gets the reason, in a writer's
    words, while a call waits to be retried, and an empty text once it is.
    """

    branch: str | None
    run: str | None
    step: str
    stop: threading.Event
    budget: Budget | None = None
    on_trouble: Callable[[str], None] = ignore_trouble


@dataclass(frozen=True)
class Request:
    """A prompt, with what is required of its answer.

    `forbidden` holds words and phrases of the prompt's worked example: an answer that contains
    one that the last message does not is unusable. A text that is cut off after `enough` words
    ends at its last whole sentence; a shorter one is continued. `words` and `sources` show the
    writer what the call is for and what went into it. `endpoint` is asked in place of the agent's own.
    """

    agent: str
    messages: tuple[Message, ...]
    scope: CallScope
    max_tokens: int
    temperature: float = 0.8
    forbidden: tuple[str, ...] = ()
    enough: int | None = None
    words: str = ""
    sources: tuple[PromptSource, ...] = ()
    endpoint: Endpoint | None = None

    @property
    def bare_messages(self) -> tuple[Message, ...]:
        """The messages without the worked example: the instructions and the request."""
        *before, asked = self.messages
        return (*(message for message in before if message.role == "system"), asked)


@dataclass(frozen=True)
class ConnectionReport:
    """The result of testing an endpoint. `message` is for the writer."""

    ok: bool
    seconds: float
    dialect: Dialect | None
    message: str


def prompt_hash(request: Request, schema: AnswerSchema[Any] | None = None) -> str:
    """Return the SHA-256 (hexadecimal) of what makes two calls the same."""
    content = {
        "agent": request.agent,
        "messages": [[message.role, message.content] for message in request.messages],
        "schema": json.dumps(schema.json_schema, sort_keys=True) if schema else None,
    }
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def as_text(messages: Sequence[Message]) -> str:
    """Return a prompt as one text for the ledger."""
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)
