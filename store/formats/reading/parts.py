"""What a file of a book holds: headings and paragraphs in their order, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass

SCENE_BREAK = "* * *"
"""The text of a paragraph that is a gap between two scenes."""

TITLE_LEVEL = 0
"""The level of the title of the whole book, where a file says that it is that."""


class Unreadable(Exception):
    """A file cannot be read; the message is a clause that says why, about "it"."""


@dataclass(frozen=True)
class Heading:
    """A heading on one line; level 1 is the highest, but for `TITLE_LEVEL`."""

    level: int
    text: str


@dataclass(frozen=True)
class Passage:
    """A paragraph, with asterisks around what is emphasized. It may hold line breaks."""

    text: str


Part = Heading | Passage


@dataclass(frozen=True)
class Document:
    """A file that was read; a title, an author or a language (BCP 47) that it does not tell is empty."""

    parts: tuple[Part, ...]
    title: str = ""
    author: str = ""
    language: str = ""


@dataclass(frozen=True)
class ReadChapter:
    """A chapter with its text: paragraphs with a blank line between them."""

    title: str
    text: str


@dataclass(frozen=True)
class ReadBook:
    """A book that was read from its files."""

    title: str
    author: str
    language: str
    chapters: tuple[ReadChapter, ...]
