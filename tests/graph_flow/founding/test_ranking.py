"""Which of several stories readers prefer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.founding.ranking import READERS, groups, orders, ranked, standing


@pytest.mark.parametrize("count", range(7))
def test_each_reader_has_all_stories(count: int) -> None:
    found = orders(count)
    assert len(found) == READERS
    assert all(sorted(order) == list(range(count)) for order in found)
    assert len({tuple(order) for order in found}) == (1 if count < 2 else READERS - (count == 2))


def test_each_reader_begins_and_ends_with_another_story() -> None:
    found = orders(5)
    assert len({order[0] for order in found}) == 3
    assert found[0][-1] != found[1][-1]


@given(
    st.lists(st.integers(1, 9_000), min_size=2, max_size=12),
    st.integers(1, 30_000),
)
def test_groups_have_two_or_more_and_all_are_read(tokens: list[int], room: int) -> None:
    found = groups(range(len(tokens)), tokens, room)
    assert {story for group in found for story in group} == set(range(len(tokens)))
    assert all(len(group) >= 2 for group in found)
    assert sum(map(len, found)) <= len(tokens) + 1
    for group in found:
        assert len(group) in {2, 3} or sum(tokens[story] for story in group) <= room


def test_story_left_alone_is_read_with_the_one_before_it() -> None:
    assert groups([0, 1, 2, 3, 4], [10] * 5, 20) == [[0, 1], [2, 3], [3, 4]]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([3, 1, 2], [6, 4, 5]),
        ([2], [5, 4, 6]),
        ([2, 2, 9, 0, -1, 1], [5, 4, 6]),
        ([], [4, 5, 6]),
    ],
)
def test_ranking_has_each_story_once(said: list[int], expected: list[int]) -> None:
    assert ranked(said, [4, 5, 6]) == expected


def test_story_that_most_put_high_is_preferred_to_one_that_some_put_first() -> None:
    assert standing([[0, 1, 2], [2, 1, 0], [1, 2, 0]]) == [1, 2, 0]


def test_place_in_a_small_group_counts_as_much_as_one_in_a_large_one() -> None:
    assert standing([[0, 1], [2, 3, 4, 5], [0, 4], [5, 2, 3]]) == [0, 2, 5, 3, 4, 1]


def test_of_equals_the_first_stands_first() -> None:
    assert standing([[2, 1], [1, 2]]) == [1, 2]
    assert standing([]) == []
