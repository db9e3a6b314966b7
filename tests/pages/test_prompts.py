"""What the agents were given, on the pages where a writer meets their work."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from graph_flow.views import PromptRecord
from pages.components.runs.prompts import labels_of, source_table
from pages.components.words import plain
from store.models.run import DraftOutline, Outcome, PlotChapters, PromptSource
from store.models.story import GateMode
from tests.desk import PREMISE
from tests.fakes.scripted_server import refuse
from tests.pages.desk import HOSTILE, Desk, expect_whole, labels, words

NO_GOALS_GATE = {
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK}
}


def opened(window: AppTest, key: str) -> AppTest:
    """Open the folded part as a click would."""
    window.session_state[key] = True
    window.run()
    expect_whole(window)
    return window


def word_for_word(window: AppTest) -> AppTest:
    """Have the call that is shown shown as it was sent, too."""
    [toggle] = [one for one in window.toggle if one.label.startswith("Word for word")]
    toggle.set_value(True).run()
    return window


def codes(window: AppTest) -> list[str]:
    return [one.value for one in window.code]


def shown(view: PromptRecord) -> list[str]:
    """Return the texts of a call as a page shows them."""
    return [view.prompt.strip(), view.answer.strip()]


def test_candidates_have_beneath_them_what_the_agents_were_told(desk: Desk) -> None:
    story = desk.choosing(NO_GOALS_GATE)
    window = desk.window("plot", story)
    assert codes(window) == []

    opened(window, "told-plot-1")
    assert codes(window) == []
    word_for_word(window)

    told = desk.workbench.story.prompts(desk.branch(story), 1, "plot")
    [choice] = [one for one in window.selectbox if one.label == "Call"]
    assert choice.options == list(labels_of(told))
    assert codes(window) == shown(told[0])
    assert "| How the story ends | 1 |" in words(window)
    choice.set_value(told[-1].id).run()
    assert codes(window) == shown(told[-1])
    assert f"{told[-1].tokens_in:,}" in words(window)


def test_plotted_chapter_still_tells_what_its_agents_were_told(desk: Desk) -> None:
    window = desk.window("plot", desk.plotted(1, {"goals": 1, "roles": 1}))

    assert len(codes(word_for_word(opened(window, "told-plot-1")))) == 2


def test_what_agents_were_told_has_the_arrow_of_a_fold(desk: Desk) -> None:
    window = desk.window("plot", desk.plotted(1, {"goals": 1, "roles": 1}))

    [fold] = [one for one in window.expander if one.label == "What the agents were given"]
    assert fold.icon == ""


def test_written_chapter_tells_what_its_agents_were_told(desk: Desk) -> None:
    window = desk.window("write", desk.written({"goals": 1, "roles": 1}))

    opened(window, "told-write-1")

    assert len(codes(word_for_word(window))) == 2
    [choice] = [one for one in window.selectbox if one.label == "Call"]
    assert any(option.startswith("Writing scene 1") for option in choice.options)


def test_beginning_tells_what_its_agents_were_told(desk: Desk) -> None:
    story = desk.drafted()
    window = opened(desk.window("premise", story), "told-plot-0")

    [choice] = [one for one in window.selectbox if one.label == "Call"]
    assert choice.options == list(
        labels_of(desk.workbench.story.prompts(desk.branch(story), 0, "plot"))
    )
    assert f"**Premise:** {plain(PREMISE)}" in words(window)


def test_outline_tells_what_its_agents_were_told(desk: Desk) -> None:
    story = desk.founded()
    desk.do(story, DraftOutline())
    window = opened(desk.window("outline", story), "told-outline-0")

    [choice] = [one for one in window.selectbox if one.label == "Call"]
    told = desk.workbench.story.prompts(desk.branch(story), 0, "outline")
    assert choice.options == list(labels_of(told))
    assert told
    assert "**How the story ends:**" in words(window)


def test_failed_call_says_so(desk: Desk) -> None:
    story = desk.founded({"goals": 1, "roles": 1})
    desk.server.queue(refuse(401, "no such key"))
    desk.do(story, PlotChapters())

    window = opened(desk.window("plot", story), "told-plot-1")

    assert "No answer came" in words(window)


def test_chapter_that_nobody_worked_on_says_what_will_be_here(desk: Desk) -> None:
    window = desk.window("write", desk.plotted(1, {"goals": 1, "roles": 1}))

    opened(window, "told-write-1")

    assert "Nothing yet" in words(window)


def test_before_the_first_chapter_there_is_nothing_to_unfold(desk: Desk) -> None:
    window = desk.window("plot", desk.founded())

    assert "What the agents were given" not in words(window)
    assert "Plot the first chapter" in labels(window)


def view(**fields: object) -> PromptRecord:
    given = {
        "id": "x",
        "stage": "plot",
        "words": "Mara speaks",
        "about": "Low Water",
        "sources": (),
        "prompt": "p",
        "answer": "a",
        "outcome": Outcome.OK,
        "problem": "",
        "tokens_in": 1,
        "tokens_out": 1,
        "cost": 0.0,
        "milliseconds": 1,
    }
    return PromptRecord.model_validate(given | fields)


def test_no_two_calls_are_called_alike() -> None:
    told = [view(), view(), view(about=""), view(about="High Water")]

    assert list(labels_of(told)) == [
        "Mara speaks · Low Water",
        "Mara speaks · Low Water · time 2",
        "Mara speaks",
        "Mara speaks · High Water",
    ]


@pytest.mark.parametrize(("left_out", "told"), [(0, "–"), (1_200, "1,200")])
def test_table_tells_what_was_left_out(left_out: int, told: str) -> None:
    source = PromptSource(name="The people", tokens=1_500, lines=3, left_out=left_out)

    assert source_table([source]).splitlines()[-1] == f"| The people | 3 | {told} | 1,500 |"


def test_table_shows_any_name_as_text() -> None:
    assert HOSTILE not in source_table([PromptSource(name=HOSTILE)])


def test_prompts_that_are_no_longer_kept_are_said_to_be_gone(desk: Desk) -> None:
    desk.workbench.prompts.keep(1)
    story = desk.plotted(2)
    branch = desk.branch(story)
    gone = desk.workbench.prompts.summed_up(branch, 1)
    window = desk.window("cost", story)
    window.session_state[f"cost-chapter-{branch}"] = 1
    window.run()

    opened(window, "told-plot-1")

    assert gone > 1
    assert f"{gone} calls for this chapter" in words(window)
    assert "no longer kept" in words(window)
    assert f"| 1 | {gone} |" in words(window)
    assert [one for one in window.selectbox if one.label == "Call"] == []
