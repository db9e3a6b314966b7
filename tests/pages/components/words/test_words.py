"""Words that are not ours are shown as they stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.components.words import clock, emphasised, plain, prose

PARTED = ":small[]"
"""What Streamlit shows nothing for."""


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))))
def test_markdown_has_nothing_to_find(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(plain(text).replace(PARTED, ""))
    inline = [part for token in tokens for part in token.children or []]

    assert {part.type for part in inline} <= {"text", "text_special"}
    assert "".join(part.content for part in inline) == " ".join(text.split())


FOUND_BY_THE_BROWSER = re.compile(
    r"(?:https?://|www(?=\.))[-.\w]+|[-.\w+]+@[-\w]+(?:\.[-\w]+)+|:material_\w+:|:streamlit:",
    re.IGNORECASE,
)
"""What Streamlit's page looks for in each text when its escapes are gone."""
_PIECES = st.sampled_from(
    [
        "http",
        "https",
        "://",
        "www",
        ".",
        "@",
        "evil",
        "co",
        ":",
        "material/",
        "material_",
        "streamlit",
    ]
)


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_address_and_name_of_an_icon_are_parted_where_the_browser_would_find_them(
    text: str,
) -> None:
    for way in (plain, prose, emphasised):
        for part in way(text).replace(":material/", ":material_").split(PARTED):
            assert not FOUND_BY_THE_BROWSER.search(re.sub(r"\\(.)", r"\1", part))


MADE_INTO_ANOTHER = re.compile(r"(?:^|\s)(?:<->|->|<-|--|>=|<=|~=)(?:\s|$)|:\+1:|:[-\w]+:")
"""What Streamlit's page puts another sign for: arrows, dashes, comparisons, emoji by name."""


@given(st.lists(st.sampled_from([*"<->=~:*@ a1+_", "smile", "--"]), max_size=12).map("".join))
def test_no_sign_is_made_into_another(text: str) -> None:
    for way in (plain, prose, emphasised):
        for part in re.split(r":small\[\]|(?<!\\)\*", way(text)):
            assert not MADE_INTO_ANOTHER.search(re.sub(r"\\(.)", r"\1", part))


@pytest.mark.parametrize("sign", ["<-", "->", "<->", "--", ">=", "<=", "~="])
def test_sign_of_several_is_shown_as_each_of_them(sign: str) -> None:
    assert plain(f"a {sign} b") == "a " + PARTED.join(f"\\{one}" for one in sign) + " b"


def test_text_without_an_address_is_not_parted() -> None:
    text = "At 10:30, http or www, he said: material things! (Or streamlit.)"

    assert PARTED not in plain(text)


_MARKS = st.sampled_from('ab *_<>[]()`~\\"“.')
_LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))


@given(st.text(_MARKS | _LETTERS))
def test_of_a_story_s_markup_only_emphasis_is_shown(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(emphasised(text).replace(PARTED, ""))
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
