"""Suggestions in the editor: a passage is selected, rewritten, taken and undone; all of it in a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tenacity import Retrying, stop_after_delay, wait_fixed

from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    choose_chapter,
    expect_in_editor,
    expect_no_exception,
    expect_no_sideways_scroll,
    visit,
    wait_until_drawn,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import main_branch
from tests.e2e.writer import library_of
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, in_halves, say, say_json
from tests.graph_flow.scripting import agent_of, asked
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.browser

FIRST = "The lamp went out at nine."
SECOND = "Mara counted the steps in the dark."
TEXT = f"{FIRST}\n\n{SECOND}\n\nNobody came."
BETTER = "In the dark Mara counted,\nwith one hand on the wall."
OPTIONS = ["Hale comes in by the kitchen door.", "The bell of the harbour rings."]
GOING_ON = "The bell rang twice, and stopped."
_SECONDS = 90


class Desk:
    """An app with a written chapter, and a model that answers slowly if it is told to."""

    def __init__(self, app: RunningApp, server: ScriptedServer) -> None:
        self.app = app
        self.server = server
        self.rest = threading.Event()
        self.rest.set()
        server.answer = self._answer
        self.story = tell_into(app.library)
        with library_of(app) as store:
            self.branch = main_branch(store, self.story).id
            plan = WritingPlan(
                id=new_id(), branch=self.branch, chapter=1, attempt=1, form=Form.NOVEL
            )
            draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
            store.manuscript.update_draft_text(draft.id, TEXT)
            store.manuscript.finish_draft(draft.id)

    def _answer(self, sent: Sent) -> Reply:
        match agent_of(sent):
            case "next_steps":
                return say_json({"options": OPTIONS})
            case "go_on":
                return say(GOING_ON)
        return in_halves(BETTER, self.rest)

    def open(self, page: Page) -> Locator:
        """Open the first chapter; return the field for its text."""
        visit(page, f"{self.app.url}/write?story={self.story}")
        choose_chapter(page, 1)
        wait_until_drawn(page)
        expect_in_editor(page, TEXT)
        return page.locator(".prose-editor .paper")

    def expect_saved(self, text: str) -> None:
        """Wait until the library has this text."""
        for attempt in Retrying(
            stop=stop_after_delay(_SECONDS), wait=wait_fixed(0.1), reraise=True
        ):
            with attempt, library_of(self.app) as store:
                draft = store.manuscript.draft(self.branch, 1)
                assert draft is not None
                assert draft.text == text


@pytest.fixture
def desk(tmp_path: Path, scripted_server: ScriptedServer) -> Iterator[Desk]:
    app = RunningApp(
        tmp_path,
        {"OPENAI_BASE_URL": scripted_server.url, "TELLWRIGHT_MODEL": "scripted"},
        is_preloaded=True,
    )
    made = Desk(app, scripted_server)
    with app:
        yield made
        made.rest.set()


def select_second(field: Locator) -> None:
    """Select the second paragraph.

    Keys that follow a click faster than anybody's are lost now and then: the editor has yet to take in
    where the click has put the cursor. They are pressed until what is offered for a passage is there.
    """
    field.locator("p").nth(1).click()
    offers = field.page.locator(".prose-editor .selection-bar")
    for attempt in Retrying(stop=stop_after_delay(_SECONDS), reraise=True):
        with attempt:
            field.press("Home")
            field.press("Shift+End")
            expect(offers).to_be_visible(timeout=1_000)


def card(page: Page) -> Locator:
    return page.locator(".prose-editor .suggestion")


def press(page: Page, words: str) -> None:
    page.locator(".prose-editor").get_by_role("button", name=words, exact=True).click()


def test_passage_is_rewritten_taken_and_undone(
    desk: Desk, new_window: WindowOpener, console_errors: list[str]
) -> None:
    page = new_window(DESKTOP)
    field = desk.open(page)
    desk.rest.clear()

    select_second(field)
    press(page, "Rewrite")
    # It streams where the passage stands, which is struck out; the text is as it was.
    expect(card(page)).to_contain_text("In the dark")
    expect(card(page)).not_to_contain_text("the wall")
    expect(field.locator(".struck")).to_have_text(SECOND)
    expect_in_editor(page, TEXT)
    # The writer goes on elsewhere meanwhile.
    field.press("Control+End")
    field.press_sequentially(" Not yet.")
    desk.rest.set()
    expect(card(page)).to_contain_text("with one hand on the wall")
    desk.expect_saved(f"{TEXT} Not yet.")

    press(page, "Take")
    taken = f"{FIRST}\n\n{BETTER}\n\nNobody came. Not yet."
    expect_in_editor(page, taken)
    desk.expect_saved(taken)
    expect(card(page)).to_have_count(0)
    field.press("Control+z")
    expect_in_editor(page, f"{TEXT} Not yet.")
    desk.expect_saved(f"{TEXT} Not yet.")
    assert len(asked(desk.server, "passage")) == 1
    expect_no_exception(page)
    assert console_errors == []


def test_writer_says_what_they_want_and_asks_again_with_a_note(
    desk: Desk, new_window: WindowOpener
) -> None:
    page = new_window(DESKTOP)
    field = desk.open(page)
    select_second(field)
    wish = page.get_by_label("Say what you want")
    wish.fill("Let her be afraid.")
    wish.press("Enter")
    expect(card(page)).to_contain_text("hand on the wall")
    note = page.get_by_label("What should be different?")
    note.fill("Less of the wall.")
    note.press("Enter")
    for attempt in Retrying(stop=stop_after_delay(_SECONDS), wait=wait_fixed(0.1), reraise=True):
        with attempt:
            first, second = asked(desk.server, "passage")
    assert "The writer says: Let her be afraid." in first.prompt
    assert "The writer says: Less of the wall." in second.prompt
    assert BETTER.split("\n")[0] in second.prompt
    press(page, "Leave")
    expect(card(page)).to_have_count(0)
    expect_in_editor(page, TEXT)


def test_suggestion_outlives_a_reload_and_a_change_of_its_passage(
    desk: Desk, new_window: WindowOpener
) -> None:
    page = new_window(DESKTOP)
    field = desk.open(page)
    select_second(field)
    press(page, "Rewrite")
    expect(card(page)).to_contain_text("hand on the wall")
    page.reload()
    expect(card(page)).to_contain_text("hand on the wall")
    expect(field.locator(".struck")).to_have_text(SECOND)

    # The passage is changed: taking it replaces what stands there now, and says so.
    field.locator(".struck").click()
    field.press("Home")
    for _ in range(5):
        field.press("ArrowRight")
    field.press_sequentially("softly ")
    expect(card(page)).to_contain_text("You have changed this passage")
    desk.expect_saved(TEXT.replace("counted", "softly counted"))
    page.reload()
    expect(card(page)).to_contain_text("no longer in the text")
    expect(card(page).get_by_role("button", name="Take", exact=True)).to_have_count(0)
    expect(card(page).get_by_role("button", name="Copy", exact=True)).to_be_visible()


def test_suggestion_that_was_asked_for_as_the_connection_broke_still_comes_once(
    desk: Desk, new_window: WindowOpener
) -> None:
    page = new_window(DESKTOP)
    field = desk.open(page)
    with desk.app.standing_still():
        select_second(field)
        press(page, "Rewrite")
        page.wait_for_timeout(500)
        desk.app.kill()
    desk.app.start()

    expect(card(page)).to_contain_text("hand on the wall", timeout=30_000)
    press(page, "Leave")
    expect(card(page)).to_have_count(0)
    page.wait_for_timeout(4_000)
    expect(card(page)).to_have_count(0)
    assert len(asked(desk.server, "passage")) == 1


def test_connection_that_is_lost_while_a_suggestion_streams_loses_nothing(
    desk: Desk, new_window: WindowOpener
) -> None:
    page = new_window(DESKTOP)
    field = desk.open(page)
    desk.rest.clear()
    select_second(field)
    press(page, "Rewrite")
    expect(card(page)).to_contain_text("In the dark")

    with desk.app.standing_still():
        field.press("Control+End")
        field.press_sequentially(" Not yet.")
        desk.app.kill()
    desk.rest.set()
    page.wait_for_timeout(1_000)
    desk.app.start()

    desk.expect_saved(f"{TEXT} Not yet.")
    expect(card(page)).to_contain_text("Ask again")
    press(page, "Again")
    expect(card(page)).to_contain_text("hand on the wall")


def test_what_happens_next_is_chosen_and_written_at_the_cursor_on_a_phone(
    desk: Desk, new_window: WindowOpener
) -> None:
    page = new_window(PHONE)
    field = desk.open(page)
    field.click()
    field.press("Control+End")
    press(page, "What next?")
    expect(card(page).locator("li")).to_have_count(len(OPTIONS))
    expect_no_sideways_scroll(page)

    card(page).get_by_role("button", name="Write this").nth(1).click()
    expect(card(page)).to_contain_text(GOING_ON)
    press(page, "Take")
    desk.expect_saved(f"{TEXT} {GOING_ON}")
    [sent] = asked(desk.server, "go_on")
    assert OPTIONS[1] in sent.prompt
