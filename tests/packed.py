"""Packed texts as somebody sees and changes them who opens the library with another program."""

from __future__ import annotations

import sqlite3

from store.database.packing import pack, unpack


def teach(connection: sqlite3.Connection) -> None:
    """Give SQL `altered(text, old, new)`, which replaces words in a text, packed or not."""

    def altered(kept: str | bytes, old: str, new: str) -> str | bytes:
        text = unpack(kept)
        assert old in text
        return pack(text.replace(old, new))

    connection.create_function("altered", 3, altered)
