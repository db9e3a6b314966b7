"""What the continuity check finds: a sentence, the chapters, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from store.models.base import Record


class Rule(StrEnum):
    """The rules of the continuity check."""

    DEAD = "dead"
    TWO_PLACES = "two places"
    UNKNOWN = "unknown"
    HIDDEN = "hidden"
    REMOVED = "removed"
    PAYOFF = "payoff"
    OPEN = "open"
    JUMP = "jump"
    VANISHED = "vanished"


class Severity(StrEnum):
    """Whether both sides cannot be true, or a reader may only stumble."""

    CONTRADICTION = "contradiction"
    DOUBT = "doubt"


class Evidence(Record):
    """Something in the story that a finding rests on; `chapter` is where it is told."""

    id: str
    label: str
    chapter: int


class Finding(Record):
    """One break of continuity. `key` stays the same as long as the evidence does.

    It holds the rule, ids of entities, and chapters, so that it outlives an export, and is the same
    for a candidate and for the chapter that the candidate becomes.
    """

    key: str
    rule: Rule
    severity: Severity
    chapters: tuple[int, ...]
    sentence: str
    evidence: tuple[Evidence, ...]


def key_of(rule: Rule, ids: Iterable[str], chapters: Iterable[int]) -> str:
    """Return the key of a finding; the order of ids and chapters does not matter."""
    told = "+".join(str(chapter) for chapter in sorted(set(chapters)))
    return f"{rule.name.lower()}:{'+'.join(sorted(set(ids)))}:{told}"
