"""Records as rows and back: scalars in columns of their own, tuples and records as JSON text."""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from store.errors import LibraryDamaged, RecordInvalid
from store.models.base import dump_json

R = TypeVar("R", bound=BaseModel)
Value = str | bytes | int | float | None
"""The value of one column of one row."""

_SCALARS = (str, int, float, datetime)

_KEPT = 1_024
"""Cached records: the agents of a chapter read the same ones again and again, a hundred or two."""

_BATCH = 500
"""Rows that are validated together; more at once would burden the garbage collector."""


def to_row(record: BaseModel) -> dict[str, Value]:
    """Return the columns of a record, named like its fields.

    A record that was copied with other values is checked here: what is kept can be read again.

    Raises:
        RecordInvalid: if it holds a value that a record of its type cannot have.
    """
    json_fields = structured_fields(type(record))
    values = record.model_dump(mode="json", include=set(json_fields), warnings=False)
    row = {
        name: dump_json(values[name])
        if name in json_fields and values[name] is not None
        else column(getattr(record, name))
        for name in type(record).model_fields
    }
    try:
        from_row(type(record), row)
    except LibraryDamaged as damage:
        raise RecordInvalid(type(record).__name__) from damage.__cause__
    return row


def from_row(model: type[R], row: Mapping[str, Any]) -> R:
    """Return the record that a row holds; columns that are not its fields are left out.

    Raises:
        LibraryDamaged: if the row does not hold such a record.
    """
    json_fields = structured_fields(model)
    try:
        values = {
            name: _parsed(row[name]) if name in json_fields else row[name]
            for name in model.model_fields
            if name in row
        }
        return model.model_validate(values)
    except (ValidationError, ValueError, TypeError) as error:
        raise LibraryDamaged(
            f"The library holds a {model.__name__.lower()} that cannot be read.", row.get("chapter")
        ) from error


def from_rows(model: type[R], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> list[R]:
    """Return the records that rows hold, like `from_row`, for tens of thousands of rows.

    `columns` names the values of a row, in order; those that are not fields come first.

    Raises:
        LibraryDamaged: if a row does not hold such a record.
    """
    records: list[R] = []
    try:
        for start in range(0, len(rows), _BATCH):
            values = _field_values(model, columns, rows[start : start + _BATCH])
            records += _batches_of(model).validate_python(values)
    except (ValueError, TypeError):
        # Read one by one, the damaged row shows where it is.
        return [from_row(model, dict(zip(columns, row, strict=True))) for row in rows]
    return records


@lru_cache(maxsize=_KEPT)
def kept_record(model: type[R], columns: tuple[str, ...], row: tuple[Any, ...]) -> R:
    """Return the record that a row holds, like `from_row`, cached if it was read recently.

    A record is a value: whoever reads the same row again can have the same record.
    """
    return from_row(model, dict(zip(columns, row, strict=True)))


def _field_values(
    model: type[BaseModel], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> list[dict[str, Any]]:
    first = sum(name not in model.model_fields for name in columns)
    fields = columns[first:]
    json_fields = structured_fields(model).intersection(fields)
    found = [dict(zip(fields, row[first:], strict=True)) for row in rows]
    for values in found:
        for name in json_fields:
            values[name] = _parsed(values[name])
    return found


def _parsed(text: str | None) -> Any:
    """Return the value of a JSON text column; most hold empty lists."""
    if text is None:
        return None
    return () if text == "[]" else json.loads(text)


@cache
def _batches_of(model: type[R]) -> TypeAdapter[list[R]]:
    return TypeAdapter(list[model])  # type: ignore[valid-type]  # mypy takes no variable for a type


def column(value: object) -> Value:
    """Return a scalar as SQLite keeps it: times in UTC as ISO 8601 text, which sorts by time."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, int | float):
        return value
    raise TypeError(f"{type(value).__name__} is not a column")


def now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)


@cache
def structured_fields(model: type[BaseModel]) -> frozenset[str]:
    """Return the names of the fields that are kept as JSON text."""
    return frozenset(
        name for name, field in model.model_fields.items() if not _is_scalar(field.annotation)
    )


def _is_scalar(annotation: Any) -> bool:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _is_scalar(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return all(_is_scalar(part) for part in get_args(annotation))
    if origin is Literal or annotation is types.NoneType:
        return True
    return isinstance(annotation, type) and issubclass(annotation, _SCALARS)
