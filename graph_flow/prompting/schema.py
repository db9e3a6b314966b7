"""Schemas of answers, narrowed for each call: which people, scenes and events may be named.

A model is made once per shape and cached; what differs from call to call is checked on top of it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import (
    BaseModel,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    create_model,
)
from pydantic.config import JsonDict
from pydantic_core import CoreSchema, InitErrorDetails, SchemaValidator, core_schema

T = TypeVar("T", bound=BaseModel)

_SHAPES = 256
"""How many shapes of answers, and their JSON schemas, are cached; many prompts share one."""

NOTHING = "nothing"
"""What an answer says to choose none."""


def one_of(choices: Sequence[str]) -> Any:
    """Return the type of a string that must be one of `choices`; *nothing* if there are none."""
    return Literal[tuple(dict.fromkeys(choices or [NOTHING]))]


def one_of_or_nothing(choices: Sequence[str]) -> Any:
    """Return the type of a string that must be one of `choices`, or *nothing*."""
    return one_of([*choices, NOTHING])


def list_of(item: Any, least: int, most: int, asked: int | None = None) -> Any:
    """Return the type of a list of `least` to `most` items; `asked` is the least asked for."""
    extra: JsonDict = {} if asked is None else {"minItems": asked}
    return Annotated[
        list[item], Field(min_length=least, max_length=most, json_schema_extra=extra or None)
    ]


def narrowed(answer: type[T], **fields: Any) -> type[T]:
    """Return a model like `answer`, with narrower types for some fields.

    The order of the fields is kept, because that is the order in which models answer.
    """
    parts = {name: part_of(fields[name]) for name in answer.model_fields if name in fields}
    return _with_parts(_narrowed(answer, tuple(parts.items())), parts)


def reduced(
    answer: type[BaseModel], fields: Mapping[str, Any], without: Set[str]
) -> type[BaseModel]:
    """Return a narrowed model without some of the fields, which are then not asked for."""
    parts = {name: part_of(fields[name]) for name in answer.model_fields if name in fields}
    return _with_parts(_reduced(answer, tuple(parts.items()), frozenset(without)), parts)


def _with_parts(shape: type[T], parts: Mapping[str, Part]) -> type[T]:
    choices = {
        (name, *path): allowed
        for name, part in parts.items()
        if name in shape.model_fields
        for path, allowed in part.choices.items()
    }
    return enumerating(shape, tuple(choices.items())) if choices else shape


@lru_cache(maxsize=_SHAPES)
def _narrowed(answer: type[T], parts: tuple[tuple[str, Part], ...]) -> type[T]:
    declared: dict[str, Any] = {name: (part.shape, ...) for name, part in parts}
    return create_model(answer.__name__, __base__=answer, **declared)


@lru_cache(maxsize=_SHAPES)
def _reduced(
    answer: type[BaseModel], parts: tuple[tuple[str, Part], ...], without: frozenset[str]
) -> type[BaseModel]:
    given = dict(parts)
    declared: dict[str, Any] = {
        name: (given[name].shape, ...) if name in given else (field.annotation, field)
        for name, field in answer.model_fields.items()
        if name not in without
    }
    return create_model(answer.__name__, __base__=answer.__base__, **declared)


Path = tuple[str, ...]
"""Names of nested fields, from the answer inward; a list and its items count as one step."""

Choices = Mapping[Path, tuple[str, ...]]
"""The values allowed at some paths of an answer."""

Patterns = Mapping[Path, str]
"""Regular expressions for the texts at some paths of an answer."""

Json = dict[str, Any]

_THIN = "__thin__"


@dataclass(frozen=True)
class Part:
    """The type of a field without its choices, and the choices within it.

    Parts with the same key have the same shape.
    """

    key: Hashable
    shape: Any = field(compare=False)
    choices: Choices = field(compare=False, default_factory=dict)


@dataclass(frozen=True)
class _Thin:
    shape: type[BaseModel]
    choices: Choices
    patterns: Patterns = field(default_factory=dict)

    def keywords(self) -> Iterator[tuple[Path, Json]]:
        """Yield what its JSON schema adds to that of its shape, with the path."""
        yield from ((path, {"enum": list(allowed)}) for path, allowed in self.choices.items())
        yield from ((path, {"pattern": wanted}) for path, wanted in self.patterns.items())


def part_of(kind: Any) -> Part:
    """Separate a type from its choices."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return Part("a choice", str, {(): arguments})
    if origin is Annotated and get_origin(arguments[0]) is list:
        item = part_of(*get_args(arguments[0]))
        bounds = arguments[1:]
        shape = Annotated[(list[item.shape], *bounds)]  # type: ignore[name-defined]
        return Part(("a list", item.key, tuple(map(repr, bounds))), shape, item.choices)
    thin = vars(kind).get(_THIN) if isinstance(kind, type) else None
    if isinstance(thin, _Thin) and thin.choices:
        return Part(("a model", thin.shape), thin.shape, thin.choices)
    # Most types are made once; a type that is made again gets a shape of its own.
    return Part(("a type", id(kind)), kind)


@lru_cache(maxsize=_SHAPES)
def enumerating(shape: type[T], places: tuple[tuple[Path, tuple[str, ...]], ...]) -> type[T]:
    """Return a model like `shape` that allows only the given choices at some paths."""
    choices = dict(places)
    return _on_top_of(shape, _Thin(shape, choices), lambda answer: _chosen(answer, choices))


def checked(model: type[T], check: Callable[[T], T], patterns: Patterns | None = None) -> type[T]:
    """Return a model with the same fields whose answers must also pass a check.

    The check gets a valid answer and returns it, or raises a `ValueError`. Patterns only guide an
    endpoint that can be held to them: an answer that does not match is just as good.
    """
    return _on_top_of(model, _Thin(model, {}, patterns or {}), check)


def _on_top_of(model: type[T], thin: _Thin, check: Callable[[T], T]) -> type[T]:
    """Return a subclass of a model with exactly the same fields.

    It bypasses pydantic's class creation, which would copy and inspect each field for changes.
    There are none, and that would take ten times as long as everything else.
    """
    validated = core_schema.no_info_after_validator_function(check, model.__pydantic_core_schema__)

    def core(made: type[T], _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        if made.__dict__.get(_THIN) is not thin:
            raise TypeError("a thin model cannot be subclassed; subclass its shape instead")
        return validated

    def nested(_made: type[T], core: CoreSchema, handler: GetJsonSchemaHandler) -> Json:
        written = handler.resolve_ref_schema(handler(core))
        return _with_keywords(written, thin, handler.resolve_ref_schema)

    def alone(_made: type[T]) -> Json:
        return _written(model, thin)

    body = {
        "__module__": model.__module__,
        "__doc__": model.__doc__,
        _THIN: thin,
        "__get_pydantic_core_schema__": classmethod(core),
        "__get_pydantic_json_schema__": classmethod(nested),
        "__pydantic_core_schema__": validated,
        "__pydantic_validator__": SchemaValidator(validated),
        "model_json_schema": classmethod(alone),
    }
    return ABCMeta.__new__(type(model), model.__name__, (model,), body)


def _written(model: type[BaseModel], thin: _Thin) -> Json:
    """Return a model's JSON schema with a thin model's keywords; that of a shape is cached."""
    if not (thin.choices or thin.patterns):
        return model.model_json_schema()
    written = model.model_json_schema() if _THIN in vars(model) else _written_once(model)
    definitions = written.get("$defs", {})

    def resolve(node: Json) -> Json:
        name = node.get("$ref", "").rpartition("/")[2]
        return definitions[name] if name else node

    return _with_keywords(written, thin, resolve)


@lru_cache(maxsize=_SHAPES)
def _written_once(shape: type[BaseModel]) -> Json:
    return shape.model_json_schema()


def _with_keywords(written: Json, thin: _Thin, resolve: Callable[[Json], Json]) -> Json:
    for path, keywords in thin.keywords():
        written = _with_keywords_at(path, keywords, written, resolve)
    return written


def _with_keywords_at(
    path: Path, keywords: Json, node: Json, resolve: Callable[[Json], Json]
) -> Json:
    """Return a JSON schema with keywords added at a path; the given schema is not changed."""
    node = resolve(node)
    if node.get("type") == "array":
        return node | {"items": _with_keywords_at(path, keywords, node["items"], resolve)}
    if not path:
        return node | keywords
    within = node["properties"][path[0]]
    inner = _with_keywords_at(path[1:], keywords, within, resolve)
    return node | {"properties": node["properties"] | {path[0]: inner}}


def _chosen(answer: T, choices: Choices) -> T:
    """Return an answer if everything it names is one of the choices.

    Raises:
        ValidationError: if it names anything else, saying where, like pydantic's own.
    """
    wrong = [
        _as_error(place, value, allowed)
        for path, allowed in choices.items()
        for place, value in _values(answer, path, ())
        if value not in allowed
    ]
    if wrong:
        raise ValidationError.from_exception_data(type(answer).__name__, wrong)
    return answer


def _values(
    value: Any, path: Path, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the values at a path, each with its location."""
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _values(item, path, (*place, at))
    elif path:
        yield from _values(getattr(value, path[0]), path[1:], (*place, path[0]))
    else:
        yield place, value


def _as_error(
    place: tuple[str | int, ...], value: object, allowed: tuple[str, ...]
) -> InitErrorDetails:
    *most, last = map(repr, allowed)
    expected = f"{', '.join(most)} or {last}" if most else last
    return InitErrorDetails(
        type="literal_error", loc=place, input=value, ctx={"expected": expected}
    )
