"""Long texts are kept compressed: in a seventh of their space, with a dictionary of what they share."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

PACKED: Mapping[str, frozenset[str]] = {
    "commits": frozenset({"delta"}),
    "configurations": frozenset({"delta"}),
    "candidates": frozenset({"delta", "turns"}),
    "goals": frozenset({"text", "aims"}),
}
"""The columns that are packed one by one; a row that an earlier version wrote is not."""

_COLUMNS = frozenset().union(*PACKED.values())

SHORT = 160
"""Characters up to which a text is kept as it is."""
MOST_SHARED = 32_768
"""Bytes of a dictionary: zlib looks no further back."""

_ALONE, _SHARED = b"\x01", b"\x02"
"""The first byte of a packed text; a new way of packing gets a new one."""
_NUMBER = 4
_LEVEL = 9


def packed_row(table: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row as it is kept."""
    columns = PACKED.get(table)
    if not columns:
        return row
    return {
        name: pack(value) if name in columns and isinstance(value, str) else value
        for name, value in row.items()
    }


def has_none_packed(columns: Iterable[str]) -> bool:
    """Return whether none of these columns is ever packed."""
    return _COLUMNS.isdisjoint(columns)


def unpack_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as it was before it was packed; what cannot be read any more is empty."""
    for name in _COLUMNS.intersection(row):
        if isinstance(row[name], bytes):
            try:
                row[name] = unpack(row[name])
            except Unreadable:
                row[name] = ""
    return row


class Shared(NamedTuple):
    """A text that many others have parts in common with, and its number in the library."""

    number: int
    content: bytes


class Unreadable(ValueError):
    """A packed text is damaged, or its dictionary is not the one that it was packed with."""


def pack(text: str, shared: Shared | None = None) -> str | bytes:
    """Return a text in less space, if that can be."""
    if len(text) <= SHORT:
        return text
    content = text.encode("utf-8", "surrogatepass")
    if shared is None:
        return _ALONE + zlib.compress(content, _LEVEL)
    packing = zlib.compressobj(_LEVEL, zdict=shared.content)
    number = shared.number.to_bytes(_NUMBER, "big")
    return _SHARED + number + packing.compress(content) + packing.flush()


def dictionary_of(packed: str | bytes) -> int | None:
    """Return the number of the dictionary that a text was packed with; None: with none."""
    if isinstance(packed, str) or packed[:1] != _SHARED:
        return None
    return int.from_bytes(packed[1 : 1 + _NUMBER], "big")


def unpack(packed: str | bytes, shared: bytes = b"") -> str:
    """Return the text that was packed.

    Raises:
        Unreadable: if it cannot be read any more.
    """
    if isinstance(packed, str):
        return packed
    try:
        match packed[:1]:
            case b"\x01":
                return _text(zlib.decompress(packed[1:]))
            case b"\x02":
                unpacking = zlib.decompressobj(zdict=shared)
                content = unpacking.decompress(packed[1 + _NUMBER :]) + unpacking.flush()
                if unpacking.eof:
                    return _text(content)
    except (zlib.error, UnicodeDecodeError) as error:
        raise Unreadable("a packed text cannot be read") from error
    raise Unreadable("a packed text is not whole, or of another kind")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")
