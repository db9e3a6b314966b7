"""Write: a book that was brought is read into the story, and put into it with one click."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.models.endpoint import Endpoint, ModelSettings
from store.models.story import Story
from tests.fakes.scripted_server import say_json
from tests.pages.desk import Desk, button, expect_whole, labels, turn_to, words
from tests.pages.told_story import tell_into

SECONDS = 60
TEXTS = {2: "Ilse Vogt came ashore.", 3: "Ilse Vogt drowned.", 4: "Ilse Vogt <sang> again."}
FACTS = (
    {
        "people": [{"name": "Ilse Vogt", "who": "pilot", "quote": TEXTS[2]}],
        "events": [
            {
                "title": "Ashore",
                "summary": "Ilse lands.",
                "present": ["Ilse Vogt"],
                "quote": TEXTS[2],
            }
        ],
    },
    {"changes": [{"of": "Ilse Vogt", "field": "life", "value": "dead", "quote": TEXTS[3]}]},
    {
        "events": [
            {
                "title": "The song",
                "summary": "Ilse sings.",
                "present": ["Ilse Vogt"],
                "quote": TEXTS[4],
            }
        ]
    },
)


@pytest.fixture
def book(desk: Desk, library_path: Path) -> Story:
    """A story of one chapter, after which three were typed, and an able model."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    story = desk.workbench.library.story(tell_into(library_path, chapters=1))
    for chapter, text in TEXTS.items():
        desk.workbench.desk.begin_chapter(desk.branch(story), chapter)
        desk.workbench.manuscript.save_text(desk.branch(story), chapter, text)
    return story


def test_book_is_read_in_one_run_and_taken_with_one_click(desk: Desk, book: Story) -> None:
    branch = desk.branch(book)
    window = turn_to(desk.window("app", book), "write")
    assert "The plot knows nothing of 3 chapters yet" in words(window)
    for facts in FACTS:
        desk.server.queue(say_json(facts))
    button(window, "Read the book into the story").click().run()
    progress = desk.workbench.runs.progress(branch)
    assert progress is not None
    assert desk.workbench.runs.wait(progress.run, SECONDS)
    window.run()

    expect_whole(window)
    assert "What happens in 3 chapters" in words(window)
    assert "One line is for you to decide" in words(window)
    assert "has been dead since chapter 3" in words(window)
    ticked = {one.label: one.value for one in window.checkbox}
    assert [value for label, value in ticked.items() if "The song" in label] == [False]
    assert "Read the chapter into the story" not in labels(window)

    button(window, "Put 3 chapters into the story").click().run()

    expect_whole(window)
    now = desk.workbench.prototype.snapshot(branch)
    assert now.chapter == 4
    assert [one.title for one in now.events_of(2)] == ["Ashore"]
    assert now.events_of(4) == []
    assert "3 chapters with 3 lines are part of the story now" in words(window)
    assert "The plot knows nothing" not in words(window)
