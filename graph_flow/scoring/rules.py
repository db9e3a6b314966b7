"""The scoring rules of a story: a list that a writer edits, exports and imports. Pure."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from graph_flow.errors import WorkbenchError
from store.models.base import Line, Name
from store.models.scoring import (
    HIGHEST,
    USUAL,
    RuleKey,
    ScoringRule,
    Weight,
    general_rules,
)

Rules = tuple[ScoringRule, ...]

MOST_RULES = 30
FILE_LIMIT = 256_000
"""Bytes: enough for thirty rules with every line full, in any script."""

_NEW_WEIGHT = 0.1
_KEY_LENGTH = 32
_NOT_IN_KEYS = re.compile(r"[^a-z0-9]+")


class RulesRefused(WorkbenchError):
    """Rules cannot be saved as they are; nothing was changed."""


def shares(rules: Sequence[ScoringRule]) -> dict[str, float]:
    """Return each rule's share of the total weight, from 0 to 1, by key."""
    whole = sum(rule.weight for rule in rules)
    return {rule.key: rule.weight / whole if whole else 0.0 for rule in rules}


def with_rule(rules: Rules, name: str) -> Rules:
    """Return the rules with a new one of the writer's own at their end.

    Raises:
        RulesRefused: if there are too many rules, or another rule has this name.
    """
    if len(rules) >= MOST_RULES:
        raise RulesRefused(f"A story has at most {MOST_RULES} rules. Remove one first.")
    _check_name(name, (rule.name for rule in rules))
    key = new_key(name, {rule.key for rule in (*rules, *general_rules())})
    return (*rules, ScoringRule(key=key, name=name, weight=_NEW_WEIGHT))


def with_changed(rules: Rules, changed: ScoringRule) -> Rules:
    """Return the rules with one of them changed; a rule that is not among them changes nothing.

    Raises:
        RulesRefused: if another rule has its name.
    """
    before = next((rule for rule in rules if rule.key == changed.key), None)
    if before is not None and before.name != changed.name:
        _check_name(changed.name, (rule.name for rule in rules if rule.key != changed.key))
    return tuple(changed if rule.key == changed.key else rule for rule in rules)


def without_rule(rules: Rules, key: str) -> Rules:
    """Return the rules without one of the writer's own; general rules stay."""
    return tuple(rule for rule in rules if rule.key != key or rule.is_general)


def restored(rules: Rules) -> Rules:
    """Return the rules with all general ones reset, and the writer's own after them.

    Raises:
        RulesRefused: if that makes too many.
    """
    general = general_rules()
    keys = {rule.key for rule in general}
    own = [rule for rule in rules if rule.key not in keys]
    too_many = len(general) + len(own) - MOST_RULES
    if too_many > 0:
        raise RulesRefused(
            f"A story has at most {MOST_RULES} rules. Remove {too_many} of your own first."
        )
    return (*general, *own)


def new_key(name: str, taken: Collection[str]) -> str:
    """Return a key that no other rule has, from the Latin letters of the rule's name."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = _NOT_IN_KEYS.sub("_", letters).strip("_")[:_KEY_LENGTH].strip("_")
    key = wanted = slug if slug[:1].isalpha() else f"rule_{slug}".rstrip("_")
    number = 1
    while key in taken:
        number += 1
        key = f"{wanted}_{number}"
    return key


def rules_file(rules: Rules) -> str:
    """Return the rules as the text of a JSON file."""
    entries = [_FileRule(**_fields(rule)).model_dump() for rule in rules]
    return json.dumps({_MARK: 1, "rules": entries}, ensure_ascii=False, indent=2)


def rules_from(content: bytes) -> Rules:
    """Return the rules in a file; a rule without a key gets one.

    Raises:
        RulesRefused: if the file is too large or not in the right format; the message says where.
    """
    if len(content) > FILE_LIMIT:
        raise RulesRefused("This file is too large to hold scoring rules. Nothing was changed.")
    found = _read(content)
    general = {rule.key for rule in general_rules()}
    taken = {rule.key for rule in found.rules if rule.key} | general
    rules: list[ScoringRule] = []
    for one in found.rules:
        key = one.key or new_key(one.name, taken)
        taken.add(key)
        fields = {**one.model_dump(), "key": key}
        rules.append(ScoringRule(**fields, is_general=key in general))
    _check_set(rules)
    return tuple(rules)


_MARK = "tellwright_rules"
"""The field that marks a file of rules; its value is the version of the format."""
_MARKS = (_MARK, "fabula_rules")  # while the app was called Fabula


class _FileRule(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    key: RuleKey | None = None
    name: Name
    question: Line = ""
    weight: Weight
    top: Annotated[int, Field(ge=2, le=HIGHEST)] = USUAL
    low: Line = ""
    high: Line = ""


class _RulesFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    version: Annotated[Literal[1], Field(validation_alias=AliasChoices(*_MARKS))]
    rules: Annotated[list[_FileRule], Field(min_length=1, max_length=MOST_RULES)]


def _fields(rule: ScoringRule) -> dict[str, Any]:
    return {field: getattr(rule, field) for field in _FileRule.model_fields}


def _read(content: bytes) -> _RulesFile:
    try:
        text = content.decode("utf-8-sig")
        found = json.loads(
            text, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant
        )
        return _RulesFile.model_validate(found)
    except ValidationError as error:
        raise RulesRefused(f"{_problem(error)} Nothing was changed.") from error
    except RulesRefused:
        raise
    except (ValueError, RecursionError) as error:
        raise RulesRefused(
            "This file cannot be read as scoring rules from Tellwright. Nothing was changed."
        ) from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; refuse one given twice, which is ambiguous."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RulesRefused(f"The file has “{twice[:40]}” twice in one place. Nothing was changed.")
    return fields


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _check_set(rules: Sequence[ScoringRule]) -> None:
    for one, what in (("key", "key"), ("name", "name")):
        seen: set[str] = set()
        for rule in rules:
            said = str(getattr(rule, one)).casefold()
            if said in seen:
                raise RulesRefused(
                    f"Two rules in the file have the {what} “{getattr(rule, one)}”. "
                    "Nothing was changed."
                )
            seen.add(said)


def _check_name(name: str, others: Iterable[str]) -> None:
    if name.strip().casefold() in {other.casefold() for other in others}:
        raise RulesRefused(f"There is already a rule called “{name.strip()}”.")


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not a known field",
    "string_too_long": "is too long",
    "string_too_short": "is empty",
    "too_long": f"has more than {MOST_RULES} entries",
    "too_short": "has no entry",
    "less_than_equal": "is too high: the most is {le:g}",
    "greater_than_equal": "is too low: the least is {ge:g}",
}


def _problem(error: ValidationError) -> str:
    """Return one sentence on the first problem, and the rule it is in."""
    first = error.errors(include_input=False, include_url=False)[0]
    words = _WORDS.get(first["type"], "is not valid").format(**first.get("ctx", {}))
    match first["loc"]:
        case ("rules", int(place), *rest) if rest:
            return f"In rule {place + 1} of the file, “{str(rest[0])[:40]}” {words}."
        case ("rules", int(place)):
            return f"Rule {place + 1} of the file {words}."
        case (str(field), *_):
            return f"In the file, “{field[:40]}” {words}."
    return "This file does not hold scoring rules from Tellwright."
