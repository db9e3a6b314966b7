"""Writing: from the prototype to text (CreAgentive, stage 3)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from store.models.base import Id, Line, Name, Passage, Record
from store.models.form import Form


class Structure(StrEnum):
    """The order in which a chapter tells its events."""

    LINEAR = "linear"
    FLASHBACK = "flashback"
    FLASH_FORWARD = "flash-forward"
    FRAME = "frame"
    PARALLEL = "parallel lines"


class Recollection(Record):
    """A past event that matters to the people of this chapter, and why."""

    event: Id
    why: Line = ""


class ThreadMove(StrEnum):
    """What a chapter does with a thread."""

    PLANT = "plant"
    KEEP = "keep alive"
    PAY_OFF = "pay off"


class ThreadCue(Record):
    """A thread that this chapter should touch."""

    thread: Id
    move: ThreadMove
    how: Line = ""


class WritingNotes(Record):
    """What Recall and Thread found for one attempt at a chapter."""

    branch: Id
    chapter: int
    attempt: int
    recall: tuple[Recollection, ...] = ()
    threads: tuple[ThreadCue, ...] = ()


class PlannedScene(Record):
    """One scene of the telling: which events, where, through whose eyes."""

    scene: Id | None = None
    events: tuple[Id, ...] = ()
    point_of_view: Id | None = None
    beat: Passage = ""
    """What this scene does, in a sentence or two."""


class WritingPlan(Record):
    """How a chapter is to be told. `attempt` counts the plans of a chapter, from 1."""

    id: Id
    branch: Id
    chapter: int
    attempt: int
    form: Form
    goal: Passage = ""
    structure: Structure = Structure.LINEAR
    scenes: tuple[PlannedScene, ...] = ()
    recall: tuple[Recollection, ...] = ()
    threads: tuple[ThreadCue, ...] = ()
    reveal: Line = ""
    words: Annotated[int, Field(ge=50)] = 750


class DraftState(StrEnum):
    """The state of a draft."""

    WRITING = "writing"
    DRAFTED = "drafted"
    EDITED = "edited"
    APPROVED = "approved"


class Draft(Record):
    """A version of a chapter's text. Versions count from 1; the newest is the current text."""

    id: Id
    branch: Id
    chapter: int
    version: int
    form: Form
    title: Name
    text: str
    state: DraftState
    created: datetime

    @property
    def words(self) -> int:
        """Count words; in scripts without spaces every two characters count as one."""
        return count_words(self.text)


def count_words(text: str) -> int:
    """Return the number of words in a text.

    Scripts without spaces (Chinese, Japanese, Thai ...) count every two characters as one word.
    """
    unspaced = sum(1 for character in text if is_unspaced(character))
    spaced = "".join(" " if is_unspaced(character) else character for character in text)
    return len(spaced.split()) + unspaced // 2


def is_unspaced(character: str) -> bool:
    """Return whether a character belongs to a script that puts no spaces between words."""
    point = ord(character)
    return point >= 0x0E00 and (
        0x3040 <= point <= 0x30FF
        or 0x3400 <= point <= 0x9FFF
        or point <= 0x0EFF
        or 0x20000 <= point <= 0x3FFFF
    )
