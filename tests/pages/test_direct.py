"""The Premise and the Plot page of a story that is made directly."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from store.models.run import Initialize, PlotChapters
from store.models.story import Story
from tests.fakes.scripted_server import Reply, Sent, refuse, say
from tests.pages.desk import Desk, button, expect_whole, labels, primaries, texts_of, turn_to, words

_OF_THE_METHOD = re.compile(r"\b(cast|goals?|candidates?|weave|foundation|plot(?:s|ted)?)\b", re.I)


def telling(sent: Sent) -> Reply:
    number = sent.prompt.rpartition("Now write chapter ")[2].split()[0].rstrip(",")
    title = "# The Long Hall\n\n" if "Title of the story" in sent.prompt else ""
    return say(f"{title}## The door {number}\n\nMara opens door {number}.\n\nIt is dark.")


@pytest.fixture
def direct(desk: Desk) -> Story:
    """A story that is made directly, of two chapters, of which none is there yet."""
    desk.server.answer = telling
    return desk.story(settings={"is_direct": True, "chapter_cap": 2, "words": 200})


def made(desk: Desk, story: Story, chapters: int) -> Story:
    desk.do(story, Initialize())
    desk.do(story, PlotChapters(chapters=chapters))
    return story


def expect_no_method(window: AppTest) -> None:
    """Fail if a page speaks of what such a story does not have, outside of the navigation."""
    expect_whole(window)
    said = [line for line in words(window).splitlines() if line != "Plot"]
    assert [line for line in said if _OF_THE_METHOD.search(line)] == []
    assert "made directly" in words(window)


@pytest.mark.parametrize("page", ["premise", "plot"])
def test_new_story_offers_to_write_its_first_chapter(desk: Desk, direct: Story, page: str) -> None:
    window = desk.window(page, direct)
    expect_no_method(window)
    assert primaries(window) == ["Write the first chapter"]
    assert "New threads to the end" not in [one.label for one in window.toggle]

    button(window, "Write the first chapter").click().run()
    desk.settle(direct)

    assert desk.workbench.branches.status(desk.branch(direct)).plotted == 1
    assert desk.workbench.library.story(direct.id).title == "The Long Hall"
    turn_to(window, "plot")
    assert texts_of(window.title) == ["Plot"]
    assert "The door 1" in words(window)


@pytest.mark.parametrize("page", ["premise", "plot"])
def test_story_with_a_chapter_offers_to_write_the_next(
    desk: Desk, direct: Story, page: str
) -> None:
    window = desk.window(page, made(desk, direct, 1))
    expect_no_method(window)
    assert primaries(window) == ["Write chapter 2"]

    button(window, "Write chapter 2").click().run()
    desk.settle(direct)

    assert desk.workbench.branches.status(desk.branch(direct)).plotted == 2


@pytest.mark.parametrize("page", ["premise", "plot"])
def test_whole_story_offers_to_read_it(desk: Desk, direct: Story, page: str) -> None:
    window = desk.window(page, made(desk, direct, 2))

    expect_no_method(window)
    assert primaries(window) == ["Read and edit the chapters"]
    assert "All 2 chapters of the story are written." in words(window)


def test_title_can_be_changed_at_the_premise(desk: Desk, direct: Story) -> None:
    window = desk.window("premise", made(desk, direct, 1))

    title = next(one for one in window.text_input if one.label == "Title")
    assert title.value == "The Long Hall"
    title.set_value("My own").run()

    expect_whole(window)
    assert desk.workbench.library.story(direct.id).title == "My own"


def test_several_chapters_are_written_one_after_the_other(desk: Desk, direct: Story) -> None:
    desk.do(direct, Initialize())
    window = desk.window("plot", direct)

    button(window, "Write 2 chapters").click().run()
    desk.settle(direct)

    progress = desk.workbench.runs.progress(desk.branch(direct))
    assert progress is not None
    assert isinstance(progress.run.task, PlotChapters)
    assert (progress.run.task.chapters, progress.run.task.stops_at_goal) == (2, False)
    assert desk.workbench.branches.status(desk.branch(direct)).plotted == 2


def test_chapter_that_failed_can_be_continued(desk: Desk, direct: Story) -> None:
    desk.server.queue(refuse(401, "no such key"))
    made(desk, direct, 1)
    window = desk.window("plot", direct)

    expect_whole(window)
    assert primaries(window) == ["Continue"]
    window.button(key="continue").click().run()
    desk.settle(direct)
    assert desk.workbench.branches.status(desk.branch(direct)).plotted == 1


def test_story_that_has_a_cast_keeps_it_on_its_premise(desk: Desk) -> None:
    story = desk.plotted()
    settings = story.settings.model_copy(update={"is_direct": True})
    desk.workbench.library.change_settings(story.id, lambda _: settings)

    window = desk.window("premise", story)

    expect_whole(window)
    assert "The cast" in texts_of(window.header)
    assert "Write chapter 2" in labels(turn_to(window, "plot"))
