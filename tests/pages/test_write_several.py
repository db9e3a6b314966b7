"""Writing several chapters: what is offered, what is seen meanwhile, and where it stops."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from store.models.run import Caps, RunState, WriteChapter
from store.models.story import Story
from tests.desk import going_on
from tests.graph_flow.scripting import Held, the_nth
from tests.pages.desk import Desk, button, expect_whole, labels, primaries, words
from tests.pages.prose import EditorField

SETTINGS: dict[str, Any] = {"roles": 1}
SECONDS = 120


def write(desk: Desk, story: Story) -> AppTest:
    window = desk.window("write", story)
    expect_whole(window)
    return window


def held_in_chapter_2(desk: Desk, story: Story) -> Held:
    """Have three chapters written, and hold the plan of the second back."""
    held = Held(the_nth("plan", 2))
    desk.server.answer = held
    task = WriteChapter(chapter=1, then=(2, 3), is_autopilot=True)
    desk.workbench.runs.start(desk.branch(story), task)
    assert held.has_come.wait(SECONDS)
    return held


def let_go(desk: Desk, story: Story, held: Held) -> None:
    held.let_go()
    desk.server.answer = going_on
    desk.settle(story)


def shown_first(window: AppTest, chapter: int) -> None:
    assert window.header[0].value.startswith(f"{chapter}\\.")


def test_all_unwritten_chapters_are_offered_with_what_they_take(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    window = write(desk, story)
    task = WriteChapter(chapter=1, then=(2, 3))
    estimate = desk.workbench.runs.estimate(desk.branch(story), task)

    assert primaries(window) == ["Write this chapter"]
    assert button(window, "Write chapters 1 to 3")
    assert f"About {estimate.calls} calls to" in words(window)
    assert "tokens in and" in words(window)


def test_writer_says_up_to_which_chapter_and_within_which_limits(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    window = write(desk, story)

    window.select_slider[0].set_value(2).run()
    window.number_input(key="cap-calls").set_value(1).run()
    expect_whole(window)
    button(window, "Write chapters 1 to 2").click().run()
    run = desk.settle(story)

    assert run.task == WriteChapter(
        chapter=1, then=(2,), form=story.brief.form, is_autopilot=True, caps=Caps(calls=1)
    )
    assert (run.state, run.is_capped) == (RunState.STOPPED, True)
    window.run()
    expect_whole(window)
    assert "This run has used the 1 calls that you allowed" in words(window).replace("\\", "")
    assert primaries(window) == ["Allow as much again"]


def test_one_chapter_without_text_is_no_several(desk: Desk) -> None:
    story = desk.plotted(2, SETTINGS)
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))

    assert not [one for one in labels(write(desk, story)) if one.startswith("Write chapters")]


def test_chapter_about_which_a_question_waits_is_not_among_them(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    desk.do(story, WriteChapter(chapter=2))
    window = write(desk, story)

    window.button(key="chapter-before").click().run()
    expect_whole(window)

    assert button(window, "Write 2 chapters, from 1 to 3")


def test_finished_chapter_is_read_and_edited_while_another_is_written(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    held = held_in_chapter_2(desk, story)
    branch = desk.branch(story)
    try:
        window = write(desk, story)
        shown_first(window, 2)
        assert "1 of 3 chapters done" in words(window)

        window.button(key="chapter-before").click().run()
        expect_whole(window)
        shown_first(window, 1)
        draft = desk.workbench.manuscript.draft(branch, 1)
        assert draft is not None
        assert EditorField(window).value == draft.text
        EditorField(window).type("Mara lit the lamp.")
        expect_whole(window)
        assert "1 of 3 chapters done" in words(window)

        button(window, "Watch chapter 2").click().run()
        expect_whole(window)
        shown_first(window, 2)
    finally:
        let_go(desk, story, held)
    changed = desk.workbench.manuscript.draft(branch, 1)
    assert changed is not None
    assert changed.text == "Mara lit the lamp."


def test_run_is_stopped_after_the_chapter_and_continued(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    held = held_in_chapter_2(desk, story)
    try:
        window = write(desk, story)
        button(window, "Stop after this chapter").click().run()
        expect_whole(window)
        assert "It stops once this chapter is done." in words(window)
        assert "Stop after this chapter" not in labels(window)
    finally:
        let_go(desk, story, held)
    assert desk.workbench.branches.status(desk.branch(story)).written == 2

    window.run()
    expect_whole(window)
    assert primaries(window) == ["Continue"]
    window.main.button(key="continue").click().run()
    assert desk.settle(story).state is RunState.DONE
    assert desk.workbench.branches.status(desk.branch(story)).written == 3


def test_started_run_is_watched_at_its_first_chapter(desk: Desk) -> None:
    story = desk.plotted(3, SETTINGS)
    window = write(desk, story)
    window.button(key="chapter-after").click().run()
    held = Held(the_nth("plan", 1))
    desk.server.answer = held

    button(window, "Write chapters 1 to 3").click().run()

    expect_whole(window)
    shown_first(window, 1)
    assert window.main.button(key="stop")
    let_go(desk, story, held)
