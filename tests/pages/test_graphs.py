"""Graphs: the two pictures as of any chapter, and what stands behind a name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from pages.components.text import plain
from store.models.story import Story
from tests.pages.desk import Desk, button, expect_only_text, expect_whole, texts_of, words
from tests.pages.told_story import HOSTILE_NAME, begin_into, tell_into, tell_on


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.story(tell_into(library_path))


def pictures(window: AppTest) -> list[dict[str, Any]]:
    """Return what the page gives the browser to draw."""
    parts = [json.loads(one.proto.json) for one in window.get("bidi_component")]
    return [part for part in parts if "picture" in part]


def picture(window: AppTest) -> dict[str, Any]:
    [drawn] = pictures(window)
    return drawn


def names(window: AppTest) -> list[str]:
    nodes = picture(window)["picture"]["nodes"]
    return [node["label"] for node in nodes]


def control(window: AppTest, option: str) -> ButtonGroup[str]:
    """Return the switch that has this option."""
    [found] = [one for one in window.main.segmented_control if option in one.options]
    return found


def turn(window: AppTest, graph: str) -> AppTest:
    return control(window, "Role Graph").set_value(graph).run()


def look_at(window: AppTest, name: str) -> AppTest:
    [field] = [one for one in window.main.selectbox if one.label == "Look at"]
    return field.select(name).run()


def test_story_without_a_cast_says_what_to_do_next(desk: Desk) -> None:
    window = desk.window("graphs", desk.story())

    expect_whole(window)
    assert "There is nobody to draw yet" in words(window)
    button(window, "Go to the premise").click().run()
    assert texts_of(window.title) == ["Premise"]


def test_cast_is_drawn_before_there_is_a_chapter(desk: Desk, library_path: Path) -> None:
    window = desk.window("graphs", desk.workbench.story(begin_into(library_path)))

    expect_whole(window)
    assert names(window) == ["Mara", "Hale"]
    assert "The beginning" in words(window)
    assert "Nothing has happened yet" in words(turn(window, "Plot Graph"))


def test_role_graph_shows_who_there_is_at_the_chapter(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    expect_whole(window)
    assert names(window)[:4] == ["± Mara", "Hale", "Ida", "Tobin"]
    assert len(names(window)) == 5

    window.main.slider[0].set_value(1).run()

    assert names(window) == ["Mara", "Hale", "Ida", "Tobin"]


def test_nobody_moves_while_the_cursor_does(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    places: dict[str, tuple[float, float]] = {}
    for chapter in (0, 1, 2, 3):
        window.main.slider[0].set_value(chapter).run()
        for node in picture(window)["picture"]["nodes"]:
            assert places.setdefault(node["id"], (node["x"], node["y"])) == (node["x"], node["y"])

    assert len(places) == 5


def test_panel_says_what_the_chapter_changed(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    window.main.slider[0].set_value(2).run()

    assert "What chapter 2 changed" in words(window)
    assert plain("Mara: distrust towards Hale 7 → 9") in words(window)


def test_panel_tells_of_a_person(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), "Mara")

    expect_whole(window)
    assert texts_of(window.main.subheader) == ["Mara"]
    said = words(window)
    assert "she broke the lamp" in said
    assert "free to go" in said
    assert plain("The door stands open: acts") in said
    assert picture(window)["selected"] == "mara"


def test_panel_tells_how_a_tie_came_to_be(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), "Mara → Hale: distrust")

    assert "9 of 10; Hale does not know" in words(window)
    assert "Chapter 2" in words(window)


def test_panel_tells_of_an_event(desk: Desk, told: Story) -> None:
    window = look_at(turn(desk.window("graphs", told), "Plot Graph"), "The lamp room is locked")

    expect_whole(window)
    assert "Event · chapter 1" in words(window)
    assert "“The lamp room is locked” pays off “The door stands open”" in words(window)


def test_what_is_chosen_stays_chosen_while_it_stands_in_the_picture(
    desk: Desk, told: Story
) -> None:
    window = look_at(desk.window("graphs", told), HOSTILE_NAME)
    window.main.slider[0].set_value(2).run()
    assert picture(window)["selected"] == "stranger"

    window.main.slider[0].set_value(1).run()

    assert picture(window)["selected"] == ""
    assert "What chapter 1 changed" in words(window)


def test_hostile_name_is_text_wherever_it_stands(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), HOSTILE_NAME)

    expect_only_text(window, HOSTILE_NAME)


def test_plot_graph_shows_the_newest_chapters_and_all_on_demand(
    desk: Desk, library_path: Path, told: Story
) -> None:
    tell_on(library_path, told.id, chapters=7)
    window = turn(desk.window("graphs", told), "Plot Graph")
    assert headings(window) == [f"Chapter {chapter}" for chapter in range(5, 11)]

    control(window, "All").set_value(0).run()

    assert headings(window) == [f"Chapter {chapter}" for chapter in range(1, 11)]


def headings(window: AppTest) -> list[str]:
    return [column["words"] for column in picture(window)["picture"]["columns"]]
