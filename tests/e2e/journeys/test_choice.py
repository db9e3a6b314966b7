"""Choosing in a browser: parts of two candidates, a line in other words, and a way not taken."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from store.models.plot import Event
from tests.desk import PREMISE, going_on
from tests.e2e.browsing import expect_no_exception, expect_no_sideways_scroll, run_of_page
from tests.e2e.structure import expect_whole_plot, main_branch
from tests.e2e.writer import Writer, library_of
from tests.fakes.scripted_server import ScriptedServer

pytestmark = pytest.mark.browser


def tick(writer: Writer, card: Locator) -> str:
    """Tick the first line of a card; return its title, in which no two lines are alike."""
    line = card.get_by_test_id("stCheckbox").first
    title = line.locator("strong").first.inner_text()
    with run_of_page(writer.page):
        line.locator("label").click()
    return title


def test_parts_are_taken_and_a_way_not_taken_is_kept(
    writer: Writer, scripted_server: ScriptedServer
) -> None:
    scripted_server.answer = going_on
    writer.begin(PREMISE)
    writer.press("Plot the first chapter")
    expect(writer.cards).to_have_count(3)
    # Not one of those that parts are taken of: their candidate has the title of the first.
    heading = writer.cards.nth(2).get_by_role("heading").inner_text()
    passed_over = heading.removesuffix("best").strip()

    with run_of_page(writer.page):
        writer.main.get_by_text("Take parts of several").click()
    titles = [tick(writer, writer.cards.nth(place)) for place in (0, 1)]
    expect(writer.main.get_by_text("2 lines taken from 2 candidates")).to_be_in_viewport()
    writer.press("Combine into a candidate")
    expect(writer.cards).to_have_count(4)
    mine = writer.cards.filter(has=writer.page.get_by_text("yours", exact=True))

    mine.get_by_role("button", name="Edit").click()
    writer.type("Title of the chapter", "Two at once")
    writer.press("Save as my own candidate")
    expect(writer.cards).to_have_count(5)
    named = writer.cards.filter(has=writer.page.get_by_role("heading", name="Two at once"))
    named.get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")

    writer.open_fold("Other ways a chapter could have gone")
    way = writer.main.locator('[class*="st-key-way-"]').filter(
        has=writer.page.get_by_role("heading", name=passed_over)
    )
    with run_of_page(writer.page):
        way.get_by_role("button", name="Keep as a branch").click()
    way.get_by_label("Name of the branch").fill("What if")
    way.get_by_role("button", name="Keep", exact=True).click()
    expect(writer.page.get_by_text("“What if” is a branch now")).to_be_visible()
    expect_no_exception(writer.page)
    expect_no_sideways_scroll(writer.page)
    with library_of(writer.app) as store:
        branch = main_branch(store, writer.story)
        expect_whole_plot(store, writer.story, 1)
        told = [event.title for event in store.prototype.snapshot(branch.id).of(Event)]
        assert sorted(told) == sorted(titles)
        other = next(one for one in store.library.branches(writer.story) if one.name == "What if")
        assert store.prototype.title_of(other.id, 1) == passed_over
