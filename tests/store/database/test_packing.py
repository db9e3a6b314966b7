"""Packed texts take less space, and come back as they were or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from store.database.packing import (
    Shared,
    Unreadable,
    dictionary_of,
    pack,
    packed_row,
    unpack,
    unpack_row,
)

LONG = "Mara keeps the lamp, and Hale came back with the last ship. " * 40
DICTIONARY = Shared(7, LONG.encode())


@given(some.text(max_size=4_000))
def test_text_comes_back_as_it_was(text: str) -> None:
    assert unpack(pack(text)) == text
    assert unpack(pack(text, DICTIONARY), DICTIONARY.content) == text


def test_long_text_takes_less_space_and_still_less_with_a_dictionary() -> None:
    text = LONG + " ".join(map(str, range(300)))

    alone, shared = pack(text), pack(text, DICTIONARY)

    assert len(shared) < len(alone) < len(text) / 2
    assert (dictionary_of(alone), dictionary_of(shared), dictionary_of("short")) == (None, 7, None)


def test_short_text_stays_readable() -> None:
    assert pack("Mara keeps the lamp.") == "Mara keeps the lamp."


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\x01",
        b"\x09abc",
        pack(LONG)[:-3],
        pack(LONG, DICTIONARY)[:-3],
        pack(LONG, DICTIONARY),
    ],
)
def test_what_is_damaged_is_not_taken_for_a_text(damaged: bytes) -> None:
    with pytest.raises(Unreadable):
        unpack(damaged, b"another dictionary")


def test_rows_are_packed_where_their_table_says_so() -> None:
    row = {"id": "1", "delta": LONG, "title": LONG, "chapter": 3, "tells": "[]"}

    kept = packed_row("candidates", row)

    assert isinstance(kept["delta"], bytes)
    assert kept["title"] == LONG
    assert packed_row("events", row) == row
    assert unpack_row(dict(kept)) == row
    assert unpack_row({"delta": b"\x01damaged"}) == {"delta": ""}
