from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from graph_flow.llm.parsing import (
    AnswerError,
    parse_answer,
    text_so_far,
    visible_so_far,
    visible_text,
    without_controls,
)
from graph_flow.llm.schema import AnswerSchema


class Lamp(BaseModel):
    model_config = ConfigDict(extra="forbid")

    colour: Literal["red", "green"]
    place: str = Field(max_length=30)
    hours: list[int] = []


LAMP = Lamp(colour="red", place="the pier", hours=[1, 2])
ASKED = AnswerSchema(Lamp)
WRITTEN = LAMP.model_dump_json()


@pytest.mark.parametrize(
    "answer",
    [
        WRITTEN,
        f"```json\n{WRITTEN}\n```",
        f"Here it is:\n```\n{WRITTEN}```\nDo you like it?",
        f"Of course! {WRITTEN} I hope {{this}} helps.",
        f"<think>red, or {{green}}?</think>\n{WRITTEN}",
        f"it should be red</think>{WRITTEN}",
        '{"colour": "red", "place": "the pier", "hours": [1, 2,],}',
        "{'colour': 'red', 'place': 'the pier', 'hours': [1, 2]}",
        '{colour: "red", place: "the pier", hours: [1, 2]}',
        '{"colour": "red" "place": "the pier", "hours": [1 2]}',
        '{"colour": "red", "place": "the pier", "hours": [1, 2], "note": null, "more": {"a": 1}}',
        '{"colour": "red", "place": "the\\u0000 pier", "hours": [1, 2]}',
        f'{{"colour": "blue"}} or rather {WRITTEN}',
    ],
)
def test_a_lamp_is_found(answer: str) -> None:
    assert parse_answer(answer, ASKED) == LAMP


@pytest.mark.parametrize("length", range(len(WRITTEN)))
def test_what_was_cut_off_is_never_completed(length: int) -> None:
    with pytest.raises(AnswerError):
        parse_answer(WRITTEN[:length], ASKED)


def test_a_string_that_is_cut_after_a_brace_is_cut_off() -> None:
    with pytest.raises(AnswerError):
        parse_answer('{"colour": "red", "place": "the pier }', ASKED)


@pytest.mark.parametrize(
    ("answer", "words", "is_off_schema"),
    [
        ('{"colour": "blue", "place": "the pier"}', "colour", False),
        ('{"colour": "red"}', "place: Field required", True),
        (json.dumps({"colour": "red", "place": "a" * 31}), "at most 30", False),
        ("", "no complete JSON object", False),
        ("A red lamp.", "no complete JSON object", True),
        ("[1, 2]", "no complete JSON object", True),
        ('{"colour": "red", "place": "the pier", "hours": [NaN]}', "hours", False),
    ],
)
def test_an_error_says_what_is_wrong(answer: str, words: str, is_off_schema: bool) -> None:
    with pytest.raises(AnswerError) as failure:
        parse_answer(answer, ASKED)

    assert words in str(failure.value)
    assert failure.value.is_off_schema is is_off_schema


def test_an_error_stays_short() -> None:
    hours = ["x" * 300] * 1_000
    with pytest.raises(AnswerError) as failure:
        parse_answer(json.dumps({"colour": "red", "place": "", "hours": hours}), ASKED)

    assert len(str(failure.value)) < 1_200
    assert "995 more" in str(failure.value)


@pytest.mark.parametrize(
    "answer",
    [
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        '{"hours": ' + "[" * 50_000 + "]" * 50_000 + "}",
        '{"place": "' + "x" * 1_000_000 + '"}',
        '{"hours": [' + "9" * 50_000 + "]}",
        "{" * 100_000,
        "```" * 50_000,
        "<think>" * 50_000,
        "</think>" * 50_000,
        '"' * 100_000,
        '{"place": "\\ud800", "colour": "red"}x',
    ],
)
def test_hostile_answers_end_in_an_error_or_a_lamp(answer: str) -> None:
    try:
        found = parse_answer(answer, ASKED)
    except AnswerError:
        return
    assert found.model_dump_json().encode(), "what was let through can be kept"


def test_a_union_is_not_emptied_of_fields_that_another_member_knows() -> None:
    class Door(BaseModel):
        model_config = ConfigDict(extra="forbid")
        width: int

    class House(BaseModel):
        part: Lamp | Door

    with pytest.raises(AnswerError):
        parse_answer(
            '{"part": {"colour": "blue", "place": "x", "width": "wide"}}', AnswerSchema(House)
        )


@given(st.text())
def test_any_text_is_a_lamp_or_an_error(text: str) -> None:
    with pytest.raises(AnswerError):
        parse_answer(text, ASKED)


@given(st.sampled_from(["red", "green"]), st.text(max_size=30), st.lists(st.integers()))
def test_what_is_written_is_read(
    colour: Literal["red", "green"], place: str, hours: list[int]
) -> None:
    lamp = Lamp(colour=colour, place=without_controls(place), hours=hours)

    assert parse_answer(f"Yes: {lamp.model_dump_json()}", ASKED) == lamp


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("The sea.", "The sea."),
        ("<think>hm</think>The sea.", "The sea."),
        ("<THINKING>hm\nhm</THINKING>\n\nThe sea.", "The sea."),
        ("hm</think>\nThe sea.", "The sea."),
        ("The <think>hm</think>sea.", "The sea."),
        ("  <think>hm", ""),
        ("5 < 6, said <b>Odile</b>.", "5 < 6, said <b>Odile</b>."),
    ],
)
def test_reasoning_is_left_out(text: str, visible: str) -> None:
    assert visible_text(text) == visible


def test_nothing_of_the_reasoning_shows_while_it_streams() -> None:
    whole = "<think>hm</think>The sea."

    shown = [visible_so_far(whole[:length]) for length in range(len(whole) + 1)]

    assert shown[-1] == "The sea."
    assert all("The sea.".startswith(part) for part in shown)


@given(st.text(alphabet="ab<>/think"))
def test_no_closed_reasoning_is_left(text: str) -> None:
    assert "</think>" not in visible_text(text)


@pytest.mark.parametrize(
    ("streamed", "shown"),
    [
        ("", ""),
        ('{"ans', ""),
        ('{"answer": ', ""),
        ('{"answer": "', ""),
        ('{"answer": "The la', "The la"),
        ('{"answer": "The lamp\\', "The lamp"),
        ('{"answer": "The lamp\\n', "The lamp\n"),
        ('{"answer": "\\u201', ""),
        ('{"answer": "\\u201eHa', "„Ha"),
        ('{"answer": "She said \\"no\\"."', 'She said "no".'),
        ('{"evidence": ["E1"], "answer" : "Yes"}', "Yes"),
        ("Sorry, I would rather not.", ""),
    ],
)
def test_text_of_an_object_is_read_while_it_streams(streamed: str, shown: str) -> None:
    assert text_so_far(streamed, "answer") == shown
