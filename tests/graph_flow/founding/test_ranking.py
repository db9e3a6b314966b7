"""Which of several stories readers prefer."""

from __future__ import annotations

from collections import Counter

import pytest

from graph_flow.founding.ranking import best_after, challenges, is_retold, pairs, standing


@pytest.mark.parametrize("count", range(2, 9))
def test_each_story_is_read_beside_each_other_as_often_first_as_second(count: int) -> None:
    found = pairs(count)
    assert len(set(found)) == len(found)
    assert {frozenset(pair) for pair in found} == {
        frozenset((a, b)) for a in range(count) for b in range(a)
    }
    first, second = (Counter(pair[at] for pair in found) for at in (0, 1))
    assert first == second
    assert len(set(first.values())) == 1


@pytest.mark.parametrize(("count", "readings"), [(0, 0), (1, 0), (2, 2), (3, 3), (4, 8), (5, 10)])
def test_no_more_is_read_than_that(count: int, readings: int) -> None:
    assert len(pairs(count)) == readings


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


def test_stories_told_later_are_read_beside_the_best_before_and_after_it() -> None:
    assert challenges(1, range(3, 5)) == [(3, 1), (1, 3), (4, 1), (1, 4)]
    assert challenges(0, []) == []


def test_story_that_is_preferred_to_the_best_takes_its_place() -> None:
    read = {(3, 1): 1.0, (1, 3): 0.5, (4, 1): 0.5, (1, 4): -0.25}
    # The third wins in one order and loses in the other; the fourth wins in both.
    assert best_after(1, read) == 4
    assert best_after(1, {(3, 1): 2.0, (1, 3): 2.0}) == 1
    assert best_after(1, {(1, 3): -0.25}) == 3
    assert best_after(1, {}) == 1
