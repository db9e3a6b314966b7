"""Text in answers: kept on one line, ended where it is whole, refused where it says nothing."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from graph_flow.prompting.text import (
    ACCEPTED,
    Answer,
    Phrase,
    Sentence,
    Sentences,
    Title,
    cut_inside,
    end_whole,
    sound,
    tidy,
)


class Said(BaseModel):
    title: Title = "A title"
    phrase: Phrase = "a phrase"
    sentence: Sentence = "This is a sentence."
    sentences: Sentences = "These are two. They are sentences."


@given(st.text())
def test_tidy_text_stands_on_one_line_without_control_characters(text: str) -> None:
    tidied = tidy(text)

    assert len(tidied.splitlines()) <= 1
    assert not any(ord(character) < 32 for character in tidied)
    assert tidy(tidied) == tidied


@given(st.text(max_size=60), st.integers(10, 80))
def test_text_within_its_bound_stays_as_it_is(text: str, bound: int) -> None:
    if len(text) < bound - 1:
        assert end_whole(text, bound) == text


@given(st.lists(st.sampled_from(["Mara", "runs", "off.", "“Why?”", "no!"]), min_size=8))
def test_text_at_its_bound_ends_with_a_whole_word_or_sentence(words: list[str]) -> None:
    text = " ".join(words)
    cut = text[: len(text) - 2]

    ended = end_whole(cut, len(cut))

    assert ended
    if ended.endswith("…"):
        assert cut.startswith(ended[:-1])
        assert set(ended[:-1].split()) <= {*words, *(word.strip(",;:-") for word in words)}
    else:
        assert cut.startswith(ended)
        assert ended.endswith((".", "!", "?", "”")) or " " not in cut


@pytest.mark.parametrize(
    "text", ["门锁着，玛拉等待着。", "الباب مغلق ومارا تنتظر.", "Élodie rit — hélas !"]
)
def test_text_in_any_script_is_sound(text: str) -> None:
    assert sound(text) == text


@pytest.mark.parametrize("noise", [")]]} ]; {{", "}}}}", "...", "<<<>>> a ###"])
def test_signs_are_not_text(noise: str) -> None:
    with pytest.raises(ValueError, match="not text"):
        sound(noise)


@pytest.mark.parametrize("field", list(Said.model_fields))
def test_answer_a_little_too_long_is_taken_and_ended_whole(field: str) -> None:
    asked = Said.model_json_schema()["properties"][field]["maxLength"]
    long = ("The keeper counts the steps again. " * 20)[: asked + 20]

    taken = getattr(Said.model_validate({field: long}), field)

    assert taken
    assert long.startswith(taken.rstrip("…"))


@pytest.mark.parametrize("field", list(Said.model_fields))
@pytest.mark.parametrize("empty", ["", " ", "!?"])
def test_answer_that_says_nothing_is_refused(field: str, empty: str) -> None:
    with pytest.raises(ValidationError):
        Said.model_validate({field: empty})


@pytest.mark.parametrize("field", ["title", "phrase", "sentence", "sentences"])
def test_answer_without_end_is_refused(field: str) -> None:
    with pytest.raises(ValidationError):
        Said.model_validate({field: "word " * ACCEPTED})


class Two(Answer):
    one: Phrase
    other: Phrase


def test_answer_whose_parts_say_the_same_is_refused() -> None:
    with pytest.raises(ValidationError, match="say the same"):
        Two(one="the same old story as before", other="The same old story as before")
    assert Two(one="nothing", other="nothing").one == "nothing"


class Open(Two):
    may_say_nothing: ClassVar[frozenset[str]] = frozenset({"other"})


def test_part_that_may_say_nothing_does_where_it_only_repeats() -> None:
    found = Open(one="the same old story as before", other="The same old story as before")

    assert (found.one, found.other) == ("the same old story as before", "nothing")


def pattern_of(field: str) -> str:
    properties: dict[str, Any] = Said.model_json_schema()["properties"]
    return str(properties[field]["pattern"])


@pytest.mark.parametrize(
    "text",
    [
        "Mara's lamp – the old one (1912) – goes out; who did it?",
        "“Komm herein”, sagt Jürgen, und die Tür fällt ins Schloss.",
        "¿Quién apagó la lámpara? Mara no lo sabe todavía.",
        "玛拉在海中的礁石上守着一盏灯，没有人来看她，也没有船经过。",
        "Мара хранит лампу на скале посреди моря.",
    ],
)
def test_prose_may_be_written_where_a_pattern_is_kept_to(text: str) -> None:
    assert re.fullmatch(pattern_of("sentence"), text)


@pytest.mark.parametrize(
    "text",
    [
        "India ({{{<i>Namibia, South}, ",
        ", and so on and on",
        "a | b | c | d | e",
        "brief",
        "x" * 141,
    ],
)
def test_what_is_no_prose_cannot_be(text: str) -> None:
    assert not re.fullmatch(pattern_of("sentence"), text)


@pytest.mark.parametrize(
    "text",
    [
        "मारा दीपघर की रखवाली करती है।",
        "มารายืนเฝ้าประภาคารคนเดียว",
        "تَعِيشُ مَارَا وَحْدَهَا",
        "மாரா விளக்கைக் காக்கிறாள்",
    ],
    ids=["hindi", "thai", "arabic with vowels", "tamil"],
)
def test_scripts_that_write_vowels_with_signs_are_text(text: str) -> None:
    assert sound(text) == text


NOTICE = (
    "He typed for two hours. The sheet read: “She came at nineteen. She sang in the bath. She could not pass "
    "a dog. She kept the scissors in the flour. She was late once. She leaves.”"
)


def test_text_that_is_cut_inside_keeps_the_line_that_it_leads_up_to() -> None:
    assert cut_inside(NOTICE, 500) == NOTICE
    short = cut_inside(NOTICE, 90)
    assert short.endswith("She was late once. She leaves.”")
    assert short.startswith("He typed for two hours.")
    assert len(short) <= 90


@given(
    st.lists(st.text(st.sampled_from("ab c守."), min_size=1, max_size=40), max_size=12),
    st.integers(min_value=20, max_value=200),
)
def test_text_that_is_cut_inside_is_never_longer_than_asked(pieces: list[str], most: int) -> None:
    text = " ".join(f"{one.strip()}." for one in pieces).strip()
    assert len(cut_inside(text, most)) <= max(most, 1)
