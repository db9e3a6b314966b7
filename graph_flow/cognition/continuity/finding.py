"""What the continuity check finds: a sentence, the chapters, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from graph_flow.cognition.continuity.chronicle import Chronicle
from store.models.base import Record
from store.models.prototype import AnyEntity
from store.text import capital


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
    """Whether a finding is a contradiction, or only something that a reader may doubt."""

    CONTRADICTION = "contradiction"
    DOUBT = "doubt"


class Evidence(Record):
    """Something in the story on which a finding is based; `chapter` is where it is told."""

    id: str
    label: str
    chapter: int


class Finding(Record):
    """One break in continuity. `key` stays the same as long as the evidence does.

    It consists of the rule, ids of entities, and chapters. It therefore survives an export, and is
    the same for a candidate and for the chapter that the candidate becomes.
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


def label(chronicle: Chronicle, entity_id: str) -> str:
    """Return an entity's name for the writer."""
    return chronicle.names.of(entity_id)


def evidence(chronicle: Chronicle, *entities: AnyEntity) -> tuple[Evidence, ...]:
    """Return entities as evidence, each with the chapter in which it first appears."""
    names = chronicle.names
    return tuple(
        Evidence(
            id=entity.id,
            label=capital(names.label(entity)),
            chapter=chronicle.first_chapter_of(entity.id),
        )
        for entity in entities
    )


def in_chapters(chapters: Sequence[int]) -> str:
    """Return chapters in words: "chapter 3", "chapters 3 and 7"."""
    *first, last = (str(chapter) for chapter in chapters)
    return f"chapters {', '.join(first)} and {last}" if first else f"chapter {last}"
