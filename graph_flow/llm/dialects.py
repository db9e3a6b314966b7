"""Schemas in the dialect that an endpoint accepts. Pure.

A schema is written once, as a pydantic model. Endpoints differ in how much of JSON Schema they
enforce; what an endpoint does not enforce is put into words, and pydantic checks every answer
anyway. Patterns alone are not put into words: they guide a model that is held to them, and mean
nothing to one that only reads them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from graph_flow.llm.request import Message
from graph_flow.llm.schema import AnswerSchema, Schema, with_each
from graph_flow.llm.transport.endpoints import is_openai, is_own_network
from store.models.endpoint import Dialect, Endpoint

_SCHEMAS = 64
"""How many schemas are cached per dialect. The cached objects must not be changed."""

_LADDER = (Dialect.FULL, Dialect.STRICT, Dialect.JSON_ONLY, Dialect.NONE)

_LIMITS: Mapping[str, str] = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "format": "in the format {}",
}
_STRICT_KEYWORDS = frozenset({"type", "enum", "description", "items", "anyOf"})

_JSON_ONLY_HOSTS = (
    "deepseek.com",
    "bigmodel.cn",
    "z.ai",
    "minimax.io",
    "minimax.chat",
    "minimaxi.com",
    "aliyuncs.com",
)
_SCHEMA_WORDS = (
    "response_format",
    "json_schema",
    "json_object",
    "schema",
    "structured output",
    "grammar",
    "regex",
    "pattern",
    "guided",
    "additionalproperties",
)


def first_dialect(base_url: str) -> Dialect:
    """Return the dialect to try first with an unknown endpoint.

    A server on this machine or network nearly always turns schemas into grammars; a hosted one is
    nearly always strict, except for a few that are known to accept no schema.
    """
    if is_own_network(base_url):
        return Dialect.FULL
    host = urlsplit(base_url).hostname or ""
    if any(host == known or host.endswith("." + known) for known in _JSON_ONLY_HOSTS):
        return Dialect.JSON_ONLY
    return Dialect.STRICT


def step_down(dialect: Dialect) -> Dialect:
    """Return the next less demanding dialect; the last one returns itself."""
    return _LADDER[min(_LADDER.index(dialect) + 1, len(_LADDER) - 1)]


def is_enforced(dialect: Dialect) -> bool:
    """Return whether an endpoint with this dialect allows only answers that follow the schema."""
    return dialect in {Dialect.FULL, Dialect.STRICT}


def speaks_of_schema(refusal: str) -> bool:
    """Return whether an endpoint's refusal is about the schema or the response format."""
    words = refusal.lower()
    return any(word in words for word in _SCHEMA_WORDS)


def response_format(schema: AnswerSchema[Any], dialect: Dialect) -> Schema | None:
    """Return the `response_format` to send; None if the endpoint accepts none."""
    if dialect is Dialect.NONE:
        return None
    if dialect is Dialect.JSON_ONLY:
        return {"type": "json_object"}
    content = full_schema(schema) if dialect is Dialect.FULL else strict_schema(schema)
    named: Schema = {"name": schema.name, "strict": True, "schema": content}
    return {"type": "json_schema", "json_schema": named}


@lru_cache(maxsize=_SCHEMAS)
def full_schema(schema: AnswerSchema[Any]) -> Schema:
    """Return a model's schema with all its limits, without references and titles.

    llama.cpp enforces lengths, counts, whole numbers and enumerations, but neither ranges of
    fractions nor a length next to a pattern.
    """
    closed = _closed(schema.json_schema)
    if schema.is_partial:
        return {key: value for key, value in closed.items() if key != "required"}
    return closed


@lru_cache(maxsize=_SCHEMAS)
def strict_schema(schema: AnswerSchema[Any]) -> Schema:
    """Return a model's schema for strict endpoints: limits in words, all fields required.

    These endpoints accept no other, so what a partial answer would leave out is empty in theirs.

    Raises:
        ValueError: if the model holds a mapping, which these endpoints do not accept.
    """
    return _strict(_closed(schema.json_schema))


def with_schema(
    messages: Sequence[Message], schema: AnswerSchema[Any], dialect: Dialect
) -> tuple[Message, ...]:
    """Return the messages, with the schema described if the endpoint does not enforce it."""
    if is_enforced(dialect):
        return tuple(messages)
    words = describe(schema)
    first = messages[0] if messages else Message("system", "")
    if first.role != "system":
        return (Message("system", words), *messages)
    return (Message("system", f"{first.content}\n\n{words}".strip()), *messages[1:])


def describe(schema: AnswerSchema[Any]) -> str:
    """Return the words that ask for an answer of this schema."""
    said = _without_patterns(full_schema(schema))
    written = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return (
        "Answer with one JSON object and nothing else: no words before or after it. "
        f"It must follow this JSON schema:\n{written}"
    )


def _closed(node: Schema) -> Schema:
    """Return a schema without clutter, and with every field required.

    Small models leave out whatever they may; a field that may be empty says so in its type. The
    docstrings of classes and enumerations are for developers: a small model would repeat them.
    """
    clutter = {"title", "default", "discriminator", "examples"}
    if "properties" in node or "enum" in node:
        clutter.add("description")
    kept = {key: value for key, value in node.items() if key not in clutter}
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if "oneOf" in kept:
        kept["anyOf"] = kept.pop("oneOf")
    properties = kept.get("properties")
    if isinstance(properties, dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    return with_each(kept, _closed)


def _without_patterns(node: Schema) -> Schema:
    kept = {key: value for key, value in node.items() if key != "pattern"}
    return with_each(kept, _without_patterns)


def _strict(node: Schema) -> Schema:
    kept = {key: value for key, value in node.items() if key in _STRICT_KEYWORDS}
    limits = [words.format(node[key]) for key, words in _LIMITS.items() if key in node]
    if limits:
        said = f"{kept.get('description', '')} Limits: {', '.join(limits)}."
        kept["description"] = said.strip()
    if node.get("type") == "object":
        if "properties" not in node:
            raise ValueError("strict endpoints accept no mappings: use a list of pairs")
        kept |= {name: node[name] for name in ("properties", "required", "additionalProperties")}
    return with_each(kept, _strict)


OnDialect = Callable[[Endpoint, Dialect], None]

HEADROOM_STEP = 2_048
HEADROOM_LIMIT = 16_384


@dataclass(frozen=True)
class EndpointQuirks:
    """How an endpoint has to be called.

    `headroom` is how many tokens are allowed on top of the answer's own, for models that reason
    before they answer and count that as output.
    """

    dialect: Dialect
    takes_temperature: bool = True
    takes_seed: bool = True
    takes_usage: bool = True
    limit_name: str = "max_tokens"
    is_limit_settled: bool = False
    headroom: int = 0

    def after(self, refusal: str, *, had_schema: bool) -> EndpointQuirks:
        """Return the quirks as corrected by a refusal, unchanged if it says nothing new."""
        words = refusal.lower()
        if "temperature" in words and self.takes_temperature:
            return replace(self, takes_temperature=False)
        if "seed" in words and self.takes_seed:
            return replace(self, takes_seed=False)
        if "stream_options" in words and self.takes_usage:
            return replace(self, takes_usage=False)
        if not self.is_limit_settled and ("max_tokens" in words or "max_completion_t" in words):
            other = "max_tokens" if self.limit_name != "max_tokens" else "max_completion_tokens"
            return replace(self, limit_name=other, is_limit_settled=True)
        if had_schema and speaks_of_schema(words):
            return replace(self, dialect=step_down(self.dialect))
        return self

    def with_headroom(self) -> EndpointQuirks:
        """Return these quirks with more tokens for a model's reasoning."""
        more = max(HEADROOM_STEP, 2 * self.headroom)
        return replace(self, headroom=min(more, HEADROOM_LIMIT))


BROKEN_IN_A_ROW = 3
"""After so many answers that break the schema, an endpoint is taken not to enforce it."""
GOOD_BEFORE_TRIAL = 40
"""After so many good answers without enforcement, it is tried again. Each failed trial doubles them:
an endpoint that never enforces a schema is bothered ever more rarely."""


@dataclass
class _Conduct:
    """How an endpoint has lately kept to what it was asked for.

    `left` is the dialect that was given up because of broken answers; None if none was.
    """

    left: Dialect | None = None
    broken: int = 0
    good: int = 0
    wanted: int = GOOD_BEFORE_TRIAL


class QuirksBook:
    """Remember the quirks of every endpoint. Thread-safe.

    `on_dialect` is called with each dialect that an endpoint makes necessary by refusing another, to
    save it. One that is given up because of broken answers is not: an hour of bad answers says
    little about the next, and it is tried again, after a number of good answers or by another book.
    """

    def __init__(self, on_dialect: OnDialect) -> None:
        self._on_dialect = on_dialect
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], EndpointQuirks] = {}
        self._conduct: dict[tuple[str, str], _Conduct] = {}

    def of(self, endpoint: Endpoint) -> EndpointQuirks:
        """Return the known quirks of an endpoint, or the likely ones."""
        with self._lock:
            return self._of(endpoint)

    def forget(self, endpoint: Endpoint) -> None:
        """Forget what was learned about an endpoint, since it may have changed."""
        with self._lock:
            self._known.pop(_identity(endpoint), None)
            self._conduct.pop(_identity(endpoint), None)

    def learn(
        self, endpoint: Endpoint, tried: EndpointQuirks, refusal: str, *, had_schema: bool
    ) -> bool:
        """Learn from a refusal of what was tried; return whether there is something else to try."""
        now = tried.after(refusal, had_schema=had_schema)
        with self._lock:
            if self._of(endpoint) != tried:
                return True  # another thread has learned something in the meantime
            self._known[_identity(endpoint)] = now
            if now.dialect is not tried.dialect:
                self._conduct.pop(_identity(endpoint), None)
        if now.dialect is not tried.dialect:
            self._on_dialect(endpoint, now.dialect)
        return now != tried

    def note_broken(self, endpoint: Endpoint, tried: EndpointQuirks) -> None:
        """Note an answer that breaks the schema that the endpoint had accepted.

        After several in a row it is asked for JSON only: whoever ignores a schema ignores it in
        every dialect.
        """
        with self._lock:
            known, conduct = self._of(endpoint), self._conduct_of(endpoint)
            if not is_enforced(tried.dialect) or known.dialect is not tried.dialect:
                return
            conduct.broken, conduct.good = conduct.broken + 1, 0
            if conduct.broken < BROKEN_IN_A_ROW:
                return
            again = 2 * conduct.wanted if conduct.left is tried.dialect else GOOD_BEFORE_TRIAL
            self._conduct[_identity(endpoint)] = _Conduct(left=tried.dialect, wanted=again)
            self._known[_identity(endpoint)] = replace(known, dialect=Dialect.JSON_ONLY)

    def note_good(self, endpoint: Endpoint, tried: EndpointQuirks) -> None:
        """Note an answer that followed its schema, without having been shown a mistake before."""
        with self._lock:
            known, conduct = self._of(endpoint), self._conduct_of(endpoint)
            if known.dialect is not tried.dialect:
                return
            conduct.broken = 0
            conduct.good += 1
            if conduct.left is None:
                return
            if is_enforced(known.dialect):
                if conduct.good >= BROKEN_IN_A_ROW:
                    del self._conduct[_identity(endpoint)]  # the trial has succeeded
            elif conduct.good >= conduct.wanted:
                conduct.good = 0
                self._known[_identity(endpoint)] = replace(known, dialect=conduct.left)

    def keep(self, endpoint: Endpoint) -> Dialect:
        """Return the dialect that an endpoint turned out to take, and save it."""
        dialect = self.of(endpoint).dialect
        self._on_dialect(endpoint, dialect)
        return dialect

    def note_starved(self, endpoint: Endpoint, tried: EndpointQuirks) -> None:
        """Remember that a model used up all its tokens before it began to answer."""
        with self._lock:
            if self._of(endpoint) == tried:
                self._known[_identity(endpoint)] = tried.with_headroom()

    def _of(self, endpoint: Endpoint) -> EndpointQuirks:
        return self._known.get(_identity(endpoint)) or EndpointQuirks(
            dialect=endpoint.dialect or first_dialect(endpoint.base_url),
            limit_name="max_completion_tokens" if is_openai(endpoint.base_url) else "max_tokens",
        )

    def _conduct_of(self, endpoint: Endpoint) -> _Conduct:
        return self._conduct.setdefault(_identity(endpoint), _Conduct())


def _identity(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.base_url, endpoint.model
