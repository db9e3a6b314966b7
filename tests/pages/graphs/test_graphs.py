"""Graphs: the two pictures as of any chapter, and what stands behind a name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from pages.components.graphs.compare import Drawn
from pages.components.graphs.navigation import GraphName
from pages.components.pictures.timeline import Order
from pages.components.words import plain
from store.models.plot import LinkKind
from store.models.story import Story
from store.text import clip
from tests.pages.desk import Desk, button, expect_only_text, expect_whole, texts_of, words
from tests.pages.told_story import (
    HOSTILE_NAME,
    begin_into,
    begin_with_past_into,
    tell_into,
    tell_on,
)
from tests.wording import says


class Labelled(Protocol):
    """A field of a page."""

    label: str


F = TypeVar("F", bound=Labelled)


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.library.story(tell_into(library_path))


def data_of(window: AppTest) -> list[dict[str, Any]]:
    """Return what the page gives the browser to show, part by part."""
    return [json.loads(one.proto.json) for one in window.get("bidi_component")]


def pictures(window: AppTest) -> list[dict[str, Any]]:
    return [part for part in data_of(window) if "picture" in part]


def picture(window: AppTest) -> dict[str, Any]:
    [drawn] = pictures(window)
    return drawn


def names(window: AppTest) -> list[str]:
    nodes = picture(window)["picture"]["nodes"]
    return [node["label"] for node in nodes]


def control(window: AppTest, option: str) -> ButtonGroup[object]:
    """Return the switch that has this option."""
    [found] = [one for one in window.main.segmented_control if option in one.options]
    return found


def field(fields: Iterable[F], label: str) -> F:
    """Return the one field with this label."""
    [found] = [one for one in fields if one.label == label]
    return found


def turn(window: AppTest, view: GraphName) -> AppTest:
    return control(window, "Role Graph").set_value(view).run()


def look_at(window: AppTest, name: str) -> AppTest:
    return field(window.main.selectbox, "Look at").select(name).run()


def test_story_without_a_cast_says_what_to_do_next(desk: Desk) -> None:
    window = desk.window("graphs", desk.story())

    expect_whole(window)
    assert "There is nobody to draw yet" in words(window)
    button(window, "Go to the premise").click().run()
    assert texts_of(window.title) == ["Premise"]


def test_cast_is_drawn_before_there_is_a_chapter(desk: Desk, library_path: Path) -> None:
    window = desk.window("graphs", desk.workbench.library.story(begin_into(library_path)))

    expect_whole(window)
    assert names(window) == ["Mara", "Hale"]
    assert "The beginning" in words(window)
    assert "Nothing has happened yet" in words(turn(window, GraphName.PLOT))


def test_what_came_before_the_story_is_drawn_before_its_first_chapter(
    desk: Desk, library_path: Path
) -> None:
    window = desk.window("graphs", desk.workbench.library.story(begin_with_past_into(library_path)))

    turn(window, GraphName.PLOT)
    expect_whole(window)
    assert "Nothing has happened yet" not in words(window)
    assert "The wreck" in names(window)
    look_at(window, "The wreck")
    expect_whole(window)
    assert "before the story" in words(window)

    turn(window, GraphName.TIMELINE)
    control(window, "As it happens").set_value(Order.STORY).run()
    expect_whole(window)
    headings = [column["words"] for column in picture(window)["picture"]["columns"]]
    assert headings == ["Before the story"]


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
    assert plain("Mara: distrust towards Hale, 9 (before: 7)") in words(window)


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
    window = look_at(desk.window("graphs", told), "Mara towards Hale: distrust")

    assert says(words(window), "9 of 10", "Hale")
    assert "Chapter 2" in words(window)


def test_panel_tells_of_an_event(desk: Desk, told: Story) -> None:
    window = look_at(turn(desk.window("graphs", told), GraphName.PLOT), "The lamp room is locked")

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
    window = turn(desk.window("graphs", told), GraphName.PLOT)
    assert headings(window) == [f"Chapter {chapter}" for chapter in range(5, 11)]

    control(window, "All").set_value(0).run()

    assert headings(window) == [f"Chapter {chapter}" for chapter in range(1, 11)]


def headings(window: AppTest) -> list[str]:
    return [column["words"] for column in picture(window)["picture"]["columns"]]


def test_timeline_has_lanes_and_can_be_put_in_the_order_of_what_happens(
    desk: Desk, told: Story
) -> None:
    window = turn(desk.window("graphs", told), GraphName.TIMELINE)

    expect_whole(window)
    lanes = [row["words"] for row in picture(window)["picture"]["rows"]]
    assert lanes == ["Mara", "Hale", "Ida", "Tobin", HOSTILE_NAME]
    control(window, "As told").set_value(Order.STORY).run()
    assert picture(window)["description"].endswith("as it happens")


def test_filter_by_person_leaves_them_and_those_they_are_tied_to(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)

    field(window.main.multiselect, "People").select("Tobin").run()
    assert sorted(names(window)) == sorted(["± Mara", "Tobin", clip(HOSTILE_NAME, 24)])
    button(window, "Show everything").click().run()

    assert len(names(window)) == 5


def test_filter_by_kind_holds_in_every_view_that_has_it(desk: Desk, told: Story) -> None:
    window = turn(desk.window("graphs", told), GraphName.PLOT)
    field(window.main.button_group, "What leads to what").set_value([LinkKind.PAYS_OFF]).run()

    events = [
        node["label"] for node in picture(window)["picture"]["nodes"] if node["shape"] == "box"
    ]
    assert events == ["The lamp room is locked", "+ The door stands open"]
    assert [edge["label"] for edge in links(window)] == ["pays off"]


def links(window: AppTest) -> list[dict[str, Any]]:
    return [edge for edge in picture(window)["picture"]["edges"] if "words" in edge]


def test_filter_that_leaves_nothing_says_so_and_offers_the_way_back(
    desk: Desk, told: Story
) -> None:
    window = turn(desk.window("graphs", told), GraphName.PLOT)
    window.main.slider[0].set_value(1).run()
    field(window.main.multiselect, "People").select("Tobin").run()
    field(window.main.button_group, "What leads to what").set_value([LinkKind.CAUSES]).run()

    assert "Nothing here matches your filter" in words(window)
    window.button(key="widen").click().run()
    assert len(links(window)) == 1


def test_what_is_found_is_looked_at_though_a_filter_and_the_span_would_hide_it(
    desk: Desk, library_path: Path, told: Story
) -> None:
    tell_on(library_path, told.id, chapters=20)
    window = desk.window("graphs", told)
    field(window.main.multiselect, "People").select("Tobin").run()

    field(window.main.text_input, "Search").set_value("strikes the reef").run()
    window.button(key="hit-wreck").click().run()

    expect_whole(window)
    assert picture(window)["selected"] == "wreck"
    assert "wreck" in {node["id"] for node in picture(window)["picture"]["nodes"]}
    assert texts_of(window.main.subheader)[0] == "A boat strikes the reef"
    assert len(headings(window)) == 6, "the span is as the writer set it"


def test_search_that_finds_nothing_says_so(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    field(window.main.text_input, "Search").set_value("no such thing").run()

    assert "Nothing found up to this chapter" in words(window)


def test_hostile_name_among_what_is_found_is_text(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    field(window.main.text_input, "Search").set_value("onerror").run()

    assert any(one.key == "hit-stranger" for one in window.button)
    expect_only_text(window, HOSTILE_NAME)


def test_strip_shows_where_in_a_longer_story_the_picture_is(
    desk: Desk, library_path: Path, told: Story
) -> None:
    tell_on(library_path, told.id, chapters=20)
    window = turn(desk.window("graphs", told), GraphName.TIMELINE)
    [strip] = [one for one in data_of(window) if "counts" in one]

    assert (strip["first"], strip["last"], strip["newest"]) == (18, 23, 23)
    assert strip["counts"][:4] == [3, 3, 3, 1]
    assert strip["words"]["chapters"].format(**strip) == "Chapters 18 to 23 of 23"


def test_two_chapters_side_by_side_and_what_differs_in_words(desk: Desk, told: Story) -> None:
    window = turn(desk.window("graphs", told), GraphName.COMPARE)

    expect_whole(window)
    left, right = pictures(window)
    assert left["group"] == right["group"]
    assert left["extent"] == right["extent"]
    places = [
        {node["id"]: (node["x"], node["y"]) for node in side["picture"]["nodes"]}
        for side in (left, right)
    ]
    assert places[0] == places[1], "the same layout on both sides"
    assert "From chapter 2 to chapter 3" in words(window)
    assert plain("removed: the service of Hale towards Mara") in words(window)
    ended = [edge for edge in left["picture"]["edges"] if edge["id"] == "service"]
    assert ended[0]["label"] == "− service 3"
    assert not [edge for edge in right["picture"]["edges"] if edge["id"] == "service"]


def test_any_two_chapters_can_be_compared_and_their_events(desk: Desk, told: Story) -> None:
    window = turn(desk.window("graphs", told), GraphName.COMPARE)
    window.main.slider[0].set_value(1).run()
    control(window, "Events").set_value(Drawn.PLOT).run()

    left, right = pictures(window)
    assert "From chapter 1 to chapter 3" in words(window)
    assert "wreck" not in {node["id"] for node in left["picture"]["nodes"]}
    [wreck] = [node for node in right["picture"]["nodes"] if node["id"] == "wreck"]
    assert wreck["group"] == "new-event"


def test_branches_can_be_compared(desk: Desk, told: Story) -> None:
    main = desk.branch(told)
    other = desk.workbench.branches.start(main, 3, "What *if*")
    snapshot = desk.workbench.prototype.snapshot(other.id)
    without = {id_: one for id_, one in snapshot.entities.items() if id_ != "sisters"}
    desk.workbench.story.edit(other.id, snapshot.model_copy(update={"entities": without}))
    window = turn(desk.window("graphs", told), GraphName.COMPARE)

    field(window.main.selectbox, "Right").select("What *if*").run()
    window.main.slider[0].set_value(3).run()

    expect_whole(window)
    assert f"From chapter 3 of “Main” to chapter 3 of “{plain('What *if*')}”" in words(window)
    assert plain("removed: the kinship of Mara towards Ida") in words(window)


def test_continuity_is_a_view_and_evidence_leads_to_the_picture(desk: Desk, told: Story) -> None:
    window = turn(desk.window("graphs", told), GraphName.CONTINUITY)

    expect_whole(window)
    assert "The story contradicts itself" in words(window)
    evidence = [one for one in window.main.button if str(one.key).startswith("finding-")]
    evidence[0].click().run()

    assert picture(window)["selected"]


def test_picture_can_be_saved_as_svg(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)

    assert "Save as SVG" in [one.label for one in window.main.download_button]


def test_browser_is_given_the_words_of_the_buttons(desk: Desk, told: Story) -> None:
    words = picture(desk.window("graphs", told))["words"]

    assert words == {
        "out": "Smaller",
        "in": "Larger",
        "fit": "Whole picture",
        "save": "Save as PNG",
    }
