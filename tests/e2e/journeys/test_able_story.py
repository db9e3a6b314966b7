"""A story with an able model in a browser: how it is to go, its past, and a text that was revised."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    PHONE,
    expect_in_editor,
    expect_no_exception,
    expect_no_sideways_scroll,
)
from tests.e2e.conftest import AppStarter, WindowOpener
from tests.e2e.writer import DONE_WITH_CAST, MILLISECONDS_FOR_A_STEP, Writer
from tests.fakes.scripted_server import ScriptedServer, say, say_json
from tests.graph_flow.founding.able import CAST, FOUNDATION, SPINE
from tests.graph_flow.scripting import asked, saying
from tests.graph_flow.telling.bridge import PLAN, REVIEW, REVISED, REVISION, TEXT

pytestmark = pytest.mark.browser

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
ENDING = "He refuses, and says why."


@pytest.fixture
def able_writer(start_app: AppStarter, page: Page, scripted_server: ScriptedServer) -> Writer:
    """A writer whose model is able."""
    scripted_server.answer = saying(
        foundation=say_json(FOUNDATION),
        cast=say_json(CAST),
        spine=say_json(SPINE),
        plan=say_json(PLAN),
        writer_novel=say(TEXT),
        review=say_json(REVIEW),
        revise=say_json(REVISION),
    )
    environment = {"OPENAI_BASE_URL": scripted_server.url, "TELLWRIGHT_MODEL": "scripted"}
    return Writer(page, start_app(environment))


def test_writer_decides_how_the_story_ends_and_takes_a_revision_back(
    able_writer: Writer,
    scripted_server: ScriptedServer,
    new_window: WindowOpener,
    console_errors: list[str],
) -> None:
    writer = able_writer
    writer.draft_cast(PREMISE)
    writer.set_number("Number of chapters", 2)
    writer.type("Ending", ENDING)
    writer.press(DONE_WITH_CAST)
    writer.wait_for("Plot the first chapter")

    writer.plot_by_itself()
    goals = asked(scripted_server, "goals")[-1].prompt
    assert ENDING in goals
    assert "chapter 1 of 2" in goals

    writer.turn_to("Write")
    writer.press("Write this chapter")
    writer.wait_for("Approve")
    writer.press("Approve")
    revised = writer.main.locator("summary").filter(has_text="Revised after the review")
    expect(revised).to_be_visible(timeout=MILLISECONDS_FOR_A_STEP)
    expect_in_editor(writer.page, REVISED)
    writer.open_fold("Revised after the review")
    writer.press("Undo the revision")
    expect(revised).to_have_count(0)
    expect_in_editor(writer.page, TEXT.replace("***", "* * *"))
    expect_no_exception(writer.page)
    phone = Writer(new_window(PHONE), writer.app)
    for page in ("premise", "plot", "write"):
        phone.open(page, writer.story)
        expect_no_sideways_scroll(phone.page)
    assert console_errors == []
