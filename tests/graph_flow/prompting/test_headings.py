"""A story that is told in one piece, divided into its chapters."""

from __future__ import annotations

import pytest

from graph_flow.prompting.headings import divided

WORDS = (100, 100, 200)


@pytest.mark.parametrize(
    "text",
    [
        "## 1. One\n\nA.\n\n## 2. Two\n\nB.\n\n## 3. Three\n\nC.",
        "# The Story\n\n## One\n\nA.\n\n## Two\n\nB.\n\n## Three\n\nC.",
        "**1. One**\n\nA.\n\n**2. Two**\n\nB.\n\n**3**\n\nC.",
        "A.\n\n## 1. One\n\n## 2. Two\n\nB.\n\n## 3. Three\n\nC.",
    ],
)
def test_story_is_divided_at_its_headings(text: str) -> None:
    assert divided(text, WORDS) == ["A.", "B.", "C."]


@pytest.mark.parametrize("between", ["", "## Some heading\n\n", "# 7\n\n"])
def test_story_without_its_headings_is_divided_by_length(between: str) -> None:
    paragraphs = [f"{name} " * 20 for name in "abcdefgh"]
    text = between.join(f"{one.strip()}\n\n" for one in paragraphs)

    first, second, third = divided(text, WORDS)

    assert [len(one.split()) for one in (first, second, third)] == [40, 40, 80]
    assert "#" not in f"{first}{second}{third}"


@pytest.mark.parametrize("text", ["", "One line.", "## 1. One"])
def test_text_too_short_to_divide_is_lost_nowhere(text: str) -> None:
    parts = divided(text, WORDS)

    assert len(parts) == 3
    assert "".join(parts) == ("" if text.startswith("#") else text)
