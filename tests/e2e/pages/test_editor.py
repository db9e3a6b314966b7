"""The editor beside a picture, with the mouse, at a desk and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    Size,
    expect_no_exception,
    expect_no_sideways_scroll,
    visit,
    wait_until_drawn,
    wait_until_idle,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.pictures import drawn_picture
from tests.e2e.running_app import RunningApp
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.browser


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningApp, str]]:
    """A running app with a story of three chapters."""
    running = RunningApp(tmp_path_factory.mktemp("editor"), is_preloaded=True)
    story = tell_into(running.library)
    with running:
        yield running, story


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def write(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.blur()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_person_is_edited_and_undone_in_the_panel(
    app: tuple[RunningApp, str], new_window: WindowOpener, console_errors: list[str], size: Size
) -> None:
    running, story = app
    page = new_window(size)
    visit(page, f"{running.url}/graphs?story={story}")
    drawn_picture(page)
    page.get_by_label("Look at").click()
    page.get_by_label("Look at").fill("Mara")
    page.get_by_role("option", name="Mara", exact=True).click()
    wait_until_drawn(page)

    press(page, "Edit")
    write(page, "Age", "41")
    press(page, "Add a line")
    write(page, "Trait", "rank")
    write(page, "Value", "captain")
    # In sight without scrolling down, however long the form is.
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport()
    press(page, "Save")

    expect(page.get_by_text("Saved in chapter 3")).to_be_visible()
    expect(page.get_by_text("Mara’s age: 41").first).to_be_visible()
    expect_no_sideways_scroll(page)
    press(page, "Undo")
    expect(page.get_by_text("Mara’s age: 41")).to_have_count(0)
    expect_no_exception(page)
    assert console_errors == []


def test_tie_is_added_at_an_earlier_chapter(app: tuple[RunningApp, str], page: Page) -> None:
    running, story = app
    visit(page, f"{running.url}/graphs?story={story}")
    page.get_by_test_id("stSidebar").get_by_role("slider").press("ArrowLeft")
    expect(page.get_by_text("What chapter 2 changed")).to_be_visible()

    press(page, "Add")
    press(page, "A relationship")
    expect(page.get_by_text("forward to chapter 3")).to_be_visible()
    press(page, "Swap the two")
    press(page, "Save")

    expect(page.get_by_text("Saved in chapter 2")).to_be_visible()
    expect(page.get_by_role("heading", name="Hale towards Mara: friendship")).to_be_visible()
    expect_no_exception(page)


def test_what_was_typed_is_kept_when_another_page_is_looked_at(
    app: tuple[RunningApp, str], page: Page
) -> None:
    running, story = app
    visit(page, f"{running.url}/graphs?story={story}")
    press(page, "Add")
    press(page, "A person")
    write(page, "Occupation", "mends nets")
    wait_until_idle(page)

    page.get_by_role("link", name="Export").click()
    expect(page.get_by_role("heading", name="The story as data")).to_be_visible()
    page.get_by_role("link", name="Graphs").click()

    expect(page.get_by_label("Occupation", exact=True)).to_have_value("mends nets")
    expect_no_exception(page)
