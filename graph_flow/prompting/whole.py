"""Texts and lists of whole answers, as able models give them: cut to fit, not refused.

A call that was paid for is used as far as it can be. Only what an answer cannot do without is
required of it; an item that cannot be understood is left out.
"""

from __future__ import annotations

import re
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from graph_flow.llm.schema import NOTHING
from graph_flow.prompting.text import end_whole, tidy
from store.models.base import PARAGRAPH_LIMIT

T = TypeVar("T")

NAME, LINE, PARAGRAPH, PASSAGE = 80, 400, PARAGRAPH_LIMIT, 12_000
"""Characters that are kept of a name, of a line or two, of a paragraph, and of several."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NOTHING = frozenset({"", NOTHING, "none", "null", "n/a", "-", "–", "—"})


class WholeAnswer(BaseModel):
    """An answer of which every field may be left out, unless it is declared without a default."""

    model_config = ConfigDict(extra="ignore")


def as_text(said: Any) -> Any:
    """Return what was said as a text: a number, a list of lines, or nothing."""
    match said:
        case None:
            return ""
        case bool() | int() | float():
            return str(said)
        case list():
            return "; ".join(filter(None, map(as_text, said)))
        case dict():
            return "; ".join(f"{name}: {as_text(value)}" for name, value in said.items())
    return said


def _as_passage(said: Any) -> Any:
    return "\n".join(map(as_text, said)) if isinstance(said, list) else as_text(said)


def _as_strength(said: Any) -> Any:
    number = number_in(said)
    return said if number is None else max(1, min(10, round(number)))


def number_in(said: Any) -> float | None:
    """Return the first number that was said, as one or in words around it; None if there is none."""
    if isinstance(said, int | float):
        return float(said) if isfinite(said) else None
    found = _NUMBER.search(said) if isinstance(said, str) else None
    return float(found.group()) if found else None


def named_in(kind: type[StrEnum], otherwise: StrEnum | None = None) -> BeforeValidator:
    """Accept a value of an enumeration that is said with other words around it."""

    def find(said: Any) -> Any:
        letters = _letters(said) if isinstance(said, str) else ""
        named = (one for one in kind if _letters(one.value) in letters)
        return next(named, said if otherwise is None else otherwise)

    return BeforeValidator(find)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def or_empty(text: str) -> str:
    """Return a text; an empty one if it only says that there is nothing."""
    return "" if text.casefold().strip(" .") in _NOTHING else text


def _paragraphs(text: str) -> str:
    return "\n\n".join(filter(None, map(tidy, text.split("\n"))))


_SAID = BeforeValidator(as_text)
_EMPTY = AfterValidator(or_empty)


def _cut(bound: int) -> AfterValidator:
    return AfterValidator(lambda text: end_whole(text[:bound], bound))


_ON_ONE_LINE = AfterValidator(tidy)

WholeName = Annotated[str, _SAID, _ON_ONE_LINE, _EMPTY, _cut(NAME)]
"""A name or title."""

WholeLine = Annotated[str, _SAID, _ON_ONE_LINE, _EMPTY, _cut(LINE)]
"""A sentence or two."""

WholeParagraph = Annotated[str, _SAID, _ON_ONE_LINE, _EMPTY, _cut(PARAGRAPH)]
"""Some sentences."""

WholePassage = Annotated[
    str, BeforeValidator(_as_passage), AfterValidator(_paragraphs), _EMPTY, _cut(PASSAGE)
]
"""Paragraphs."""

WholeStrength = Annotated[int, BeforeValidator(_as_strength)]
"""How strong a relationship is, 1 to 10."""

Required = StringConstraints(min_length=1)
"""Annotates a text without which its item is of no use."""


def usable(most: int, *, least: int = 0) -> WrapValidator:
    """Annotate a list of which the items that can be understood are kept, up to `most`.

    A list with fewer than `least` of them is refused.
    """

    def keep(said: Any, validate: ValidatorFunctionWrapHandler) -> tuple[Any, ...]:
        items = said if isinstance(said, list) else [] if said is None else [said]
        kept: list[Any] = []
        for item in items:
            if len(kept) == most:
                break
            try:
                kept += validate([item])
            except ValidationError:
                continue
        if len(kept) < least:
            raise ValueError("nothing in it can be understood")
        return tuple(kept)

    return WrapValidator(keep)
