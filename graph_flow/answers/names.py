"""Enumerations made at run time: the people, scenes and events that an answer may name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, create_model
from pydantic.config import JsonDict

from graph_flow.answers.shapes import Part, enumerating, part_of

T = TypeVar("T", bound=BaseModel)

_SHAPES = 128
"""Shapes of answers that are kept: there are few, whatever the story."""

NOTHING = "nothing"
"""What an answer says where it names none of the choices."""


def one_of(choices: Sequence[str]) -> Any:
    """Return the type of a string that must be one of `choices`; *nothing* where there are none."""
    return Literal[tuple(dict.fromkeys(choices or [NOTHING]))]


def one_of_or_nothing(choices: Sequence[str]) -> Any:
    """Return the type of a string that must be one of `choices`, or *nothing*."""
    return one_of([*choices, NOTHING])


def list_of(item: Any, least: int, most: int, asked: int | None = None) -> Any:
    """Return the type of a list of `least` to `most` items; `asked` are asked for, though fewer do."""
    extra: JsonDict = {} if asked is None else {"minItems": asked}
    return Annotated[
        list[item], Field(min_length=least, max_length=most, json_schema_extra=extra or None)
    ]


def narrowed(answer: type[T], **fields: Any) -> type[T]:
    """Return a model like `answer` in which some fields take only the types given for them.

    The order of the fields is kept: a model answers in that order.
    """
    parts = {name: part_of(fields[name]) for name in answer.model_fields if name in fields}
    return _with_parts(_narrowed(answer, tuple(parts.items())), parts)


def reduced(
    answer: type[BaseModel], fields: Mapping[str, Any], without: Set[str]
) -> type[BaseModel]:
    """Return a narrowed model that leaves some fields out; those are then not asked for."""
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
