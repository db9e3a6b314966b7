"""Answers that speak as they were asked to: each for itself, and in the story's writing."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.voice import (
    Voice,
    action_pattern,
    checked_for_speaker,
    is_said_of,
    voice_of,
)
from store.models.cast import Character

MARA = Character(id="mara", name="Mara Lenz", aliases=("the keeper",))
HALE = Character(id="hale", name="Hale")
ENGLISH = "Mara keeps the lamp on a rock in the sea, and nobody comes."
RUSSIAN = "Мара хранит лампу на скале посреди моря, и никто не приходит."
CHINESE = "玛拉在海中的礁石上守着一盏灯，没有人来看她，也没有船经过。"
JAPANESE = "マラは海の岩の上で灯りを守っているが、誰も訪れることはない。"


class Move(BaseModel):
    """A move as far as its words go."""

    action: str
    emotion: str = "nothing"


class Moves(BaseModel):
    """Moves of several."""

    moves: list[Move]


def takes(said: str, voice: Voice) -> bool:
    try:
        checked_for_speaker(AnswerSchema(Move), voice).validate({"action": said})
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("action", "is_own"),
    [
        ("Mara turns to Hale and asks him for the key.", True),
        ("The keeper asks Hale for the key.", True),
        ("Hale gives up the key and leaves.", False),
        ("She turns the key and waits.", True),
        ("A light goes out over the water.", True),
        ("Lenz pulls Hale out of the water.", True),
    ],
)
def test_action_is_of_whoever_answers(action: str, is_own: bool) -> None:
    assert takes(action, voice_of([ENGLISH], MARA, [HALE])) is is_own


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("Мара", "Маре звонит Хейл, и она поднимает трубку."),
        ("Matěj", "Hale čeká a Matějovi se třesou ruce."),
        ("Mara", "Хейл ждёт у двери, а она медленно поднимается по лестнице."),
    ],
)
def test_name_may_stand_in_another_case_or_writing(name: str, action: str) -> None:
    assert is_said_of(Character(id="p", name=name), action)


@pytest.mark.parametrize("own", [ENGLISH, RUSSIAN, CHINESE, JAPANESE])
def test_answer_is_in_a_writing_that_was_given(own: str) -> None:
    voice = voice_of([own, "Too short."])

    assert [takes(said, voice) for said in (ENGLISH, RUSSIAN, CHINESE, JAPANESE)] == [
        said == own for said in (ENGLISH, RUSSIAN, CHINESE, JAPANESE)
    ]


def test_any_writing_that_was_given_will_do() -> None:
    voice = voice_of([ENGLISH, RUSSIAN])

    assert takes(ENGLISH, voice)
    assert takes(RUSSIAN, voice)


def test_short_answers_and_names_of_elsewhere_are_no_other_language() -> None:
    voice = voice_of([ENGLISH])

    assert takes("Нет.", voice)
    assert takes("Mara reads the sign “Добро пожаловать” aloud and laughs at it.", voice)
    assert takes(RUSSIAN, voice_of(["Short.", ""]))


def test_every_move_of_an_author_is_looked_at() -> None:
    schema = checked_for_speaker(AnswerSchema(Moves), voice_of([ENGLISH]))
    schema.validate({"moves": [{"action": ENGLISH}] * 3})

    with pytest.raises(ValidationError, match="another language"):
        schema.validate({"moves": [{"action": RUSSIAN}] * 3})


def written_for(voice: Voice) -> Any:
    return checked_for_speaker(AnswerSchema(Move), voice).json_schema


def test_form_of_an_answer_is_the_same_but_for_how_its_action_begins() -> None:
    written = deepcopy(written_for(voice_of([ENGLISH], MARA)))
    pattern = written["properties"]["action"].pop("pattern")

    assert written == AnswerSchema(Move).json_schema
    assert re.fullmatch(pattern, "Mara Lenz turns to Hale and asks him for the key.")
    assert not re.fullmatch(pattern, "Hale turns to Mara Lenz and asks her for the key.")
    assert not re.fullmatch(pattern, "Mara Lenz waits.")
    assert not re.fullmatch(pattern, f"Mara Lenz {'waits ' * 60}")


def test_answer_need_not_begin_with_the_name() -> None:
    assert takes("At the door Mara asks Hale for the key.", voice_of([ENGLISH], MARA))


@pytest.mark.parametrize(
    "name", ["Hale", "Jo", "Katy O'Bryan", "Dr. (X) Lenz", "Zoë-Anaïs Łuć", "Lenz, Mara", "R2 D2"]
)
def test_plain_name_may_begin_an_action(name: str) -> None:
    pattern = action_pattern(voice_of([ENGLISH], Character(id="p", name=name)))

    assert pattern is not None
    assert re.fullmatch(pattern, f"{name} turns the key and waits for an answer.")


@pytest.mark.parametrize(
    "name",
    [
        "Mara 🔥",
        "玛拉",
        "Мара",
        "مارا",
        "\u202eMara",
        'Mara "the Lamp"',
        "Mara\\Hale",
        "Mara\nHale",
        "Mara^$|*+?[a]{2}",
        "M" * 80,
        "...",
        "42",
    ],
)
def test_odd_name_is_left_to_the_model(name: str) -> None:
    voice = voice_of([ENGLISH], Character(id="p", name=name))

    assert action_pattern(voice) is None
    assert written_for(voice) == AnswerSchema(Move).json_schema


@pytest.mark.parametrize("texts", [[CHINESE], [JAPANESE], [RUSSIAN], [ENGLISH, CHINESE], [""]])
def test_story_in_another_writing_begins_its_sentences_as_it_likes(texts: list[str]) -> None:
    assert action_pattern(voice_of(texts, MARA)) is None


def test_author_of_all_moves_begins_none_of_them_with_a_name() -> None:
    assert action_pattern(voice_of([ENGLISH])) is None
