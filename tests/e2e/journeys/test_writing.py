"""Writing by hand: a chapter without a model, letters of every script, and what is pasted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Locator, Page, expect
from tenacity import Retrying, stop_after_delay, wait_fixed

from store.text import count_words
from tests.e2e.browsing import expect_no_exception, visit, wait_until_drawn
from tests.e2e.running_app import RunningApp
from tests.e2e.writer import library_of

pytestmark = pytest.mark.browser

CHINESE = "灯灭了。没有人看见。"
_SECONDS = 90
_PASTE = """(field, content) => {
    const clipboard = new DataTransfer();
    for (const [type, text] of Object.entries(content)) clipboard.setData(type, text);
    const event = new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true });
    field.dispatchEvent(event);
}"""


class Desk:
    """An app with one story of which nothing is plotted, and its first chapter on the page."""

    def __init__(self, app: RunningApp, page: Page) -> None:
        self._app = app
        self.page = page
        with library_of(app) as store:
            self.story = store.library.create_story(title="The Lamp Room").id
        visit(page, self.address)
        page.get_by_role("button", name="Type chapter 1 by hand").click()
        expect(self.field).to_be_visible()
        wait_until_drawn(page)
        self.field.click()

    @property
    def address(self) -> str:
        return f"{self._app.url}/write?story={self.story}"

    @property
    def field(self) -> Locator:
        """The field for the text of the chapter."""
        return self.page.locator(".prose-editor .paper")

    @property
    def text(self) -> str:
        """The text in the editor."""
        held: str = self.field.evaluate("(field) => field.value")
        return held

    def paste(self, **content: str) -> None:
        """Paste something that several programs would give in several forms: `plain`, `html`."""
        types = {f"text/{kind}": text for kind, text in content.items()}
        self.field.evaluate(_PASTE, types)

    def expect_saved(self, text: str) -> None:
        """Wait until the library has this text."""
        for attempt in Retrying(
            stop=stop_after_delay(_SECONDS), wait=wait_fixed(0.1), reraise=True
        ):
            with attempt, closing(sqlite3.connect(self._app.library)) as library:
                [saved] = library.execute("SELECT text FROM drafts ORDER BY created DESC LIMIT 1")
                assert saved == (text,)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with RunningApp(tmp_path_factory.mktemp("writing"), is_preloaded=True) as running:
        yield running


@pytest.fixture
def desk(app: RunningApp, page: Page) -> Desk:
    return Desk(app, page)


def test_chapter_is_typed_and_reloaded_in_the_middle_of_a_sentence(desk: Desk) -> None:
    keys = desk.page.keyboard
    keys.type("The lamp went out at nine.")
    keys.press("Enter")
    keys.type("Nobody saw")
    keys.press("Shift+Enter")
    keys.type("it, and nob")
    desk.page.reload()
    expect(desk.field).to_be_visible()
    wait_until_drawn(desk.page)

    desk.expect_saved("The lamp went out at nine.\n\nNobody saw\nit, and nob")
    assert desk.text == "The lamp went out at nine.\n\nNobody saw\nit, and nob"
    desk.field.click()
    keys.press("Control+End")
    keys.type("ody heard.")
    desk.expect_saved("The lamp went out at nine.\n\nNobody saw\nit, and nobody heard.")
    expect_no_exception(desk.page)


_LEAVE_COPY = """(field, { saved, text }) => {
    const unsaved = window.tellwrightUnsaved;
    const holder = [...field.closest('[class*="st-key-"]').classList].find((name) => name.startsWith("st-key-"));
    const name = `tellwright/unsaved/${unsaved.tab}/${holder.replace(/-edition\\d+$/, "")}`;
    const copy = { base: "", own: [unsaved.checksumOf(saved)], text, label: "Text", at: Date.now(), writer: unsaved.writer };
    localStorage.setItem(name, JSON.stringify(copy));
}"""


def test_what_was_typed_behind_a_version_whose_answer_never_came_is_put_back(desk: Desk) -> None:
    desk.page.keyboard.type("The lamp went out.")
    desk.expect_saved("The lamp went out.")
    expect(desk.page.get_by_text("Saved", exact=True)).to_be_visible()
    text = "The lamp went out. Nobody saw it."
    desk.field.evaluate(_LEAVE_COPY, {"saved": "The lamp went out.", "text": text})
    desk.page.reload()

    expect(desk.field).to_have_text(text)
    desk.expect_saved(text)


def test_undo_takes_back_what_was_typed_also_after_another_page(desk: Desk) -> None:
    keys = desk.page.keyboard
    keys.type("The lamp went out.")
    desk.expect_saved("The lamp went out.")
    desk.page.wait_for_timeout(700)  # what is typed after a pause is undone by itself
    keys.type(" Again.")
    desk.expect_saved("The lamp went out. Again.")

    desk.page.get_by_test_id("stSidebar").get_by_role("link", name="Cost").first.click()
    expect(desk.page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    desk.page.get_by_test_id("stSidebar").get_by_role("link", name="Write").first.click()
    expect(desk.field).to_be_visible()
    wait_until_drawn(desk.page)
    desk.field.click()
    keys.press("Control+z")

    desk.expect_saved("The lamp went out.")
    keys.press("Control+Shift+z")
    desk.expect_saved("The lamp went out. Again.")


def test_chinese_is_composed_by_an_input_method_and_never_cut(desk: Desk) -> None:
    """Pauses within a composition save nothing, so that it goes on."""
    devtools = desk.page.context.new_cdp_session(desk.page)

    def compose(letters: str) -> None:
        place = {"selectionStart": len(letters), "selectionEnd": len(letters)}
        devtools.send("Input.imeSetComposition", {"text": letters, **place})

    for letters in ("d", "de", "deng"):
        compose(letters)
        desk.page.wait_for_timeout(700)
    devtools.send("Input.insertText", {"text": "灯灭了。"})
    compose("mei")
    devtools.send("Input.insertText", {"text": "没有人看见。"})

    desk.expect_saved(CHINESE)
    assert desk.text == CHINESE
    said = f"{count_words(CHINESE)} characters"
    expect(desk.page.locator(".prose-editor .words")).to_contain_text(said)


def test_what_is_pasted_is_text_and_nothing_else(desk: Desk) -> None:
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    hostile = (
        "<meta charset='utf-8'><style>p{color:red}</style><script>document.title='x'</script>"
        "<h1>One</h1><p>The <em>lamp</em> went\n out.<br>Again.</p>"
        "<p onclick='x()'><img src='https://tracker.example/a.png'>Nobody <a href='javascript:x()'>saw</a>.</p>"
    )
    desk.paste(html=hostile, plain="One\nThe lamp went out.")

    desk.expect_saved("One\n\nThe *lamp* went out.\nAgain.\n\nNobody saw.")
    assert not [url for url in asked if "tracker" in url]
    assert desk.page.title() != "x"
    desk.page.keyboard.press("Control+a")
    desk.paste(plain="First line\r\nSecond line\r\n\r\n")
    desk.expect_saved("First line\n\nSecond line")


def test_paste_that_is_longer_than_a_chapter_is_refused_in_words(desk: Desk) -> None:
    desk.page.keyboard.type("Before.")
    desk.expect_saved("Before.")

    desk.paste(plain="The lamp went out.\n" * 270_000)

    expect(desk.page.get_by_text("more than a chapter can hold")).to_be_visible()
    assert desk.text == "Before."
    desk.page.keyboard.type(" After.")
    desk.expect_saved("Before. After.")


def test_tab_beside_the_text_stays_open_when_a_note_appears_above_it(desk: Desk) -> None:
    desk.page.keyboard.type("The lamp went out at nine.")
    desk.expect_saved("The lamp went out at nine.")
    desk.page.get_by_role("tab", name="Style").click()
    field = desk.page.get_by_label("Words to avoid")
    field.fill("at nine")
    field.press("Control+Enter")

    expect(desk.page.get_by_text("Words to avoid, in this text: “at nine”")).to_be_visible()
    expect(desk.page.get_by_role("tab", name="Style", selected=True)).to_be_visible()
    expect(field).to_be_visible()
    expect_no_exception(desk.page)
