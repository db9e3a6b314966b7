"""The app starts and its first page is whole, on a desk and in a hand."""

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
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_home_page_is_whole(
    app: RunningApp, new_window: WindowOpener, console_errors: list[str], size: Size
) -> None:
    page = new_window(size)

    visit(page, app.url)

    expect_no_exception(page)
    expect(page.get_by_role("heading").first).to_be_visible()
    expect_no_sideways_scroll(page)
    assert console_errors == []
