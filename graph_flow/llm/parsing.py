"""From what a model said to what it meant: a lenient parse of hostile text. Pure.

Small damage is repaired; output that was cut off never is, because what is missing would be
made up by the parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

DEPTH_LIMIT = 40
SIZE_LIMIT = 400_000
REPAIR_LIMIT = 60_000
"""Characters; beyond them repairing damage takes longer than asking again."""
ERRORS_SHOWN = 5

_REASONING = "think|thinking|reasoning|thought"
_CLOSED_BLOCK: Final = re.compile(rf"<({_REASONING})>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_BLOCK: Final = re.compile(rf"\A\s*<({_REASONING})>.*\Z", re.DOTALL | re.IGNORECASE)
_ORPHAN_END: Final = re.compile(rf"\A.*</({_REASONING})>\s*", re.DOTALL | re.IGNORECASE)
_HALF_TAG: Final = re.compile(r"<[/a-zA-Z]{0,10}\Z")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_FENCE: Final = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n?(.*?)```", re.DOTALL)


class AnswerError(Exception):
    """An answer that does not follow its schema; `str()` is short, and meant for the model.

    `is_off_schema` is true where no endpoint that enforces the schema could have said this.
    """

    def __init__(self, message: str, *, is_off_schema: bool = False) -> None:
        super().__init__(message)
        self.is_off_schema = is_off_schema


def visible_text(text: str) -> str:
    """Return a text without the model's reasoning, control characters and half surrogates."""
    shown = _CLOSED_BLOCK.sub("", text) if "<" in text else text
    if "<" in shown:
        shown = _OPEN_BLOCK.sub("", shown)
        shown = _ORPHAN_END.sub("", shown)
    return _CONTROL.sub("", shown)


def visible_so_far(text: str) -> str:
    """Return the visible part of a text that still streams, without a tag that has only begun."""
    return _HALF_TAG.sub("", visible_text(text))


def parse_answer(text: str, schema: type[T]) -> T:
    """Return the object that an answer holds.

    Raises:
        AnswerError: if there is none, it was cut off, or it does not follow the schema.
    """
    shown = visible_text(text)
    if len(shown) > SIZE_LIMIT:
        raise AnswerError("The answer is far too long.", is_off_schema=True)
    failure: AnswerError | None = None
    for found in _objects(shown):
        try:
            return _validated(found, schema)
        except AnswerError as error:
            failure = failure or error
    raise failure or AnswerError(
        "The answer holds no complete JSON object.", is_off_schema=bool(shown.strip())
    )


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that a text may hold, the likeliest first."""
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
    """Return the outermost {...} spans that are closed, the longest first; at most four."""
    spans: list[str] = []
    start, depth, is_string, is_escaped = 0, 0, False, False
    for position, character in enumerate(text):
        if is_string:
            is_string = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
        elif depth and character == '"':
            is_string, is_escaped = True, False
        elif character == "{":
            start = start if depth else position
            depth += 1
            if depth > DEPTH_LIMIT:
                return []
        elif character == "}" and depth:
            depth -= 1
            if not depth:
                spans.append(text[start : position + 1])
    return sorted(spans, key=len, reverse=True)[:4]


def _loaded(span: str) -> dict[str, Any] | None:
    try:
        found = json.loads(span, parse_constant=_refuse_constant, strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _repaired(span: str) -> dict[str, Any] | None:
    if len(span) > REPAIR_LIMIT or span.count("[") > 50 * DEPTH_LIMIT:
        return None
    try:
        found = json_repair.loads(span, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found else None


def _validated(found: dict[str, Any], schema: type[T]) -> T:
    try:
        return schema.model_validate_json(json.dumps(found))
    except (ValidationError, RecursionError) as error:
        failure = error
    if isinstance(failure, ValidationError) and _without_extras(found, failure):
        return _validated(found, schema)
    raise _explained(failure)


def _without_extras(found: dict[str, Any], failure: ValidationError) -> bool:
    """Take out the fields that the schema does not know; return whether there was one."""
    extras = [error["loc"] for error in failure.errors() if error["type"] == "extra_forbidden"]
    return any([_taken_out(found, location) for location in extras])


def _taken_out(found: Any, location: tuple[int | str, ...]) -> bool:
    *way, last = location
    for step in way:
        if isinstance(found, dict) and step not in found:
            continue  # the name of a member of a union, which is no place in the data
        found = found[step]
    return isinstance(found, dict) and found.pop(last, None) is not None


def _explained(failure: ValidationError | RecursionError) -> AnswerError:
    if isinstance(failure, RecursionError):
        return AnswerError("The answer is nested too deeply.", is_off_schema=True)
    errors = failure.errors(include_url=False, include_input=False)
    lines = [
        f"{'.'.join(str(step) for step in error['loc']) or 'answer'}: {error['msg']}"[:200]
        for error in errors[:ERRORS_SHOWN]
    ]
    if len(errors) > ERRORS_SHOWN:
        lines.append(f"... and {len(errors) - ERRORS_SHOWN} more")
    has_other_shape = any(error["type"] == "missing" for error in errors)
    return AnswerError("\n".join(lines), is_off_schema=has_other_shape)
