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
from store.models.manuscript import WritingPlan
from tests.e2e.browsing import (
    DESKTOP,
    TABLET,
    choose_chapter,
    expect_in_editor,
    expect_no_exception,
    run_of_page,
    visit,
    wait_until_drawn,
    wait_until_idle,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import main_branch
from tests.e2e.writer import library_of
from tests.fakes.full_disk import FullDisk
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.browser

TEXT = "The lamp went out at nine."
_SECONDS_TO_BE_SAVED = 90
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

    def rewrite(self, text: str) -> None:
        """Give the first chapter another text, as another window would."""
        with library_of(self.app) as store:
            store.manuscript.save_text(main_branch(store, self.story).id, 1, text)

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
    return window.locator(".prose-editor .paper")


def at_first_chapter(window: Page, desk: Desk) -> Locator:
    visit(window, desk.address("write"))
    return choose_first_chapter(window)


def choose_first_chapter(window: Page) -> Locator:
    """Choose the first chapter; return the field for its text, with the cursor at its end."""
    choose_chapter(window, 1)
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
    field = choose_first_chapter(page)

    field.press_sequentially(" Nobody saw it.")
    page.reload() if way == "reload" else page.go_back()

    desk.expect_text(f"{TEXT} Nobody saw it.")


def test_words_typed_just_before_the_app_died_arrive_when_it_is_back(
    desk: Desk, page: Page
) -> None:
    """Streamlit locks the fields of a page without a connection: these words came just before."""
    field = at_first_chapter(page, desk)

    with desk.app.standing_still():
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
    expect_in_editor(page, f"{TEXT} Nobody saw it.")
    assert desk.versions()[0] == TEXT
    expect_no_exception(page)
    disk.free()
    desk.expect_text(f"{TEXT} Nobody saw it.")
    expect(page.get_by_text("Not saved yet.")).to_have_count(0)
    expect_in_editor(page, f"{TEXT} Nobody saw it.")


def test_words_that_a_crash_left_unsaved_are_offered(desk: Desk, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": DESKTOP.width, "height": DESKTOP.height})
    first = context.new_page()
    field = at_first_chapter(first, desk)
    with desk.app.standing_still():
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


def test_words_are_put_back_as_soon_as_the_field_is_as_it_was(desk: Desk, page: Page) -> None:
    """When it is shown first, it may be empty still, or hold what another window made of it."""
    field = at_first_chapter(page, desk)
    with desk.app.standing_still():
        field.press_sequentially(" Nobody saw it.")
        desk.app.kill()
    page.wait_for_timeout(1_000)
    desk.rewrite("They saw it.")
    desk.app.start()
    at_first_chapter(page, desk)
    expect(page.get_by_text("and it was not saved")).to_be_visible()

    desk.rewrite(TEXT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Write").first.click()

    desk.expect_text(f"{TEXT} Nobody saw it.")
    expect(page.get_by_role("button", name="Put it back")).to_have_count(0)


def test_older_text_that_arrives_late_does_not_replace_a_newer_one(desk: Desk, page: Page) -> None:
    """A text that had no answer was sent once more, and the writer typed on."""
    said: list[str | bytes] = []
    page.on("websocket", lambda line: line.on("framesent", lambda words: said.append(words)))
    field = at_first_chapter(page, desk)
    said.clear()

    with run_of_page(page), desk.app.standing_still():
        field.press_sequentially(" It was dark")
        wait_until_it_has(page, said, 1)
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
        wait_until_it_has(page, said, 2)
        field.press_sequentially(" outside.")
        wait_until_it_has(page, said, 3)

    desk.expect_text(f"{TEXT} It was dark outside.")
    wait_until_idle(page)
    expect_in_editor(page, f"{TEXT} It was dark outside.")
    assert desk.versions()[0] == f"{TEXT} It was dark outside."


def wait_until_it_has(page: Page, said: list[str | bytes], count: int) -> None:
    """Wait until the window has said so much, and all that it says at once."""
    while len(said) < count:
        page.wait_for_timeout(50)
    page.wait_for_timeout(100)


def test_a_hundred_quick_taps_lose_no_word_and_no_tap(desk: Desk, new_window: WindowOpener) -> None:
    """A tap on a link right after the last key, as on a touch screen: no time to leave the field."""
    page = new_window(TABLET, has_touch=True)
    at_first_chapter(page, desk)
    finger = Finger(page)
    text = TEXT
    page_of(page).blur()

    while finger.taps < _TAPS:
        text += type_at_end(page, f" {finger.taps}")
        finger.tap_on("Cost")
        finger.tap_on("Write")
        expect_in_editor(page, text)
        # These lead to where the writer is.
        for word in (",", "."):
            text += type_at_end(page, word)
            finger.tap_on("Write")

    desk.expect_text(text)
    assert text.split()[-1] == f"{_TAPS - 4},."


def type_at_end(page: Page, words: str) -> str:
    page_of(page).tap()
    page.keyboard.press("Control+End")
    page.keyboard.type(words)
    return words


class Finger:
    """A finger on a page of the app; it presses for 0 to 5 ms."""

    def __init__(self, page: Page) -> None:
        self.taps = 0
        self._page = page
        self._touch = page.context.new_cdp_session(page)

    def tap_on(self, title: str) -> None:
        """Tap on the link to a page, and wait for its title."""
        link = self._page.get_by_test_id("stSidebar").get_by_role("link", name=title).first
        place = link.bounding_box()
        assert place is not None
        middle = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
        self._send("touchStart", [middle])
        self._page.wait_for_timeout(self.taps % 6)
        self._send("touchEnd", [])
        self.taps += 1
        expect(self._page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect_no_exception(self._page)

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_windows_on_one_chapter_are_offered_both_texts(
    desk: Desk, new_window: WindowOpener
) -> None:
    mine, theirs = new_window(DESKTOP), new_window(DESKTOP)
    field = at_first_chapter(mine, desk)
    at_first_chapter(theirs, desk).press_sequentially(" They saw it.")
    desk.expect_text(f"{TEXT} They saw it.")

    field.press_sequentially(" Nobody saw it.")

    expect(mine.get_by_text("changed in another window")).to_be_visible()
    expect_in_editor(mine, f"{TEXT} Nobody saw it.")
    assert desk.versions()[0] == f"{TEXT} They saw it."
    with run_of_page(mine):
        mine.get_by_role("button", name="Take the other").click()
    expect_in_editor(mine, f"{TEXT} They saw it.")
    assert desk.versions()[:2] == [f"{TEXT} They saw it.", f"{TEXT} Nobody saw it."]

    page_of(theirs).press_sequentially(" And it was so.")
    desk.expect_text(f"{TEXT} They saw it. And it was so.")
    page_of(mine).click()
    page_of(mine).press("Control+End")
    page_of(mine).press_sequentially(" Or not.")
    mine.get_by_role("button", name="Save mine").click()
    desk.expect_text(f"{TEXT} They saw it. Or not.")
    expect(mine.get_by_text("changed in another window")).to_have_count(0)


def test_text_that_was_only_read_gives_way_to_another_window_s(desk: Desk, page: Page) -> None:
    """Nothing was typed, so there is nothing to choose from; not even when the field is left."""
    at_first_chapter(page, desk)
    desk.rewrite("They saw it.")
    page.get_by_role("heading", name="Write", level=1).click()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Write").first.click()

    expect_in_editor(page, "They saw it.")
    expect(page.get_by_role("button", name="Save mine")).to_have_count(0)


def test_other_text_that_arrives_while_one_types_does_not_swallow_the_words(
    desk: Desk, page: Page
) -> None:
    """The page learns of it when the cursor moves to another paragraph: the words are not saved yet."""
    desk.rewrite(f"{TEXT}\n\nNobody saw it.")
    field = at_first_chapter(page, desk)
    desk.rewrite("They saw it.\n\nThey did.")

    with desk.app.standing_still():
        field.press("Control+Home")
        field.press_sequentially("First ")

    expect(
        page.get_by_text("changed in another window").or_(page.get_by_text("was not saved")).first
    ).to_be_visible()
    assert desk.versions()[0] == "They saw it.\n\nThey did."
    expect(page.get_by_text(f"First {TEXT}").first).to_be_visible()


def test_cursor_stays_among_its_words_when_another_text_arrives(desk: Desk, page: Page) -> None:
    """The page learns of it when the cursor moves to another paragraph."""
    desk.rewrite(f"{TEXT}\n\nNobody saw it.")
    field = at_first_chapter(page, desk)
    with run_of_page(page):
        field.press("Control+Home")
    desk.rewrite(f"It was late. {TEXT}\n\nNobody saw it.")

    with run_of_page(page):
        field.press("Control+End")
    expect_in_editor(page, f"It was late. {TEXT}\n\nNobody saw it.")
    field.press_sequentially(" Or not.")

    desk.expect_text(f"It was late. {TEXT}\n\nNobody saw it. Or not.")


def test_notes_on_style_are_typed_on_after_a_pause(desk: Desk, page: Page) -> None:
    at_first_chapter(page, desk)
    page.get_by_role("tab", name="Style").click()
    notes = page.get_by_label("How it should sound")
    notes.click()

    for words in ("Short ", "sentences, ", "no adverbs."):
        notes.press_sequentially(words)
        page.wait_for_timeout(1_500)

    for attempt in Retrying(
        stop=stop_after_delay(_SECONDS_TO_BE_SAVED), wait=wait_fixed(0.1), reraise=True
    ):
        with attempt:
            assert desk.notes() == "Short sentences, no adverbs."
    expect(page.get_by_text("changed in another window")).to_have_count(0)


def test_words_typed_after_a_click_on_a_link_arrive_and_the_next_page_is_there(
    desk: Desk, page: Page
) -> None:
    """Until the next page is there, each key is typed into a page that is already being left."""
    at_first_chapter(page, desk)

    typed: str = page.evaluate(
        """async () => {
            const [{ view }] = window.tellwrightEditors.values();
            document.querySelector('[data-testid="stSidebar"] a[href*="cost"]').click();
            for (let at = 0; at < 100 && !view.isDestroyed; at += 1) {
                view.dispatch(view.state.tr.insertText("x", view.state.doc.content.size - 1));
                view.dom.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
                await new Promise((resolve) => setTimeout(resolve, 10));
            }
            return view.state.doc.textContent;
        }"""
    )

    expect(page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    desk.expect_text(typed)
    expect(page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    expect_no_exception(page)


def test_editor_of_a_page_that_is_left_says_nothing_however_slow_the_app_is(
    desk: Desk, page: Page
) -> None:
    """A text that was saved late is shown once more, while the next page has not even begun."""
    said: list[str | bytes] = []
    page.on("websocket", lambda line: line.on("framesent", lambda words: said.append(words)))
    desk.rewrite(f"{TEXT}\n\nNobody saw it.")
    at_first_chapter(page, desk)
    page.wait_for_timeout(1_000)  # the page hears where the cursor stands
    said.clear()

    with desk.app.standing_still():
        page.evaluate(
            """async () => {
                const [editor] = window.tellwrightEditors.values();
                document.querySelector('[data-testid="stSidebar"] a[href*="cost"]').click();
                await editor.show(editor.data);
                const start = editor.pm.state.Selection.atStart(editor.view.state.doc);
                editor.view.dispatch(editor.view.state.tr.setSelection(start));
                await new Promise((resolve) => setTimeout(resolve, 1500));
            }"""
        )
        assert len(said) == 1, "more than that the writer wants another page"

    expect(page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    expect_no_exception(page)
