"""The schema of an answer: a fixed model, and what one call makes of it.

What differs from call to call is annotated in the models by name (`OneOf`, `Sized`, `IfNotAsked`),
and given by an `AnswerSchema`, which pydantic hands to the annotations as its validation context.
An answer that is made in code has no such context, and may hold anything of the right type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    model_validator,
)
from pydantic_core import CoreSchema, InitErrorDetails, PydanticKnownError, core_schema

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Schema: TypeAlias = "dict[str, Json]"

T = TypeVar("T", bound=BaseModel)
E = TypeVar("E", bound=Exception)

NOTHING = "nothing"
"""What an answer says to choose none."""

_MODELS = 64
"""How many models' JSON schemas are cached. The cached objects must not be changed."""


def or_nothing(choices: Sequence[str]) -> tuple[str, ...]:
    """Return the choices, and that of none of them."""
    return (*choices, NOTHING)


class Size(NamedTuple):
    """How many items a list may hold; `asked` is the least asked for, if that is more."""

    least: int
    most: int
    asked: int | None = None


@dataclass(frozen=True, eq=False)
class AnswerSchema(Generic[T]):
    """What one call asks for, and accepts, as its answer.

    `choices` holds the values for each `OneOf` of the model; where there are none, only *nothing*
    may be chosen. `sizes` holds the bounds of each `Sized` list. The fields named in `without`, which
    have to be annotated with `IfNotAsked`, are not asked for. `patterns` holds regular expressions
    for texts, by field; they only guide an endpoint that can be held to them: an answer that does not
    match is just as good. Fields are meant wherever they are in the answer. `check` gets an answer
    that is otherwise valid, and raises a `ValueError` if it cannot be used. `is_partial` lets an
    answer leave out any of its outermost fields, which all need a default for that.
    """

    model: type[T]
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sizes: Mapping[str, Size] = field(default_factory=dict)
    without: Set[str] = frozenset()
    patterns: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[T], None] | None = None
    is_partial: bool = False

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.__name__

    @cached_property
    def json_schema(self) -> Schema:
        """The JSON schema of what is asked for, without references. It must not be changed."""
        return self._as_asked(_schema_of(self.model))

    def allowed(self, choices: str) -> tuple[str, ...]:
        """Return each of the values that may be chosen, once."""
        return tuple(dict.fromkeys(self.choices[choices] or [NOTHING]))

    def validate(self, answer: Mapping[str, object]) -> T:
        """Return an answer as an object; the fields that were not asked for have their own values.

        Raises:
            ValidationError: if the call cannot accept it.
        """
        try:
            found = self.model.model_validate_json(json.dumps(answer), context=self)
        except ValidationError as refused:
            _let_go_of_frames(refused)
            raise
        problem = self._problem(found)
        if problem is None:
            return found
        wrong = InitErrorDetails(type="value_error", input=found, ctx={"error": problem})
        raise ValidationError.from_exception_data(self.name, [wrong])

    def _problem(self, found: T) -> ValueError | None:
        """Return what the check of the call has to say against an answer."""
        try:
            if self.check is not None:
                self.check(found)
        except ValueError as problem:
            return _without_frames(problem)
        return None

    def _as_asked(self, node: Schema) -> Schema:
        """Return part of the model's JSON schema, with what the call gives in place of its name."""
        asked = dict(node)
        if isinstance(choices := asked.get("enum"), str):
            del asked["enum"]
            asked["enum"] = [*self.allowed(choices)]
        if isinstance(size := asked.get("minItems"), str):
            least, most, wanted = self.sizes[size]
            asked |= {"minItems": least if wanted is None else wanted, "maxItems": most}
        if isinstance(properties := asked.get("properties"), dict):
            asked["properties"] = self._guided(properties)
        if isinstance(required := asked.get("required"), list):
            asked["required"] = [name for name in required if name not in self.without]
        return with_each(asked, self._as_asked)

    def _guided(self, properties: Schema) -> Schema:
        """Return the properties that are asked for, with their patterns."""
        asked = {name: child for name, child in properties.items() if name not in self.without}
        for name, pattern in self.patterns.items():
            if isinstance(child := asked.get(name), dict):
                asked[name] = child | {"pattern": pattern}
        return asked


def _let_go_of_frames(refused: ValidationError) -> None:
    """Take the tracebacks from what validators said against an answer.

    pydantic keeps their errors where the garbage collector cannot see them. With a traceback they
    would hold on to the frames of all their callers, and some of these to the answer that was refused:
    none of that would ever be freed.
    """
    for problem in refused.errors(include_url=False, include_input=False):
        error = problem.get("ctx", {}).get("error")
        if isinstance(error, Exception):
            _without_frames(error)


def _without_frames(error: E) -> E:
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


@dataclass(frozen=True)
class OneOf:
    """Annotate a string that must be one of the choices that a call gives under this name."""

    choices: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._chosen, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(core) | {"enum": self.choices}

    def _chosen(self, value: str, info: ValidationInfo) -> str:
        """Return a value if it may be chosen; otherwise, complain as a `Literal` would."""
        if not isinstance(info.context, AnswerSchema):
            return value
        allowed = info.context.allowed(self.choices)
        if value in allowed:
            return value
        *most, last = map(repr, allowed)
        expected = f"{', '.join(most)} or {last}" if most else last
        raise PydanticKnownError("literal_error", {"expected": expected})


@dataclass(frozen=True)
class Sized:
    """Annotate a list that must be of the size that a call gives under this name."""

    size: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_wrap_validator_function(self._measured, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(core) | {"minItems": self.size, "maxItems": self.size}

    def _measured(
        self, said: Any, validate: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        """Return a list of the right size; otherwise, complain as pydantic does about bounds.

        As in pydantic, the items of a list that is too long are not looked at.
        """
        if not isinstance(info.context, AnswerSchema):
            return validate(said)
        size = info.context.sizes[self.size]
        if isinstance(said, list) and len(said) > size.most:
            raise _of_wrong_size("too_long", len(said), max_length=size.most)
        items: list[Any] = validate(said)
        if len(items) < size.least:
            raise _of_wrong_size("too_short", len(items), min_length=size.least)
        return items


def _of_wrong_size(
    problem: Literal["too_long", "too_short"], length: int, **bound: int
) -> PydanticKnownError:
    return PydanticKnownError(problem, {"field_type": "List", "actual_length": length, **bound})


@dataclass(frozen=True)
class IfNotAsked:
    """Annotate a field of an `AnswerModel` with its value where it is not asked for."""

    value: str


class AnswerModel(BaseModel):
    """An answer of which a call may ask for only some fields."""

    @model_validator(mode="before")
    @classmethod
    def _has_what_was_not_asked(cls, said: Any, info: ValidationInfo) -> Any:
        instead = _values_if_not_asked(cls)
        if not isinstance(said, dict) or not instead:
            return said
        if not isinstance(info.context, AnswerSchema):
            return instead | said
        without = info.context.without
        return said | {name: value for name, value in instead.items() if name in without}


@lru_cache(maxsize=_MODELS)
def _values_if_not_asked(model: type[AnswerModel]) -> dict[str, str]:
    return {
        name: note.value
        for name, declared in model.model_fields.items()
        for note in declared.metadata
        if isinstance(note, IfNotAsked)
    }


@lru_cache(maxsize=_MODELS)
def _schema_of(model: type[BaseModel]) -> Schema:
    """Return a model's JSON schema with every reference replaced by what it refers to.

    Raises:
        ValueError: if the model contains itself.
    """
    written = model.model_json_schema()
    return _resolved(written, written.pop("$defs", {}), ())


def _resolved(node: Schema, definitions: Mapping[str, Schema], above: tuple[str, ...]) -> Schema:
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.rsplit("/", 1)[-1]
        if name in above:
            raise ValueError(f"the schema {name} contains itself; only flat schemas are allowed")
        around = {key: value for key, value in node.items() if key != "$ref"}
        return _resolved(definitions[name] | around, definitions, (*above, name))
    return with_each(node, lambda child: _resolved(child, definitions, above))


def with_each(node: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """Return a JSON schema with `change` applied to the schemas directly inside it."""
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
