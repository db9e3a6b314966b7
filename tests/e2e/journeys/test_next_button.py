"""From a candidate to the next chapter, always by the button that the page offers first."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from store.models.manuscript import DraftState
from store.models.story import Gate, GateMode
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    Size,
    expect_no_exception,
    expect_no_sideways_scroll,
    wait_until_drawn,
    wait_until_idle,
)
from tests.e2e.conftest import AppStarter, WindowOpener
from tests.e2e.structure import main_branch
from tests.e2e.writer import DONE_WITH_CAST, MILLISECONDS_FOR_A_STEP, Writer, library_of
from tests.fakes.scripted_server import ScriptedServer, say, say_json
from tests.graph_flow.founding.able import CAST, FOUNDATION, SPINE
from tests.graph_flow.scripting import saying
from tests.graph_flow.telling.bridge import PLAN, REVIEW, REVISION, TEXT

pytestmark = pytest.mark.browser

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."


class Led(Writer):
    """A writer who presses nothing but the primary button of the page, and never turns the page."""

    def press_first(self, label: str) -> None:
        """Press the primary button, which says `label`; there is no other."""
        first = self.main.get_by_test_id(re.compile("^stBaseButton-primary$")).filter(visible=True)
        expect(first.filter(has_text=label)).to_be_visible(timeout=MILLISECONDS_FOR_A_STEP)
        wait_until_idle(self.page)
        expect(first).to_have_count(1)
        expect_no_exception(self.page)
        expect_no_sideways_scroll(self.page)
        self.picture(label)
        first.click()

    def picture(self, name: str) -> None:
        """Leave a picture, if somebody wants to look."""
        folder = os.environ.get("TELLWRIGHT_SCREENSHOTS")
        if folder:
            wait_until_drawn(self.page)
            width = self.page.viewport_size["width"] if self.page.viewport_size else 0
            number = len(list(Path(folder).glob(f"{width}-*.png")))
            self.page.screenshot(path=f"{folder}/{width}-{number:02}-{name.replace(' ', '-')}.png")


def have_the_plan_asked_about(writer: Writer) -> None:
    """Let the story ask about each writing plan, as in Settings."""
    with library_of(writer.app) as store:
        story = store.library.story(writer.story)
        gates = {**story.settings.gates, Gate.PLAN: GateMode.ASK}
        store.library.change_settings(story.id, lambda now: now.model_copy(update={"gates": gates}))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_primary_buttons_lead_from_a_candidate_to_the_next_chapter(
    start_app: AppStarter,
    new_window: WindowOpener,
    scripted_server: ScriptedServer,
    console_errors: list[str],
    size: Size,
) -> None:
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
    writer = Led(new_window(size), start_app(environment))
    writer.tell_premise(PREMISE)
    for label in ("Draft the cast", DONE_WITH_CAST, "Plot the first chapter"):
        writer.press_first(label)
    have_the_plan_asked_about(writer)
    for chapter in (1, 2):
        written = ("Write it like this", "Approve", "Plot the next chapter")
        for label in ("Choose", f"Write chapter {chapter}", *written):
            writer.press_first(label)
    expect(writer.cards.first).to_be_visible(timeout=MILLISECONDS_FOR_A_STEP)
    assert console_errors == []
    with library_of(writer.app) as store:
        branch = main_branch(store, writer.story).id
        states = [store.manuscript.require(branch, chapter).state for chapter in (1, 2)]
    assert states == [DraftState.APPROVED] * 2
