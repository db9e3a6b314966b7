"""Texts as typed blocks: prose, scripts, and what only looks like markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.book.blocks import (
    Action,
    Block,
    Cue,
    Dialogue,
    Paragraph,
    Parenthetical,
    Run,
    SceneBreak,
    SceneHeading,
    Transition,
    plain_text,
)
from store.formats.book.composing import blocks_of, runs_of
from store.formats.book.languages import UNDETERMINED, language_tag
from store.models.form import Layout


def prose(text: str) -> list[Block]:
    return list(blocks_of(text, Layout.PROSE))


def script(text: str) -> list[Block]:
    return list(blocks_of(text, Layout.LINES))


def test_emphasis_is_the_only_markup_in_a_line() -> None:
    assert runs_of("A *quiet* **night** of_no_import.") == (
        Run("A "),
        Run("quiet", is_emphasized=True),
        Run(" "),
        Run("night", is_strong=True),
        Run(" of_no_import."),
    )
    for text in (
        "[a](b)",
        "<b>x</b>",
        "![i](j)",
        "`c`",
        "&amp;",
        "\\*x",
        "https://a.example",
        "2*3*4 =",
    ):
        assert plain_text(runs_of(text)).replace("*", "") == text.replace("*", "")
    assert runs_of("<script>alert(1)</script>") == (Run("<script>alert(1)</script>"),)


@pytest.mark.parametrize("gap", ["***", "* * *", "---", "- - -", "___", "#", "⁂", "＊＊＊", "*"])
def test_a_line_of_marks_is_a_scene_break(gap: str) -> None:
    before, between, after = prose(f"Night.\n\n{gap}\n\nDay.")
    assert isinstance(between, SceneBreak)
    assert before == Paragraph((Run("Night."),))
    assert after == Paragraph((Run("Day."),))


@pytest.mark.parametrize(
    "line", ["# A heading", "- item", "1. one", "> quoted", "    code", "| a |"]
)
def test_what_looks_like_a_block_stays_a_paragraph(line: str) -> None:
    assert prose(line) == [Paragraph((Run(line.strip()),))]


def test_a_script_is_read_by_its_lines() -> None:
    text = (
        "INT. LAMP ROOM - NIGHT\n\nMara waits.\nThe lamp is out.\n\n"
        "MARA (V.O.)\n(softly)\nIt is *locked*.\nFrom inside.\n\nCUT TO:\n\n外景。灯塔\n\n玛拉\n门锁了。"
    )
    assert script(text) == [
        SceneHeading("INT. LAMP ROOM - NIGHT"),
        Action((Run("Mara waits.\nThe lamp is out."),)),
        Cue("MARA (V.O.)"),
        Parenthetical("softly"),
        Dialogue((Run("It is "), Run("locked", is_emphasized=True), Run(".\nFrom inside."))),
        Transition("CUT TO:"),
        SceneHeading("外景。灯塔"),
        Cue("玛拉"),
        Dialogue((Run("门锁了。"),)),
    ]


def test_capitals_alone_name_nobody() -> None:
    assert script("THE LAMP GOES OUT.") == [Action((Run("THE LAMP GOES OUT."),))]
    assert script("THE END.\nOf the reel.") == [Action((Run("THE END.\nOf the reel."),))]


@given(st.text(st.sampled_from(list("ab 守\n\t*_#-()<>&\\.INTMARA:…\x00\r")), max_size=80))
def test_no_letter_is_lost(text: str) -> None:
    letters = [one for one in text if one.isalpha()]
    for blocks in (prose(text), script(text)):
        shown = "".join(map(words_of, blocks))
        assert [one for one in shown if one.isalpha()] == letters


def words_of(block: Block) -> str:
    match block:
        case Paragraph() | Action() | Dialogue():
            return plain_text(block.runs)
        case SceneBreak():
            return ""
        case Cue():
            return block.name
    return block.text


@pytest.mark.parametrize(
    ("name", "text", "tag"),
    [
        ("English", "", "en"),
        ("中文", "", "zh-Hans"),
        ("en-GB", "", "en-gb"),
        ("", "The door was locked, and nobody came to open it.", "en"),
        ("", "守夜的人睡着了。", "zh"),
        ("", "灯が消えた。", "ja"),
        ("", "Дверь была заперта.", UNDETERMINED),
        ('"><script>', "", UNDETERMINED),
        ("Klingon", "", UNDETERMINED),
    ],
)
def test_language_has_a_tag(name: str, text: str, tag: str) -> None:
    assert language_tag(name, text) == tag


def test_scenes_of_a_play_are_numbered_and_sounds_are_not_spoken() -> None:
    heading, sound, cue, aside, speech = script(
        "SCENE 1. THE LAMP ROOM. NIGHT\n\nSOUND: rain.\n\nADA\n(low)\nWho is there?"
    )
    assert heading == SceneHeading("SCENE 1. THE LAMP ROOM. NIGHT")
    assert isinstance(sound, Action)
    assert (cue, aside) == (Cue("ADA"), Parenthetical("low"))
    assert isinstance(speech, Dialogue)
    assert isinstance(script("Scene painters come and go.")[0], Action)
    assert isinstance(script("第二场 灯室 夜")[0], SceneHeading)
