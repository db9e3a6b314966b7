"""Tellings: the same story told in another order, in another form, or both.

What happens belongs to the story; which of it a chapter shows, and when, belongs to a telling. The
distinction is narratology's, of story (fabula) and discourse (Genette's order: analepsis, prolepsis).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from store.models.base import Id, Name, Record
from store.models.desk.contents import FIRST_OF_TELLING, Key
from store.models.form import Form
from store.models.manuscript import PartTime

_MOST_CHAPTERS, _MOST_PARTS, _MOST_EVENTS = 100_000, 1_000, 10_000


class Arrangement(StrEnum):
    """The order in which a telling shows the events of its story."""

    LINEAR = "linear"
    IN_MEDIAS_RES = "in medias res"
    FLASHBACKS = "flashbacks"
    FLASH_FORWARD = "flash-forward"
    FRAME = "frame"
    PARALLEL = "parallel lines"


class ToldPart(Record):
    """Events that a chapter shows together: they happen in one chapter of the story.

    The people in them are what they are there in that chapter (0: before the story), whatever the
    chapters around them show.
    """

    chapter: Annotated[int, Field(ge=0)]
    events: Annotated[tuple[Id, ...], Field(min_length=1, max_length=_MOST_EVENTS)]
    time: PartTime = PartTime.PRESENT
    point_of_view: Id | None = None
    """Through whose eyes its scenes are seen in which they are; None: as the story's own plans say."""


class ToldChapter(Record):
    """A chapter of a telling. Its texts, plans and notes are kept by its `key`."""

    key: Key
    title: Name | None = None
    """None: as the chapter is called from which its first part comes."""
    parts: Annotated[tuple[ToldPart, ...], Field(max_length=_MOST_PARTS)] = ()

    @property
    def events(self) -> tuple[Id, ...]:
        """All that it shows, in order, each once."""
        return tuple(dict.fromkeys(event for part in self.parts for event in part.events))

    @property
    def as_of(self) -> int:
        """The chapter of the story in which it mostly is: in the present, or else in its longest part."""
        present = [part for part in self.parts if part.time is PartTime.PRESENT]
        longest = max(present or self.parts, key=lambda part: len(part.events), default=None)
        return longest.chapter if longest else 0


class Telling(Record):
    """A telling of a branch's story beside the one that follows its plot."""

    id: Id
    branch: Id
    name: Name
    form: Form
    arrangement: Arrangement
    chapters: Annotated[tuple[ToldChapter, ...], Field(max_length=_MOST_CHAPTERS)]
    created: datetime
    is_removed: bool = False
    """Whether it was put away: not listed, and otherwise as it was."""
    taken_out: Annotated[tuple[ToldChapter, ...], Field(max_length=_MOST_CHAPTERS)] = ()
    """Chapters that were taken out of it, the last one last; their texts are kept."""

    @model_validator(mode="after")
    def _has_each_key_once(self) -> Self:
        keys = (*self.keys, *(one.key for one in self.taken_out))
        if len(set(keys)) != len(keys) or any(key < FIRST_OF_TELLING for key in keys):
            raise ValueError("two chapters of a telling have the same key, or one has another's")
        return self

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of its chapters, in order."""
        return tuple(one.key for one in self.chapters)

    @property
    def shown(self) -> frozenset[Id]:
        """The events that it shows."""
        return frozenset(event for one in self.chapters for event in one.events)
