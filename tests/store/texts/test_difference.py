"""What two texts do not have in common: paragraphs, and the words within them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.texts.difference import Changed, Piece, Unchanged, compared, difference

TEXTS = st.lists(st.text("ab 灯。\n", max_size=12), max_size=12).map("\n\n".join)


def put_together(found: list[Unchanged | Changed]) -> tuple[list[str], list[str]]:
    """Return the paragraphs of both texts that a difference tells of."""
    old: list[str] = []
    new: list[str] = []
    for one in found:
        if isinstance(one, Unchanged):
            old += one.paragraphs
            new += one.paragraphs
            continue
        old += [] if one.before is None else [one.before]
        new += [] if one.after is None else [one.after]
    return old, new


@given(TEXTS, TEXTS)
def test_difference_holds_both_texts_whole_and_in_order(before: str, after: str) -> None:
    assert put_together(difference(before, after)) == (before.split("\n\n"), after.split("\n\n"))


@given(st.text("ab 灯,.\n", max_size=30), st.text("ab 灯,.\n", max_size=30))
def test_pieces_hold_both_paragraphs_whole_and_in_order(before: str, after: str) -> None:
    pieces = compared(before, after)
    assert "".join(one.text for one in pieces if one.kind != "in") == before
    assert "".join(one.text for one in pieces if one.kind != "out") == after
    assert all(one.text for one in pieces)


def test_words_that_changed_side_by_side_are_one_change() -> None:
    assert compared("A red cat sat.", "A blue dog sat.") == [
        Piece("same", "A "),
        Piece("out", "red cat"),
        Piece("in", "blue dog"),
        Piece("same", " sat."),
    ]


@pytest.mark.parametrize(
    ("before", "after", "out", "put"),
    [
        ("灯灭了。没有人看见。", "灯亮了。没有人看见。", "灭", "亮"),
        ("ไฟดับแล้ว", "ไฟดับนี้", "แล้ว", "นี้"),
        ("She didn’t go.", "She did go.", "didn’t", "did"),
        ("वह घर गया।", "वह गाँव गया।", "घर", "गाँव"),
    ],
)
def test_a_change_is_of_whole_words_or_of_characters_where_there_are_no_spaces(
    before: str, after: str, out: str, put: str
) -> None:
    pieces = compared(before, after)
    assert [one.text for one in pieces if one.kind == "out"] == [out]
    assert [one.text for one in pieces if one.kind == "in"] == [put]


def test_a_paragraph_is_shown_changed_if_it_became_another_and_else_as_out_and_in() -> None:
    before = "The lamp went out at nine.\n\nNobody saw.\n\nEnd."
    after = "The lamp went out at ten.\n\nA gull sat down on the rail.\n\nEnd.\n\nAfter it."
    assert difference(before, after) == [
        Changed("The lamp went out at nine.", "The lamp went out at ten."),
        Changed("Nobody saw.", None),
        Changed(None, "A gull sat down on the rail."),
        Unchanged(["End."]),
        Changed(None, "After it."),
    ]


def test_of_two_long_texts_only_what_changed_is_told() -> None:
    """Too many paragraphs to compare each with each; those that are there once lead the way."""
    paragraphs = [f"Paragraph {at} of the book." for at in range(5_000)]
    edited = [*paragraphs[:10], "New.", *paragraphs[10:4_000], *paragraphs[4_002:]]
    edited[100] = "Something else altogether stands here."
    found = difference("\n\n".join(paragraphs), "\n\n".join(edited))
    assert [one for one in found if isinstance(one, Changed)] == [
        Changed(None, "New."),
        Changed("Paragraph 99 of the book.", None),
        Changed(None, "Something else altogether stands here."),
        Changed("Paragraph 4000 of the book.", None),
        Changed("Paragraph 4001 of the book.", None),
    ]
