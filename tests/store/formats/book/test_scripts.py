"""Screenplays as Fountain and FDX, read back by screenplain, by screenplay-tools and as XML."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from screenplain.parsers import fountain
from screenplay_tools.fdx.parser import Parser as FdxParser
from screenplay_tools.fountain.parser import Parser as FountainParser

from store.formats.book.blocks import (
    Action,
    Block,
    Book,
    Chapter,
    Cue,
    Dialogue,
    Parenthetical,
    Run,
    SceneHeading,
    Transition,
)
from store.formats.book.composing import blocks_of
from store.formats.book.fdx import export_fdx
from store.formats.book.fountain import export_fountain
from store.models.form import Form, Layout

GOLDEN = Path(__file__).parent / "golden"
SCRIPT = """INT. LAMP ROOM - NIGHT

Mara waits. The lamp is out.
Wind.

MARA (V.O.)
(softly)
It is *locked*.
From **inside**.

CUT TO:

EXT. THE GREY STAIR - DAWN

THE DOOR OPENS.

玛拉
门锁了。

***

@ AT #SIX = NOBODY CAME."""


def book(*blocks: Block, title: str = "The Lamp Room") -> Book:
    return Book("s", title, "", "en", Form.SCREENPLAY, 9, (Chapter(1, "The door", blocks),))


def kinds_of(text: str) -> list[str]:
    """Return the kinds of paragraphs that screenplain sees."""
    return [type(one).__name__ for one in fountain.parse(io.StringIO(text))]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lamp.fountain", export_fountain(book(*blocks_of(SCRIPT, Layout.LINES))).encode()),
        ("lamp.fdx", export_fdx(book(*blocks_of(SCRIPT, Layout.LINES)))),
    ],
)
def test_script_is_what_it_was(name: str, content: bytes) -> None:
    assert content.decode() == (GOLDEN / name).read_text("utf-8")


def test_screenplain_sees_each_part_as_what_it_is() -> None:
    text = export_fountain(book(*blocks_of(SCRIPT, Layout.LINES)))
    assert kinds_of(text) == [
        *("Section", "Slug", "Action", "Dialog", "Transition"),
        *("Slug", "Action", "Dialog", "Action", "Action"),
    ]
    parts = list(fountain.parse(io.StringIO(text)))
    said = [
        (str(one.character), [str(line) for _, line in one.blocks]) for one in (parts[3], parts[7])
    ]
    assert said[0][0] == "MARA (V.O.)"
    assert said[1] == ("玛拉", ["门锁了。"])


# Of what Fountain lets one escape, screenplain reads the asterisk alone, so no name has an underline.
NAMES = st.text(
    st.sampled_from(list("aB守ا '\"&<>@#!.=~>*^()[]/\\😀:1")), min_size=1, max_size=12
).filter(lambda name: any(map(str.isalpha, name)) and name == " ".join(name.split()))


@given(name=NAMES)
def test_any_name_stays_the_name_of_a_speaker(name: str) -> None:
    text = export_fountain(book(Cue(name), Dialogue((Run("Yes."),))))
    [_, speech] = fountain.parse(io.StringIO(text))
    assert type(speech).__name__ == "Dialog"
    assert str(speech.character).replace("\u200b", "") == name

    script = FdxParser().parse(export_fdx(book(Cue(name), Dialogue((Run("Yes."),)))).decode())
    [speaker] = [one for one in script.elements if one.type.name == "CHARACTER"]
    shown = f"{speaker.name} ({speaker.extension})" if speaker.extension else speaker.name
    assert "".join(shown.split()).rstrip("()") == "".join(name.split()).rstrip("()")


@given(
    text=st.text(st.sampled_from(list("INTEX.CUTO: >!@#=~ab\n守[]*/_^(")), min_size=1, max_size=30)
)
def test_any_action_stays_an_action(text: str) -> None:
    lines = "\n".join(line.strip() for line in text.split("\n") if line.strip())
    if lines:
        made = export_fountain(book(Action((Run(lines),))))
        assert kinds_of(made) == ["Section", "Action"]


def test_fountain_of_another_reader_has_the_same_elements() -> None:
    parser = FountainParser()
    parser.add_text(export_fountain(book(*blocks_of(SCRIPT, Layout.LINES))))
    kinds = [one.type.name for one in parser.script.elements if one.type.name != "TITLEENTRY"]
    assert [kinds.count(one) for one in ("HEADING", "CHARACTER", "TRANSITION", "SECTION")] == [
        2,
        2,
        1,
        1,
    ]


def test_fdx_has_the_paragraphs_of_final_draft() -> None:
    root = etree.fromstring(
        export_fdx(
            book(
                SceneHeading("INT. A & B <c>"),
                Cue("O'NEIL \"]]>"),
                Parenthetical("softly"),
                Dialogue((Run("It is "), Run("locked", is_emphasized=True), Run("[[1]]*/"))),
                Transition("CUT TO:"),
            )
        )
    )
    shown = [
        (one.get("Type"), "".join(text.text or "" for text in one.iterfind("Text")))
        for one in root.iterfind("Content/Paragraph")
    ]
    assert shown == [
        ("General", "1. The door"),
        ("Scene Heading", "INT. A & B <c>"),
        ("Character", "O'NEIL \"]]>"),
        ("Parenthetical", "(softly)"),
        ("Dialogue", "It is locked[[1]]*/"),
        ("Transition", "CUT TO:"),
    ]
    assert [one.text for one in root.iterfind(".//Text[@Style='Italic']")] == ["locked"]
