"""Which examples stay in a data set, and in which part of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.command_line.datasets.examples import Example, Kind, Provenance
from graph_flow.command_line.datasets.filtering import Sieve, Wanted, split_by_story

TEXT = (
    "The keeper climbs the stair with the lamp and reads the letter that the last ship has brought"
)


def example(text: str = TEXT, **changes: object) -> Example:
    origin = Provenance(story="s", title="S", group="g", chapter=1)
    given: dict[str, object] = {
        "kind": Kind.CHAPTER,
        "prompt": "Write.",
        "completion": text,
        "provenance": origin,
    }
    return Example.model_validate(given | changes)


def kept(examples: Sequence[Example], **wanted: object) -> tuple[int, dict[str, int]]:
    sieve = Sieve(Wanted(**wanted))  # type: ignore[arg-type] # as each test wants it
    return len(sieve.examples(examples)), dict(sieve.left_out)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"least_words": 100}, "too short"),
        ({"most_words": 5}, "too long"),
        ({"least_quality": 5.0}, "judged too low"),
        ({"is_without_contradictions": True}, "with a contradiction"),
    ],
)
def test_what_is_not_wanted_is_counted_by_why(wanted: dict[str, object], why: str) -> None:
    one = example(quality=3.0, has_contradiction=True)

    assert kept([one], **wanted) == (0, {why: 1})
    assert kept([one]) == (1, {})


def test_story_that_was_never_judged_is_no_good_story() -> None:
    assert kept([example()], least_quality=1.0) == (0, {"never judged": 1})


def test_kind_that_is_not_wanted_is_not_counted_as_left_out() -> None:
    assert kept([example()], kinds=frozenset({Kind.CALL})) == (0, {})


def test_of_what_is_nearly_the_same_the_first_stays() -> None:
    almost = f"{TEXT} tonight"
    other = "Nobody at the mill has seen the copper key since the ferry left and the archive burned"

    assert kept([example(), example(almost), example(other)]) == (
        2,
        {"nearly the same as another": 1},
    )
    assert kept([example(), example(almost), example(other)], alike=1.0)[0] == 3


def test_texts_without_spaces_are_compared_too() -> None:
    text = "守灯人爬上楼梯读着最后一艘船带来的信"

    assert kept([example(text), example(text + "。")])[0] == 1
    assert kept([example(text), example("磨坊里没有人见过那把铜钥匙从渡船离开以后")])[0] == 2


@given(st.lists(st.text(min_size=1, max_size=6), min_size=2, max_size=40), st.floats(0.01, 0.9))
def test_no_story_is_in_two_splits_and_neither_is_empty(groups: list[str], share: float) -> None:
    is_apart = split_by_story(groups, share)
    apart = {one for one in groups if is_apart(one)}

    if len(set(groups)) > 1:
        assert 0 < len(apart) < len(set(groups))
    assert is_apart(groups[0]) is split_by_story(list(reversed(groups)), share)(groups[0])


def test_single_story_is_for_training() -> None:
    assert not split_by_story(["one"], 0.5)("one")
    assert not any(map(split_by_story(["one", "two"], 0.0), ["one", "two"]))
