"""What agents are told of where a story goes: most of what is near the chapter they work on."""

from __future__ import annotations

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import StoryLength
from graph_flow.prompting.spine import merged_turns, spine_words, turns_ahead, turns_near
from graph_flow.telling.material.lines import spine_lines
from store.models.plot import Spine
from store.models.prototype import SPINE_ID, Snapshot
from store.models.story import StorySettings

_AT = range(2, 24, 3)
_LOSS = "something is lost and somebody knows of it, " * 8
_TURNS = [f"Chapter {at}: {_LOSS}and nobody says so." for at in _AT]
_SETTINGS = StorySettings(chapter_cap=24)


def _spine(turns: str) -> Spine:
    return Spine(id=SPINE_ID, inciting="A boat is stopped.", turns=turns, ending="She goes up.")


def _first_told(lines: list[str]) -> int:
    [turns] = [line for line in lines if "Chapter " in line]
    return min(at for at in _AT if f"Chapter {at}:" in turns)


@pytest.mark.parametrize(("chapter", "first"), [(1, 2), (5, 2), (6, 5), (13, 11), (22, 20)])
def test_turns_of_a_long_story_begin_with_the_last_that_is_over(chapter: int, first: int) -> None:
    spine = _spine("\n".join(_TURNS))

    decided = spine_words(spine, chapter, _SETTINGS, 300)
    planned = spine_lines(
        Snapshot(entities={SPINE_ID: spine}), chapter, is_last=False, length=StoryLength.LONG
    )

    assert _first_told(decided) == first
    assert _first_told(planned) == first


def test_turns_that_fit_are_all_told() -> None:
    [turns] = [
        line
        for line in spine_words(_spine("\n".join(_TURNS)), 20, _SETTINGS, 5_000)
        if "lost" in line
    ]

    assert all(one in turns for one in _TURNS)


def test_turns_far_ahead_are_told_in_short_and_those_that_are_near_whole() -> None:
    near = turns_near("\n".join(_TURNS), 6, lambda text: len(text) < 2_200)

    # What the chapter comes out of, what it turns on, and what comes after that.
    assert all(one in near for one in _TURNS[1:4])
    assert _TURNS[0] not in near
    for at, turn in zip(_AT[4:], _TURNS[4:], strict=True):
        assert f"Chapter {at}: something is lost" in near
        assert turn not in near


def test_what_must_hold_is_told_whole_beside_the_turns_of_a_long_story_and_so_is_its_end() -> None:
    holds = "Ilse learns nothing of the boat before chapter 14. " * 6
    ending = "She goes up, in front of all of them, and puts the lamp out."
    spine = _spine("\n".join(_TURNS)).model_copy(update={"holds": holds.strip(), "ending": ending})

    decided = spine_words(spine, 6, _SETTINGS, 900)

    assert any(holds.strip() in line for line in decided)
    assert any(ending in line for line in decided)
    assert sum(map(estimate_tokens, decided)) <= 900


@pytest.mark.parametrize(
    "turns",
    [
        ["Ships stop calling.", "The pilot goes blind.", "Ilse stays."],
        ["The 3 families quarrel over 40 ships a year.", "The pilot goes blind.", "Ilse stays."],
        [
            "Around chapter 9 to 12 ships stop.",
            "The pilot goes blind.",
            "Chapter 20–22: Ilse stays.",
        ],
    ],
)
def test_turns_that_do_not_say_that_they_are_over_stay(turns: list[str]) -> None:
    assert turns_near("\n".join(turns), 11, lambda _: False) == " ".join(turns)


@pytest.mark.parametrize(
    "turns",
    [
        "Chapter 4 to 7: the box. || Chapter 8 to 12: the watch. || Chapter 14: the hand.",
        "第4章：箱子。\n第12章：守夜。\n第14章：一只手。",
        "Chapitres 4–7 : la boîte.\nChapitres 8–12 : la veille.\nChapitre 14 : la main.",
    ],
)
def test_turns_are_told_apart_in_any_language_and_by_bars(turns: str) -> None:
    near = turns_near(turns, 13, lambda _: False)

    assert "12" in near
    assert "14" in near
    assert "4 to 7" not in near
    assert "第4章" not in near
    assert "4–7" not in near


def test_spine_without_turns_or_with_one_is_told_as_it_is() -> None:
    assert turns_near("", 3, lambda _: False) == ""
    assert turns_near("Chapter 1: a door.", 3, lambda _: False) == "Chapter 1: a door."


OLD = (
    "Chapter 1: A door.\n\nChapters 4 to 6: A box.\n\nChapter 9: 40 hands.\n\nChapter 20: The end."
)


@pytest.mark.parametrize(
    ("said", "turns"),
    [
        ("Chapter 9: One hand.", OLD.replace("40 hands", "One hand")),
        ("Chapter 12: A snow.", OLD.replace("40 hands.", "40 hands.\n\nChapter 12: A snow.")),
        (
            "Chapter 5: A lid. || Chapter 6: A key.",
            OLD.replace("Chapters 4 to 6: A box.", "Chapter 5: A lid.\n\nChapter 6: A key."),
        ),
        ("Chapter 9:", OLD.replace("Chapter 9: 40 hands.\n\n", "")),
        ("Chapter 9", OLD.replace("Chapter 9: 40 hands.\n\n", "")),
        ("第9章：一只手。", OLD.replace("Chapter 9: 40 hands.", "第9章：一只手。")),
        ("第9章一只手", OLD.replace("Chapter 9: 40 hands.", "第9章一只手")),
        ("第9章", OLD.replace("Chapter 9: 40 hands.\n\n", "")),
        ("Chapter 1, 40 doors.", OLD.replace("Chapter 1: A door.", "Chapter 1, 40 doors.")),
        (OLD, OLD),
        ("Ilse stays, and nothing else.", "Ilse stays, and nothing else."),
    ],
)
def test_turn_that_is_said_anew_takes_the_place_of_what_stood_for_its_chapters(
    said: str, turns: str
) -> None:
    assert merged_turns(OLD, said) == turns


def test_turns_that_did_not_say_their_chapters_are_replaced_by_those_that_do() -> None:
    assert merged_turns("A door.\nA box.", "Chapter 2: A box.") == "Chapter 2: A box."
    assert merged_turns("", "Chapter 2: A box.") == "Chapter 2: A box."


def test_turns_ahead_are_those_that_were_not_over_before_the_chapter() -> None:
    assert (
        turns_ahead(OLD, 6) == "Chapters 4 to 6: A box.\nChapter 9: 40 hands.\nChapter 20: The end."
    )
    assert turns_ahead(OLD, 10) == "Chapter 20: The end."
    assert turns_ahead("A door.", 10) == "A door."
