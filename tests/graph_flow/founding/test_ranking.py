"""Which of several stories readers prefer."""

from __future__ import annotations

import pytest

from graph_flow.founding.ranking import is_retold, pairs, standing


@pytest.mark.parametrize("count", range(6))
def test_each_story_is_read_before_and_after_each_other(count: int) -> None:
    assert sorted(pairs(count)) == [(a, b) for a in range(count) for b in range(count) if a != b]


@pytest.mark.parametrize("count", range(2, 9))
def test_each_story_is_retold_once(count: int) -> None:
    retold = [first for first, second in pairs(count) if is_retold((first, second), count)]
    assert sorted(retold) == list(range(count))


def test_story_that_is_better_than_the_others_on_average_stands_first() -> None:
    margins = {(0, 1): 2.0, (1, 2): -1.0, (2, 0): -0.5}
    assert standing(3, margins) == [0, 2, 1]


def test_one_great_victory_counts_for_more_than_two_narrow_ones() -> None:
    assert standing(3, {(0, 1): 0.25, (1, 2): 3.0, (0, 2): 0.25}) == [1, 0, 2]


def test_of_equals_and_of_stories_that_nobody_read_the_first_stands_first() -> None:
    assert standing(2, {(0, 1): 1.0, (1, 0): 1.0}) == [0, 1]
    assert standing(3, {}) == [0, 1, 2]
    assert standing(3, {(0, 1): -1.0}) == [1, 2, 0]
