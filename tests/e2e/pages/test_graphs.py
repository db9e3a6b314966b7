"""The graphs in a browser: drawn, clicked, moved through time; a name never runs."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from pages.components.pictures.layout import Point, role_positions
from store.prototype.arrivals import read_arrivals
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    Size,
    expect_no_exception,
    expect_no_sideways_scroll,
    visit,
    wait_until_drawn,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.pictures import (
    SIDE_BY_SIDE,
    drawn_picture,
    pictures_side_by_side,
    pixels,
    place_in,
    switch_to,
    turn_to,
)
from tests.e2e.running_app import RunningApp
from tests.e2e.writer import library_of
from tests.pages.told_story import HOSTILE_NAME, begin_into, tell_into, tell_on

pytestmark = pytest.mark.browser


class Library(NamedTuple):
    """A running app with three stories: of three chapters, of many, and one that has only begun."""

    app: RunningApp
    told: str
    long: str
    begun: str


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    app = RunningApp(tmp_path_factory.mktemp("graphs"), is_preloaded=True)
    told, long, begun = (tell(app.library) for tell in (tell_into, tell_into, begin_into))
    tell_on(app.library, long, chapters=30)
    with app:
        yield Library(app, told, long, begun)


def open_graphs(page: Page, library: Library, story: str) -> Locator:
    """Open the graphs of a story; return the picture once it is drawn."""
    visit(page, f"{library.app.url}/graphs?story={story}")
    return drawn_picture(page)


def seats_of(library: Library, story: str) -> Mapping[str, Point]:
    """Return where everybody of a story stands in its Role Graph."""
    with library_of(library.app) as store:
        branch = store.library.main_branch(story).id
        return role_positions(read_arrivals(store.database, branch))


def choose(page: Page, name: str) -> None:
    """Choose by name, as one does who cannot click into a picture."""
    page.get_by_label("Look at").click()
    page.get_by_role("option", name=name, exact=True).click()
    wait_until_drawn(page)


_TRIES = 15


def choose_while_it_plays(page: Page, name: str) -> None:
    """Choose by name from a list that closes when the next chapter comes; then it is opened again."""
    for _ in range(_TRIES):
        # The field of another chapter is another field, and the former one is there for a moment.
        page.get_by_label("Look at").last.click()
        try:
            page.get_by_role("option", name=name, exact=True).click(timeout=2_000)
        except TimeoutError:
            continue
        return
    pytest.fail(f"{name} cannot be chosen while it plays")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_both_graphs_are_drawn(
    library: Library, new_window: WindowOpener, console_errors: list[str], size: Size
) -> None:
    page = new_window(size)

    open_graphs(page, library, library.told)
    expect_no_sideways_scroll(page)
    switch_to(page, "Plot Graph")

    expect_no_exception(page)
    expect_no_sideways_scroll(page)
    assert console_errors == []


def test_click_on_a_person_tells_of_them_and_on_the_paper_of_the_chapter(
    library: Library, page: Page
) -> None:
    picture = open_graphs(page, library, library.begun)
    seats = seats_of(library, library.begun)
    mara, hale = (place_in(picture, seats, person) for person in ("mara", "hale"))
    middle = {"x": (mara["x"] + hale["x"]) / 2, "y": (mara["y"] + hale["y"]) / 2}

    picture.click(position=mara)
    expect(page.get_by_role("heading", name="Mara")).to_be_visible()
    picture.click(position=hale)
    expect(page.get_by_role("heading", name="Hale")).to_be_visible()
    picture.click(position={"x": middle["x"], "y": middle["y"]})
    expect(page.get_by_role("heading", name="Mara towards Hale: distrust")).to_be_visible()
    picture.click(position={"x": 20, "y": 20})

    expect(page.get_by_role("heading", name="The beginning")).to_be_visible()


def test_hostile_name_is_shown_and_never_run(
    library: Library, page: Page, console_errors: list[str]
) -> None:
    open_graphs(page, library, library.told)

    choose(page, HOSTILE_NAME)
    expect(page.get_by_role("heading", name=HOSTILE_NAME)).to_be_visible()
    switch_to(page, "Plot Graph")
    choose(page, HOSTILE_NAME)
    expect(page.get_by_role("heading", name=HOSTILE_NAME)).to_be_visible()

    assert page.locator("img[onerror]").count() == 0
    assert page.title() == "Graphs · Tellwright"
    assert console_errors == []


def test_tooltip_shows_a_long_name_as_text(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)

    place = place_in(picture, seats_of(library, library.told), "stranger")
    picture.hover(position=place)
    expect(page.locator(".vis-tooltip")).to_have_text(HOSTILE_NAME)

    assert page.locator("img[onerror]").count() == 0
    assert page.title() == "Graphs · Tellwright"


def test_time_cursor_takes_the_picture_back(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)
    expect(picture).to_have_attribute("aria-label", "Role Graph: 5 people, 5 relationships")

    page.get_by_role("slider").last.press("Home")

    expect(picture).to_have_attribute("aria-label", "Role Graph: 4 people, 5 relationships")
    expect(page.get_by_text("As of the beginning").first).to_be_visible()


def test_view_stays_where_the_writer_put_it(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)
    page.get_by_role("button", name="Larger").click()

    choose(page, "Ida")
    expect(page.get_by_role("heading", name="Ida")).to_be_visible()
    enlarged = pixels(picture)
    page.get_by_role("button", name="Whole picture").click()

    assert pixels(picture) != enlarged, "choosing had already put the whole picture back"


def test_story_is_kept_by_links_and_by_a_refresh(library: Library, page: Page) -> None:
    open_graphs(page, library, library.told)

    page.get_by_role("link", name="Export").click()
    expect(page.get_by_role("heading", name="Export", level=1)).to_be_visible()
    expect(page).to_have_url(f"{library.app.url}/export?story={library.told}")
    page.reload()
    wait_until_drawn(page)

    expect(page.locator(".st-key-open-story").get_by_text("The Lamp Room")).to_be_visible()


def test_play_shows_one_chapter_after_another_up_to_the_newest(
    library: Library, page: Page
) -> None:
    picture = open_graphs(page, library, library.told)

    page.get_by_role("button", name="Play").click()
    expect(picture).to_have_attribute("aria-label", "Role Graph: 4 people, 5 relationships")
    expect(picture).to_have_attribute("aria-label", "Role Graph: 5 people, 6 relationships")

    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_text("As of chapter 3 of 3").first).to_be_visible()


def test_pause_stays_at_the_chapter_and_a_choice_made_while_playing_counts(
    library: Library, page: Page
) -> None:
    open_graphs(page, library, library.long)  # It plays for longer than all this takes.

    page.get_by_role("button", name="Play").click()
    choose_while_it_plays(page, "Ida")
    expect(page.get_by_role("heading", name="Ida")).to_be_visible()
    page.get_by_role("button", name="Pause").click()

    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_role("heading", name="Ida")).to_be_visible()


def test_two_fast_steps_are_two_chapters(library: Library, page: Page) -> None:
    open_graphs(page, library, library.told)

    page.get_by_role("button", name="Earlier").dblclick()

    expect(page.get_by_text("As of chapter 1 of 3").first).to_be_visible()


def test_what_is_found_is_shown_in_the_picture(library: Library, page: Page) -> None:
    open_graphs(page, library, library.told)
    field = page.get_by_label("Search")

    field.fill("strikes the reef")
    field.press("Enter")
    page.get_by_role("button", name="A boat strikes the reef").click()

    expect(page.get_by_role("img", name="Plot Graph: ")).to_be_visible()
    expect(page.get_by_role("heading", name="A boat strikes the reef")).to_be_visible()


def test_picture_is_saved_as_png_with_all_that_is_in_it(
    library: Library, page: Page, tmp_path: Path
) -> None:
    open_graphs(page, library, library.told)

    with page.expect_download() as under_way:
        page.get_by_role("button", name="Save as PNG").click()
    under_way.value.save_as(tmp_path / "picture.png")
    content = (tmp_path / "picture.png").read_bytes()

    assert under_way.value.suggested_filename == "role-graph.png"
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    assert width >= 1600
    assert height >= 600
    assert len(content) > 20_000, "the paper is empty"


def test_picture_is_saved_as_svg_in_which_a_name_is_text(
    library: Library, page: Page, tmp_path: Path
) -> None:
    open_graphs(page, library, library.told)

    with page.expect_download() as under_way:
        page.get_by_role("button", name="Save as SVG").click()
    under_way.value.save_as(tmp_path / "picture.svg")
    page.goto(f"file://{tmp_path / 'picture.svg'}")

    expect(page.locator("text").filter(has_text="Tobin")).to_be_visible()
    assert page.locator("img").count() == 0
    assert page.locator("ellipse").count() >= 5


def test_timeline_has_a_lane_for_each_and_a_click_on_its_name_tells_of_them(
    library: Library, page: Page
) -> None:
    open_graphs(page, library, library.told)
    picture = switch_to(page, "Timeline")
    expect(picture).to_have_attribute("aria-label", "Timeline: 9 events of 5 people, as told")
    box = picture.bounding_box()
    assert box is not None

    # Of the five lanes Ida's is the third; chapters have room above, buttons beneath.
    picture.click(position={"x": 20, "y": (box["height"] + 24 - 52) / 2})

    expect(page.get_by_role("heading", name="Ida")).to_be_visible()


def test_strip_leads_along_a_long_story_and_two_fast_clicks_are_two_steps(
    library: Library, page: Page
) -> None:
    open_graphs(page, library, library.long)
    picture = switch_to(page, "Timeline")
    expect(page.get_by_text("Chapters 28 to 33 of 33")).to_be_visible()

    page.get_by_role("button", name="Earlier chapters").dblclick()
    expect(page.get_by_text("Chapters 16 to 21 of 33")).to_be_visible()
    expect(picture).to_have_attribute("aria-label", "Timeline: 6 events of 1 person, as told")
    page.locator(".overview svg").click(position={"x": 4, "y": 10})

    expect(page.get_by_text("Chapters 1 to 6 of 33")).to_be_visible()
    expect(picture).to_have_attribute("aria-label", "Timeline: 12 events of 5 people, as told")
    expect(page.get_by_text("As of chapter 33 of 33").first).to_be_visible()


def test_pictures_side_by_side_move_together(library: Library, page: Page) -> None:
    open_graphs(page, library, library.told)
    turn_to(page, "Compare")
    left, right = pictures_side_by_side(page)
    expect(left).to_have_attribute("aria-label", "Role Graph: 5 people, 6 relationships")
    expect(right).to_have_attribute("aria-label", "Role Graph: 5 people, 5 relationships")
    before = pixels(right)

    page.locator(SIDE_BY_SIDE).first.get_by_role("button", name="Larger").click()

    assert pixels(right) != before
    expect(page.get_by_text("removed: the service of Hale towards Mara")).to_be_visible()


@pytest.mark.parametrize("view", ["Timeline", "Compare", "Continuity"])
def test_other_views_fit_a_phone(
    library: Library, new_window: WindowOpener, console_errors: list[str], view: str
) -> None:
    page = new_window(PHONE)
    open_graphs(page, library, library.told)

    turn_to(page, view)

    expect_no_exception(page)
    expect_no_sideways_scroll(page)
    assert console_errors == []
