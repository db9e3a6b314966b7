"""Evaluate: the judge is tested, judges, and is shown with what its scores rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.desk.evaluation import Indicator
from store.models.endpoint import Endpoint, ModelSettings
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import Reply, Sent, refuse
from tests.graph_flow.scripting import agent_of, request_of
from tests.graph_flow.telling.evaluation.test_card import honest, scored
from tests.graph_flow.telling.evaluation.test_judging import FLATTERY, PROSE, whole
from tests.pages.desk import HOSTILE, Desk, button, expect_only_text, expect_whole, words

SECONDS = 60


@pytest.fixture
def brought(desk: Desk, library_path: Path) -> Story:
    """A book of three chapters, and an able model that judges honestly."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    desk.server.answer = judge
    texts = [PROSE, f"{HOSTILE} She waited for the tide.", f"{PROSE}\n\n{FLATTERY}"]
    chapters = tuple(ReadChapter(f"{HOSTILE[:30]} {at}", one) for at, one in enumerate(texts))
    store = Store.open(library_path)
    story = keep_as_story(store, ReadBook("The Lamp", "", "English", chapters))
    store.close()
    return story


def judge(sent: Sent) -> Reply | None:
    """Judge honestly; of a chapter of the book, say what is shown in it."""
    if agent_of(sent) == "global_evaluation":
        return whole(5)
    if "whole in itself" in request_of(sent) or agent_of(sent) == "pair_judge":
        return honest(sent)
    shown = [{"indicator": "immersion", "quote": "counted the steps"}]
    return scored(7.0, summary=HOSTILE, highlights=shown)


def rest(desk: Desk, story: Story) -> None:
    """Wait until nothing is judged."""
    service = desk.workbench.evaluation
    assert service.wait_for_card(service.judge, SECONDS)
    for one in service.of_branch(desk.branch(story)):
        assert service.wait(one, SECONDS)


def evaluated(desk: Desk, story: Story) -> AppTest:
    service = desk.workbench.evaluation
    service.finish(service.of_story(desk.branch(story)))
    return desk.window("evaluate", story)


def charts(window: AppTest) -> list[dict[str, Any]]:
    found = window.get("vega_lite_chart")
    return [json.loads(one.proto.spec) for one in found]


def test_a_story_without_text_leads_to_write(desk: Desk) -> None:
    window = desk.window("evaluate", desk.story())

    assert "nothing to evaluate" in words(window)
    assert not charts(window)


def test_the_judge_is_tested_and_then_judges(desk: Desk, brought: Story) -> None:
    window = desk.window("evaluate", brought)
    assert "not tested" in words(window)

    button(window, "Test the judge").click().run()
    rest(desk, brought)
    window.run()
    assert "passed the test" in words(window)
    button(window, "Evaluate the text").click().run()
    rest(desk, brought)
    window.run()

    expect_whole(window)
    assert "Evaluate the text" not in [one.label for one in window.button]
    said = words(window)
    assert "counted the steps" in said
    assert "mostly noise" in said
    curve, radar = charts(window)
    assert set(curve["encoding"]["color"]["sort"]) == {
        "The chapter",
        "A look at the whole",
        "The book so far",
    }
    assert len(radar["layer"]) == 4


def test_a_judge_that_fails_is_grey_with_why(desk: Desk, brought: Story) -> None:
    desk.server.answer = lambda sent: judge(sent) if agent_of(sent) == "pair_judge" else scored(4)
    window = desk.window("evaluate", brought)
    button(window, "Test the judge").click().run()
    rest(desk, brought)
    window.run()

    grey = [one.value for one in window.markdown if one.value.startswith("- :gray[")]
    assert any("Spoiled texts that it scores lower" in one for one in "\n".join(grey).splitlines())
    assert any("Spread of its scores" in one for one in "\n".join(grey).splitlines())
    [table] = [one.value for one in window.markdown if one.value.startswith("| Tested")]
    assert "| Its own text chosen over ours |" in table
    assert "| at least 0.80 |" in table
    assert not [one for one in window.warning if "worth nothing" in one.value]

    button(window, "Evaluate the text").click().run()
    rest(desk, brought)
    window.run()

    assert [one for one in window.warning if "scores are worth nothing" in one.value]


def test_findings_show_their_place_and_hostile_text_as_text(desk: Desk, brought: Story) -> None:
    window = evaluated(desk, brought)

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    window.selectbox[0].select(3).run()
    said = words(window)
    assert "was left out of what it read" in said
    assert not window.dataframe
    window.toggle(key="count").set_value(True).run()
    assert list(window.dataframe[0].value["Chapter"]) == [1, 2, 3]
    assert any(":orange-background[counted the steps]" in one.value for one in window.markdown)


def test_readers_are_kept_and_compared(desk: Desk, brought: Story) -> None:
    window = evaluated(desk, brought)

    def give(reader: str, score: float) -> None:
        window.text_input(key="reader-name").set_value(reader)
        for one in Indicator:
            window.slider(key=f"reader-{one.value}").set_value(score)
        window.slider(key="reader-surprise").set_value(score - 3)
        button(window, "Keep these scores").click().run()

    give("Ida", 8.0)
    assert "second reader" in words(window)
    give("Ben", 8.0)

    assert "alpha" in words(window)
    evaluation = desk.workbench.evaluation.of_branch(desk.branch(brought))[0]
    kept = desk.workbench.evaluation.readers(evaluation.id)
    assert [(one.reader, one.scores.coherence) for one in kept] == [("Ben", 8.0), ("Ida", 8.0)]
    give(" ", 5.0)
    assert "Say who has read it" in words(window)


def test_a_failure_is_said_and_can_be_gone_on_with(desk: Desk, brought: Story) -> None:
    service = desk.workbench.evaluation
    desk.server.queue(refuse(401, "no"))
    service.begin(service.of_story(desk.branch(brought)))
    rest(desk, brought)
    window = desk.window("evaluate", brought)
    assert "key" in words(window)

    button(window, "Go on evaluating").click().run()
    rest(desk, brought)

    assert service.result(service.of_branch(desk.branch(brought))[0].id) is not None


def test_a_changed_text_is_said_to_be_so(desk: Desk, brought: Story) -> None:
    evaluated(desk, brought)
    desk.workbench.manuscript.save_text(desk.branch(brought), 1, "It was all a dream.")
    window = desk.window("evaluate", brought)

    assert "changed since" in words(window)
    assert "as it is now" in " ".join(one.label for one in window.button)


def test_two_texts_are_judged_blind(desk: Desk, brought: Story, library_path: Path) -> None:
    window = desk.window("evaluate", brought)
    assert "no other text" in words(window)
    store = Store.open(library_path)
    other = ReadBook("Elsewhere", "", "English", (ReadChapter("", f"{HOSTILE}\n\nThe end."),))
    keep_as_story(store, other)
    store.close()
    window = desk.window("evaluate", brought)
    [choice] = [one for one in window.selectbox if one.key == "blind-other"]
    choice.select_index(0).run()
    window.text_input(key="blind-reader").set_value("Ida").run()

    expect_only_text(window, HOSTILE)
    assert "Elsewhere" not in words(window)
    while [one for one in window.button if one.label == "No difference"]:
        button(window, "Left, clearly").click().run()

    expect_whole(window)
    assert "All passages are judged" in words(window)
    assert "preferred" in words(window)
