"""What tests of the History page do: open it, press its buttons, and edit what came before."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from store.deltas.delta import diff
from store.models.cast import Character
from store.models.story import Branch, GateMode, Story
from tests.pages.desk import Desk, expect_whole

CHOOSING: dict[str, Any] = {
    "goals": 2,
    "roles": 2,
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK},
}
"""Settings with which a plot run asks for the choice only."""


def history(desk: Desk, story: Story) -> AppTest:
    window = desk.window("history", story)
    expect_whole(window)
    return window


def press(window: AppTest, key: str) -> None:
    """Press the button with this key, and let the page run."""
    next(one for one in window.button if one.key == key).click().run()
    expect_whole(window)


def branches(desk: Desk, story: Story) -> dict[str, Branch]:
    return {branch.name: branch for branch in desk.workbench.library.branches(story.id)}


def edit_person(
    desk: Desk, branch: str, person: str, chapter: int | None = None, **values: str
) -> None:
    """Change something of a person, as the writer does on the Premise page."""
    before = desk.workbench.prototype.snapshot(branch, chapter)
    changed = before.get(Character, person).model_copy(update=values)
    after = before.model_copy(update={"entities": {**before.entities, person: changed}})
    assert diff(before, after).changes
    desk.workbench.story.edit(branch, after, chapter)
