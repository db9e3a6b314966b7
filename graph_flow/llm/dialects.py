"""Schemas in the dialect that an endpoint takes. Pure.

A schema is written once, as a pydantic model. Endpoints differ in how much of JSON Schema they
enforce; what one cannot enforce is said in words, and the model checks every answer anyway. Only
patterns are not said: they lead the hand of a model that is held to them, and tell a reader nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel

from graph_flow.llm.addresses import is_own_network
from graph_flow.llm.request import Message
from store.models.endpoint import Dialect

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Schema: TypeAlias = "dict[str, Json]"

_SCHEMAS = 64
"""Schemas that are kept as they were written for a dialect; nobody may change them."""

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
    """Return the dialect to try first with an endpoint of which nothing is known.

    A server on this machine or network is nearly always one that turns schemas into grammars;
    a hosted one nearly always is strict, but for the few that are known to take no schema.
    """
    if is_own_network(base_url):
        return Dialect.FULL
    host = urlsplit(base_url).hostname or ""
    if any(host == known or host.endswith("." + known) for known in _JSON_ONLY_HOSTS):
        return Dialect.JSON_ONLY
    return Dialect.STRICT


def step_down(dialect: Dialect) -> Dialect:
    """Return the next rung of the ladder; the last is its own next."""
    return _LADDER[min(_LADDER.index(dialect) + 1, len(_LADDER) - 1)]


def is_enforced(dialect: Dialect) -> bool:
    """Return whether an endpoint with this dialect lets no other answer pass than the schema's."""
    return dialect in {Dialect.FULL, Dialect.STRICT}


def speaks_of_schema(refusal: str) -> bool:
    """Return whether an endpoint's refusal is about the schema or the response format."""
    words = refusal.lower()
    return any(word in words for word in _SCHEMA_WORDS)


def response_format(schema: type[BaseModel], dialect: Dialect) -> Schema | None:
    """Return the `response_format` to send; None where an endpoint takes none."""
    if dialect is Dialect.NONE:
        return None
    if dialect is Dialect.JSON_ONLY:
        return {"type": "json_object"}
    content = full_schema(schema) if dialect is Dialect.FULL else strict_schema(schema)
    named: Schema = {"name": schema.__name__, "strict": True, "schema": content}
    return {"type": "json_schema", "json_schema": named}


@lru_cache(maxsize=_SCHEMAS)
def full_schema(schema: type[BaseModel]) -> Schema:
    """Return a model's schema with all its limits, without references and titles.

    llama.cpp keeps to lengths, counts, whole numbers and enumerations; not to ranges of
    fractions, nor to a length beside a pattern.
    """
    return _closed(_resolved(schema))


@lru_cache(maxsize=_SCHEMAS)
def strict_schema(schema: type[BaseModel]) -> Schema:
    """Return a model's schema as strict endpoints take it: limits in words, all fields required.

    Raises:
        ValueError: if the model holds a mapping, which these endpoints cannot take.
    """
    return _strict(_closed(_resolved(schema)))


def with_schema(
    messages: Sequence[Message], schema: type[BaseModel], dialect: Dialect
) -> tuple[Message, ...]:
    """Return the messages with the schema described, where the endpoint does not enforce it."""
    if is_enforced(dialect):
        return tuple(messages)
    words = describe(schema)
    first = messages[0] if messages else Message("system", "")
    if first.role != "system":
        return (Message("system", words), *messages)
    return (Message("system", f"{first.content}\n\n{words}".strip()), *messages[1:])


def describe(schema: type[BaseModel]) -> str:
    """Return the words that ask for an answer of this schema."""
    said = _without_patterns(full_schema(schema))
    written = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return (
        "Answer with one JSON object and nothing else: no words before or after it. "
        f"It must follow this JSON schema:\n{written}"
    )


def _resolved(schema: type[BaseModel]) -> Schema:
    """Return a model's schema with every reference replaced by what it refers to."""
    written = dict(schema.model_json_schema())
    return _resolve(written, written.pop("$defs", {}), ())


def _resolve(node: Schema, definitions: Mapping[str, Schema], above: tuple[str, ...]) -> Schema:
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.rsplit("/", 1)[-1]
        if name in above:
            raise ValueError(f"the schema {name} holds itself; models get flat schemas only")
        around = {key: value for key, value in node.items() if key != "$ref"}
        return _resolve(definitions[name] | around, definitions, (*above, name))
    return _each(node, lambda child: _resolve(child, definitions, above))


def _closed(node: Schema) -> Schema:
    """Return a schema without what only clutters it, and with every field required.

    What may be left out, small models leave out; a field that may be empty says so by its type.
    What classes and enumerations say of themselves is for us: a small model answers with it.
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
    return _each(kept, _closed)


def _without_patterns(node: Schema) -> Schema:
    kept = {key: value for key, value in node.items() if key != "pattern"}
    return _each(kept, _without_patterns)


def _strict(node: Schema) -> Schema:
    kept = {key: value for key, value in node.items() if key in _STRICT_KEYWORDS}
    limits = [words.format(node[key]) for key, words in _LIMITS.items() if key in node]
    if limits:
        said = f"{kept.get('description', '')} Limits: {', '.join(limits)}."
        kept["description"] = said.strip()
    if node.get("type") == "object":
        if "properties" not in node:
            raise ValueError("strict endpoints take no mappings: use a list of pairs")
        kept |= {name: node[name] for name in ("properties", "required", "additionalProperties")}
    return _each(kept, _strict)


def _each(node: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """Return a schema with `change` applied to the schemas right inside it."""
    done: Schema = {}
    for key, value in node.items():
        if key == "properties" and isinstance(value, dict):
            done[key] = {name: _changed(child, change) for name, child in value.items()}
        elif key in {"anyOf", "allOf", "oneOf", "prefixItems"} and isinstance(value, list):
            done[key] = [_changed(child, change) for child in value]
        elif key in {"items", "additionalProperties"}:
            done[key] = _changed(value, change)
        else:
            done[key] = value
    return done


def _changed(child: Json, change: Callable[[Schema], Schema]) -> Json:
    return change(child) if isinstance(child, dict) else child
