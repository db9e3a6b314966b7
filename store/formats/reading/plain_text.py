"""Plain text, in whatever encoding, with its lines broken or not."""

from __future__ import annotations

import re
from statistics import median

from store.formats.extract import writable
from store.formats.reading.parts import Document, Part, Passage

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_GUESSES = ("utf-8", "gb18030", "shift_jis")
_LAST_GUESS = "cp1252"
_EASTERN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uff00-\uffef\u3000-\u303f]")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_SHORTEST_WRAPPED, _LONGEST_WRAPPED = 45, 90


def decoded(content: bytes) -> str:
    """Return bytes as text: by their byte-order mark, as UTF-8, as Chinese or Japanese, or as Western.

    One of the eastern encodings is taken only if most of what it makes of the text is in such a script.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    for encoding in _GUESSES:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or _is_eastern(text):
            return text
    return content.decode(_LAST_GUESS, errors="replace")


def read_plain_text(content: bytes) -> Document:
    """Return the document that a text file is: without headings, which only its words can tell."""
    text = writable(decoded(content)).replace("\f", "\n\n").strip("\n")
    if not _BLANK_LINES.search(text.strip()):
        paragraphs = text.split("\n")
    else:
        paragraphs = _BLANK_LINES.split(text)
    is_wrapped = _is_wrapped(paragraphs)
    return Document(tuple(_passages(paragraphs, is_wrapped=is_wrapped)))


def _passages(paragraphs: list[str], *, is_wrapped: bool) -> list[Part]:
    found: list[Part] = []
    for paragraph in paragraphs:
        lines = [" ".join(line.split()) for line in paragraph.split("\n") if line.strip()]
        if lines:
            found.append(Passage((" " if is_wrapped else "\n").join(lines)))
    return found


def _is_wrapped(paragraphs: list[str]) -> bool:
    """Whether lines end because they were full, as in a text that was made for a screen of old."""
    full = [len(line) for one in paragraphs for line in one.split("\n")[:-1] if line.strip()]
    return bool(full) and _SHORTEST_WRAPPED <= median(full) <= _LONGEST_WRAPPED


def _is_eastern(text: str) -> bool:
    foreign = [one for one in text if ord(one) > 127]
    return bool(foreign) and len(_EASTERN.findall(text)) > len(foreign) * 0.8
