"""A writer at the app: what a person does in a window, in the words that the pages use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from store.open import Store
from tests.e2e.browsing import (
    run_of_page,
    visit,
    wait_until_drawn,
    wait_until_idle,
    wait_until_still,
)
from tests.e2e.running_app import RunningApp

MILLISECONDS_FOR_A_STEP = 30_000
"""How long a step of the scripted model may take on a busy machine."""

MILLISECONDS_OF_A_CLICK = 60
"""Between down and up, as with a finger: where a field is left by a click on a link that takes no
time at all, Streamlit saves the field and forgets the click."""

DONE_WITH_CAST = "Approve and begin"
ANSWERED = "That was already answered, perhaps in another window."


class Writer:
    """Somebody with one window on the app."""

    def __init__(self, page: Page, app: RunningApp) -> None:
        self.page = page
        self.app = app
        # Where a field to type in stands at the foot of a page, Streamlit calls the main part otherwise.
        self.main = page.get_by_test_id(re.compile("^(stMain|stAppScrollToBottomContainer)$"))
        self.sidebar = page.get_by_test_id("stSidebar")

    @property
    def story(self) -> str:
        """The id of the open story, as the address says it."""
        return parse_qs(urlsplit(self.page.url).query)["story"][0]

    @property
    def cards(self) -> Locator:
        """The candidates to choose from."""
        return self.main.locator('[class*="st-key-candidate-"]')

    def open(self, page: str = "", story: str = "") -> None:
        """Go to a page by its address; the library is the empty name."""
        query = f"?{urlencode({'story': story})}" if story else ""
        visit(self.page, f"{self.app.url}/{page}{query}")

    def turn_to(self, title: str) -> None:
        """Turn to another page by its link in the sidebar."""
        wait_until_idle(self.page)
        link = self.sidebar.get_by_role("link", name=re.compile(rf"^{title}\b")).first
        link.click(delay=MILLISECONDS_OF_A_CLICK)
        expect(self.page.get_by_role("heading", name=title, level=1)).to_be_visible()
        wait_until_idle(self.page)

    def button(self, label: str) -> Locator:
        """Return the button of the page with this label."""
        return self.main.get_by_role("button", name=label, exact=True)

    def press(self, label: str) -> None:
        """Press a button of the page, and let the page take it in."""
        with run_of_page(self.page):
            self.button(label).first.click()

    def unfold(self, label: str) -> Locator:
        """Press a button that something is folded beneath; return what comes to sight."""
        wait_until_idle(self.page)
        self.main.get_by_role("button", name=label).first.click()
        return self.page.get_by_test_id("stPopoverBody")

    def wait_for(self, label: str, milliseconds: float = MILLISECONDS_FOR_A_STEP) -> None:
        """Wait until a button is offered."""
        expect(self.button(label).first).to_be_visible(timeout=milliseconds)

    def open_fold(self, label: str) -> None:
        """Open a part of the page that is folded, and wait until it lies still."""
        wait_until_idle(self.page)
        summary = self.main.locator("summary").filter(has_text=label)
        summary.click()
        wait_until_idle(self.page)
        wait_until_still(summary.locator("xpath=.."))

    def type(self, label: str | re.Pattern[str], text: str) -> None:
        """Type something else into a field, and leave it: then it is saved."""
        self._fill(self.main.get_by_label(label), text)

    def set_number(self, label: str, number: int) -> None:
        """Set a field that holds a number to another one."""
        self._fill(self.main.get_by_role("spinbutton", name=label), str(number))

    def pick(self, label: str, option: str) -> None:
        """Choose in a field that offers a list, by typing what is wanted."""
        field = self.main.get_by_label(label, exact=True)
        field.click()
        field.fill(option)
        with run_of_page(self.page):
            self.page.get_by_role("option", name=option, exact=True).click()

    def ask_again(self, label: str, note: str) -> None:
        """Ask for something else, with a note."""
        folded = self.unfold(label)
        folded.get_by_role("textbox").fill(note)
        folded.get_by_role("button", name=label).click()

    def choose(self, option: str) -> None:
        """Choose one of several options that are all in sight, and let the page take it in."""
        with run_of_page(self.page):
            self.main.get_by_text(option, exact=True).click()

    def take_away(self, label: str, folder: Path) -> Path:
        """Download a file; return where it is now."""
        wait_until_idle(self.page)
        with self.page.expect_download() as under_way:
            self.button(label).click()
        file = folder / under_way.value.suggested_filename
        under_way.value.save_as(file)
        return file

    def tell_premise(self, premise: str) -> None:
        """Begin a story in the library, and type what it is about."""
        self.open()
        self.press("New story")
        expect(self.page.get_by_role("heading", name="Premise", level=1)).to_be_visible()
        # Nobody types before the page is there: a field that is still being drawn is drawn anew.
        wait_until_drawn(self.page)
        field = self.main.get_by_label("What is your story about?")
        field.fill(premise)
        expect(field).to_have_value(premise)

    def draft_cast(self, premise: str) -> None:
        """Begin a story up to the cast that waits for approval."""
        self.tell_premise(premise)
        self.press("Draft the cast")
        self.wait_for(DONE_WITH_CAST)

    def begin(self, premise: str) -> None:
        """Begin a story up to the plot, which is next."""
        self.draft_cast(premise)
        self.press(DONE_WITH_CAST)
        self.wait_for("Plot the first chapter")

    def plot_by_itself(self, milliseconds: float = MILLISECONDS_FOR_A_STEP) -> None:
        """Plot one chapter on the Plot page without being asked."""
        self.open_fold("Plot several on autopilot")
        self.main.get_by_role("slider", name="Chapters").press("Home")
        self.press("Plot 1 chapter")
        self.wait_for("Plot the next chapter", milliseconds)

    def _fill(self, field: Locator, text: str) -> None:
        with run_of_page(self.page):
            field.fill(text)
            field.blur()


@contextmanager
def library_of(app: RunningApp) -> Iterator[Store]:
    """Open the library file of an app beside it."""
    store = Store.open(app.library)
    try:
        yield store
    finally:
        store.close()
