"""Evaluate: the judge is tested, judges, and is shown with what its scores rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from graph_flow.workbench.beside.pairing import place_of
from pages.components.write.evaluation.strings import Part
from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.desk.evaluation import (
    EvaluationSettings,
    Indicator,
    IndicatorScores,
    LengthReading,
    QualityWeights,
)
from store.models.endpoint import Endpoint, ModelSettings
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import Reply, Sent, refuse
from tests.graph_flow.scripting import agent_of, request_of
from tests.graph_flow.telling.evaluation.test_card import honest, scored
from tests.graph_flow.telling.evaluation.test_judging import FLATTERY, PROSE, whole
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    primaries,
    words,
)

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


def turn(window: AppTest, part: Part) -> AppTest:
    """Look at another part of the page."""
    [parts] = [one for one in window.segmented_control if (one.key or "").startswith("part-of-")]
    parts.set_value(part).run()
    return window


def charts(window: AppTest) -> list[dict[str, Any]]:
    found = window.get("vega_lite_chart")
    return [json.loads(one.proto.spec) for one in found]


def test_a_story_without_text_leads_to_write(desk: Desk) -> None:
    window = desk.window("evaluate", desk.story())

    assert "nothing to evaluate" in words(window)
    assert not charts(window)


def test_the_judge_is_tested_and_then_judges(desk: Desk, brought: Story) -> None:
    window = desk.window("evaluate", brought)
    assert "not been tested" in words(window)

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
        "Recent chapters",
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

    grey = [one.value for one in window.caption if one.value.startswith("- ")]
    assert any("Spoiled texts that it scores lower" in one for one in "\n".join(grey).splitlines())
    assert any("How widely its scores are spread" in one for one in "\n".join(grey).splitlines())
    [table] = [
        one.value
        for one in window.markdown
        if one.value.startswith("| Tested | Found | Needed | Trials |")
    ]
    assert "| Its own text chosen over ours |" in table
    assert "| at least 80% |" in table
    assert not [one for one in window.warning if "worth nothing" in one.value]
    assert not primaries(window), "nobody is led to scores that are worth nothing"

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
    assert any(":orange-background[counted the steps]" in one.value for one in window.markdown)
    opened = [one.label.replace("\\", "") for one in window.expander]
    assert "Immersion: “counted the steps”" in opened


def test_readers_are_kept_and_compared(desk: Desk, brought: Story) -> None:
    window = turn(evaluated(desk, brought), Part.READERS)

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


def other_book(library_path: Path, *texts: str) -> None:
    store = Store.open(library_path)
    chapters = tuple(ReadChapter("", one) for one in texts)
    keep_as_story(store, ReadBook("Elsewhere", "", "English", chapters))
    store.close()


def beside(window: AppTest) -> AppTest:
    """Choose the first other text to compare with."""
    turn(window, Part.OTHERS)
    [choice] = [one for one in window.multiselect if one.key == "compared-others"]
    return choice.select(choice.options[0]).run()


def blind_reader(window: AppTest) -> TextInput:
    [field] = [one for one in window.text_input if (one.key or "").startswith("blind-reader")]
    return field


def test_two_texts_are_judged_blind(desk: Desk, brought: Story, library_path: Path) -> None:
    window = turn(desk.window("evaluate", brought), Part.OTHERS)
    assert "no other text" in words(window)
    other_book(library_path, f"{HOSTILE}\n\nThe end.")
    window = beside(desk.window("evaluate", brought))
    assert "Say who you are" in words(window)
    blind_reader(window).set_value("Ida").run()

    expect_only_text(window, HOSTILE)
    assert "Elsewhere" not in words(window)
    while [one for one in window.button if one.label == "No difference"]:
        button(window, "Left, clearly").click().run()

    expect_whole(window)
    said = words(window)
    assert "You have judged all passages" in said
    assert "Reader: Ida" in said
    assert "Elsewhere" in said


def test_texts_are_compared_by_the_judge_with_intervals_and_why(
    desk: Desk, brought: Story, library_path: Path
) -> None:
    paragraphs = "\n\n".join(f"{PROSE} It was {hour}." for hour in range(8))
    other_book(library_path, paragraphs)
    other_book(library_path, paragraphs.replace("lamp", "bell"))
    window = beside(desk.window("evaluate", brought))
    [choice] = [one for one in window.multiselect if one.key == "compared-others"]
    choice.select(choice.options[1]).run()
    assert "calls to scripted" in words(window)
    button(window, "Compare them").click().run()
    pairs = desk.workbench.pairs
    stories = [card.story.id for card in desk.workbench.library.stories()]
    texts = [pairs.of_story(desk.workbench.library.main_branch(one).id) for one in stories]
    assert pairs.wait(place_of(texts), SECONDS)
    window.run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert "Compare them" not in [one.label for one in window.button]
    said = words(window)
    assert "95% interval" in said
    assert " to +" in said or " to −" in said
    assert "Same choice as readers" in said
    assert "What it rests on:" in said
    assert "Passage 1 of 4" in said
    [chart] = charts(window)
    assert len(chart["layer"]) == 2


def test_it_is_counted_without_any_judge(desk: Desk, brought: Story) -> None:
    desk.server.answer = lambda _: refuse(500, "no model")
    window = turn(desk.window("evaluate", brought), Part.COUNTS)

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert list(window.dataframe[0].value["Chapter"]) == [1, 2, 3]
    [chart] = charts(window)
    assert chart["encoding"]["y"]["field"] == "Pace"
    said = words(window)
    assert "This cannot be told yet" in said
    assert "Open threads" not in list(window.dataframe[0].value), "this book has no plot"
    window.selectbox(key="counted-chapter").select(3).run()
    assert ":orange-background[The lamp was out" in words(window)
    window.selectbox(key="counted-along").select("dialogue").run()
    assert charts(window)[0]["encoding"]["y"]["field"] == "Dialogue"
    assert desk.server.asked == 0


def test_names_and_threads_of_a_story_are_counted(desk: Desk) -> None:
    story = desk.written()
    window = turn(desk.window("evaluate", story), Part.COUNTS)

    expect_whole(window)
    shown = window.dataframe[0].value
    assert {"People and places named", "Open threads", "Age of threads"} & set(shown)
    said = words(window)
    assert "Its events involve them, but its text does not name them:" in said
    assert "Threads open at its end" in said


def test_every_number_says_what_it_is_made_of(desk: Desk, brought: Story) -> None:
    window = turn(evaluated(desk, brought), Part.NUMBERS)

    expect_whole(window)
    said = words(window)
    service = desk.workbench.evaluation
    [evaluation] = service.of_branch(desk.branch(brought))
    result = service.result(evaluation.id)
    assert result is not None
    assert [one.value for one in window.metric] == [
        f"{value:.2f}" for value in (result.quality.s_q, result.quality.s_l, result.quality.qls)
    ]
    assert f"Quality is the sum of what the indicators add: **{result.quality.s_q:.2f}**" in said
    assert "Chapters 1 to 3" in window.selectbox(key=f"look-{evaluation.id}").options
    assert "CreAgentive" in said
    assert list(window.dataframe[0].value["Immersion"]) == [
        round(one.scores.immersion, 2) for one in service.chapters(evaluation.id)
    ]


def test_weights_are_changed_taken_back_and_fitted_and_ask_nothing(
    desk: Desk, brought: Story
) -> None:
    window = turn(evaluated(desk, brought), Part.NUMBERS)
    service = desk.workbench.evaluation
    [evaluation] = service.of_branch(desk.branch(brought))
    asked = desk.server.asked
    assert "these are the published weights" in words(window)

    [empathy] = [one for one in window.number_input if one.label == "Empathy"]
    empathy.set_value(100)
    window.radio[0].set_value(LengthReading.TOTAL)
    button(window, "Use these").click().run()
    expect_whole(window)
    settings = service.get(evaluation.id).settings
    assert settings.weights.empathy == 1
    assert settings.weights.coherence == 0.2
    assert settings.length is LengthReading.TOTAL
    assert "not the published weights" in words(window)

    button(window, "Back to the published weights").click().run()
    assert service.get(evaluation.id).settings.weights == QualityWeights()
    for one in window.number_input:
        if one.key and one.key.startswith("weight-"):
            one.set_value(0)
    button(window, "Use these").click().run()
    assert "At least one indicator must count" in words(window)

    assert "Once a reader has given overall scores" in words(window)
    for place in range(4):
        scores = IndicatorScores.by(
            {**dict.fromkeys(Indicator, 5.0), Indicator.SURPRISE: place * 3}
        )
        service.keep_reader(evaluation.id, "Ida", place, scores, overall=place * 3)
    window.run()
    assert "it takes five" in words(window)
    other = service.of_story(desk.branch(brought), EvaluationSettings(interval=1))
    service.finish(other)
    for place in range(1, 3):
        service.keep_reader(other.id, "Ida", place, scores, overall=9)
    window.run()
    button(window, "Use the fitted weights").click().run()

    expect_whole(window)
    fitted = service.fitted("Ida")
    assert fitted is not None
    assert service.get(other.id).settings.weights == fitted.weights
    assert "The scores are made with these." in words(window)
    assert asked < desk.server.asked, "only the other interval asked the judge"


def test_the_interval_can_be_chosen(desk: Desk, brought: Story) -> None:
    window = evaluated(desk, brought)
    assert "Evaluate the text anew" not in [one.label for one in window.button]

    [interval] = [
        one for one in window.number_input if (one.key or "").startswith("evaluate-interval")
    ]
    interval.set_value(1).run()
    button(window, "Evaluate the text anew").click().run()
    rest(desk, brought)
    window.run()

    newest = desk.workbench.evaluation.of_branch(desk.branch(brought))[0]
    assert newest.settings.interval == 1
    looks = desk.workbench.evaluation.intervals(newest.id)
    assert [one.place for one in looks] == [1, 2, 3]


def test_the_human_ceiling_stands_beside_the_judge(desk: Desk, brought: Story) -> None:
    window = evaluated(desk, brought)
    assert "full agreement" not in words(window)
    service = desk.workbench.evaluation
    [evaluation] = service.of_branch(desk.branch(brought))
    falling = IndicatorScores.by({one: 9.0 - at for at, one in enumerate(Indicator)})
    for reader in ("Ida", "Ben"):
        service.keep_reader(evaluation.id, reader, 1, falling)
    window.run()

    expect_whole(window)
    assert "2 readers agree to 1.00, where 1 is full agreement" in words(window)
    assert "The judge agrees with readers to" in words(window)


def test_a_chapter_of_a_million_characters_is_shown_in_part(desk: Desk, brought: Story) -> None:
    long = f"{PROSE} " + "It went on and on, and nobody knew why. " * 20_000
    desk.workbench.manuscript.save_text(desk.branch(brought), 1, long)
    window = evaluated(desk, brought)

    expect_whole(window)
    said = words(window)
    assert "Read the beginning of the chapter" in said
    assert len(said) < 100_000
    assert "counted the steps" in said
