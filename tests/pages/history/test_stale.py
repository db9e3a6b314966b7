"""What an edit of an earlier chapter made stale, until the writer has looked."""

from __future__ import annotations

import pytest

from pages.components.graphs.navigation import GraphName
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.run import WriteChapter
from store.models.story import Story
from store.open import Store
from tests.pages.desk import Desk, expect_whole, primaries, texts_of, words
from tests.pages.history.actions import edit_person, history, press


def test_edit_of_an_earlier_chapter_marks_what_depends_on_it(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)
    assert "To review" in words(window)
    assert {mark.chapter for mark in desk.workbench.branches.stale(branch)} == {2, 3}

    press(window, "still-fits-0-2")
    assert {mark.chapter for mark in desk.workbench.branches.stale(branch)} == {3}
    press(window, "still-fits-0-3")

    assert "To review" not in words(window)


def test_all_that_an_edit_touched_can_be_said_to_fit(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)

    press(window, "all-still-fit-0")
    assert primaries(window) == ["They still fit"]
    press(window, "keep-marks")
    assert desk.workbench.branches.stale(branch) != []
    press(window, "all-still-fit-0")
    press(window, "do-all-still-fit")

    assert desk.workbench.branches.stale(branch) == []
    assert "To review" not in words(window)


@pytest.mark.parametrize("is_written", [True, False], ids=["text", "event"])
def test_stale_chapter_is_one_click_away(
    desk: Desk, told: Story, store: Store, is_written: bool
) -> None:
    branch = desk.branch(told)
    if is_written:
        plan = WritingPlan(id=new_id(), branch=branch, chapter=2, attempt=1, form=Form.NOVEL)
        store.manuscript.finish_draft(store.manuscript.start_draft(plan, "").id)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)

    next(one for one in window.button if one.key == "go-to-stale-0-2").click().run()

    if is_written:
        assert texts_of(window.title) == ["Write"]
        assert texts_of(window.header)[0].startswith("2")
    else:
        assert texts_of(window.title) == ["Graphs"]
        assert window.segmented_control[0].value == GraphName.PLOT
        assert "Tobin pulls a stranger out of the surf" in texts_of(window.subheader)


def test_stale_chapter_is_marked_on_the_plot_page(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    chapter = max(mark.chapter for mark in desk.workbench.branches.stale(branch))
    window = desk.window("plot", told)
    expect_whole(window)
    assert ":material/sync_problem:" in words(window)

    press(window, f"still-fits-strip-{chapter}")

    assert chapter not in {mark.chapter for mark in desk.workbench.branches.stale(branch)}


def test_stale_text_is_marked_where_it_is_written(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    for chapter in (1, 2):
        desk.do(story, WriteChapter(chapter=chapter, is_autopilot=True))
    told = desk.workbench.prototype.snapshot(branch, 2)
    person = told.participations_in(told.events_of(2)[0].id)[0].character
    # Nobody in a plot changes it, as they may a motive: then the edit would end with chapter 1.
    edit_person(desk, branch, person, 1, age="ninety-one")
    window = desk.window("write", story)
    window.radio[0].set_value(2).run()
    expect_whole(window)
    assert ":material/sync_problem:" in list(window.radio[0].proto.captions)[1]
    assert "the text" in words(window)

    press(window, "still-fits-write-2")

    assert ":material/sync_problem:" not in list(window.radio[0].proto.captions)[1]
    assert [mark for mark in desk.workbench.branches.stale(branch) if mark.chapter == 2] == []
