"""What a text that was changed by hand says of its story, until the writer has decided on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from store.models.base import Id, Line, Passage, Record
from store.models.delta import Delta


class ComparisonState(StrEnum):
    """How far a comparison is."""

    ASKED = "asked"
    """Its answer has not come."""
    OPEN = "open"
    """The writer has not decided on it."""
    TAKEN = "taken"
    REFUSED = "refused"


class ChangedPassage(Record):
    """Paragraphs that were changed: as they were, as they are, and the events that they tell.

    Either text is empty if there was nothing, or is nothing now.
    """

    before: str = ""
    now: str = ""
    events: tuple[Id, ...] = ()


class FoundLine(Record):
    """One thing that a text says of its story: the changes that it means, and the words that say so.

    `needs` are the places of the lines without which it cannot be taken: those that bring in whom or
    what it is about. `doubt` says why the writer has to decide: what it contradicts, or may repeat.
    """

    delta: Delta
    quote: Passage = ""
    needs: tuple[int, ...] = ()
    doubt: Line = ""


class TextComparison(Record):
    """A text of a chapter compared with the story, and what was found.

    `text` is the whole text as it was then, `passages` what had been changed in it. `is_plot` says
    that the chapter had no plot, which it is to get of its text. `kept` says what is locked and stays
    as it is, `unknown` which names mean nobody, and `unsupported` how many lines were left out because the
    words that they rest on are not in the text.
    """

    id: Id
    branch: Id
    chapter: int
    text: str
    passages: tuple[ChangedPassage, ...] = ()
    is_plot: bool = False
    lines: tuple[FoundLine, ...] = ()
    kept: tuple[Line, ...] = ()
    unknown: tuple[Line, ...] = ()
    unsupported: int = Field(default=0, ge=0)
    state: ComparisonState = ComparisonState.ASKED
    created: datetime

    @property
    def is_decided(self) -> bool:
        """Whether the writer has taken or refused it."""
        return self.state in {ComparisonState.TAKEN, ComparisonState.REFUSED}


def undoubted(lines: Sequence[FoundLine]) -> list[int]:
    """Return the places of the lines that are taken unless the writer decides otherwise."""
    return takeable(lines, [at for at, line in enumerate(lines) if not line.doubt])


def takeable(lines: Sequence[FoundLine], chosen: Collection[int]) -> list[int]:
    """Return the places of the chosen lines that can be taken: all that they need is chosen too."""
    kept = {at for at in chosen if 0 <= at < len(lines)}
    while lacking := {at for at in kept if not kept.issuperset(lines[at].needs)}:
        kept -= lacking
    return sorted(kept)
