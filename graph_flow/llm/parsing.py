"""From what a model said to what it meant: a lenient parser for messy text. Pure.

Small damage is repaired. Output that was cut off never is, because the parser would make up what
is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from graph_flow.llm.request import Request
from graph_flow.llm.schema import AnswerSchema

T = TypeVar("T", bound=BaseModel)

DEPTH_LIMIT = 40
SIZE_LIMIT = 400_000
REPAIR_LIMIT = 60_000
"""Characters; repairing a longer text takes longer than asking again."""
ERRORS_SHOWN = 5
OBJECTS_TRIED = 4

_OPENING: Final = re.compile(r"<(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_CLOSING: Final = re.compile(r"</(?:think|thinking|reasoning|thought)>\s*", re.IGNORECASE)
_HALF_TAG: Final = re.compile(r"<[/a-zA-Z]{0,10}\Z")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL)
_FENCE: Final = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n?(.*?)```", re.DOTALL)

_HALF_ESCAPE: Final = re.compile(r"(?:\\u[0-9a-fA-F]{0,3})+\Z")


class AnswerError(Exception):
    """An answer that does not follow its schema; `str()` is short, and meant for the model.

    `is_off_schema` says that no endpoint that enforces the schema could have given this answer.
    """

    def __init__(self, message: str, *, is_off_schema: bool = False) -> None:
        super().__init__(message)
        self.is_off_schema = is_off_schema


def without_controls(text: str) -> str:
    """Return a text without control characters and lone surrogates."""
    return _CONTROL.sub("", text)


def visible_text(text: str) -> str:
    """Return a text without the model's reasoning, even if its opening or closing tag is missing."""
    if "<" not in text:
        return text
    kept, place = [], 0
    while opening := _OPENING.search(text, place):
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            break
        kept.append(text[place : opening.start()])
        place = closing.end()
    shown = "".join(kept) + text[place:]
    ends = [closing.end() for closing in _CLOSING.finditer(shown)]
    shown = shown[ends[-1] :] if ends else shown
    return "" if _OPENING.match(shown.lstrip()) else shown


def visible_so_far(text: str) -> str:
    """Return the visible part of a text that is still streaming, without a half-written tag."""
    return _HALF_TAG.sub("", visible_text(text))


def parse_answer(text: str, schema: AnswerSchema[T]) -> T:
    """Return the object that an answer holds.

    Raises:
        AnswerError: if there is no object, it was cut off, or it does not follow the schema.
    """
    shown = visible_text(without_controls(text))
    if len(shown) > SIZE_LIMIT:
        raise AnswerError("The answer is far too long.", is_off_schema=True)
    wrong: _Wrong | None = None
    for found in _objects(shown):
        read = _validated(found, schema)
        if not isinstance(read, _Wrong):
            return read
        wrong = wrong or read
    wrong = wrong or _Wrong("The answer holds no complete JSON object.", bool(shown.strip()))
    raise AnswerError(wrong.words, is_off_schema=wrong.is_off_schema)


def text_so_far(streamed: str, field: str) -> str:
    """Return what has come of one text of an object that is still streaming; empty before it begins."""
    found = re.search(rf'"{re.escape(field)}"\s*:\s*"((?:[^"\\]|\\.)*)', streamed, re.DOTALL)
    if found is None:
        return ""
    whole = _HALF_ESCAPE.sub("", found.group(1))
    try:
        return without_controls(str(json.loads(f'"{whole}"', strict=False)))
    except ValueError:
        return ""


class _Wrong(NamedTuple):
    """Why an object cannot be used; no error, which would hold on to the frames of its callers."""

    words: str
    is_off_schema: bool


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that a text may hold, the likeliest ones first."""
    pieces = [*_FENCE.findall(text), text]
    spans = [span for piece in pieces for span in _balanced(piece)]
    for span in spans:
        found = _loaded(span)
        if found is not None:
            yield found
    for span in spans:
        found = _repaired(span)
        if found is not None:
            yield found


def _balanced(text: str) -> list[str]:
    """Return the outermost {...} spans before any unclosed one, the longest first."""
    spans: list[str] = []
    start = text.find("{")
    while start >= 0 and len(spans) < OBJECTS_TRIED:
        end = _end_of_object(text, start)
        if end is None:
            break
        spans.append(text[start:end])
        start = text.find("{", end)
    return sorted(spans, key=len, reverse=True)


def _end_of_object(text: str, start: int) -> int | None:
    """Return where an object ends; None if it is cut off or nested too deeply."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark == '"':
            return None  # a string that is never closed
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
        if not depth:
            return token.end()
        if depth > DEPTH_LIMIT:
            return None
    return None


def _loaded(span: str) -> dict[str, Any] | None:
    try:
        found = json.loads(span, parse_constant=_refuse_constant, strict=False)
    except (ValueError, RecursionError):
        return None
    return _cleaned(found) if isinstance(found, dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _repaired(span: str) -> dict[str, Any] | None:
    if len(span) > REPAIR_LIMIT:
        return None
    try:
        found = json_repair.loads(span, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return _cleaned(found) if isinstance(found, dict) and found else None


def _cleaned(value: Any) -> Any:
    """Return a value without control characters in its strings, which JSON may hold escaped."""
    if isinstance(value, str):
        return _CONTROL.sub("", value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {_CONTROL.sub("", key): _cleaned(item) for key, item in value.items()}
    return value


def _validated(found: dict[str, Any], schema: AnswerSchema[T]) -> T | _Wrong:
    try:
        return schema.validate(found)
    except RecursionError:
        return _Wrong("The answer is nested too deeply.", is_off_schema=True)
    except ValidationError as failure:
        if not _without_extras(found, failure):
            return _explained(failure)
    return _validated(found, schema)


def _without_extras(found: dict[str, Any], failure: ValidationError) -> bool:
    """Remove the fields that the schema does not know; return whether there were any."""
    extras = [error["loc"] for error in failure.errors() if error["type"] == "extra_forbidden"]
    return any([_taken_out(found, location) for location in extras])


def _taken_out(found: Any, location: tuple[int | str, ...]) -> bool:
    *way, last = location
    try:
        for step in way:
            found = found[step]
        del found[last]
    except (LookupError, TypeError):
        return False  # inside one member of a union: other members may know the field
    return True


def _explained(failure: ValidationError) -> _Wrong:
    errors = failure.errors(include_url=False, include_input=False)
    lines = [
        f"{'.'.join(str(step) for step in error['loc']) or 'answer'}: {error['msg']}"[:200]
        for error in errors[:ERRORS_SHOWN]
    ]
    if len(errors) > ERRORS_SHOWN:
        lines.append(f"... and {len(errors) - ERRORS_SHOWN} more")
    has_other_shape = any(error["type"] == "missing" for error in errors)
    return _Wrong("\n".join(lines), is_off_schema=has_other_shape)


def leaked_phrase(answer: str, request: Request) -> str | None:
    """Return the first forbidden phrase in an answer, matching whole words only.

    A phrase that is in the last message too belongs to the story, and is no leak.
    """
    own = request.messages[-1].content.casefold() if request.messages else ""
    said = answer.casefold()
    for phrase in request.forbidden:
        sought = phrase.casefold().strip()
        if sought and _holds(said, sought) and not _holds(own, sought):
            return phrase
    return None


def _holds(text: str, phrase: str) -> bool:
    # Hardly any phrase occurs, so a plain search first saves most of the patterns.
    return phrase in text and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None
