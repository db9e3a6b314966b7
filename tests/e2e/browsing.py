"""What every look at the app in a browser needs: sizes, waiting, and faults that show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, expect

from tests.e2e.find_chromium import find_or_install


class Size(NamedTuple):
    """A window's inner width and height, in CSS pixels."""

    width: int
    height: int


DESKTOP = Size(1280, 800)
TABLET = Size(1024, 768)
PHONE = Size(390, 844)

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
_MILLISECONDS_TO_RUN = 90_000
_IDLE = re.compile(r"^(notRunning|compilationError)$")
# Opened at /premise, Streamlit asks there for its server first, and then, after a 404, at the root.
_LOOKING_FOR_SERVER = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
# Counts the runs of the page's script that came to their end, as the server tells of them. The state
# that the page shows of itself does not do: on a busy machine it skips a run that was short. The end
# of a run is field 6 of Streamlit's ForwardMsg; its value 2 says that another run takes its place.
_COUNT_RUNS = """(() => {
    const isEndOfRun = (bytes) => {
        let at = 0;
        const varint = () => {
            let value = 0, scale = 1, byte;
            do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; }
            while (byte > 127);
            return value;
        };
        while (at < bytes.length) {
            const tag = varint(), value = varint(), isSized = (tag & 7) === 2;
            if (tag >> 3 === 6) return value !== 2;
            if (isSized) at += value;
        }
        return false;
    };
    const whenDrawn = (tell) => requestAnimationFrame(() => requestAnimationFrame(tell));
    window.runsOfPage = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...where) {
            super(...where);
            this.addEventListener('message', ({ data }) => {
                if (isEndOfRun(new Uint8Array(data))) whenDrawn(() => { window.runsOfPage += 1; });
            });
        }
    };
})()"""
# What is folded out slides down for half a second, and the page with it.
_LIES_STILL = """(part) => {
    const height = part.offsetHeight, hasGrown = String(height) !== part.dataset.testHeight;
    part.dataset.testHeight = height;
    return part.open && !hasGrown && part.getAnimations({ subtree: true }).length === 0;
}"""
# The page itself, and the part of it that Streamlit scrolls.
_OVERFLOW = """() => [document.documentElement,
    document.querySelector('[data-testid="stMain"], [data-testid="stAppScrollToBottomContainer"]')]
    .map(part => part ? part.scrollWidth - part.clientWidth : 0)"""


def launch(playwright: Playwright) -> Browser:
    """Start the Chromium of this machine, without a window.

    Raises:
        ChromiumMissing: if there is none and none could be installed.
    """
    return playwright.chromium.launch(executable_path=find_or_install(), args=[*_ARGUMENTS])


def open_window(
    browser: Browser,
    size: Size = DESKTOP,
    *,
    is_dark: bool = False,
    has_touch: bool = False,
    locale: str = "en-US",
) -> Page:
    """Open a window that shares nothing with the others, like that of another person."""
    context = browser.new_context(
        locale=locale,
        viewport={"width": size.width, "height": size.height},
        color_scheme="dark" if is_dark else "light",
        reduced_motion="reduce",
        has_touch=has_touch,
        accept_downloads=True,
    )
    context.add_init_script(_COUNT_RUNS)
    return context.new_page()


def visit(page: Page, url: str) -> None:
    """Go to an address of the app and wait until its page is there."""
    page.goto(url)
    wait_until_idle(page)


def wait_until_idle(page: Page) -> None:
    """Wait until the page's script has run to its end."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", _IDLE, timeout=_MILLISECONDS_TO_RUN)


@contextmanager
def run_of_page(page: Page) -> Iterator[None]:
    """Wait, after what is done within, until the page has taken it in and run to its end.

    For what leaves no other trace on the page; it has to be something that makes the page run.
    """
    wait_until_idle(page)
    runs: int = page.evaluate("() => window.runsOfPage")
    yield
    has_run = "(runs) => window.runsOfPage > runs"
    page.wait_for_function(has_run, arg=runs, timeout=_MILLISECONDS_TO_RUN)
    wait_until_idle(page)


def wait_until_still(details: Locator) -> None:
    """Wait until a part of the page that is being folded out no longer moves what is within."""
    handle = details.element_handle()
    details.page.wait_for_function(
        _LIES_STILL, arg=handle, polling=100, timeout=_MILLISECONDS_TO_RUN
    )


def wait_until_drawn(page: Page) -> None:
    """Wait until every element of the page has its looks: Streamlit fetches many of them late."""
    wait_until_idle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=_MILLISECONDS_TO_RUN)
    page.evaluate("() => document.fonts.ready.then(() => true)")


def expect_in_editor(page: Page, text: str) -> None:
    """Wait until the editor of a chapter holds a text, letter for letter."""
    page.wait_for_function(
        "(text) => document.querySelector('.prose-editor .paper')?.value === text",
        arg=text,
        timeout=_MILLISECONDS_TO_RUN,
    )


def choose_chapter(page: Page, chapter: int) -> None:
    """Choose a chapter in the folded list on the Write page."""
    wait_until_idle(page)  # else the list folds again as the page is drawn
    page.locator(".st-key-chapter-bar").get_by_test_id("stPopover").first.get_by_role(
        "button"
    ).click()
    page.locator(".st-key-chapter-list").get_by_text(f"{chapter}. ", exact=False).first.click()
    expect(page.get_by_role("heading", name=f"{chapter}. ", level=2)).to_be_visible()
    page.keyboard.press("Escape")


def expect_no_exception(page: Page) -> None:
    """Fail if the page shows an error that nobody has put into words."""
    shown = page.get_by_test_id("stException").all_inner_texts()
    assert not shown, "\n".join(shown)


def expect_no_sideways_scroll(page: Page) -> None:
    """Fail if the page is wider than its window."""
    overflow: list[int] = page.evaluate(_OVERFLOW)
    assert max(overflow) <= 0, f"the page is {max(overflow)} pixels wider than the window"


def record_console_errors(page: Page, errors: list[str]) -> None:
    """Add to `errors` whatever this window's console calls an error from now on."""

    def note(message: ConsoleMessage) -> None:
        address = message.location["url"]
        if message.type == "error" and not _LOOKING_FOR_SERVER.search(urlsplit(address).path):
            errors.append(f"{message.text} ({address})")

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
