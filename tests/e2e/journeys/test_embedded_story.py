"""A story on the embedded model, with no key and no settings: its structure, never its wording.

With `TELLWRIGHT_SCREENSHOTS=FOLDER` the test leaves pictures of every page in that folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import frontmatter
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from store.models.proposals import CandidateState
from store.models.run import RunState
from store.open import Store
from tests.e2e import screenshots
from tests.e2e.browsing import DESKTOP, expect_no_exception
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import (
    expect_story_text,
    expect_whole_plot,
    expect_written,
    main_branch,
)
from tests.e2e.writer import DONE_WITH_CAST, Writer, library_of
from tests.store.formats.taken_away import expect_every_form, expect_every_format

pytestmark = [pytest.mark.browser, pytest.mark.embedded]

PREMISE = (
    "Mara keeps the lighthouse on a bare rock. Hale, the inspector, comes with the last ship before "
    "winter and finds the lamp room locked. Ida, who brings the supplies, knows why and says nothing."
)
MILLISECONDS = 300_000
"""For one step of a small model on a busy machine; the whole takes about one minute."""
MOST_TIMES = 4
"""How often a writer goes on after a message before giving up: a small model may fail by chance."""


def reach(writer: Writer, wanted: Locator) -> None:
    """Wait until something is on the page; go on where the model failed, as a writer would."""
    go_on = writer.button("Continue")
    for _ in range(MOST_TIMES):
        expect(wanted.or_(go_on).first).to_be_visible(timeout=MILLISECONDS)
        if wanted.is_visible():
            return
        go_on.click()
        expect(go_on).to_have_count(0)
    expect(wanted).to_be_visible(timeout=MILLISECONDS)


def picture(page: Page, name: str) -> None:
    """Save a picture of the page as it is, if the environment asks for pictures."""
    folder = os.environ.get("TELLWRIGHT_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        screenshots.save(page, DESKTOP, Path(folder, f"{name}-desktop.png"))


def test_premise_becomes_a_plotted_and_written_chapter(
    page: Page,
    browser: Browser,
    embedded_app: RunningApp,
    console_errors: list[str],
    tmp_path: Path,
) -> None:
    writer = Writer(page, embedded_app)
    writer.tell_premise(PREMISE)
    make_it_short(writer)

    writer.turn_to("Premise")
    writer.press("Draft the cast")
    reach(writer, writer.button(DONE_WITH_CAST))
    picture(page, "cast")
    writer.press(DONE_WITH_CAST)
    writer.wait_for("Plot the first chapter")
    plot_a_chapter(writer)
    writer.turn_to("Write")
    writer.press("Write this chapter")
    reach(writer, writer.button("Approve"))
    writer.press("Approve")
    expect(writer.button("Approve")).to_have_count(0)
    writer.turn_to("Export")
    writer.choose("Markdown")
    manuscript = writer.take_away("Download the manuscript", tmp_path)

    story = writer.story
    expect_no_exception(page)
    assert console_errors == []
    with library_of(embedded_app) as store:
        expect_whole_plot(store, story, 1)
        expect_chosen_of_two(store, story)
        text = expect_written(store, story, 1)
        expect_every_format(store, main_branch(store, story).id, tmp_path)
        expect_every_form(store, main_branch(store, story).id, 1, tmp_path)
        states = {run.state for run in store.runs.runs(main_branch(store, story).id)}
    assert states == {RunState.DONE}
    read = frontmatter.loads(manuscript.read_text("utf-8"))
    expect_story_text(read.content)
    assert text.split()[0] in read.content
    if folder := os.environ.get("TELLWRIGHT_SCREENSHOTS"):
        screenshots.take(browser, embedded_app.url, Path(folder), story=story)


def make_it_short(writer: Writer) -> None:
    """Ask for less in Settings than a larger model would be asked for."""
    writer.turn_to("Settings")
    writer.set_number("Goals per chapter", 2)
    writer.set_number("People who act in each", 1)
    writer.set_number("Words per scene", 50)


def plot_a_chapter(writer: Writer) -> None:
    """Choose what happens in the first chapter."""
    writer.press("Plot the first chapter")
    reach(writer, writer.button("Choose").first)
    picture(writer.page, "choose")
    writer.press("Choose")
    reach(writer, writer.main.get_by_text("Plot several on autopilot"))


def expect_chosen_of_two(store: Store, story: str) -> None:
    """Fail unless there were two scored candidates, one of which became the chapter."""
    candidates = store.proposals.candidates(main_branch(store, story).id, 1)
    states = sorted(candidate.state for candidate in candidates)
    assert states == sorted([CandidateState.CHOSEN, CandidateState.PASSED_OVER])
    assert all(candidate.scores for candidate in candidates)
