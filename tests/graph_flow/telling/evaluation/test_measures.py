"""What is counted without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.telling.evaluation.measures import (
    dialogue_share,
    distinct,
    measure_book,
    repeated_phrases,
    sentences,
    variety,
    words_of,
)

PLAIN = (
    "The ferry left at nine with eleven people on board. Odile counted them twice, because the book "
    "said twelve, and the man with the birdcage was not among those who had paid."
)
CHINESE = "雨下了一整夜，渡口的灯一直亮着。老人数了三遍船票，还是少了一张。"


def test_repetition_within_and_between_chapters_is_told_apart() -> None:
    first, second, third = measure_book([PLAIN, PLAIN, f"{CHINESE} {PLAIN} {PLAIN}"])

    assert (first.repeated_within, first.repeated_before) == (0, 0)
    assert (second.repeated_within, second.repeated_before) == (0, 1)
    assert third.repeated_within > 0.5


def test_repetition_is_found_in_a_script_without_spaces() -> None:
    once, twice = measure_book([CHINESE, CHINESE])
    [both] = measure_book([CHINESE + CHINESE])

    assert once.words == sum(map(str.isalnum, CHINESE))
    assert once.repeated_within == 0
    assert twice.repeated_before == 1
    assert both.repeated_within > 0.5
    assert repeated_phrases(CHINESE + CHINESE)[0].count == 2


def test_repeated_phrases_are_named() -> None:
    found = repeated_phrases(f"{PLAIN}\n\n{PLAIN}")

    assert (found[0].words, found[0].count) == ("the ferry left at nine with", 2)
    assert found[0].earlier is None
    assert found[1].words == "eleven people on board odile counted", "what overlaps is named once"
    assert repeated_phrases(PLAIN) == []
    [again, *_] = repeated_phrases(PLAIN, ["It rained.", PLAIN, PLAIN])
    assert (again.count, again.earlier) == (1, 2)


def test_variety_does_not_fall_with_length() -> None:
    words = [f"w{at % 60}" for at in range(60)]

    assert variety(words) == 1
    assert variety(words * 10, window=60) == pytest.approx(1)
    assert variety(["so"] * 50) == pytest.approx(1 / 50)
    assert variety([]) == distinct([], 2) == 1


def test_distinct_pairs_of_words() -> None:
    assert distinct("a b a b a".split(), 2) == pytest.approx(2 / 4)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("“Go,” she said.", 2 / 9),
        ('"Go," she said.', 2 / 9),
        ("‘Don’t go,’ she said.", 6 / 13),
        ("— Va-t'en, dit-elle.", 1),
        ("「走吧」她说。", 2 / 4),
        ("„Geh“, sagte sie.", 3 / 11),
        ("Nobody's boat, the captain's own.", 0),
        ("", 0),
    ],
)
def test_dialogue_in_the_marks_of_several_languages(text: str, spoken: float) -> None:
    assert dialogue_share(text) == pytest.approx(spoken)


def test_worn_phrases_count_in_ten_thousand_words_and_are_named() -> None:
    [measured] = measure_book(["It was a testament to her. She let out a breath."])

    assert measured.worn == pytest.approx(10_000 * len(measured.worn_phrases) / 11)
    assert "a testament to" in measured.worn_phrases
    [own] = measure_book(["The sea, the sea."], phrases=["the sea"])
    assert own.worn == 10_000 * 2 / 4


def test_length_against_target_and_pace() -> None:
    quick, slow = measure_book(["Go. Run. Now. Left.", "They went on and on."], target=8)

    assert quick.to_target == pytest.approx(0.5)
    assert quick.pace > slow.pace
    assert sentences(CHINESE) == 2
    assert sentences("") == 0


@given(st.text(max_size=400))
def test_any_text_can_be_measured(text: str) -> None:
    [measured] = measure_book([text])

    for share in (measured.repeated_within, measured.distinct, measured.variety, measured.dialogue):
        assert 0 <= share <= 1
    assert len(words_of(text)) <= len(text) * 3


def test_a_sentence_that_comes_again_and_again_is_named_once() -> None:
    again = "She let out a breath."
    text = " ".join(f"{again} And then word{at} came, of {at} letters." for at in range(9))

    found = repeated_phrases(text)

    assert [(one.words, one.count) for one in found if "breath" in one.words] == [
        ("she let out a breath and", 9)
    ]
