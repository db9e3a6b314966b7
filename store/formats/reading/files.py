"""Files of a book that was written elsewhere, read into one book: its kind is found by its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from store.errors import BookUnreadable
from store.formats.reading import bounds
from store.formats.reading.archives import Archive
from store.formats.reading.chapters import chapters_of
from store.formats.reading.docx import is_docx, read_docx
from store.formats.reading.epub import is_epub, read_epub
from store.formats.reading.hypertext import read_html
from store.formats.reading.markdown import read_markdown
from store.formats.reading.parts import Document, Heading, Part, ReadBook, Unreadable
from store.formats.reading.plain_text import read_plain_text
from store.text import clip

__all__ = ["SUFFIXES", "NamedFile", "ReadBook", "read_files"]

SUFFIXES = ("docx", "epub", "md", "markdown", "html", "htm", "xhtml", "txt")
"""The endings of the files that can be read."""

_BY_SUFFIX: Mapping[str, Callable[[bytes], Document]] = {
    **dict.fromkeys(("md", "markdown"), read_markdown),
    **dict.fromkeys(("html", "htm", "xhtml"), read_html),
    **dict.fromkeys(("txt", "text", ""), read_plain_text),
}
_REFUSED = (
    (b"%PDF-", "it is a PDF, which has lost what is a paragraph: import what it was made from"),
    (b"{\\rtf", "it is in RTF: save it as DOCX in your word processor"),
    (
        b"\xd0\xcf\x11\xe0",
        "it is in an old format of Word, or locked: save it as DOCX, without a password",
    ),
)
_DIGITS = re.compile(r"(\d+)")
_LEADING_NUMBER = re.compile(r"^\d+\s*[-_. ]*\s*(?=\D)")

_UNNAMED = "Imported book"


class NamedFile(NamedTuple):
    """A file, by its name without a path."""

    name: str
    content: bytes


def read_files(files: Sequence[NamedFile], name: str = "") -> ReadBook:
    """Return the book that some files are, in the order of the numbers in their names.

    It has the title that a file tells; otherwise `name`, or what its only file is called.

    Raises:
        BookUnreadable: if one of them cannot be read, or there is no text in them.
    """
    if len(files) > bounds.FILES:
        raise BookUnreadable(f"A book can be imported from at most {bounds.FILES} files.")
    read = [(one, _read(one)) for one in sorted(files, key=_order)]
    parts = [part for file, document in read for part in _parts(file, document, len(read))]
    if not any(part.text.strip() for part in parts):
        raise BookUnreadable("There is no text in what was given. Nothing was imported.")
    if sum(len(part.text) for part in parts) > bounds.CHARACTERS:
        raise BookUnreadable("This is longer than any book. Nothing was imported.")
    told = [document for _, document in read]
    title, author, language = (
        next((text for text in texts if text), "")
        for texts in zip(*((one.title, one.author, one.language) for one in told), strict=True)
    )
    found = chapters_of(parts, title, author)
    if len(found.chapters) > bounds.CHAPTERS:
        raise BookUnreadable("This has more chapters than any book. Nothing was imported.")
    named = found.title or name or _called(files)
    return ReadBook(clip(named, 200), clip(found.author, 200), clip(language, 40), found.chapters)


def _read(file: NamedFile) -> Document:
    try:
        if len(file.content) > bounds.FILE_BYTES:
            raise Unreadable("it is larger than any book")
        return _reader(file)(file.content)
    except Unreadable as problem:
        raise BookUnreadable(
            f"“{clip(file.name, 80)}” cannot be read: {problem}. Nothing was imported."
        ) from problem


def _reader(file: NamedFile) -> Callable[[bytes], Document]:
    for mark, reason in _REFUSED:
        if file.content.startswith(mark):
            raise Unreadable(reason)
    suffix = PurePath(file.name).suffix.lower().lstrip(".")
    if file.content.startswith(b"PK"):
        return _zipped(file.content)
    if suffix in ("docx", "docm", "epub"):
        raise Unreadable("it is damaged, or not what its name says")
    reader = _BY_SUFFIX.get(suffix)
    if reader is None:
        raise Unreadable("a book can be DOCX, EPUB, Markdown, HTML or plain text")
    if b"\0" in file.content and not file.content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("it is no text")
    return reader


def _zipped(content: bytes) -> Callable[[bytes], Document]:
    if is_docx(content):
        return read_docx
    if is_epub(content):
        return read_epub
    with Archive(content) as archive:
        is_odt = "content.xml" in archive.names
    raise Unreadable(
        "it is in ODT: save it as DOCX in your word processor"
        if is_odt
        else "a book can be DOCX, EPUB, Markdown, HTML or plain text"
    )


def _parts(file: NamedFile, document: Document, count: int) -> tuple[Part, ...]:
    """Return the parts of a file; one of several that has no heading is a chapter by its name."""
    has_heading = any(isinstance(part, Heading) for part in document.parts)
    if count == 1 or has_heading:
        return document.parts
    return (Heading(1, _named(file.name)), *document.parts)


def _order(file: NamedFile) -> list[tuple[int, int, str]]:
    """Return what puts chapter 2 before chapter 10."""
    return [
        (0, int(one), "") if one.isdecimal() else (1, 0, one.casefold())
        for one in _DIGITS.split(file.name)
        if one
    ]


def _called(files: Sequence[NamedFile]) -> str:
    return _named(files[0].name) if len(files) == 1 else _UNNAMED


def _named(name: str) -> str:
    stem = " ".join(PurePath(name).stem.replace("_", " ").split())
    return _LEADING_NUMBER.sub("", stem) or stem or _UNNAMED
