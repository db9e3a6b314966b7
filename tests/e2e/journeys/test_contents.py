"""Chapters are split where the cursor stands, moved, merged and taken apart, and stay so after a reload."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import (
    PHONE,
    expect_in_editor,
    expect_no_exception,
    expect_no_sideways_scroll,
    wait_until_drawn,
)
from tests.e2e.journeys.test_writing import Desk
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser

FIRST, REST = "The lamp went out.", "Nobody saw it.\n\nThe door was open."
TEXT = f"{FIRST}\n\n{REST}"
AT_REST = 600
"""Milliseconds after which the page has heard where the cursor stands."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with RunningApp(tmp_path_factory.mktemp("contents"), is_preloaded=True) as running:
        yield running


@pytest.fixture
def desk(app: RunningApp, page: Page) -> Desk:
    desk = Desk(app, page)
    desk.paste(plain=TEXT)
    desk.expect_saved(TEXT)
    return desk


def menu(page: Page) -> Locator:
    """Open what can be done with the chapters, unless it is open; return what it offers."""
    offered = page.get_by_test_id("stPopoverBody")
    if not offered.is_visible():
        page.locator("[class*=st-key-arrange-]").get_by_role("button").first.click()
    expect(offered).to_be_visible()
    return offered


def do(page: Page, label: str) -> None:
    """Press a button of the menu, which closes then."""
    menu(page).get_by_role("button", name=label).click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()
    wait_until_drawn(page)


def expect_chapter(page: Page, place: int, text: str) -> None:
    """Wait until a chapter at a place in the book is shown, with its text."""
    expect(page.get_by_role("heading", name=f"{place}. ", level=2)).to_be_visible()
    expect_in_editor(page, text)


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page if a folder is named for them."""
    folder = os.environ.get("TELLWRIGHT_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"contents-{name}.png")


def test_a_chapter_is_split_moved_merged_and_taken_apart(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    desk.field.get_by_text("Nobody saw it.").click()
    page.wait_for_timeout(AT_REST)
    picture(page, "before")
    expect(menu(page)).to_contain_text("From “Nobody saw it.” on, the text becomes a chapter")
    picture(page, "menu")
    do(page, "Split here")
    expect_chapter(page, 2, REST)
    title = menu(page).get_by_label("Title of this chapter")
    title.fill("The door")
    title.press("Enter")
    expect(page.get_by_role("heading", name="2. The door", level=2)).to_be_visible()

    do(page, "Move up")
    expect_chapter(page, 1, REST)
    page.reload()
    expect_chapter(page, 1, REST)
    wait_until_drawn(page)
    expect(page.get_by_role("heading", name="1. The door", level=2)).to_be_visible()

    do(page, "Merge with the next")
    merged = f"{REST}\n\n* * *\n\n{FIRST}"
    expect_chapter(page, 1, merged)
    desk.expect_saved(merged)
    desk.field.click()
    keys.press("Control+End")
    keys.type(" Again.")
    desk.expect_saved(f"{merged} Again.")
    page.reload()
    expect_chapter(page, 1, f"{merged} Again.")
    wait_until_drawn(page)

    do(page, "Take apart")
    expect_chapter(page, 1, REST)
    page.get_by_role("button", name="chevron_right icon").click()
    expect_chapter(page, 2, f"{FIRST} Again.")
    page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    wait_until_drawn(page)
    menu(page)
    expect_no_sideways_scroll(page)
    picture(page, "phone")
    expect_no_exception(page)


def test_a_chapter_is_added_between_two_and_removed_while_it_is_empty(desk: Desk) -> None:
    page = desk.page
    do(page, "Add a chapter after this")
    expect_chapter(page, 2, "")
    do(page, "Move up")
    expect_chapter(page, 1, "")
    do(page, "Remove this empty chapter")
    expect_chapter(page, 1, TEXT)
    expect_no_exception(page)
