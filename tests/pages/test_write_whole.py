"""Having a whole story read: offered when all of it is written, to a model that is able to."""

from __future__ import annotations

import pytest

from store.models.run import RunState, WriteChapter
from store.models.story import Story
from tests.fakes.scripted_server import say, say_json
from tests.graph_flow.scripting import saying
from tests.pages.desk import Desk, button, expect_whole, labels, primaries, words

OFFER = "Have it read"


@pytest.fixture
def written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Story:
    """Return a story of two chapters that a small model has written, with an able one at hand now."""
    story = desk.plotted(2)
    for chapter in (1, 2):
        desk.do(story, WriteChapter(chapter=chapter, is_autopilot=True))
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "able")
    return story


def text_of(desk: Desk, story: Story, chapter: int) -> str:
    draft = desk.workbench.manuscript.draft(desk.branch(story), chapter)
    assert draft is not None
    return draft.text


def test_story_is_read_and_what_that_changed_is_shown(desk: Desk, written: Story) -> None:
    first, second = (text_of(desk, written, chapter) for chapter in (1, 2))
    last = second.rsplit("\n\n", 1)[-1]
    quote = " ".join(last.split()[-8:])
    remark = {"kind": "flat", "quote": quote, "remark": "It ends twice.", "remedy": "Stop before."}
    desk.server.answer = saying(
        first_reader=say_json({"understood": "A keeper waits.", "remarks": [remark]}),
        last_revision=say_json({"passages": [{"old": last, "new": "A gull sat down on it."}]}),
    )
    window = desk.window("write", written)
    expect_whole(window)
    assert "About 2 calls" in words(window)
    assert primaries(window) != [OFFER]

    button(window, OFFER).click().run()
    assert desk.settle(written).state is RunState.DONE

    window = desk.window("write", written)
    expect_whole(window)
    assert "It ends twice" in words(window)
    assert "A gull sat down on it" in words(window)
    assert text_of(desk, written, 1) == first
    button(window, "Undo the revision").click().run()
    assert text_of(desk, written, 2) == second


def test_small_model_is_not_offered_a_story_to_read(
    desk: Desk, written: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "small")

    window = desk.window("write", written)

    expect_whole(window)
    assert OFFER not in labels(window)


def test_story_with_a_chapter_to_write_is_not_offered_to_be_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = desk.plotted(2)
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "able")

    assert OFFER not in labels(desk.window("write", story))


def test_reading_of_which_nothing_can_be_used_says_so_and_changes_nothing(
    desk: Desk, written: Story
) -> None:
    desk.server.answer = saying(first_reader=say("No."), last_revision=say("No."))
    before = [text_of(desk, written, chapter) for chapter in (1, 2)]
    window = desk.window("write", written)

    button(window, OFFER).click().run()
    assert desk.settle(written).state is RunState.DONE

    window = desk.window("write", written)
    expect_whole(window)
    assert [text_of(desk, written, chapter) for chapter in (1, 2)] == before
    assert "The story was not read as a whole" in words(window)
