"""Words that are not ours are shown as they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.components.words import clock, emphasised, plain


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))))
def test_markdown_has_nothing_to_find(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(plain(text))
    inline = [part for token in tokens for part in token.children or []]

    assert {part.type for part in inline} <= {"text", "text_special"}
    assert "".join(part.content for part in inline) == " ".join(text.split())


_MARKS = st.sampled_from('ab *_<>[]()`~\\"“.')
_LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))


@given(st.text(_MARKS | _LETTERS))
def test_of_a_story_s_markup_only_emphasis_is_shown(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(emphasised(text))
    inline = [part for token in tokens for part in token.children or []]

    assert {part.type for part in inline} <= {"text", "text_special", "em_open", "em_close"}
    said = ("*" if part.type.startswith("em_") else part.content for part in inline)
    assert "".join(said) == " ".join(text.split())


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("He *did* say so", "He *did* say so"),
        ("*(quietly)*", r"*\(quietly\)*"),
        ("**bold** a*b*c", r"\*\*bold\*\* a\*b\*c"),
        ("* * *", r"\* \* \*"),
        ("2 * 3 * 4", r"2 \* 3 \* 4"),
    ],
)
def test_emphasis_is_what_stands_between_single_asterisks(typed: str, shown: str) -> None:
    assert emphasised(typed) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0:00"),
        (0.9, "0:00"),
        (41, "0:41"),
        (725, "12:05"),
        (3725, "1:02:05"),
        (90000, "25:00:00"),
    ],
)
def test_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown
