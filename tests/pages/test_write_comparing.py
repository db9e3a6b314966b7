"""Write: a text that was changed by hand is compared with the story, and the writer chooses line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from store.models.cast import Character
from store.models.endpoint import Endpoint, ModelSettings
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import hang, refuse, say_json
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    turn_to,
    words,
)
from tests.pages.prose import EditorField
from tests.pages.told_story import tell_into

SECONDS = 60
COMPARE = "Compare with the story"
WRITTEN = "Mara climbed the stairs.\n\nThe door was locked."
AFRAID = "Mara was afraid of the dark now."
ILSE = "Ilse Vogt, the pilot, laughed at her."
TYPED = f"{WRITTEN} {AFRAID} {ILSE}"
FACTS = {
    "people": [{"name": "Ilse Vogt", "who": "pilot", "quote": ILSE}],
    "changes": [{"of": "P1", "field": "fear", "value": "the dark", "quote": AFRAID}],
    "events": [
        {
            "title": "Laughter",
            "summary": "Ilse laughs at Mara.",
            "present": ["Ilse Vogt", "Greta"],
            "quote": ILSE,
        },
        {"title": "Nothing", "summary": "Nobody says so.", "quote": "Hale fell down the stairs."},
    ],
}


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk makes it
    """The same library, to look into."""
    opened = Store.open(library_path)
    yield opened
    opened.close()


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story whose first chapter an agent has written, and an able model."""
    story = desk.workbench.library.story(tell_into(library_path))
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    manuscript, branch = desk.workbench.manuscript, desk.branch(story)
    plan = WritingPlan(id="plan", branch=branch, chapter=1, attempt=1, form=Form.NOVEL)
    draft = manuscript.start_draft(manuscript.save_plan(plan), "The door")
    manuscript.update_draft_text(draft.id, WRITTEN)
    manuscript.finish_draft(draft.id)
    return story


def opened(desk: Desk, story: Story, chapter: int = 1) -> AppTest:
    """Return a window that shows a chapter."""
    window = desk.window("app", story)
    window.session_state[f"chapter shown of {desk.branch(story)}"] = chapter
    return turn_to(window, "write")


def compared(desk: Desk, story: Story, facts: object = FACTS) -> AppTest:
    """Type in the chapter, and compare it."""
    window = opened(desk, story)
    EditorField(window).type(TYPED)
    desk.server.queue(say_json(facts))
    button(window, COMPARE).click().run()
    assert desk.workbench.comparing.wait(desk.branch(story), 1, SECONDS)
    return window.run()


def seen_on(window: AppTest) -> str:
    return words(window).replace("\\", "")


def test_comparison_is_offered_only_once_something_was_typed(desk: Desk, told: Story) -> None:
    window = opened(desk, told)
    assert COMPARE not in labels(window)
    EditorField(window).type(TYPED)
    expect_whole(window)
    assert COMPARE in labels(window)
    assert "You have changed 1 passage by hand" in seen_on(window)
    assert "About 1 call to scripted" in seen_on(window)


def test_each_line_can_be_left_out_and_the_rest_is_taken(
    desk: Desk, told: Story, store: Store
) -> None:
    window = compared(desk, told)
    expect_whole(window)
    assert [box.label.replace("\\", "") for box in window.checkbox] == [
        "1. + new person: Ilse Vogt: pilot",
        "2. ± Mara’s fear: the dark",
        "3. + Laughter (Ilse Vogt acts): Ilse laughs at Mara.",
    ]
    assert all(box.value for box in window.checkbox)
    assert f"“{AFRAID}”" in seen_on(window)
    assert "called that: Greta." in seen_on(window)
    assert "1 line was left out" in seen_on(window)
    assert COMPARE not in labels(window)

    window.checkbox[0].uncheck().run()
    assert (window.checkbox[2].disabled, window.checkbox[2].value) == (True, False)
    assert "only together with line 1" in seen_on(window)

    button(window, "Put into the story").click().run()
    expect_whole(window)
    now = store.prototype.snapshot(desk.branch(told), 1)
    assert now.get(Character, "mara").fear == "the dark"
    assert "Ilse Vogt" not in {one.name for one in now.characters}
    assert "1 line is part of the story now." in seen_on(window)
    assert COMPARE not in labels(window)
    assert not window.checkbox


def test_everything_can_be_refused(desk: Desk, told: Story, store: Store) -> None:
    window = compared(desk, told)
    before = store.prototype.commits(desk.branch(told))
    button(window, "Leave the story as it is").click().run()
    expect_whole(window)
    assert store.prototype.commits(desk.branch(told)) == before
    assert COMPARE not in labels(window)


def test_what_was_found_is_there_after_a_reload_and_says_that_the_text_has_changed(
    desk: Desk, told: Story
) -> None:
    compared(desk, told)
    window = opened(desk, told)
    assert len(window.checkbox) == 3
    assert "changed the text since" not in seen_on(window)
    EditorField(window).type(f"{TYPED} So was I.")
    again = opened(desk, told)
    assert "You have changed the text since it was compared." in seen_on(again)
    desk.server.queue(say_json({}))
    button(again, "Compare again").click().run()
    assert desk.workbench.comparing.wait(desk.branch(told), 1, SECONDS)
    assert "Only the words have changed." in seen_on(again.run())
    button(again, "All right").click().run()
    assert COMPARE not in labels(again)


def test_comparison_can_be_stopped_and_a_failed_one_says_why(desk: Desk, told: Story) -> None:
    window = opened(desk, told)
    EditorField(window).type(TYPED)
    desk.server.queue(hang())
    button(window, COMPARE).click().run()
    assert desk.server.has_arrived.wait(SECONDS)
    assert "Comparing chapter 1 with the story" in seen_on(window.run())
    button(window, "Stop").click().run()
    assert desk.workbench.comparing.wait(desk.branch(told), 1, SECONDS)
    assert "Stopped as you asked." in seen_on(window.run())

    desk.server.queue(refuse(401, "No such key"))
    button(window, "Compare again").click().run()
    assert desk.workbench.comparing.wait(desk.branch(told), 1, SECONDS)
    expect_whole(window.run())
    assert "key" in seen_on(window)


def test_names_and_quotes_are_shown_as_text(desk: Desk, told: Story) -> None:
    person = {"name": "Ilse Vogt", "who": HOSTILE, "wants": HOSTILE, "quote": ILSE}
    window = compared(desk, told, {"people": [person]})
    expect_only_text(window, HOSTILE)
    assert not any(HOSTILE in box.label for box in window.checkbox)


def test_chapter_typed_by_hand_is_read_into_the_story(
    desk: Desk, told: Story, store: Store
) -> None:
    branch = desk.branch(told)
    desk.workbench.desk.begin_chapter(branch, 4)
    desk.workbench.manuscript.save_text(branch, 4, f"It was cold. {AFRAID}")
    window = opened(desk, told, 4)
    desk.server.queue(
        say_json(
            {
                "events": [
                    {
                        "title": "Cold",
                        "summary": "Mara is cold and afraid.",
                        "present": ["Mara"],
                        "quote": AFRAID,
                    }
                ]
            }
        )
    )
    button(window, "Read the chapter into the story").click().run()
    assert desk.workbench.comparing.wait(branch, 4, SECONDS)
    assert "What happens in this chapter" in seen_on(window.run())
    button(window, "Put into the story").click().run()
    expect_whole(window)
    assert [one.title for one in store.prototype.snapshot(branch).events_of(4)] == ["Cold"]
