"""The graphs in a browser: drawn, clicked, moved through time; a name never runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

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
from tests.e2e.pictures import cursor_over, drawn_picture, switch_to
from tests.e2e.running_app import RunningApp
from tests.pages.told_story import HOSTILE_NAME, begin_into, tell_into

pytestmark = pytest.mark.browser


class Library(NamedTuple):
    """A running app with two stories: one of three chapters, one that has only begun."""

    app: RunningApp
    told: str
    begun: str


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    app = RunningApp(tmp_path_factory.mktemp("graphs"))
    told, begun = tell_into(app.library), begin_into(app.library)
    with app:
        yield Library(app, told, begun)


def open_graphs(page: Page, library: Library, story: str) -> Locator:
    """Open the graphs of a story; return the picture once it is drawn."""
    visit(page, f"{library.app.url}/graphs?story={story}")
    return drawn_picture(page)


def choose(page: Page, name: str) -> None:
    """Choose by name, as one does who cannot click into a picture."""
    page.get_by_label("Look at").click()
    page.get_by_role("option", name=name, exact=True).click()
    wait_until_drawn(page)


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
    box = picture.bounding_box()
    assert box is not None
    # Two people face each other, as far from the middle as test_layout.py says; the picture is
    # fitted at 0.92 of its size, and a little above the middle.
    middle = {"x": box["width"] / 2, "y": box["height"] / 2 - 18}

    picture.click(position={"x": middle["x"] - 156, "y": middle["y"]})
    expect(page.get_by_role("heading", name="Mara")).to_be_visible()
    picture.click(position={"x": middle["x"] + 156, "y": middle["y"]})
    expect(page.get_by_role("heading", name="Hale")).to_be_visible()
    picture.click(position={"x": middle["x"], "y": middle["y"]})
    expect(page.get_by_role("heading", name="Mara → Hale: distrust")).to_be_visible()
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
    assert page.title() == "Graphs · Fabula"
    assert console_errors == []


def test_tooltip_shows_a_long_name_as_text(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)
    canvas = picture.locator("canvas")
    box = canvas.bounding_box()
    assert box is not None
    tooltip = page.locator(".vis-tooltip")

    # The stranger's place is up on the left; look for it as a person would, with the mouse.
    for x, y in product(range(60, int(box["width"]) // 2, 40), range(20, 160, 20)):
        page.mouse.move(box["x"] + x, box["y"] + y)
        if cursor_over(picture) == "pointer":
            break
    expect(tooltip).to_have_text(HOSTILE_NAME)

    assert page.locator("img[onerror]").count() == 0
    assert page.title() == "Graphs · Fabula"


def test_time_cursor_takes_the_picture_back(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)
    expect(picture).to_have_attribute("aria-label", "Role Graph: 5 people, 5 ties")

    page.get_by_role("slider").last.press("Home")

    expect(picture).to_have_attribute("aria-label", "Role Graph: 4 people, 5 ties")
    expect(page.get_by_text("As of the beginning").first).to_be_visible()


def test_view_stays_where_the_writer_put_it(library: Library, page: Page) -> None:
    picture = open_graphs(page, library, library.told)
    page.get_by_role("button", name="Larger").click()

    choose(page, "Ida")
    expect(page.get_by_role("heading", name="Ida")).to_be_visible()
    enlarged = pixels(picture)
    page.get_by_role("button", name="Whole picture").click()

    assert pixels(picture) != enlarged, "choosing had already put the whole picture back"


def pixels(picture: Locator) -> str:
    """Return what the canvas shows, once the browser has painted it."""
    drawn: str = picture.evaluate(
        """picture => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
            () => done(picture.querySelector('canvas').toDataURL()))))"""
    )
    return drawn


def test_story_is_kept_by_links_and_by_a_refresh(library: Library, page: Page) -> None:
    open_graphs(page, library, library.told)

    page.get_by_role("link", name="Export").click()
    expect(page.get_by_role("heading", name="Export", level=1)).to_be_visible()
    expect(page).to_have_url(f"{library.app.url}/export?story={library.told}")
    page.reload()
    wait_until_drawn(page)

    expect(page.get_by_role("link", name="The Lamp Room")).to_be_visible()
