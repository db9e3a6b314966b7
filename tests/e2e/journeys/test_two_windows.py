"""Two people, or one with two windows, at one story."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.desk import PREMISE, going_on
from tests.e2e.browsing import DESKTOP, wait_until_idle
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import expect_whole_plot, main_branch
from tests.e2e.writer import ANSWERED, DONE_WITH_CAST, Writer, library_of
from tests.fakes.scripted_server import ScriptedServer

pytestmark = pytest.mark.browser


@pytest.fixture
def other(new_window: WindowOpener, scripted_app: RunningApp) -> Writer:
    """Somebody else at the same app."""
    return Writer(new_window(DESKTOP), scripted_app)


def test_second_choice_is_told_and_does_not_answer_the_next_question(
    writer: Writer, other: Writer, scripted_server: ScriptedServer
) -> None:
    scripted_server.answer = going_on
    writer.begin(PREMISE)
    story = writer.story
    writer.press("Plot the first chapter")
    expect(writer.cards).to_have_count(3)
    other.open("plot", story)
    expect(other.cards).to_have_count(3)
    stale = other.cards.nth(2).get_by_role("heading").inner_text()

    writer.cards.nth(1).get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")
    writer.press("Plot the next chapter")
    expect(writer.cards).to_have_count(3)
    asked_before = len(scripted_server.history)
    other.cards.nth(2).get_by_role("button", name="Choose").click()

    expect(other.main.get_by_text(ANSWERED)).to_be_visible()
    expect(other.main.get_by_role("heading", name="Chapter 2")).to_be_visible()
    expect(other.cards).to_have_count(3)
    wait_until_idle(other.page)
    assert len(scripted_server.history) == asked_before
    with library_of(writer.app) as store:
        branch = main_branch(store, story).id
        expect_whole_plot(store, story, 1)
        assert [one.kind for one in store.prototype.commits(branch)] == ["configuration", "chapter"]
        assert store.prototype.commits(branch)[-1].title not in stale
        assert [run.task.kind for run in store.runs.waiting(branch)] == ["plot"]

    other.cards.first.get_by_role("button", name="Choose").click()
    other.wait_for("Plot the next chapter")
    with library_of(writer.app) as store:
        expect_whole_plot(store, story, 2)


def test_two_windows_on_the_beginning_lose_nothing_that_was_saved(
    writer: Writer, other: Writer, scripted_server: ScriptedServer
) -> None:
    scripted_server.answer = going_on
    premise = "What is your story about?"
    writer.open()
    writer.press("New story")
    writer.type(premise, "Two sisters")
    story = writer.story
    other.open("premise", story)
    expect(other.main.get_by_label(premise)).to_have_value("Two sisters")

    other.open_fold("Form, language")
    other.type("What must be in it, and what must not?", "A dog.")
    writer.type(premise, "Two sisters keep the lamp.")
    assert brief_of(writer, story) == ("Two sisters keep the lamp.", "A dog.")

    other.type(premise, "Two sisters leave the lamp.")
    expect(other.main.get_by_text("changed in another window")).to_be_visible()
    assert brief_of(writer, story)[0] == "Two sisters keep the lamp."
    other.press("Save mine")
    assert brief_of(writer, story)[0] == "Two sisters leave the lamp."
    writer.page.reload()
    expect(writer.main.get_by_label(premise)).to_have_value("Two sisters leave the lamp.")

    writer.press("Draft the cast")
    writer.wait_for(DONE_WITH_CAST)
    assert "A dog." in scripted_server.history[0].prompt
    other.open("premise", story)
    writer.type("Title", "The sisters")
    other.type("Long-term goal", "The lamp is out for good.")
    writer.press(DONE_WITH_CAST)
    writer.wait_for("Plot the first chapter")
    other.press(DONE_WITH_CAST)

    expect(other.main.get_by_text(ANSWERED)).to_be_visible()
    with library_of(writer.app) as store:
        branch = main_branch(store, story).id
        assert store.library.story(story).title == "The sisters"
        ground = store.prototype.snapshot(branch).foundation
        assert ground.long_term_goal == "The lamp is out for good."
        assert [one.kind for one in store.prototype.commits(branch)] == ["configuration"]


def brief_of(writer: Writer, story: str) -> tuple[str, str]:
    """Return the premise and the wishes as they are kept."""
    with library_of(writer.app) as store:
        brief = store.library.story(story).brief
    return brief.premise, brief.wishes
