"""A text is changed where a quote occurs in it exactly once, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.telling.answers import Replacement, WholeRemark
from graph_flow.telling.revising import (
    find_once,
    phrases_again,
    remarks_by_part,
    remarks_on,
    revised,
)
from store.models.manuscript import RemarkKind

TEXT = "He said, “It’s late.” She looked away — not at him.\n\nHe said nothing. He left."


@pytest.mark.parametrize(
    "quote",
    [
        "“It’s late.”",
        '"It\'s late."',
        "not at him. He said nothing.",
        "She  looked\naway - not",
        "she looked",
        "Away — not at him",
    ],
)
def test_quote_is_found_whatever_its_spaces_quotation_marks_and_dashes(quote: str) -> None:
    assert find_once(quote, TEXT) is not None


@pytest.mark.parametrize("quote", ["", "He said", "he SAID", "never written"])
def test_quote_that_is_nowhere_or_ambiguous_is_not_found(quote: str) -> None:
    assert find_once(quote, TEXT) is None


def test_passages_are_replaced_inserted_and_deleted() -> None:
    passages = [
        Replacement(old="He said nothing. ", new=""),
        Replacement(old="He left.", new="He left. The door stayed open."),
        Replacement(old="She looked away — not at him.", new="She looked at the clock."),
    ]

    assert revised(TEXT, passages) == (
        "He said, “It’s late.” She looked at the clock.\n\nHe left. The door stayed open."
    )


def test_first_of_two_passages_that_overlap_counts() -> None:
    passages = [
        Replacement(old="He said nothing. He left.", new="He left."),
        Replacement(old="He left.", new="He ran."),
    ]

    assert revised(TEXT, passages).endswith("\n\nHe left.")


def test_revision_that_leaves_hardly_anything_is_none() -> None:
    assert revised(TEXT, [Replacement(old=TEXT, new="The end.")]) == TEXT


@given(st.text(max_size=60), st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=4))
def test_passages_that_do_not_occur_change_nothing(
    text: str, passages: list[tuple[str, str]]
) -> None:
    foreign = [Replacement(old=f"{old} zzz", new=new) for old, new in passages]

    assert revised(text, foreign) == text


def test_remarks_are_about_what_is_there_or_missing() -> None:
    answered = [
        WholeRemark(kind=RemarkKind.FLAT, quote="He left.", remark="So what?"),
        WholeRemark(kind=RemarkKind.FLAT, quote="He wept.", remark="Too much."),
        WholeRemark(kind=RemarkKind.MISSING, quote="He wept.", remark="The page."),
    ]

    assert [(one.quote, one.remark) for one in remarks_on(TEXT, answered)] == [
        ("He left.", "So what?"),
        ("", "The page."),
    ]


def test_what_is_said_twice_may_stand_twice() -> None:
    answered = [
        WholeRemark(kind=kind, quote="He said", remark="Again?")
        for kind in (RemarkKind.REPEATED, RemarkKind.FLAT)
    ]

    [remark] = remarks_on(TEXT, answered)

    assert (remark.kind, remark.quote) == (RemarkKind.REPEATED, "He said")
    first, second = TEXT.split("\n\n")
    assert remarks_by_part(["Nothing.", first, second], [remark]) == [[], [remark], []]


def test_phrases_that_come_again_are_found_here_and_in_earlier_texts() -> None:
    here = "She counted the rungs under her breath. Later she counted the rungs under her coat."
    earlier = ["The wind came in from the estuary mouth and stayed."]
    there = "Again the wind came in from the estuary mouth."

    assert phrases_again(here, []) == ["she counted the rungs under her"]
    assert phrases_again(there, earlier) == ["came in from the estuary mouth"]
    assert phrases_again("Nothing is said twice in this short piece of text.", earlier) == []
