"""A chapter's text on a page or in a document: its paragraphs, its lines, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.book.layout import lay_out
from store.models.form import Layout


def as_it_is(line: str) -> str:
    return line.strip()


def test_prose_keeps_paragraphs_and_lines_keep_their_breaks() -> None:
    text = "INT. LAMP\nMara.\n\n \n\nHale.\n"

    assert lay_out(text, Layout.PROSE, as_it_is) == "INT. LAMP\nMara.\n\nHale."
    assert lay_out(text, Layout.LINES, as_it_is) == "INT. LAMP  \nMara.\n\nHale."


@pytest.mark.parametrize("layout", Layout)
@given(text=st.text(st.sampled_from("ab \n\r\t\u2028"), max_size=60))
def test_no_word_is_lost_in_any_layout(layout: Layout, text: str) -> None:
    laid_out = lay_out(text, layout, as_it_is)

    assert laid_out.split() == text.split()
    assert "\n\n\n" not in laid_out


def test_every_line_is_escaped_by_whoever_shows_it() -> None:
    assert lay_out("# a\n> b", Layout.PROSE, lambda line: f"\\{line}") == "\\# a\n\\> b"
