"""A story on the embedded model, with no key and no settings: its structure, never its wording.

With `TELLWRIGHT_SCREENSHOTS=FOLDER` the browser test leaves pictures of every page in that folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import frontmatter
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from store.models.proposals import CandidateState
from store.models.run import RunState
from store.models.story import StorySettings
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
from tests.graph_flow.processes import ROOT
from tests.libraries import put_empty_library
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.embedded

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


@pytest.mark.browser
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
    manuscript = writer.take_away("Download the manuscript", tmp_path)

    story = writer.story
    expect_no_exception(page)
    assert console_errors == []
    with library_of(embedded_app) as store:
        expect_whole_plot(store, story, 1)
        expect_chosen_of_two(store, story)
        text = expect_written(store, story, 1)
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


def test_command_plots_the_next_chapter_of_a_story(tmp_path: Path) -> None:
    """With a relay of two, who remember a chapter, and no gate; how it begins is tested above."""
    library, out = put_empty_library(tmp_path / "library.db"), tmp_path / "story"
    story = tell_into(library, chapters=1)
    with closing(Store.open(library)) as store:
        store.library.update_settings(story, StorySettings(goals=1, roles=2))
    kept = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TELLWRIGHT_MODEL")
    environment = {name: value for name, value in os.environ.items() if name not in kept}
    asked = ["run", "--story", story, "--chapters", "2", "--json", "--out", str(out)]

    finished = subprocess.run(
        [sys.executable, "-m", "graph_flow.command_line", *asked],
        cwd=ROOT,
        env={**environment, "TELLWRIGHT_LIBRARY": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr[-2_000:]
    report = json.loads(finished.stdout.splitlines()[-1])
    assert (report["status"], report["chapters"], report["cost"]) == ("done", 2, 0.0)
    assert report["calls"] > 0
    with closing(Store.open(library)) as store:
        expect_whole_plot(store, story, 2)
        [candidate] = store.proposals.candidates(main_branch(store, story).id, 2)
        assert len({turn.character for turn in candidate.turns}) == 2
    assert (out / "story.json").is_file()
