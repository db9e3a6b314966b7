"""The app starts, and every page is whole, on a desk and in a hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

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
from tests.e2e.running_app import RunningApp
from tests.e2e.screenshots import page_names

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", page_names(), ids=lambda name: name or "library")
def test_page_is_whole_before_any_story_is_open(
    app: RunningApp, new_window: WindowOpener, console_errors: list[str], name: str, size: Size
) -> None:
    window = new_window(size)

    visit(window, f"{app.url}/{name}")
    wait_until_drawn(window)

    expect_no_exception(window)
    expect(window.get_by_test_id("stMain").get_by_role("heading").first).to_be_visible()
    expect_no_sideways_scroll(window)
    assert console_errors == []
