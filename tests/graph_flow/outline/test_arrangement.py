"""Parts are placed once each, in order, in chapters that are there, and storylines take turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.outline.arrangement import Arrangement, OutlinePart, arrange, repeats


@st.composite
def pieces(draw: st.DrawFn, most: int = 30) -> list[OutlinePart]:
    """Draw parts of which some wait for earlier ones, proposed anywhere or nowhere."""
    made: list[OutlinePart] = []
    for at in range(draw(st.integers(1, most))):
        earlier = [piece.id for piece in made]
        after = draw(st.sets(st.sampled_from(earlier), max_size=2)) if earlier else set()
        line = draw(st.sampled_from("abc"))
        wanted = draw(st.none() | st.integers(-3, 40))
        made.append(OutlinePart(str(at), line, wanted, frozenset(after)))
    return draw(st.permutations(made))


def expect_sound(found: Arrangement, given_: Sequence[OutlinePart], chapters: range) -> None:
    """Fail unless each part stands once, after what it waits for, in a chapter that is there."""
    told = [part for part, _ in found]
    assert sorted(told) == sorted(piece.id for piece in given_)
    assert [chapter for _, chapter in found] == sorted(chapter for _, chapter in found)
    assert {chapter for _, chapter in found} <= set(chapters)
    for piece in given_:
        assert all(told.index(other) < told.index(piece.id) for other in piece.after)


def is_full(found: Arrangement, chapters: range) -> bool:
    """Return whether no chapter is empty or, with too few parts, none has two."""
    used = [chapter for _, chapter in found]
    return set(used) == set(chapters) or len(set(used)) == len(used)


@given(pieces(), st.integers(1, 5), st.integers(1, 20))
def test_arrangement_is_sound_whatever_was_proposed(
    given_: list[OutlinePart], first: int, count: int
) -> None:
    chapters = range(first, first + count)
    found = arrange(given_, chapters)
    expect_sound(found, given_, chapters)
    assert is_full(found, chapters)


@given(pieces(most=5), st.integers(2, 4))
def test_storyline_is_not_told_twice_in_a_row_where_that_can_be_helped(
    given_: list[OutlinePart], count: int
) -> None:
    chapters = range(1, count + 1)
    lines = {piece.id: piece.line for piece in given_}
    found = arrange(given_, chapters)
    if repeats(found, lines):
        assert all(repeats(other, lines) for other in every_arrangement(given_, chapters))


def every_arrangement(given_: Sequence[OutlinePart], chapters: range) -> list[Arrangement]:
    """Return all arrangements in which nothing comes before what it waits for, and all are full."""
    orders = [
        order
        for order in permutations(given_)
        if all(piece.after <= {other.id for other in order[:at]} for at, piece in enumerate(order))
    ]
    spreads = combinations_with_replacement(chapters, len(given_))
    pairs = [(order, spread) for spread in spreads for order in orders]
    every = [[(piece.id, at) for piece, at in zip(*pair, strict=True)] for pair in pairs]
    return [one for one in every if is_full(one, chapters)]


def test_proposal_that_holds_is_kept() -> None:
    proposed = [
        OutlinePart("1", "a", 3),
        OutlinePart("2", "b", 3),
        OutlinePart("3", "a", 4),
        OutlinePart("4", "b", 5),
    ]
    assert arrange(proposed, range(3, 6)) == [("1", 3), ("2", 3), ("3", 4), ("4", 5)]


def test_storylines_that_were_proposed_one_after_the_other_are_woven() -> None:
    told = [OutlinePart(f"{line}{at}", line, None) for line in "abc" for at in range(8)]
    lines = {piece.id: piece.line for piece in told}
    found = arrange(told, range(1, 13))
    assert repeats(found, lines) == 0


def test_large_outline_of_one_storyline_is_spread_evenly() -> None:
    told = [
        OutlinePart(str(at), "a", 1, frozenset({str(at - 1)} if at else ())) for at in range(96)
    ]
    found = arrange(told, range(1, 25))
    expect_sound(found, told, range(1, 25))
    assert max(sum(chapter == one for _, chapter in found) for one in range(1, 25)) <= 8


def test_without_chapters_nothing_can_be_placed() -> None:
    assert arrange([], range(3, 3)) == []
    with pytest.raises(ValueError, match="no chapter left"):
        arrange([OutlinePart("1", "a")], range(3, 3))
