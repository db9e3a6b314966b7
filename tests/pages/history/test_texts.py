"""Texts of chapters beside branches and undone steps."""

from __future__ import annotations

from pages.components.words import plain
from store.models.run import WriteChapter
from store.models.story import Gate, GateMode
from tests.pages.desk import Desk, button, expect_whole, primaries, texts_of, turn_to, words
from tests.pages.history.actions import CHOOSING
from tests.pages.prose import EditorField


def test_branch_shows_the_texts_it_shares_and_edits_its_own(desk: Desk) -> None:
    story = desk.written()
    main = desk.branch(story)
    other = desk.workbench.branches.start(main, 1, "One")
    before = desk.workbench.manuscript.draft(main, 1)
    assert before is not None
    desk.workbench.library.switch_branch(story.id, other.id)
    window = desk.window("write", story)
    expect_whole(window)
    field = EditorField(window)
    assert field.value == before.text

    field.type("Otherwise.")

    expect_whole(window)
    ours, theirs = (
        desk.workbench.manuscript.draft(other.id, 1),
        desk.workbench.manuscript.draft(main, 1),
    )
    assert ours is not None
    assert ours.text == "Otherwise."
    assert theirs == before


def test_text_that_waits_for_approval_goes_with_its_chapter(desk: Desk) -> None:
    story = desk.plotted(2, CHOOSING | {"gates": {**CHOOSING["gates"], "plan": GateMode.GO_ON}})
    branch = desk.branch(story)
    desk.do(story, WriteChapter(chapter=2))
    assert [question.gate for question in desk.workbench.runs.pending(branch)] == [Gate.DRAFT]
    window = desk.window("write", story)
    window.radio[0].set_value(2).run()
    assert primaries(window) == ["Approve"]

    desk.workbench.branches.undo(branch)
    desk.settle(story)
    expect_whole(window.run())

    assert texts_of(window.header) == [
        "1\\. " + plain(desk.workbench.story.chapters(branch)[0].title)
    ]
    assert primaries(window) == ["Write this chapter"]
    turn_to(window, "plot")
    expect_whole(window)
    assert "This chapter was undone" in words(window)


def test_writing_goes_on_beside_a_question_about_the_plot(desk: Desk) -> None:
    story = desk.plotted(2, CHOOSING)
    branch = desk.branch(story)
    desk.workbench.branches.undo(branch)
    desk.settle(story)
    window = desk.window("write", story)
    expect_whole(window)

    button(window, "Write this chapter").click().run()
    desk.settle(story)
    expect_whole(window.run())

    gates = {question.gate for question in desk.workbench.runs.pending(branch)}
    assert Gate.CANDIDATES in gates
    assert len(gates) == 2
