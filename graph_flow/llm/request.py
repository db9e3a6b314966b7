"""What a caller hands to the gateway, and what a test of a connection hands back."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import BaseModel

from graph_flow.llm.budget import Budget
from store.models.endpoint import Dialect
from store.models.run import PromptSource

_SCHEMAS = 64


@dataclass(frozen=True)
class Message:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


def tell_nobody(_words: str) -> None:
    """Keep it to oneself that a call has trouble."""


@dataclass(frozen=True)
class CallScope:
    """Where a call belongs, the event that stops it, and what it may use.

    `step` names the call within its branch; a finished call is found again by branch, step and
    prompt. With no branch nothing is found again. `on_trouble` is told, in a writer's words, while
    a call waits to be tried again, and with no words when it is.
    """

    branch: str | None
    run: str | None
    step: str
    stop: threading.Event
    budget: Budget | None = None
    on_trouble: Callable[[str], None] = tell_nobody


@dataclass(frozen=True)
class Request:
    """A prompt with what is asked of the answer.

    `forbidden` are words and phrases of the prompt's worked example: an answer that has one of
    them, though the last message has not, is unusable. A text that is cut off after `enough`
    words is ended at its last whole sentence; a shorter one is continued. `words` and `sources`
    tell the writer what the call is for and what went into it.
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

    @property
    def bare_messages(self) -> tuple[Message, ...]:
        """The messages without the worked example: the instructions, and what is asked for."""
        *before, asked = self.messages
        return (*(message for message in before if message.role == "system"), asked)


@dataclass(frozen=True)
class ConnectionReport:
    """How a test of an endpoint went. `message` is for the writer."""

    ok: bool
    seconds: float
    dialect: Dialect | None
    message: str


def prompt_hash(request: Request, schema: type[BaseModel] | None = None) -> str:
    """Return the SHA-256, in hexadecimal, of what makes a call the same call again."""
    content = {
        "agent": request.agent,
        "messages": [[message.role, message.content] for message in request.messages],
        "schema": _written(schema) if schema else None,
    }
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=_SCHEMAS)
def _written(schema: type[BaseModel]) -> str:
    """Return a schema as text: to write a large one takes longer than all else about its call."""
    return json.dumps(schema.model_json_schema(), sort_keys=True)


def as_text(messages: Sequence[Message]) -> str:
    """Return a prompt as one text, as the ledger keeps it."""
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)
