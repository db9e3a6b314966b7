"""History: steps with undo and redo, branches begun, renamed, switched and brought together."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from store.delta import diff
from store.models.cast import Character
from store.models.run import PlotChapters
from store.models.story import Branch, Story
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    turn_to,
    words,
)
from tests.pages.told_story import tell_into


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.story(tell_into(library_path))


def history(desk: Desk, story: Story) -> AppTest:
    window = desk.window("history", story)
    expect_whole(window)
    return window


def press(window: AppTest, key: str) -> None:
    """Press the button with this key, and let the page run."""
    next(one for one in window.button if one.key == key).click().run()
    expect_whole(window)


def branches(desk: Desk, story: Story) -> dict[str, Branch]:
    return {branch.name: branch for branch in desk.workbench.branches(story.id)}


def edit_person(desk: Desk, branch: str, person: str, chapter: int | None = None, **values: str) -> None:
    """Change something of a person, as the writer does on the Premise page."""
    before = desk.workbench.snapshot(branch, chapter)
    changed = before.get(Character, person).model_copy(update=values)
    after = before.model_copy(update={"entities": {**before.entities, person: changed}})
    assert diff(before, after).changes
    desk.workbench.edit(branch, after, chapter)


def test_page_before_the_story_has_begun_leads_to_the_premise(desk: Desk) -> None:
    window = history(desk, desk.story())

    assert "no history yet" in words(window)
    button(window, "Go to the premise").click().run()

    assert texts_of(window.title) == ["Premise"]


def test_steps_are_told_newest_first(desk: Desk, told: Story) -> None:
    edit_person(desk, desk.branch(told), "mara", status="gone")
    said = words(history(desk, told))

    places = [said.index(text) for text in ("**Edit**", "The door", "A light at sea", "inspection")]
    assert places == sorted(places)
    assert "gone" in said
    assert "Nothing here loses anything" in said


def test_undo_and_redo_say_what_they_do(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    window = history(desk, told)
    assert "chapter 3, “The door”" in words(window)

    press(window, "undo")
    assert desk.workbench.desk(branch).plotted == 2
    assert "chapter 2, “A light at sea”" in words(window)
    assert ":gray-badge[undone]" in words(window)
    press(window, "redo")

    assert desk.workbench.desk(branch).plotted == 3
    assert button(window, "Redo").disabled


def test_what_if_begins_at_a_chapter_and_is_open(desk: Desk, told: Story) -> None:
    window = history(desk, told)
    step = next(s.commit for s in desk.workbench.steps(desk.branch(told)).entries if s.chapter == 1)

    press(window, "what if-step-1")
    assert primaries(window) == ["Begin the branch"]
    window.main.text_input[0].set_value(HOSTILE)
    button(window, "Begin the branch").click().run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    made = branches(desk, told)[HOSTILE]
    assert made.fork_chapter == 1
    assert window.query_params["branch"] == made.id
    assert desk.workbench.open_branch(told.id) == made
    assert window.sidebar.selectbox[0].value == made.id
    assert window.sidebar.slider[0].label == "As of chapter 1 of 1"
    assert step
