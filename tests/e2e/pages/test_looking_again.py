"""Pages that look again by themselves while something is at work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.desk import PREMISE
from tests.e2e.browsing import expect_no_exception, wait_until_idle
from tests.e2e.wire import Wire
from tests.e2e.writer import Writer
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.scripting import Held, the_nth

pytestmark = pytest.mark.browser


@pytest.fixture
def wire(writer: Writer) -> Wire:
    """The line between the writer's window and the app."""
    return Wire(writer.page)


@pytest.fixture
def busy(writer: Writer, scripted_server: ScriptedServer) -> Iterator[Writer]:
    """A writer whose chapter is being plotted for as long as the test goes on."""
    held = Held(the_nth("role", 1))
    scripted_server.answer = held
    writer.begin(PREMISE)
    writer.press("Plot the first chapter")
    assert held.has_come.wait(30)
    yield writer
    held.let_go()


def test_one_part_of_a_page_looks_after_a_run(wire: Wire, busy: Writer) -> None:
    chip = busy.page.locator(".st-key-run-chip")
    for page in ("plot", "outline"):
        busy.open(page, busy.story)
        expect(chip).to_contain_text("this page shows the progress")
        assert len(wire.looking) == 1, page
    for page in ("premise", "graphs", "write", "cost", "settings"):
        busy.open(page, busy.story)
        expect(chip.get_by_role("button", name="Stop")).to_be_visible()
        assert len(wire.looking) == 1, page


def test_look_that_comes_late_leaves_the_next_page_standing(
    wire: Wire, busy: Writer, console_errors: list[str]
) -> None:
    busy.open(story=busy.story)
    expect(busy.page.locator(".st-key-run-chip")).to_contain_text("speaks")
    before = busy.story

    wire.hold_until_a_late_look()
    busy.button("New story").click()

    expect(busy.main.get_by_label("What is your story about?")).to_be_visible()
    wait_until_idle(busy.page)
    assert not wire.is_holding
    assert busy.story != before
    expect(busy.page.get_by_role("heading", name="Premise", level=1)).to_be_visible()
    expect_no_exception(busy.page)
    assert console_errors == []
