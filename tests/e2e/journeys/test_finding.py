"""Looking for words: in the chapter that is open, and in the whole book."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import expect_no_exception
from tests.e2e.journeys.test_writing import Desk
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser

TEXT = "The lamp went out.\n\nA Lamp, two lamps, Straße İn lamp.\n\n灯灭了。灯。"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with RunningApp(tmp_path_factory.mktemp("finding"), is_preloaded=True) as running:
        yield running


@pytest.fixture
def desk(app: RunningApp, page: Page) -> Desk:
    desk = Desk(app, page)
    desk.paste(plain=TEXT)
    desk.expect_saved(TEXT)
    return desk


def bar(desk: Desk) -> Locator:
    return desk.page.locator(".prose-editor .find")


def marked(desk: Desk) -> list[str]:
    found: list[str] = desk.page.locator(".prose-editor .found").all_text_contents()
    return found


def test_what_is_found_is_marked_and_counted_and_the_text_stays(desk: Desk) -> None:
    keys = desk.page.keyboard
    keys.press("Control+f")
    expect(bar(desk)).to_be_visible()
    keys.type("lamp")

    expect(bar(desk).locator("output")).to_have_text("1 of 4")
    assert marked(desk) == ["lamp", "Lamp", "lamp", "lamp"]
    keys.press("Shift+Enter")
    expect(bar(desk).locator("output")).to_have_text("4 of 4")
    expect(desk.page.locator(".found.now")).to_have_count(1)
    bar(desk).get_by_label("Whole words").check()
    expect(bar(desk).locator("output")).to_have_text("3 of 3")
    bar(desk).get_by_label("Match case").check()
    expect(bar(desk).locator("output")).to_have_text("2 of 2")
    bar(desk).get_by_label("Find in this chapter").fill("灯")
    assert marked(desk) == ["灯", "灯"]
    bar(desk).get_by_label("Find in this chapter").fill("nothing of it")
    expect(bar(desk).locator("output")).to_have_text("Not found")

    keys.press("Escape")
    expect(bar(desk)).to_be_hidden()
    assert marked(desk) == []
    assert desk.text == TEXT
    expect(desk.field).to_be_focused()
    expect_no_exception(desk.page)


def test_all_are_replaced_at_once_and_taken_back_in_one_step(desk: Desk) -> None:
    keys = desk.page.keyboard
    desk.page.locator(".prose-editor .foot").get_by_role("button", name="Find").click()
    expect(bar(desk).get_by_label("Find in this chapter")).to_be_focused()
    keys.type("LAMP")
    expect(bar(desk).locator("output")).to_have_text("1 of 4")
    bar(desk).get_by_label("Replace with").fill("light $& \\1")
    bar(desk).get_by_role("button", name="Replace", exact=True).click()
    expect(bar(desk).locator("output")).to_have_text("1 of 3")
    one = TEXT.replace("lamp", "light $& \\1", 1)
    desk.expect_saved(one)

    bar(desk).get_by_role("button", name="Replace all").click()

    expect(bar(desk).locator("output")).to_have_text("3 replaced")
    every = one.replace("Lamp", "lamp").replace("lamp", "light $& \\1")
    desk.expect_saved(every)
    keys.press("Escape")
    desk.field.focus()
    keys.press("Control+z")
    desk.expect_saved(one)
    keys.press("Control+z")
    desk.expect_saved(TEXT)


def test_letters_that_grow_when_they_are_folded_shift_no_place(desk: Desk) -> None:
    desk.page.keyboard.press("Control+f")
    bar(desk).get_by_label("Find in this chapter").fill("in LAMP")
    assert marked(desk) == ["İn lamp"]
    bar(desk).get_by_label("Find in this chapter").fill("straße i")
    assert marked(desk) == ["Straße İ"]
