"""The whole job, as a writer does it: from a premise to files to take away, on the scripted model."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import frontmatter
import pytest
from playwright.sync_api import expect

from store.models.cast import RelationshipKind
from store.models.form import Form
from store.models.manuscript import DraftState
from tests.desk import PREMISE, going_on
from tests.e2e.browsing import expect_no_exception, run_of_page, wait_until_idle
from tests.e2e.pictures import click_on_something, drawn_picture, switch_to
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import expect_whole_plot, expect_written, main_branch
from tests.e2e.writer import DONE_WITH_CAST, Writer, library_of
from tests.fakes.scripted_server import ScriptedServer, in_halves
from tests.graph_flow.scripting import Held, asked, request_of, saying, the_nth

pytestmark = pytest.mark.browser

TITLE = "The Lamp and the Ledger"
WORLD = "A rock in the sea with one lamp, and a ship once a month."
GOAL = "The story ends when Mara has read Hale's ledger."
WANTS = "To know who was in the lamp room."
NOTE = "Let it rain, and let nobody leave the rock."
AT_THE_END = """() => {
    const [editor] = window.tellwrightEditors.values();
    const { doc, selection } = editor.view.state;
    return selection.head === doc.content.size - 1;
}"""
"""Whether the editor has heard where the cursor is, of which the browser tells it by and by."""
BY_HAND = "And that line was typed by hand."
FIRST_HALF = "The lamp was out before the tide had turned. " * 4
SECOND_HALF = "Nobody on the landing would say who had done it. " * 4


def test_writer_takes_a_premise_to_files_to_take_away(
    writer: Writer, scripted_server: ScriptedServer, console_errors: list[str], tmp_path: Path
) -> None:
    scripted_server.answer = going_on

    shape_the_beginning(writer)
    plot_three_chapters(writer, scripted_server)
    look_at_the_graphs(writer)
    write_the_first_chapter(writer, scripted_server)
    write_the_second_as_a_screenplay(writer)
    manuscript, bundle = take_it_away(writer, tmp_path)

    story = writer.story
    imported = take_it_in(writer, bundle)
    expect_no_exception(writer.page)
    assert console_errors == []
    with library_of(writer.app) as store:
        expect_whole_plot(store, story, 3)
        assert BY_HAND in expect_written(store, story, 1)
        expect_written(store, story, 2)
        first = store.prototype.commits(main_branch(store, story).id)
        again = store.prototype.commits(main_branch(store, imported).id)
        assert [one.hash for one in again] == [one.hash for one in first]
        draft = store.manuscript.draft(main_branch(store, story).id, 2)
        assert draft is not None
        assert draft.form is Form.SCREENPLAY
    read = frontmatter.loads(manuscript.read_text("utf-8"))
    assert read["title"] == TITLE
    assert BY_HAND in read.content


def shape_the_beginning(writer: Writer) -> None:
    """Type a premise, have the cast drafted, change it in every way, and approve."""
    page = writer.page
    writer.draft_cast(PREMISE)
    writer.type("Title", TITLE)
    writer.type("World", WORLD)
    writer.type("Long-term goal", GOAL)
    with run_of_page(writer.page):
        writer.main.get_by_role("button", name=re.compile("^Edit Mara")).click()
    writer.type("Motivation", WANTS)
    writer.press("Done")
    expect(writer.main.get_by_text(WANTS)).to_be_visible()
    writer.press("Add a relationship")
    writer.pick("Kind", "is in debt to")
    writer.press("Done")
    with library_of(writer.app) as store:
        proposed = store.proposals.configuration(main_branch(store, writer.story).id)
        assert proposed is not None
        relationships = len(
            [one for one in proposed.delta.additions() if one.kind == "relationship"]
        )

    writer.press(DONE_WITH_CAST)

    writer.wait_for("Plot the first chapter")
    expect(page.get_by_role("heading", name="Plot", level=1)).to_be_visible()
    expect(writer.sidebar.locator(".st-key-open-story").get_by_text(TITLE)).to_be_visible()
    with library_of(writer.app) as store:
        snapshot = store.prototype.snapshot(main_branch(store, writer.story).id)
    assert (snapshot.foundation.background, snapshot.foundation.long_term_goal) == (WORLD, GOAL)
    assert [one.motivation for one in snapshot.characters if one.name.startswith("Mara")] == [WANTS]
    assert len(snapshot.relationships) == relationships
    assert snapshot.relationships[-1].tie is RelationshipKind.DEBT


def plot_three_chapters(writer: Writer, server: ScriptedServer) -> None:
    """Choose another than the best; ask again, edit and choose; let the third go by itself."""
    writer.press("Plot the first chapter")
    expect(writer.cards).to_have_count(3, timeout=30_000)
    wait_until_idle(writer.page)  # only then it is seen which one is the best
    passed_over = writer.cards.filter(has_not=writer.page.get_by_text("best", exact=True))
    title = passed_over.first.get_by_role("heading").inner_text()
    passed_over.first.get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")
    expect(writer.main.get_by_text(title).first).to_be_visible()

    writer.press("Plot the next chapter")
    expect(writer.cards).to_have_count(3, timeout=30_000)
    writer.ask_again("Ask again", NOTE)
    expect(writer.main.get_by_text("Earlier candidates (3)")).to_be_visible(timeout=30_000)
    assert NOTE in request_of(asked(server, "goals")[-1])
    wait_until_idle(writer.page)
    writer.cards.first.get_by_role("button", name="Edit").click()
    writer.type("Title of the chapter", "The rain")
    writer.press("Save as my own candidate")
    mine = writer.cards.filter(has=writer.page.get_by_text("yours", exact=True))
    mine.get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")
    wait_until_idle(writer.page)
    expect(writer.main.get_by_text("The rain")).to_be_visible()

    writer.plot_by_itself()
    expect(writer.sidebar.get_by_role("link", name="Plot 3/12")).to_be_visible()


def look_at_the_graphs(writer: Writer) -> None:
    """See both graphs, go back in time, and ask who somebody is."""
    page = writer.page
    writer.turn_to("Graphs")
    drawn_picture(page)
    writer.sidebar.get_by_role("slider").press("Home")
    expect(writer.sidebar.get_by_text("As of the beginning")).to_be_visible()
    expect(writer.main.get_by_role("heading", name="The beginning")).to_be_visible()
    writer.sidebar.get_by_role("slider").press("End")
    changes = writer.main.get_by_role("heading", name="What chapter 3 changed")
    expect(changes).to_be_visible()

    click_on_something(switch_to(page, "Plot Graph"))

    expect(changes).to_have_count(0)
    expect(writer.main.locator(".st-key-graph-side").get_by_role("heading")).to_be_visible()
    sort = re.compile(r"^(Person|Tie|Scene|Event · chapter \d+)$")
    expect(writer.main.get_by_text(sort).first).to_be_visible()


def write_the_first_chapter(writer: Writer, server: ScriptedServer) -> None:
    """Watch a chapter being written, change it, and find it again after a reload."""
    half = threading.Event()
    server.answer = saying(
        writer_novel=lambda sent: (
            in_halves(FIRST_HALF + SECOND_HALF, half) if sent.body.get("stream") else None
        )
    )
    writer.turn_to("Write")
    expect(writer.main.get_by_role("heading", level=2)).to_contain_text("1.")
    writer.press("Write this chapter")
    streamed = writer.main.locator(".st-key-story-stream")
    expect(streamed).to_contain_text("The lamp was out", timeout=30_000)
    expect(streamed).not_to_contain_text("Nobody on the landing would say who had done it. Nobody")
    expect(writer.main.locator(".st-key-at-work")).to_contain_text("Writing")
    half.set()
    writer.wait_for("Approve")
    wait_until_idle(writer.page)  # else the cursor is put into a text that is still being shown
    server.answer = going_on

    text = writer.main.get_by_role("textbox", name="Text", exact=True)
    text.click()
    text.press("Control+End")
    writer.page.wait_for_function(AT_THE_END)
    text.press("Enter")
    text.press_sequentially(BY_HAND)
    expect(writer.main.get_by_text("Saved", exact=True)).to_be_visible()
    writer.page.reload()
    wait_until_idle(writer.page)
    expect(text).to_contain_text(BY_HAND)
    writer.press("Approve")
    writer.wait_for("Go on to chapter 2")
    with library_of(writer.app) as store:
        draft = store.manuscript.draft(main_branch(store, writer.story).id, 1)
        assert draft is not None
        assert draft.state is DraftState.APPROVED


def write_the_second_as_a_screenplay(writer: Writer) -> None:
    """Have the next chapter told in another form."""
    writer.press("Go on to chapter 2")
    expect(writer.main.get_by_role("heading", level=2)).to_contain_text("2. The rain")
    writer.pick("Form", "Screenplay")
    writer.press("Write this chapter")
    writer.wait_for("Approve")
    writer.press("Approve")
    writer.wait_for("Go on to chapter 3")


def take_it_away(writer: Writer, folder: Path) -> tuple[Path, Path]:
    """Download the manuscript and the whole story."""
    writer.turn_to("Export")
    writer.choose("Markdown")
    expect(writer.main.get_by_text("2 chapters; 1 is not written yet.")).to_be_visible()
    manuscript = writer.take_away("Download the manuscript", folder)
    bundle = writer.take_away("Download the whole story", folder)
    assert (manuscript.name, bundle.name) == (f"{TITLE}.md", f"{TITLE}.json")
    return manuscript, bundle


def take_it_in(writer: Writer, bundle: Path) -> str:
    """Import the whole story on the Library page; return the new story's id."""
    before = writer.story
    writer.open()
    writer.unfold("Import")
    writer.page.locator('input[type="file"]').set_input_files(bundle)
    expect(writer.page.get_by_role("heading", name="Premise", level=1)).to_be_visible()
    wait_until_idle(writer.page)
    expect(writer.sidebar.locator(".st-key-open-story").get_by_text(TITLE)).to_be_visible()
    assert writer.story != before
    return writer.story


def test_run_is_seen_stopped_and_continued_from_any_page(
    writer: Writer, scripted_server: ScriptedServer, scripted_app: RunningApp
) -> None:
    held = Held(the_nth("role", 1))
    scripted_server.answer = held
    writer.begin(PREMISE)
    chip = writer.page.locator(".st-key-run-chip")

    writer.press("Plot the first chapter")
    assert held.has_come.wait(30)
    writer.turn_to("Graphs")
    expect(chip).to_contain_text(re.compile(r"speaks · \d:\d\d"))
    writer.turn_to("Plot")
    expect(writer.main.locator(".st-key-at-work")).to_contain_text("speaks")
    writer.turn_to("Settings")
    chip.get_by_role("button", name="Stop").click()
    expect(chip).to_contain_text("Stopped")
    writer.page.reload()
    held.let_go()
    chip.get_by_role("button", name="Continue").click()

    waiting = writer.sidebar.get_by_role("link", name="A choice is waiting for you")
    expect(waiting).to_be_visible(timeout=30_000)
    waiting.click()
    expect(writer.cards).to_have_count(3)
    with library_of(scripted_app) as store:
        assert len(store.proposals.goals(main_branch(store, writer.story).id, 1)) == 3
