"""Where the records of a story file are, found without building anything of it.

A story file is one JSON object of lists of records. What is found is the place of each record, and
the head: the same JSON with all of these lists empty. The head and the records are parsed apart, so
whoever reads one at a time needs little more memory than the file itself. Whether the parts are
JSON is left to the parser: the file is JSON if and only if the head and all records are.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from store.errors import BundleInvalid
from store.formats import bounds

_STRINGS = rb'[^"%b]*+(?:"(?:[^"\\]++|\\.)*+"[^"%b]*+)*+([%b])'
_STRUCTURE, _BRACKETS = rb"\[\]{},", rb"\[\]{}"
_NEXT = re.compile(_STRINGS % ((_STRUCTURE,) * 3), re.DOTALL)
"""Matches up to the next bracket or comma that is in no string."""
_NEXT_BRACKET = re.compile(_STRINGS % ((_BRACKETS,) * 3), re.DOTALL)
_OPENING, _COMMA = b"[{", b","

Path = tuple[str | int, ...]

TOO_LARGE = "This story file is too large to be one of Tellwright's."
NOT_JSON = (
    "This file is not a Tellwright story, or not all of it: it is not JSON. Nothing was imported."
)


class Place(NamedTuple):
    """A list of records: in which branch, by its position in the file (-1: in none), and its name.

    The stamps of a table are called "stamps/goals".
    """

    branch: int
    name: str


@dataclass
class Spans:
    """Where each record of a list begins and ends."""

    starts: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[slice]:
        return map(slice, self.starts, self.ends)


class Sections(NamedTuple):
    """A story file apart: its head, and where its records are."""

    head: bytes
    lists: dict[Place, Spans]


def sections_of(content: bytes) -> Sections:
    """Find the records of a story file.

    Raises:
        BundleInvalid: if it has more, larger or deeper ones than any story has.
    """
    return _Finding(content).sections()


class _Frame:
    """A list or an object of the head that is open; `count` are the values in it so far."""

    def __init__(self, path: Path, *, is_list: bool) -> None:
        self.path = path
        self.is_list = is_list
        self.count = 0


class _Finding:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._lists: dict[Place, Spans] = {}
        self._pieces: list[bytes] = []
        self._taken = 0
        self._head_bytes = 0
        self._head_values = 0
        self._records = 0
        self._open: list[_Frame] = []

    def sections(self) -> Sections:
        """Go through the file once."""
        at = 0
        while (found := _NEXT.match(self._content, at)) is not None:
            before, at = at, found.end()
            if found[1] in _OPENING:
                at = self._opened(before, found.start(1))
            elif found[1] != _COMMA:
                if not self._open:
                    raise BundleInvalid(NOT_JSON)
                self._open.pop()
            elif self._open:
                self._open[-1].count += 1
            self._count_value()
        self._take(len(self._content))
        return Sections(b"".join(self._pieces), self._lists)

    def _opened(self, before: int, place: int) -> int:
        """Take note of a list or an object; return where to go on."""
        is_list = self._content[place : place + 1] == b"["
        frame = _Frame(self._path(before, place), is_list=is_list)
        records = _place_of(frame.path) if is_list else None
        if records is None:
            self._open.append(frame)
            if len(self._open) > bounds.DEPTH:
                raise BundleInvalid(TOO_LARGE)
            return place + 1
        if records in self._lists:
            raise BundleInvalid("This story file contradicts itself, so it was not imported.")
        self._lists[records] = spans = Spans()
        self._take(place + 1)
        self._taken = self._find_records(place + 1, spans)
        return self._taken + 1

    def _path(self, before: int, place: int) -> Path:
        """Return the keys and positions that lead to a value of the head."""
        if not self._open:
            return ()
        parent = self._open[-1]
        if parent.is_list:
            return (*parent.path, parent.count)
        key, colon, _ = self._content[before:place].rpartition(b":")
        try:
            return (*parent.path, str(json.loads(key)) if colon else "")
        except ValueError as error:
            raise BundleInvalid(NOT_JSON) from error

    def _find_records(self, start: int, spans: Spans) -> int:
        """Add the records of a list that begins here; return where its closing bracket is."""
        at = start
        while (found := _NEXT.match(self._content, at)) is not None:
            at = found.end()
            if found[1] in _OPENING:
                at = self._after_value(at)
                continue
            if found[1] != _COMMA and not len(spans) and self._is_blank(start, found.start(1)):
                return found.start(1)
            self._add(spans, start, found.start(1))
            if found[1] != _COMMA:
                return found.start(1)
            start = at
        raise BundleInvalid(NOT_JSON)

    def _after_value(self, at: int) -> int:
        """Return where a list or an object ends whose opening bracket is just before a place."""
        depth = 1
        while depth:
            found = _NEXT_BRACKET.match(self._content, at)
            if found is None:
                raise BundleInvalid(NOT_JSON)
            depth += 1 if found[1] in _OPENING else -1
            if depth > bounds.DEPTH:
                raise BundleInvalid(TOO_LARGE)
            at = found.end()
        return at

    def _add(self, spans: Spans, start: int, end: int) -> None:
        self._records += 1
        # Commas within texts count too; there are few of them for the size of the text.
        values = sum(self._content.count(mark, start, end) for mark in (b",", b"[", b"{"))
        if (
            end - start > bounds.RECORD_BYTES
            or values > bounds.RECORD_VALUES
            or self._records > bounds.RECORDS
        ):
            raise BundleInvalid(TOO_LARGE)
        spans.starts.append(start)
        spans.ends.append(end)

    def _is_blank(self, start: int, end: int) -> bool:
        return not self._content[start:end].strip()

    def _count_value(self) -> None:
        self._head_values += 1
        if self._head_values > bounds.HEAD_VALUES:
            raise BundleInvalid(TOO_LARGE)

    def _take(self, end: int) -> None:
        """Take a piece of the file, up to here, into the head."""
        piece = self._content[self._taken : end]
        self._pieces.append(piece)
        self._head_bytes += len(piece)
        if self._head_bytes > bounds.HEAD_BYTES:
            raise BundleInvalid(TOO_LARGE)


def _place_of(path: Path) -> Place | None:
    """Return which list of records is at a path; None if there is none."""
    match path:
        case ("intended",):
            return Place(-1, "intended")
        case ("branches", int(branch), str(name)):
            return Place(branch, name)
        case ("branches", int(branch), "stamps", str(table)):
            return Place(branch, f"stamps/{table}")
    return None
