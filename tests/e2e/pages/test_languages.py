"""The pages in the browser's language at the first visit, and in the one that is chosen from then on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.browsing import expect_no_exception, open_window, visit, wait_until_drawn
from tests.e2e.running_app import RunningApp
from tests.e2e.writer import library_of

pytestmark = pytest.mark.browser

TYPED = "The lamp went out."


@pytest.fixture
def chinese(browser: Browser) -> Iterator[Page]:
    """A window of somebody whose browser speaks Chinese."""
    window = open_window(browser, locale="zh-CN")
    yield window
    window.context.close()


def choose(page: Page, language: str) -> None:
    page.locator(".st-key-language").get_by_role("button").first.click()
    page.get_by_role("button", name=language).last.click()


def field(page: Page) -> Locator:
    return page.locator(".prose-editor .paper")


def test_pages_and_their_parts_have_the_language_of_the_window(
    chinese: Page, scripted_app: RunningApp
) -> None:
    with library_of(scripted_app) as store:
        story = store.library.create_story(title="The Lamp Room").id
    visit(chinese, f"{scripted_app.url}/write?story={story}")
    expect(chinese.locator("html")).to_have_attribute("lang", "zh-Hans")
    chinese.get_by_role("button", name="手写第 1 章").click()
    wait_until_drawn(chinese)

    field(chinese).click()
    field(chinese).press_sequentially(TYPED)

    # The part of the page with the editor has run by itself.
    expect(chinese.get_by_text("已保存", exact=True)).to_be_visible()
    expect(chinese.get_by_role("tab", name="文风")).to_be_visible()

    choose(chinese, "English")

    expect(chinese.locator("html")).to_have_attribute("lang", "en")
    expect(chinese.get_by_role("heading", name="Write", exact=True)).to_be_visible()
    expect(chinese.get_by_text("Saved", exact=True)).to_be_visible()
    expect(chinese.get_by_role("button", name="Find", exact=True)).to_be_visible()
    expect(field(chinese)).to_contain_text(TYPED)
    visit(chinese, f"{scripted_app.url}/settings")
    expect(chinese.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    expect_no_exception(chinese)
