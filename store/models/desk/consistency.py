"""Where a text contradicts itself: what a judge found, with the words on both sides.

The kinds follow ConStory-Bench (Li et al., "Lost in Stories", arXiv 2603.05890, 2026): its timeline, characterization,
world and detail errors. Its errors of style are no contradictions, and are left out.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Line, Name, Record
from store.models.desk.evaluation import JudgeName, Quote


class ContradictionKind(StrEnum):
    """What two passages contradict each other about."""

    TIME = "time"
    PLACE = "place"
    PERSON = "person"
    KNOWLEDGE = "knowledge"
    EVENT = "event"
    OBJECT = "object"
    RULE = "rule"
    NAME = "name"
    NUMBER = "number"
    OTHER = "other"


class Standing(StrEnum):
    """Whether a contradiction counts, and if not, why."""

    COUNTS = "counts"
    UNFOUND = "unfound"
    """A quote is missing, or does not stand in its chapter."""
    SAME = "same"
    """Both quotes are the same words."""


class NotedFact(Record):
    """Something that a judge wrote down while it read, with words that stand in the chapter."""

    who: tuple[Name, ...] = ()
    fact: Line
    quote: Quote


class Contradiction(Record):
    """Two passages that cannot both be true, as a judge says.

    `quote` is of the chapter that was read, and `earlier` of the chapter `before`, which may be the same one.
    """

    kind: ContradictionKind
    why: Line
    quote: Quote
    earlier: Quote
    before: Annotated[int, Field(ge=1)]
    standing: Standing

    @property
    def counts(self) -> bool:
        """Whether both quotes stand in the text, and say different things."""
        return self.standing is Standing.COUNTS


class CheckedChapter(Record):
    """What a judge of consistency said of a chapter.

    `key` is the judge's. `words` are those that it has read, and `unread` counts the parts of the chapter of which
    nothing usable came.
    """

    id: Id
    evaluation: Id
    judge: JudgeName
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]
    place: Annotated[int, Field(ge=1)]
    words: Annotated[int, Field(ge=0)]
    facts: tuple[NotedFact, ...] = ()
    found: tuple[Contradiction, ...] = ()
    unread: Annotated[int, Field(ge=0)] = 0
    created: datetime
