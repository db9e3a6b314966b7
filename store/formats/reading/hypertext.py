"""HTML and XHTML as headings and paragraphs. Nothing in it runs, and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree, html

from store.formats.extract import writable
from store.formats.reading import bounds
from store.formats.reading.parts import (
    SCENE_BREAK,
    TITLE_LEVEL,
    Document,
    Heading,
    Part,
    Passage,
    Unreadable,
)

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure "
    "footer form header hgroup html li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
_UNREAD = frozenset(
    "script style template head title noscript iframe object embed svg math img audio video canvas "
    "select button input textarea form-control link meta base applet frame frameset nav".split()
)
_MARKS = {"em": "*", "i": "*", "strong": "**", "b": "**"}
_DECLARED = re.compile(rb"<!DOCTYPE[^<>\[]*\[[^\]]*\]\s*>", re.IGNORECASE)
"""A document type with declarations of its own, of which no web page needs any."""
_SPACE = re.compile(r"[ \t\r\f\v\n\u00a0]+")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def read_html(content: bytes) -> Document:
    """Return the document that a web page is; its title is that of its head.

    Raises:
        Unreadable: if it is no HTML, or is larger than any book.
    """
    if len(content) > bounds.MARKUP_BYTES:
        raise Unreadable("it is larger than any book")
    parser = html.HTMLParser(no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(_DECLARED.sub(b"", _in_utf8(content), count=1), parser)
    except (etree.LxmlError, ValueError, AssertionError) as problem:
        raise Unreadable("it is empty, or no web page") from problem
    # What is nested deeper than the parser goes is not in the tree, and it must not be lost unsaid.
    if any(one.level == etree.ErrorLevels.FATAL for one in parser.error_log):
        raise Unreadable("its markup is damaged, or nested too deeply")
    return Document(
        tuple(_Reading().parts(root)),
        title=_told(root, "//head/title/text()"),
        author=_told(root, "//head/meta[@name='author']/@content"),
        language=root.get("lang") or root.get("xml:lang") or "",
    )


def _told(root: etree._Element, where: str) -> str:
    found = root.xpath(where)
    return " ".join(str(found[0]).split()) if isinstance(found, list) and found else ""


def _in_utf8(content: bytes) -> bytes:
    """Return markup that says it is in UTF-8, if it is; otherwise as it is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content
    return (
        b'<?xml version="1.0" encoding="utf-8"?>'
        + re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1).encode()
    )


@dataclass
class _Reading:
    """Goes through a tree without recursion, so that no depth of it matters."""

    _held: list[str] = field(default_factory=list)
    _level: int | None = None

    def parts(self, root: etree._Element) -> Iterator[Part]:
        skipped: etree._Element | None = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if skipped is None and event == "start":
                if _is_unread(element):
                    skipped = element
                    continue
                yield from self._begin(element)
                self._held.append(element.text or "")
            elif event == "end" and (skipped is None or skipped is element):
                if skipped is None:
                    yield from self._end(element)
                skipped = None
                self._held.append(element.tail or "")
        yield from self._paragraph()

    def _begin(self, element: etree._Element) -> Iterator[Part]:
        name = str(element.tag)
        if name in _BLOCKS or name in _HEADINGS:
            yield from self._paragraph()
            self._level = _level_of(element)
        elif name == "hr":
            yield from self._paragraph()
            yield Passage(SCENE_BREAK)
        elif name == "br":
            self._held.append("\x00")
        elif name in _MARKS and self._level is None:
            self._held.append(f"\x01{_MARKS[name]}")

    def _end(self, element: etree._Element) -> Iterator[Part]:
        name = str(element.tag)
        if name in _BLOCKS or name in _HEADINGS:
            yield from self._paragraph()
            self._level = None
        elif name in _MARKS and self._level is None:
            self._held.append(f"\x02{_MARKS[name]}")

    def _paragraph(self) -> Iterator[Part]:
        text = _joined(self._held)
        self._held = []
        if not text:
            return
        if self._level is not None:
            yield Heading(self._level, " ".join(text.split()))
        else:
            yield Passage(text)


def _level_of(element: etree._Element) -> int | None:
    """Return the level of a heading; None for what is none, and that of a title for a book's."""
    is_title = element.tag == "h1" and "title" in (element.get("class") or "").split()
    return TITLE_LEVEL if is_title else _HEADINGS.get(str(element.tag))


def _is_unread(element: etree._Element) -> bool:
    return (
        not isinstance(element.tag, str)
        or element.tag in _UNREAD
        or element.get("hidden") is not None
        or bool(_HIDDEN.search(element.get("style") or ""))
    )


_OPENING = re.compile(r"\x01(\*+)(\s*)")
_CLOSING = re.compile(r"(\s*)\x02(\*+)")
_EMPTY = re.compile(r"\x01\*+([\s\x00]*)\x02\*+")


def _joined(held: list[str]) -> str:
    """Return what was held as one paragraph: marks of emphasis stand close to their words."""
    text = _SPACE.sub(" ", "".join(held).replace("\u00ad", ""))
    text = _EMPTY.sub(r"\1", text)
    text = (
        _CLOSING.sub(r"\2\1", _OPENING.sub(r"\2\1", text)).replace("\x01", "").replace("\x02", "")
    )
    lines = (" ".join(line.split()) for line in text.split("\x00"))
    return writable("\n".join(line for line in lines if line))
