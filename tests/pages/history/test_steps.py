"""The steps of a story, undone and done again."""

from __future__ import annotations

from store.models.proposals import CandidateState
from store.models.run import PlotChapters
from store.models.story import Story
from tests.fakes.scripted_server import hang
from tests.pages.desk import Desk, button, expect_whole, primaries, texts_of, turn_to, words
from tests.pages.history.actions import CHOOSING, edit_person, history, press
from tests.pages.prose import EditorField


def test_page_before_the_story_has_begun_leads_to_the_premise(desk: Desk) -> None:
    window = history(desk, desk.story())

    assert "no history yet" in words(window)
    button(window, "Go to the premise").click().run()

    assert texts_of(window.title) == ["Premise"]


def test_steps_are_told_newest_first(desk: Desk, told: Story) -> None:
    edit_person(desk, desk.branch(told), "mara", status="gone")
    said = words(history(desk, told))

    places = [said.index(text) for text in ("**Edit**", "The door", "A light at sea", "inspection")]
    assert places == sorted(places)
    assert "gone" in said
    assert "Nothing is lost here" in said


def test_undo_and_redo_say_what_they_do(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    window = history(desk, told)
    assert "chapter 3, “The door”" in words(window)

    press(window, "undo")
    assert desk.workbench.branches.status(branch).plotted == 2
    assert "chapter 2, “A light at sea”" in words(window)
    assert ":gray-badge[undone]" in words(window)
    press(window, "redo")

    assert desk.workbench.branches.status(branch).plotted == 3
    assert button(window, "Redo").disabled


def test_undo_waits_for_a_run_that_is_at_work(desk: Desk) -> None:
    story = desk.plotted(1)
    desk.server.queue(hang())
    desk.workbench.runs.start(desk.branch(story), PlotChapters())
    window = history(desk, story)

    press(window, "undo")

    assert "working" in " ".join(texts_of(window.warning))
    assert desk.workbench.branches.status(desk.branch(story)).plotted == 1
    desk.server.release()
    desk.settle(story)


def test_chapter_taken_back_has_its_candidates_to_choose_from_again(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    told = desk.workbench.prototype.snapshot(branch, 1)
    window = history(desk, story)

    press(window, "undo")
    desk.settle(story)
    turn_to(window, "plot")

    expect_whole(window)
    assert "Chapter 1" in texts_of(window.header)
    views = desk.workbench.plot.candidates(branch, 1)
    other = next(view.candidate for view in views if not view.is_best)
    window.button(key=f"choose-{other.id}").click().run()
    desk.settle(story)
    assert desk.workbench.story.chapters(branch)[0].title == other.title
    assert desk.workbench.prototype.snapshot(branch, 1) != told
    expect_whole(window.run())


def test_same_candidate_can_be_chosen_again(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    told = desk.workbench.prototype.snapshot(branch, 1)
    before = desk.workbench.plot.candidates(branch, 1)
    [chosen] = [v.candidate for v in before if v.candidate.state is CandidateState.CHOSEN]
    desk.workbench.branches.undo(branch)
    desk.settle(story)

    window = desk.window("plot", story)
    window.button(key=f"choose-{chosen.id}").click().run()
    desk.settle(story)

    assert desk.workbench.prototype.snapshot(branch, 1) == told
    after = desk.workbench.plot.candidates(branch, 1)
    assert [v.candidate.state for v in after] == [v.candidate.state for v in before]


def test_redo_while_the_plot_page_asks_takes_the_question_away(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    window = history(desk, story)
    press(window, "undo")
    desk.settle(story)

    press(window.run(), "redo")
    turn_to(window, "plot")

    expect_whole(window)
    assert primaries(window) == ["Write chapter 1"]
    assert desk.workbench.runs.pending(desk.branch(story)) == []


def test_undo_while_a_later_chapter_is_being_chosen(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    desk.do(story, PlotChapters())
    assert desk.workbench.runs.pending(branch)[0].chapter == 2
    window = history(desk, story)

    press(window, "undo")
    desk.settle(story)
    turn_to(window, "plot")

    expect_whole(window)
    assert [question.chapter for question in desk.workbench.runs.pending(branch)] == [1]
    assert "Chapter 1" in texts_of(window.header)


def test_chapter_taken_back_is_not_on_the_write_page(desk: Desk) -> None:
    story = desk.written()
    window = desk.window("write", story)
    assert texts_of(window.header)[0].startswith("1")

    desk.workbench.branches.undo(desk.branch(story))
    desk.settle(story)
    expect_whole(window.run())
    assert "Nothing to write yet" in words(window)
    desk.workbench.branches.redo(desk.branch(story))
    expect_whole(window.run())

    assert EditorField(window).value
    assert "To review" not in words(turn_to(window, "history"))


def test_many_steps_of_equally_many_lines_stand_beside_each_other(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    for now in ("so", "other"):
        edit_person(
            *(desk, branch, "mara"),
            gender=now,
            age=now,
            occupation=now,
            health=now,
            status=now,
            motivation=now,
            personality=now,
        )

    window = history(desk, told)

    assert [one.label for one in window.expander][:2] == ["4 more", "4 more"]
