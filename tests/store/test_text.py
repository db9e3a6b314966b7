"""How texts are compared and shortened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from store.text import (
    capital,
    clip,
    count_words,
    first_characters,
    first_line,
    length_unit,
    likeness,
    name_key,
    own_names,
    sentences_of,
    without_middle,
)


def test_names_that_read_the_same_are_the_same() -> None:
    assert name_key("  MARA  Lenz") == name_key("Mara Lenz") == name_key("Ｍａｒａ lenz")
    assert name_key("Mara") != name_key("Mara Lenz")


def test_a_sentence_begins_with_a_capital() -> None:
    assert capital("the tie of Mara") == "The tie of Mara"
    assert capital("") == ""
    assert capital("“Locked”") == "“Locked”"


def test_clipped_text_stays_on_one_line() -> None:
    assert clip("The\nlamp   room", 20) == "The lamp room"
    assert clip("abcdefghij", 10) == "abcdefghij"
    assert clip("abcdefghijk", 10) == "abcdefghi…"


def test_first_line_is_short_and_has_words() -> None:
    assert first_line("\n  \n A keeper finds a door. \nMore.") == "A keeper finds a door."
    assert first_line("") == ""
    assert first_line("one two three", longest=9) == "one two…"


@given(some.text(max_size=200), some.integers(1, 100))
def test_first_characters_are_a_beginning_that_fits(text: str, limit: int) -> None:
    start = first_characters(text, limit)

    assert text.startswith(start)
    assert len(start) <= limit
    assert bool(start.strip()) == bool(text[:limit].strip())


def test_first_characters_end_with_a_whole_word_where_there_are_words() -> None:
    assert first_characters("the lamp went out at night", 20) == "the lamp went out at"
    assert first_characters("the lamp went out at night", 19) == "the lamp went out"
    assert first_characters("灯" * 30, 10) == "灯" * 10


@given(some.text(), some.integers(20, 60))
def test_text_without_its_middle_fits(text: str, longest: int) -> None:
    left = without_middle(text, longest)

    assert len(left) <= max(longest, 0)
    if len(text) <= longest:
        assert left == text


def test_text_without_its_middle_keeps_both_ends_in_whole_words() -> None:
    said = "I have looked at you for twenty years, and nobody ever asked. I should like to eat in peace."

    assert without_middle(said, 60) == "I have looked at you for … I should like to eat in peace."


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("The lamp was out — again.", 6),
        ("灯灭了。她没有回头。", 8),
        ("ランプは消えた。", 7),
        ("ไฟดับ", 4),
        ("她说 OK 。", 3),
        ("등대지기는 문을 열었다.", 3),
        ("", 0),
    ],
)
def test_length_counts_words_and_where_there_are_no_spaces_characters(
    text: str, length: int
) -> None:
    assert count_words(text) == length


@pytest.mark.parametrize(
    ("language", "text", "unit"),
    [
        ("English", "灯灭了。", "words"),
        ("Simplified Chinese", "", "characters"),
        ("zh-Hans", "", "characters"),
        ("日本語", "", "characters"),
        ("Thai", "", "characters"),
        ("Korean", "", "words"),
        ("", "灯灭了，她说 no。", "characters"),
        ("", "The lamp was out.", "words"),
        ("", "", "words"),
    ],
)
def test_language_or_else_the_text_says_what_length_counts(
    language: str, text: str, unit: str
) -> None:
    assert length_unit(language, text) == unit


def test_titles_end_no_sentence_and_are_nobody_s_name() -> None:
    assert sentences_of("She asked Mr. Guest. He left!") == ["She asked Mr. Guest. ", "He left!"]
    assert own_names("Mr. Guest") == ["Guest"]
    assert own_names("Mary King") == ["Mary", "King"]
    assert own_names("Sir") == ["Sir"]


def test_likeness_is_the_share_of_the_shorter_that_stands_in_the_other() -> None:
    assert likeness("Poole drowns", "In the night, Poole drowns.") == 1.0
    assert likeness("灯塔的门锁了", "灯塔的门锁了，她走了") == 1.0
    assert likeness("Mara sings", "Hale rows") == 0.0
    assert likeness("…", "Hale rows") == 0.0
