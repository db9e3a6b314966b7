"""A murder mystery made of a story: what the writer decided about it, its clues, and its texts.

What nobody has decided or written is made of the story's graphs whenever it is needed
(`graph_flow.telling.mystery`), so none of it stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from store.models.base import Id, Name, Paragraph, Passage, Record

FEWEST_ROUNDS, MOST_ROUNDS = 2, 4
TEXT_LIMIT = 20_000
"""The most characters of a booklet's part, or of a part of the host guide."""
CLUE_LIMIT = 2_000
"""The most characters of a clue card."""
_MOST_CLUES, _MOST_PEOPLE, _MOST_TEXTS, _MOST_TRIALS = 200, 200, 1_500, 200
_MOST_EVENTS = 60


class Point(StrEnum):
    """What a mystery asks about its crime, and a clue can support."""

    CULPRIT = "culprit"
    MEANS = "means"
    MOTIVE = "motive"
    OPPORTUNITY = "opportunity"


class ClueKind(StrEnum):
    """What a clue is to those who find it."""

    TESTIMONY = "testimony"
    TRACE = "trace"
    OBJECT = "object"
    STATEMENT = "statement"
    TIE = "tie"


class Clue(Record):
    """A clue: what its card says, when it comes to light, and for the host what it rests on and proves.

    `clears` are the people whom it speaks for; `finder` is who brings it in, or None if it is found
    where it lies.
    """

    id: Id
    round: Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
    title: Name
    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=CLUE_LIMIT)
    ]
    kind: ClueKind = ClueKind.TRACE
    finder: Id | None = None
    events: Annotated[tuple[Id, ...], Field(max_length=_MOST_EVENTS)] = ()
    supports: tuple[Point, ...] = ()
    clears: Annotated[tuple[Id, ...], Field(max_length=_MOST_PEOPLE)] = ()
    deduction: Paragraph = ""


class GuidePart(StrEnum):
    """A part of the host guide that is written; the rest of it is put together."""

    OPENING = "opening"
    TRUTH = "truth"
    FALSE_TRAILS = "false-trails"
    SOLUTION = "solution"


class MysteryText(Record):
    """A text of a mystery. `former` is the one in whose place it was written: typed before any other."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LIMIT)]
    former: Annotated[str, StringConstraints(max_length=TEXT_LIMIT)] = ""
    is_typed: bool = False
    is_former_typed: bool = False
    """Whether the writer has typed in it, and in the former one."""
    material: Annotated[str, StringConstraints(max_length=64)] = ""
    """A hash of what an agent wrote it from; empty for what was typed from nothing."""

    @property
    def set_aside(self) -> MysteryText:
        """What is left of it when another text takes its place: what was typed goes before what was not."""
        if self.is_former_typed and not (self.is_typed and self.text):
            return MysteryText(text="", former=self.former, is_former_typed=True)
        return MysteryText(text="", former=self.text or self.former, is_former_typed=self.is_typed)


class Trial(Record):
    """Whom a reader who has nothing but the clues takes for the culprit, and why.

    `reader` is the person whose booklet was read besides; None: nobody's. `clues` is a hash of all
    that was read. `culprit` is None if nobody was named.
    """

    reader: Id | None = None
    culprit: Id | None = None
    reasons: Passage = ""
    missing: Passage = ""
    clues: str


class Mystery(Record):
    """What is kept of the mystery of a branch; a field that is empty is as the story has it.

    `crime` is an event, `rounds` how often clues come to light, `until` the last chapter that is
    played. `clues` is None while they are those of the story itself.
    """

    id: Id
    branch: Id
    created: datetime
    crime: Id | None = None
    victim: Id | None = None
    culprits: Annotated[tuple[Id, ...], Field(max_length=_MOST_PEOPLE)] = ()
    left_out: Annotated[tuple[Id, ...], Field(max_length=_MOST_PEOPLE)] = ()
    """People of the story whom nobody plays."""
    rounds: Annotated[int, Field(ge=FEWEST_ROUNDS, le=MOST_ROUNDS)] = 3
    until: Annotated[int, Field(ge=0)] | None = None
    means: Paragraph = ""
    motive: Paragraph = ""
    opportunity: Paragraph = ""
    clues: Annotated[tuple[Clue, ...], Field(max_length=_MOST_CLUES)] | None = None
    former_clues: Annotated[tuple[Clue, ...], Field(max_length=_MOST_CLUES)] | None = None
    """The clues in whose place the present ones came all at once."""
    texts: Annotated[Mapping[str, MysteryText], Field(max_length=_MOST_TEXTS)] = Field(
        default_factory=dict
    )
    """By `booklet_key`, or a part of the guide."""
    attempts: Annotated[Mapping[str, int], Field(max_length=_MOST_TEXTS)] = Field(
        default_factory=dict
    )
    """How often something was asked of agents and answered, so that asking again is a new question."""
    trials: Annotated[tuple[Trial, ...], Field(max_length=_MOST_TRIALS)] = ()

    @model_validator(mode="after")
    def _has_each_clue_once(self) -> Self:
        ids = [clue.id for clue in self.clues or ()]
        if len(set(ids)) != len(ids):
            raise ValueError("two clues have the same id")
        return self


def booklet_key(person: str, part: int) -> str:
    """Return by what the text of a booklet's part is kept: 0 is its beginning, 1 its first round."""
    return f"booklet/{person}/{part}"
