"""Pages on a full disk: they show what there is, and say why nothing can be kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pages.serving.browser_libraries import published
from store.models.run import PlotChapters, RunState
from tests.fakes.full_disk import FullDisk
from tests.pages.desk import Desk, button, expect_whole, words

PAGES = ("app", "premise", "outline", "plot", "write", "graphs", "history", "export", "cost")


@pytest.fixture
def disk() -> Iterator[FullDisk]:
    made = FullDisk()
    yield made
    made.free()


def test_every_page_is_shown_while_nothing_can_be_written(desk: Desk, disk: FullDisk) -> None:
    story = desk.written()
    published.clear()
    disk.fill()

    for page in (*PAGES, "rules", "settings"):
        window = desk.window(page, story)
        expect_whole(window)
        assert [one.value for one in window.error] == [], page


def test_what_cannot_be_done_on_a_full_disk_is_said_and_can_be_done_later(
    desk: Desk, disk: FullDisk
) -> None:
    story = desk.founded()
    window = desk.window("plot", story)
    begin = next(one.label for one in window.button if one.label.startswith("Plot"))
    disk.fill()

    button(window, begin).click().run()

    expect_whole(window)
    assert "the disk is full" in words(window)
    assert desk.workbench.runs.progress(desk.branch(story), "plot") is None
    disk.free()
    assert desk.do(story, PlotChapters(is_autopilot=True)).state is RunState.DONE
