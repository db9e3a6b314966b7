"""The sentences of the Outline page that depend on numbers, and those that its board completes."""

from __future__ import annotations

import re

import pytest

from pages.components.outline import strings


def test_events_off_the_board_are_counted_and_the_first_are_named() -> None:
    assert strings.events_off_board(1, ["Fire"]) == "1 event is not on the board: Fire."
    assert strings.events_off_board(5, ["A", "B", "C"]) == (
        "5 events are not on the board: A, B, C and 2 more."
    )
    assert strings.put_on_board(1) != strings.put_on_board(2)


def test_chapters_of_an_event_are_named() -> None:
    assert strings.event_chapters([3]) == "Chapter 3"
    assert strings.event_chapters([3, 5]) == "Chapters 3, 5"


def test_what_goes_with_an_event_is_told_only_if_something_does() -> None:
    assert strings.event_remove_help("Fire", 0) == "Fire will be removed from the outline."
    assert strings.event_remove_help("Fire", 1).endswith("1 part goes with it.")


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [("chapter", ["chapter"]), ("late", ["chapter"]), ("position", ["chapter", "place", "count"])],
)
def test_sentences_of_the_board_hold_the_facts_that_it_knows(
    sentence: str, facts: list[str]
) -> None:
    assert re.findall(r"\{(\w+)\}", strings.BOARD[sentence]) == facts
