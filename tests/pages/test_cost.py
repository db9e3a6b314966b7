"""The Cost page: what the story took, by agent and chapter, down to the single call."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from streamlit.testing.v1 import AppTest

from graph_flow.agents import agent_label
from pages.components.runs.prompts import labels_of
from pages.components.words import plain
from store.models.run import DraftOutline, PlotChapters
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import refuse, say
from tests.pages.desk import Desk, button, expect_whole, texts_of, words
from tests.wording import says

SMALL = {"goals": 1, "roles": 1}


def cost(desk: Desk, story: Story) -> AppTest:
    window = desk.window("cost", story)
    expect_whole(window)
    return window


def numbers(window: AppTest) -> dict[str, str]:
    return {one.label: one.value for one in window.metric}


def test_story_that_used_nothing_says_what_will_stand_here(desk: Desk) -> None:
    window = cost(desk, desk.story())

    assert "Nothing has been used yet" in words(window)
    button(window, "Go to the premise").click().run()
    assert texts_of(window.title) == ["Premise"]


def test_totals_agents_and_chapters_are_told(desk: Desk) -> None:
    story = desk.plotted(2, SMALL)
    branch = desk.branch(story)
    line, total = desk.workbench.ledger.of_line(branch), desk.workbench.ledger.totals(branch=branch)

    window = cost(desk, story)

    assert numbers(window)["Calls to the model"] == f"{total.calls:,}"
    assert numbers(window)["Tokens in"] == f"{total.tokens_in:,}"
    assert "At your prices" not in numbers(window)
    agents, chapters = (one.value for one in window.markdown if one.value.startswith("| "))
    assert {one.agent for one in line.agents} >= {"goals", "role", "scorer", "exit", "cast"}
    for one in line.agents:
        name = plain(agent_label(one.agent))
        assert f"| {name} | {one.calls:,} | {one.tokens_in:,} | {one.tokens_out:,} |" in agents
    assert [one.chapter for one in line.chapters] == [0, 1, 2]
    for chapter in line.chapters:
        name = str(chapter.chapter or "Before")
        assert f"| {name} | {chapter.calls:,} | {chapter.tokens_in:,} |" in chapters
    assert "Wasted" not in agents
    assert sum(one.calls for one in line.chapters) == total.calls


def test_calls_in_vain_are_named(desk: Desk) -> None:
    story = desk.founded(SMALL)
    desk.server.queue(say("nonsense"), refuse(401, "no such key"))
    desk.do(story, PlotChapters(is_autopilot=True))

    window = cost(desk, story)

    assert "1 call got no answer" in words(window)
    assert says(words(window), "1 answer")
    assert "| 1 failed, 1 repeated |" in words(window)


def test_every_call_can_be_read(desk: Desk) -> None:
    story = desk.plotted(2, SMALL)
    branch = desk.branch(story)
    window = cost(desk, story)
    assert [one.value for one in window.code] == []

    window.selectbox(key=f"cost-chapter-{branch}").set_value(1).run()
    window.session_state["told-plot-1"] = True
    window.run()

    expect_whole(window)
    told = desk.workbench.story.prompts(branch, 1, "plot")
    assert "**What it was given**" in words(window)
    assert plain(told[0].prompt.split()[-1]) in words(window)
    assert f"{told[0].tokens_in:,} tokens in" in words(window).replace("\\", "")


def test_beginning_can_be_read_too(desk: Desk) -> None:
    story = desk.drafted()
    window = cost(desk, story)

    window.session_state["told-plot-0"] = True
    window.run()

    expect_whole(window)
    told = desk.workbench.story.prompts(desk.branch(story), 0, "plot")
    [choice] = [one for one in window.selectbox if one.label == "Call"]
    assert choice.options == list(labels_of(told))
    assert "**What it answered**" in words(window)


def test_outline_can_be_read_too(desk: Desk) -> None:
    story = desk.founded()
    desk.do(story, DraftOutline())
    window = cost(desk, story)

    window.session_state["told-outline-0"] = True
    window.run()

    expect_whole(window)
    told = desk.workbench.story.prompts(desk.branch(story), 0, "outline")
    [choice] = [one for one in window.selectbox if one.label == "Call"]
    assert told
    assert choice.options == list(labels_of(told))


def test_sidebar_leads_to_the_cost(desk: Desk) -> None:
    window = desk.window("plot", desk.founded(SMALL))

    assert "Cost" in [one.proto.label for one in window.sidebar.get("page_link")]


def test_notes_of_each_run_are_told_the_newest_first(desk: Desk, library_path: Path) -> None:
    story = desk.plotted(1, SMALL)
    assert "Notes on the runs" not in texts_of(cost(desk, story).header)
    first = desk.settle(story)
    second = desk.do(story, PlotChapters(chapters=2, is_autopilot=True))
    with closing(Store.open(library_path)) as store:
        store.runs.add_note(first.id, "Goals: asked for *less*.")
        store.runs.add_note(second.id, "The end has been brought up to date.")

    window = cost(desk, story)

    assert "Notes on the runs" in texts_of(window.header)
    told = [one.value for one in window.markdown if "Plotting" in one.value]
    assert ["Plotting 2 chapters" in told[0], "Plotting 1 chapter" in told[1]] == [True, True]
    assert "brought up to date" in told[0]
    assert plain("Goals: asked for *less*.") in told[1]
