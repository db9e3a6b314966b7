"""Evaluate: contradictions with both their passages, and the text beside its story."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.write.evaluation.strings import Part
from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.endpoint import Endpoint, ModelSettings
from store.models.form import Form
from store.models.story import Story
from store.open import Store
from store.text import count_words
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.telling.evaluation.consistency.judges import (
    contradiction,
    found,
    honest,
    inventing,
    judging,
)
from tests.graph_flow.telling.evaluation.consistency.test_beside_story import FACTS, TOLD
from tests.graph_flow.telling.evaluation.consistency.test_checking import BLUE, BROWN, QUIET
from tests.pages.desk import HOSTILE, Desk, button, expect_only_text, expect_whole, words
from tests.pages.test_evaluate import turn
from tests.pages.told_story import tell_into

SECONDS = 60


@pytest.fixture
def able(desk: Desk) -> Desk:
    """A desk whose model is able, and an honest judge."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    desk.server.answer = judging(honest)
    return desk


def brought(library: Path, *texts: str) -> Story:
    store = Store.open(library)
    chapters = tuple(ReadChapter(f"Part {at}", one) for at, one in enumerate(texts, start=1))
    story = keep_as_story(store, ReadBook("The Lamp", "", "English", chapters))
    store.close()
    return story


def evaluated(desk: Desk, story: Story) -> AppTest:
    service = desk.workbench.evaluation
    service.finish(service.of_story(desk.branch(story)))
    return turn(desk.window("evaluate", story), Part.CONTRADICTIONS)


def test_a_contradiction_is_shown_with_both_passages(able: Desk, library_path: Path) -> None:
    window = evaluated(able, brought(library_path, BLUE, QUIET, BROWN))

    expect_whole(window)
    said = words(window)
    assert "chapter 1 against chapter 3" in said
    assert ":orange-background[Odile’s eyes were blue, and she shut them" in said
    assert ":orange-background[In the mirror Odile’s eyes were brown" in said
    [errors] = [one.value for one in window.metric if one.label == "Found"]
    assert errors == "1"
    density = 10_000 / sum(map(count_words, (BLUE, QUIET, BROWN)))
    assert f"{density:.2f} in 10,000 words" in said
    assert len(window.get("vega_lite_chart")) == 3
    assert [one.label for one in window.button].count("Open in Write") == 2


def test_what_could_not_be_shown_is_said_and_hostile_words_are_text(
    able: Desk, library_path: Path
) -> None:
    def hostile(_: Sent) -> Reply:
        return found(
            contradictions=[
                contradiction("Odile counted the steps", "she shut them", why=HOSTILE),
                contradiction(HOSTILE, HOSTILE, why=HOSTILE),
            ]
        )

    able.server.answer = judging(hostile)
    window = evaluated(able, brought(library_path, BLUE))

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert "Not counted: 1 because a quote is not in the text" in words(window)


def test_a_text_without_contradictions_says_so(able: Desk, library_path: Path) -> None:
    able.server.answer = judging(inventing)
    window = evaluated(able, brought(library_path, BLUE, QUIET))

    said = words(window)
    assert "found none" in said
    assert "Not counted: 8 because a quote is not in the text." in said


def test_it_is_left_out_and_made_up_for(able: Desk, library_path: Path) -> None:
    story = brought(library_path, BLUE, BROWN)
    service = able.workbench.evaluation
    window = able.window("evaluate", story)
    assert "two a chapter" in words(window)
    window.checkbox(key="with-contradictions").uncheck().run()
    assert "one a chapter" in words(window)
    button(window, "Evaluate the text").click().run()
    [evaluation] = service.of_branch(able.branch(story))
    assert service.wait(evaluation, SECONDS)
    window.run()
    assert able.workbench.consistency.done(evaluation) == 0

    turn(window, Part.CONTRADICTIONS)
    button(window, "Look for contradictions").click().run()
    assert service.wait(evaluation, SECONDS)
    window.run()

    expect_whole(window)
    assert "chapter 1 against chapter 2" in words(window)
    assert "Look for contradictions" not in [one.label for one in window.button]


def test_a_small_model_is_said_to_be_too_small(desk: Desk, library_path: Path) -> None:
    window = desk.window("evaluate", brought(library_path, BLUE))

    assert "too small to look for contradictions" in words(window)
    assert not window.checkbox


def test_a_text_is_set_beside_its_story(able: Desk, library_path: Path) -> None:
    able.server.answer = judging(lambda _: found(FACTS))
    story_id = tell_into(library_path)
    store = Store.open(library_path)
    story = store.library.story(story_id)
    branch = store.library.main_branch(story.id).id
    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    store.manuscript.save_text(branch, 1, TOLD)
    store.close()
    window = evaluated(able, story)
    assert "the story does not name" not in words(window)

    window.toggle(key="set-beside").set_value(True).run()

    expect_whole(window)
    said = words(window)
    assert "Compared: 1 chapter" in said
    assert "Wendel is a skipper" in said
    assert "the story does not name" in said
