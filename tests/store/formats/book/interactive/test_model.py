"""The graph of passages: every choice leads somewhere, and nothing lies where no choice leads."""

from __future__ import annotations

import pytest

from store.formats.book.interactive.layout import positions
from store.formats.book.interactive.model import (
    Choice,
    InteractiveFiction,
    Passage,
    PassageKind,
)


def passage(id_: str, *targets: str, kind: PassageKind = PassageKind.CHAPTER) -> Passage:
    choices = tuple(Choice(f"To {target}", target) for target in targets)
    return Passage(id_, id_, kind, id_, (), "", choices)


def fiction(*passages: Passage) -> InteractiveFiction:
    return InteractiveFiction("story", "Title", "", "en", passages)


@pytest.mark.parametrize(
    ("passages", "problem"),
    [
        ((), "no passages"),
        ((passage("a", "b"),), "leads to b, which is no passage"),
        ((passage("a"), passage("b"), passage("c", "b")), "no choice leads to b, c"),
        ((passage("a", "a"), passage("a")), "an id of its own"),
        ((passage("A b"),), "small letters and digits"),
    ],
)
def test_a_graph_with_a_fault_is_refused(passages: tuple[Passage, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        fiction(*passages)


def test_a_way_that_leads_back_is_no_fault() -> None:
    made = fiction(passage("a", "b", "c"), passage("b", "a"), passage("c"))

    assert dict(made.depths) == {"a": 0, "b": 1, "c": 1}


def test_map_leads_from_left_to_right_with_the_story_at_the_top() -> None:
    crossroads = passage("after_b", "c", "d", "after_a", kind=PassageKind.CROSSROADS)
    after_a = passage("after_a", "b", "e", kind=PassageKind.CROSSROADS)
    made = fiction(
        passage("a", "b", "e"),
        passage("b", "c", "d"),
        passage("c"),
        passage("d", "after_b"),
        crossroads,
        passage("e", "after_a"),
        after_a,
    )

    places = positions(made)

    assert [places[one] for one in "abc"] == [(0, 0), (1, 0), (2, 0)]
    assert places["d"] == (2, 1)
    assert places["after_b"].column == places["b"].column
    assert len(set(places.values())) == len(made.passages)
