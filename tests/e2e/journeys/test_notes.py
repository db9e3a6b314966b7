"""Notes in the margin: written in the editor, shown at their paragraph, and never in the text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import expect_no_exception, wait_until_drawn
from tests.e2e.journeys.test_writing import Desk
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser

TEXT = "The lamp went out.\n\nNobody saw it.\n\nThe door was open."


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with RunningApp(tmp_path_factory.mktemp("notes"), is_preloaded=True) as running:
        yield running


@pytest.fixture
def desk(app: RunningApp, page: Page) -> Desk:
    desk = Desk(app, page)
    desk.paste(plain=TEXT)
    desk.expect_saved(TEXT)
    return desk


def test_a_note_is_written_beside_a_paragraph_and_moves_with_it(desk: Desk) -> None:
    keys, page = desk.page.keyboard, desk.page
    keys.press("Control+Home")
    keys.press("ArrowDown")
    keys.press("Home")
    keys.press("Control+Shift+ArrowRight")  # the first word of the second paragraph
    keys.press("Control+Alt+m")
    expect(page.locator(".note-form textarea")).to_be_focused()
    keys.type("Who would have?")
    keys.press("Control+Enter")

    expect(page.locator(".paper p.noted")).to_have_text("Nobody saw it.")
    expect(page.locator(".paper .noted-words")).to_have_text("Nobody")
    beside = page.locator(".st-key-beside")
    expect(beside.get_by_role("textbox", name="Note")).to_have_value("Who would have?")
    assert desk.text == TEXT

    desk.field.click()
    keys.press("Control+Home")
    keys.type("New.")
    keys.press("Enter")
    moved = f"New.\n\n{TEXT}"
    desk.expect_saved(moved)
    expect(page.locator(".paper p.noted")).to_have_text("Nobody saw it.")
    page.reload()
    expect(desk.field).to_be_visible()
    wait_until_drawn(page)
    expect(page.locator(".paper p.noted")).to_have_text("Nobody saw it.")
    assert desk.text == moved

    page.locator(".paper p.noted").click()
    beside.get_by_role("button", name="Done").first.click()
    expect(page.locator(".paper p.noted")).to_have_count(0)
    expect_no_exception(page)


_CHOOSE_AND_NOTE = """(field) => {
    document.getSelection().modify("extend", "forward", "word");
    const key = { key: "m", code: "KeyM", keyCode: 77, ctrlKey: true, altKey: true };
    field.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true }));
}"""
"""Chooses a word and presses the shortcut before the browser can tell that something was chosen."""


def test_a_note_is_about_words_that_were_chosen_just_before(desk: Desk) -> None:
    keys, page = desk.page.keyboard, desk.page
    keys.press("Control+Home")
    expect(desk.field).to_be_focused()
    desk.field.evaluate(_CHOOSE_AND_NOTE)

    expect(page.locator(".note-form .about")).to_have_text("The")
