"""Take pictures of every page of a running app: `python -m tests.e2e.screenshots URL FOLDER`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.browsing import DESKTOP, PHONE, Size, launch, open_window, visit, wait_until_drawn

PAGES = Path(__file__).parents[2] / "pages"
SIZES = {"desktop": DESKTOP, "phone": PHONE}

# Streamlit scrolls inside the page: only a taller window shows all of it.
_FULL_HEIGHT = """() => {
    const main = document.querySelector(
        '[data-testid="stMain"], [data-testid="stAppScrollToBottomContainer"]');
    return Math.max(window.innerHeight, main ? main.scrollHeight : 0);
}"""


def page_names() -> list[str]:
    """Return the pages as they stand in an address; the home page is the empty name."""
    return ["", *sorted(page.stem for page in PAGES.glob("[!_]*.py"))]


def take(
    browser: Browser,
    url: str,
    folder: Path,
    *,
    story: str = "",
    is_dark: bool = False,
    locale: str = "en-US",
) -> int:
    """Save each page at each size as a PNG file, in its full height; return how many.

    `story` is the id of the story that is to be open, if any. `locale` is that of the browser, whose language the
    pages have unless another was chosen.
    """
    folder.mkdir(parents=True, exist_ok=True)
    query = f"?{urlencode({'story': story})}" if story else ""
    taken = 0
    for size_name, size in SIZES.items():
        window = open_window(browser, size, is_dark=is_dark, locale=locale)
        for name in page_names():
            visit(window, f"{url.rstrip('/')}/{name}{query}")
            tone = "-dark" if is_dark else ""
            save(window, size, folder / f"{name or 'library'}-{size_name}{tone}.png")
            taken += 1
        window.context.close()
    return taken


def save(window: Page, size: Size, file: Path) -> None:
    """Save the page of a window of this size, in its full height, as a PNG file."""
    wait_until_drawn(window)
    height: int = window.evaluate(_FULL_HEIGHT)
    window.set_viewport_size({"width": size.width, "height": height})
    wait_until_drawn(window)
    window.screenshot(path=file)
    window.set_viewport_size({"width": size.width, "height": size.height})


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="screenshots", description=__doc__)
    parser.add_argument("url", help="where the app runs: http://127.0.0.1:8501")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--story", default="", help="the id of the story to have open")
    parser.add_argument("--dark", action="store_true", help="as a system in the dark asks for it")
    parser.add_argument("--locale", default="en-US", help="the browser's, such as zh-CN")
    asked = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        taken = take(
            browser,
            asked.url,
            asked.folder,
            story=asked.story,
            is_dark=asked.dark,
            locale=asked.locale,
        )
        browser.close()
    print(f"{taken} pictures in {asked.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
