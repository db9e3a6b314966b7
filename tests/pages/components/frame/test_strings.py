"""The words around every page that depend on how far the story is."""

from __future__ import annotations

from pages.components.frame import strings


def test_branch_says_where_it_leaves_its_parent() -> None:
    assert strings.branch_start(3, "Main") == "from chapter 3 of Main"
    assert strings.branch_start(0, "Main") == "from the beginning of Main"
    assert strings.branch_start(None, "Main") == "from the beginning of Main"


def test_time_cursor_says_where_it_is() -> None:
    assert strings.as_of(2, 5) == "As of chapter 2 of 5"
    assert strings.as_of(0, 5) == "As of the beginning"
