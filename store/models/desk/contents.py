"""The table of contents of a book: which chapters of text it has, and in which order."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator

from store.models.base import Id, Name, Record

FIRST_OF_TEXT_ALONE = 1_000_001
"""Chapters that the plot knows nothing of are kept by numbers from here on, which no plot ever reaches."""

FIRST_OF_TELLING = 1_000_000_001
"""The chapters of other tellings are kept by numbers from here on (see `store.models.desk.telling`)."""

Key = Annotated[int, Field(ge=1, lt=2**53)]
"""The number by which the texts, plans and notes of a chapter are kept: a plotted one's is the plot's."""


def chapter_words(chapter: int) -> str:
    """Return what a writer calls a chapter by its key, where its place in the book is not known."""
    if chapter < FIRST_OF_TEXT_ALONE:
        return f"chapter {chapter}"
    if chapter >= FIRST_OF_TELLING:
        return "a chapter of another telling"
    return f"added chapter {chapter - FIRST_OF_TEXT_ALONE + 1}"


class BookLength(NamedTuple):
    """How many chapters a book has, written or not, and how many words."""

    chapters: int
    words: int


class ContentsEntry(Record):
    """A chapter in the order of its book. `title` is what the writer calls it, if they have renamed it.

    One that is `merged_into` another has no place in the order; the text that came from it begins with
    `paragraph`, if it had any text. One that `is_removed` has none either. `is_plotted` says whether
    one without a place was plotted when it lost it: if it is plotted later, it has a place again.
    """

    chapter: Key
    title: Name | None = None
    merged_into: Key | None = None
    paragraph: Id | None = None
    is_removed: bool = False
    is_plotted: bool = False

    @property
    def is_out(self) -> bool:
        """Whether it has lost its place in the order."""
        return self.is_removed or self.merged_into is not None

    def put_in(self) -> Self:
        """Return the entry with a place in the order."""
        own = {"merged_into": None, "paragraph": None, "is_removed": False, "is_plotted": False}
        return self.model_copy(update=own)


class Contents(Record):
    """The chapters of a branch in the order of the book, with those merged into others or removed.

    What is not listed comes at the end: the plotted chapters, and then those that were typed by hand.
    """

    id: Id
    branch: Id
    entries: Annotated[tuple[ContentsEntry, ...], Field(max_length=100_000)]
    created: datetime

    @model_validator(mode="after")
    def _has_each_once(self) -> Self:
        if len({one.chapter for one in self.entries}) != len(self.entries):
            raise ValueError("a chapter is listed twice")
        return self
