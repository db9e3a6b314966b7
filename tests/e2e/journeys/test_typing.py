"""What is typed is kept, however the page is left."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tenacity import Retrying, stop_after_delay, wait_fixed

from store.models.base import new_id
from store.models.form import Form
from store.models.telling import WritingPlan
from tests.e2e.browsing import DESKTOP, expect_no_exception, visit, wait_until_drawn
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import main_branch
from tests.e2e.writer import library_of
from tests.fakes.full_disk import FullDisk
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.browser

TEXT = "The lamp went out at nine."
_SECONDS_TO_BE_SAVED = 30
_TAPS = 100


class Desk(NamedTuple):
    """An app with a story of three plotted chapters, each with a text."""

    app: RunningApp
    story: str

    def address(self, page: str) -> str:
        return f"{self.app.url}/{page}?story={self.story}"

    def versions(self) -> list[str]:
        """Return the texts of the first chapter, the newest first."""
        return self._column("SELECT text FROM drafts WHERE chapter = 1 ORDER BY version DESC")

    def notes(self) -> str:
        """Return the writer's notes on style."""
        return self._column("SELECT settings ->> 'style_notes' FROM stories")[0]

    def _column(self, query: str) -> list[str]:
        with closing(sqlite3.connect(self.app.library)) as library:
            return [value for (value,) in library.execute(query)]

    def expect_text(self, text: str) -> None:
        """Wait until the first chapter has this text."""
        for attempt in Retrying(
            stop=stop_after_delay(_SECONDS_TO_BE_SAVED), wait=wait_fixed(0.1), reraise=True
        ):
            with attempt:
                assert self.versions()[0] == text


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    running = RunningApp(tmp_path, is_preloaded=True)
    story = tell_into(running.library)
    with library_of(running) as store:
        branch = main_branch(store, story).id
        for chapter in (1, 2, 3):
            plan = WritingPlan(
                id=new_id(), branch=branch, chapter=chapter, attempt=1, form=Form.NOVEL
            )
            draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
            store.manuscript.update_draft_text(draft.id, TEXT)
            store.manuscript.finish_draft(draft.id)
    with running:
        yield Desk(running, story)


def page_of(window: Page) -> Locator:
    """Return the field for the text of the chapter that is open."""
    return window.locator('[class*="st-key-story-text"] textarea')


def at_first_chapter(window: Page, desk: Desk) -> Locator:
    visit(window, desk.address("write"))
    window.get_by_text("1. ", exact=False).first.click()
    wait_until_drawn(window)
    field = page_of(window)
    field.click()
    field.press("Control+End")
    return field


def test_pause_saves_and_the_cursor_stays(desk: Desk, page: Page) -> None:
    field = at_first_chapter(page, desk)

    field.press_sequentially(" It was ")
    desk.expect_text(f"{TEXT} It was ")
    # Typed while the page runs, and after it has run: nothing is drawn anew under the cursor.
    field.press_sequentially("dark ", delay=60)
    desk.expect_text(f"{TEXT} It was dark ")
    wait_until_drawn(page)
    page.keyboard.type("outside.")

    expect(field).to_be_focused()
    desk.expect_text(f"{TEXT} It was dark outside.")
    assert len(desk.versions()) == 2


@pytest.mark.parametrize("way", ["reload", "back"])
def test_page_is_left_without_leaving_the_field(desk: Desk, page: Page, way: str) -> None:
    visit(page, desk.address("history"))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Write").first.click()
    wait_until_drawn(page)
    page.get_by_text("1. ", exact=False).first.click()
    wait_until_drawn(page)
    field = page_of(page)
    field.click()
    field.press("Control+End")

    field.press_sequentially(" Nobody saw it.")
    page.reload() if way == "reload" else page.go_back()

    desk.expect_text(f"{TEXT} Nobody saw it.")


def test_words_typed_just_before_the_app_died_arrive_when_it_is_back(
    desk: Desk, page: Page
) -> None:
    """Streamlit locks the fields of a page without a connection: these words came just before."""
    field = at_first_chapter(page, desk)

    field.press_sequentially(" Nobody saw it.")
    desk.app.kill()
    page.wait_for_timeout(1_000)
    assert desk.versions()[0] == TEXT
    desk.app.start()

    desk.expect_text(f"{TEXT} Nobody saw it.")


@pytest.mark.skipif(sys.platform != "linux", reason="another process's limits can be set on Linux")
def test_words_typed_on_a_full_disk_stay_and_are_saved_once_there_is_room(
    desk: Desk, page: Page
) -> None:
    field = at_first_chapter(page, desk)
    disk = FullDisk(desk.app.process_id)
    disk.fill()

    field.press_sequentially(" Nobody saw it.")

    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    expect(field).to_have_value(f"{TEXT} Nobody saw it.")
    assert desk.versions()[0] == TEXT
    expect_no_exception(page)
    disk.free()
    desk.expect_text(f"{TEXT} Nobody saw it.")
    expect(page.get_by_text("Not saved yet.")).to_have_count(0)
    expect(field).to_have_value(f"{TEXT} Nobody saw it.")


def test_words_that_a_crash_left_unsaved_are_offered(desk: Desk, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": DESKTOP.width, "height": DESKTOP.height})
    first = context.new_page()
    field = at_first_chapter(first, desk)
    field.press_sequentially(" Nobody saw it.")
    desk.app.kill()
    first.wait_for_timeout(1_000)
    first.close()
    desk.app.start()
    assert desk.versions()[0] == TEXT

    second = context.new_page()
    at_first_chapter(second, desk)
    expect(second.get_by_text("and it was not saved")).to_be_visible()
    second.get_by_role("button", name="Put it back").click()

    desk.expect_text(f"{TEXT} Nobody saw it.")
    expect(second.get_by_role("button", name="Put it back")).to_have_count(0)
    context.close()


def test_a_hundred_quick_taps_lose_no_word_and_no_tap(desk: Desk, browser: Browser) -> None:
    """A tap on a link right after the last key, as on a touch screen: no time to leave the field."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    page = context.new_page()
    at_first_chapter(page, desk)
    text = TEXT
    page_of(page).blur()

    for tap in range(_TAPS // 2):
        field = page_of(page)
        field.tap()
        field.press("Control+End")
        page.keyboard.type(f" {tap}")
        text += f" {tap}"
        tap_on(page, "History")
        expect_no_exception(page)
        tap_on(page, "Write")
        expect(page_of(page)).to_have_value(text)
        # The second tap follows a choice among the fields of this page.
        page_of(page).tap()
        page.keyboard.press("Control+End")
        page.keyboard.type(".")
        text += "."
        tap_on(page, "Write")

    desk.expect_text(text)
    context.close()


def tap_on(page: Page, title: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name=title).first.tap()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()


def test_two_windows_on_one_chapter_are_offered_both_texts(
    desk: Desk, new_window: WindowOpener
) -> None:
    mine, theirs = new_window(DESKTOP), new_window(DESKTOP)
    field = at_first_chapter(mine, desk)
    at_first_chapter(theirs, desk).press_sequentially(" They saw it.")
    desk.expect_text(f"{TEXT} They saw it.")

    field.press_sequentially(" Nobody saw it.")

    expect(mine.get_by_text("changed in another window")).to_be_visible()
    expect(field).to_have_value(f"{TEXT} Nobody saw it.")
    assert desk.versions()[0] == f"{TEXT} They saw it."
    mine.get_by_role("button", name="Take the other").click()
    expect(page_of(mine)).to_have_value(f"{TEXT} They saw it.")
    assert desk.versions()[:2] == [f"{TEXT} They saw it.", f"{TEXT} Nobody saw it."]

    page_of(theirs).press_sequentially(" And it was so.")
    desk.expect_text(f"{TEXT} They saw it. And it was so.")
    page_of(mine).click()
    page_of(mine).press("Control+End")
    page_of(mine).press_sequentially(" Or not.")
    mine.get_by_role("button", name="Save mine").click()
    desk.expect_text(f"{TEXT} They saw it. Or not.")
    expect(mine.get_by_text("changed in another window")).to_have_count(0)
