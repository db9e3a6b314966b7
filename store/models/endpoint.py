"""Where a model is reached, and what is known of it. No key is ever part of an endpoint."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Line, Record

VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=80)]


class Dialect(StrEnum):
    """How far an endpoint enforces a schema; each rung falls back on the next."""

    FULL = "full"
    STRICT = "strict"
    JSON_ONLY = "json only"
    NONE = "none"


class Endpoint(Record):
    """An OpenAI-compatible endpoint.

    `key_variable` is the *name* of the environment variable that holds the key.
    Prices are for a million tokens; `timeout` is in seconds; `context_window` in tokens.
    """

    name: Line = "My model"
    base_url: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
    model: Line
    key_variable: VariableName | None = None
    context_window: Annotated[int, Field(ge=512)] = 32_768
    price_in: Annotated[float, Field(ge=0)] = 0.0
    price_out: Annotated[float, Field(ge=0)] = 0.0
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    timeout: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    dialect: Dialect | None = None
    """None: not found out yet."""


class ModelSettings(Record):
    """Which model the app uses. With no endpoint it is the embedded one."""

    endpoint: Endpoint | None = None
    model_file: Annotated[str, StringConstraints(max_length=1_000)] = ""
    """A GGUF file for the embedded server; empty: the one that is shipped."""
