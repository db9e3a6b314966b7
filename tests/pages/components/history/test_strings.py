"""The sentences of the History page that depend on numbers."""

from __future__ import annotations

import pytest

from pages.components.history import strings


@pytest.mark.parametrize(
    ("later", "said"),
    [(1, "the later chapter stays on"), (1200, "the 1,200 later chapters stay on")],
)
def test_rewinding_says_how_many_chapters_stay(later: int, said: str) -> None:
    assert said in strings.rewind_keeps(2, later, "Main")


def test_beginning_is_no_chapter_to_start_from() -> None:
    assert strings.rewind_to(0) == "Rewind to the beginning"
    assert strings.rewind_to(3) == "Rewind to chapter 3"
    assert "at the beginning" in strings.branch_begun("One", 0)


def test_questions_left_are_counted_until_everything_is_decided() -> None:
    assert strings.merge_questions_left(2).startswith("2 questions")
    assert strings.merge_questions_left(1).startswith("1 question ")
    assert strings.merge_questions_left(0) == strings.MERGE_DECIDED


def test_further_reasons_are_counted_only_if_there_are_any() -> None:
    assert strings.stale_reason("Mara has changed.", 0) == "Mara has changed."
    assert strings.stale_reason("Mara has changed.", 2) == "Mara has changed. … and 2 more"


def test_stale_parts_of_a_chapter_are_listed() -> None:
    assert strings.stale_parts(["event", "draft"]) == "what happens, the text"
    assert strings.stale_parts_label(["event", "draft"]) == "What happens, the text"
