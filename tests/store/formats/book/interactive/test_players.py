"""The files of an interactive fiction, read and played by programs that are not ours."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.formats.book.blocks import Cue, Dialogue, Paragraph, Run, SceneHeading
from store.formats.book.composing import one_line
from store.formats.book.interactive.ink import export_ink
from store.formats.book.interactive.model import (
    Choice,
    InteractiveFiction,
    Passage,
    PassageKind,
)
from store.formats.book.interactive.twee import export_twee, ifid
from store.formats.book.plain_text import text_of
from store.formats.extract import writable
from store.open import Store
from tests.store.formats.book.interactive.conftest import Players
from tests.store.formats.book.interactive.forking_story import (
    GOLDEN,
    composed,
)

_CODE = [
    *("[[x]]", "[[a->b]]", "->", "<-", "<>", "<<set $x to 1>>", "$x", "_x", "{x}", "{x: 1}", "|"),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "(alert: 1)", "(set: $x to 1)"),
    *(
        ":: A",
        "::",
        "* a",
        "+ a",
        "- a",
        "= a",
        "=== a ===",
        "~ x = 1",
        "# a",
        "// a",
        "/* a",
        "*/",
    ),
    *("TODO: a", "TODO", "VAR x = 1", "CONST", "LIST", "INCLUDE a", "EXTERNAL f()", "return x"),
    *(
        "\\",
        "\\n",
        '"""',
        "''",
        "--",
        "----",
        "@@a@@",
        "^^",
        "!a",
        "?a",
        "&amp;",
        "&#42;",
        "/%",
        "<!--",
    ),
    *(
        "-> END",
        "* [x] -> y",
        "alert(1)",
        '"',
        "'",
        "]",
        "]]",
        "http://a.example",
        "Mara’s",
        "三体",
        "مارا",
    ),
]
_WORD = st.sampled_from(_CODE) | st.text(st.characters(codec="utf-8"), max_size=8)
_LINE = st.lists(_WORD, min_size=1, max_size=5).map(" ".join).map(one_line).filter(bool)
_RUN = st.builds(Run, _LINE.map(lambda line: f" {line} "), st.booleans(), st.booleans())
_PARAGRAPH = st.lists(_RUN, min_size=1, max_size=3).map(tuple).map(Paragraph)
_BLOCK = _PARAGRAPH | st.builds(SceneHeading, _LINE)


@st.composite
def fictions(draw: st.DrawFn) -> InteractiveFiction:
    """Draw a fiction of passages in a row, each of which leads back to the first as well."""
    count = draw(st.integers(1, 4))
    ids = [f"chapter_{number}" for number in range(count)]
    passages = []
    for number, id_ in enumerate(ids):
        ahead = [ids[number + 1]] if number + 1 < count else []
        labels = draw(st.lists(_LINE, min_size=2, max_size=2, unique=True))
        choices = tuple(map(Choice, labels, [*ahead, ids[0]]))
        blocks = tuple(draw(st.lists(_BLOCK, max_size=3)))
        heading = f"{number}. {draw(_LINE)}"
        kind = PassageKind.CHAPTER if number else PassageKind.TITLE
        passages.append(Passage(id_, str(number), kind, heading, blocks, draw(_LINE), choices))
    return InteractiveFiction("story", draw(_LINE), draw(_LINE), "en", tuple(passages))


def lines_of(passage: Passage) -> list[str]:
    """Return what is read on a passage, line by line."""
    parts = [passage.heading, *map(text_of, passage.blocks), passage.closing]
    lines = (line for part in parts for line in part.split("\n"))
    return [" ".join(re.split(r"[ \t]+", line.strip())) for line in lines if line.strip()]


def expect_played(players: Players, fiction: InteractiveFiction) -> None:
    """Fail unless Ink shows every passage word for word, and leads where the choices lead."""
    played = players.play(fiction)
    assert played["problems"] == []
    states: list[dict[str, Any]] = played["states"]
    todo = [(0, fiction.start.id)]
    seen: set[str] = set()
    while todo:
        at, id_ = todo.pop()
        passage, state = fiction.by_id[id_], states[at]
        assert [line.strip() for line in state["text"]] == lines_of(passage)
        assert [one.strip() for one in state["labels"]] == [one.label for one in passage.choices]
        if id_ not in seen:
            seen.add(id_)
            targets = [one.target for one in passage.choices]
            todo += zip(state["next"], targets, strict=True)
    assert seen == fiction.by_id.keys()


_LINK = re.compile(r'\* \[\[("(?:[^"\\\[\]|<>]|\\u[0-9a-f]{4})*")->([^\[\]<>|"$&\\]+)\]\]')
_OUR_TAG = re.compile(r"</?(?:em|strong)>")
_SUGARCUBE = re.compile(
    r"\[\[|\[img|''|//|__|\^\^|~~|==|\{\{\{|\"\"\"|@@|<|>|--|[$_]\w|\?\w|^[!*#|]|^----|/[%*]|\\"
    r"|&(?!#\d+;)",
    re.MULTILINE | re.IGNORECASE,
)
"""What SugarCube would not show as it is: the beginnings that its parsers look for."""


def expect_read(players: Players, fiction: InteractiveFiction) -> None:
    """Fail unless Twee has exactly the passages, their texts as text, and their choices as links."""
    read = players.read(fiction)
    assert read["title"] == fiction.title
    assert read["ifid"] == ifid(fiction.identifier)
    passages = [one for one in read["passages"] if one["name"] != "StoryAuthor"]
    assert len(passages) == len(fiction.passages)
    names = [one["name"] for one in passages]
    assert len(set(names)) == len(names)
    assert read["start"] == names[0]
    assert len({one["metadata"]["position"] for one in passages}) == len(names)
    by_id = dict(zip(fiction.by_id, names, strict=True))
    for passage, found in zip(fiction.passages, passages, strict=True):
        assert found["tags"] == [passage.kind.value]
        links = _LINK.findall(found["text"])
        # SugarCube takes what a link says for an expression: here, always a string.
        said = [(json.loads(label), name) for label, name in links]
        assert said == [(one.label, by_id[one.target]) for one in passage.choices]
        text = _OUR_TAG.sub("", _LINK.sub("", found["text"]))
        text = re.sub(r"\A!{1,2}", "", text)
        assert _SUGARCUBE.search(text) is None, text
        lines = [" ".join(re.split(r"[ \t]+", line.strip())) for line in text.split("\n")]
        assert [html.unescape(line) for line in lines if line] == lines_of(passage)


@given(fiction=fictions())
@settings(max_examples=60)
def test_hostile_text_is_only_text(players: Players, fiction: InteractiveFiction) -> None:
    expect_played(players, fiction)
    expect_read(players, fiction)


def test_mark_that_programs_trim_is_no_part_of_a_name(players: Players) -> None:
    choice = Choice("On", "chapter_0")
    passages = (Passage("chapter_0", "0", PassageKind.CHAPTER, "0. \ufeff", (), "", (choice,)),)

    expect_read(players, InteractiveFiction("s", "A", "B", "en", passages))


def test_every_beginning_of_code_is_only_text(players: Players) -> None:
    whole = tuple(Paragraph((Run(text),)) for text in _CODE)
    labels = [one for one in _CODE if one == one_line(one)]
    choices = tuple(Choice(label, "chapter_0") for label in labels)
    passages = (Passage("chapter_0", "0", PassageKind.CHAPTER, "0. ::", whole, "<<", choices),)
    fiction = InteractiveFiction("s", ":: A", "(alert: 1)", "en", passages)

    expect_played(players, fiction)
    expect_read(players, fiction)


def test_story_is_played_on_every_path(store: Store, players: Players) -> None:
    fiction = composed(store)

    expect_played(players, fiction)
    expect_read(players, fiction)
    assert players.play(fiction)["tags"] == ["title: The Lamp Room", "author: Ada Moor"]
    assert players.read(fiction)["format"] == "SugarCube"


def test_what_is_played_keeps_a_name_with_its_speech(players: Players) -> None:
    speech = (SceneHeading("INT. LAMP ROOM"), Cue("玛拉"), Dialogue((Run("门锁了。\n走吧。"),)))
    passages = (Passage("chapter_1", "1", PassageKind.CHAPTER, "1. 灯室", speech, "完", ()),)
    fiction = InteractiveFiction("s", "灯室", "", "zh", passages)

    expect_played(players, fiction)
    expect_read(players, fiction)
    assert "玛拉\n门锁了。\n走吧。" in export_ink(fiction)
    assert "玛拉\n门锁了。\n走吧。" in export_twee(fiction)


def test_players_say_what_is_wrong(players: Players) -> None:
    """What finds nothing wrong with the other stories would find it."""
    [passage] = (Passage("a", "1", PassageKind.CHAPTER, "1. A", (), "", (Choice("A", "a"),)),)
    wrong = InteractiveFiction("s", "S", "", "en", (passage,))
    object.__setattr__(wrong, "passages", (replace(passage, choices=(Choice("A", "gone"),)),))

    assert "target not found" in players.play(wrong)["problems"][0]


@pytest.mark.parametrize(("suffix", "write"), [("twee", export_twee), ("ink", export_ink)])
def test_file_is_what_it_was(store: Store, suffix: str, write: Any) -> None:
    made = write(composed(store))

    assert made == (GOLDEN / f"lamp.{suffix}").read_text("utf-8")


def test_ifid_is_the_story_s_alone() -> None:
    assert ifid("one") == ifid("one") != ifid("two")
    assert re.fullmatch(
        r"[0-9A-F]{8}-[0-9A-F]{4}-5[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}", ifid("one")
    )
    assert writable(ifid("one")) == ifid("one")
