"""Tellings: the story in another order is made, arranged, written, read and edited on its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from store.models.desk.telling import Arrangement
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.form import Form
from store.models.manuscript import PartTime
from store.models.run import RunState
from store.models.story import Gate, GateMode, Story
from tests.fakes.scripted_server import Reply, Sent, say
from tests.graph_flow.scripting import request_of
from tests.graph_flow.telling.bridge import TEXT, telling
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    words,
)
from tests.pages.prose import EditorField
from tests.pages.told_story import tell_into

CHAPTERS = 3


@pytest.fixture
def story(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters, and an able model that writes them."""
    endpoint = Endpoint(
        base_url=desk.server.url,
        model="scripted",
        context_window=32_000,
        strength=ModelStrength.ABLE,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    desk.server.answer = telling(writer_novel=_write)
    made = tell_into(library_path)
    going_on = dict.fromkeys(Gate, GateMode.GO_ON)
    desk.workbench.library.change_settings(
        made, lambda it: it.model_copy(update={"gates": going_on})
    )
    return desk.workbench.library.story(made)


def _write(sent: Sent) -> Reply:
    number = re.search(r"chapter (\d+)", request_of(sent))
    return say(f"{TEXT}\n\nSo ended {number and number.group(1)}.")


def opened(desk: Desk, story: Story) -> AppTest:
    window = desk.window("tellings", story)
    expect_whole(window)
    return window


def make(desk: Desk, story: Story, name: str, order: Arrangement = Arrangement.FRAME) -> AppTest:
    desk.workbench.tellings.make(desk.branch(story), name, Form.NOVEL, order)
    return opened(desk, story)


def test_story_without_a_plot_leads_to_it(desk: Desk) -> None:
    window = opened(desk, desk.founded())
    assert primaries(window) == ["Go to the plot"]
    assert "Nothing to tell yet" in words(window)


def test_telling_is_made_by_name_order_and_form(desk: Desk, story: Story) -> None:
    window = opened(desk, story)
    assert primaries(window) == ["Make this telling"]
    branch = desk.branch(story)
    window.text_input(key=f"telling-name-{branch}").set_value("From the end")
    window.selectbox(key=f"telling-order-{branch}").set_value(Arrangement.FRAME)
    window.selectbox(key=f"telling-form-{branch}").set_value(Form.NOVEL)
    button(window, "Make this telling").click().run()
    expect_whole(window)

    assert window.header[0].value == "From the end"
    assert "In a frame\\: somebody looks back · Novel · 3 chapters" in texts_of(window.caption)
    assert primaries(window) == ["Write 3 chapters"]
    assert "Frame, from chapter 3" in words(window)
    assert "This chapter is not written yet." in words(window)


def test_what_is_wrong_is_said_and_the_name_stays(desk: Desk, story: Story) -> None:
    window = make(desk, story, "Looking back")
    branch = desk.branch(story)
    window.text_input(key=f"telling-name-{branch}").set_value("looking BACK")
    button(window, "Make this telling").click().run()
    assert "Another telling has this name" in words(window)
    assert window.text_input(key=f"telling-name-{branch}").value == "looking BACK"


def test_telling_is_written_and_read_and_typed_in(desk: Desk, story: Story) -> None:
    window = make(desk, story, "Looking back")
    button(window, "Write 3 chapters").click().run()
    assert desk.settle(story).state is RunState.DONE
    window = opened(desk, story)

    assert "All of it is written, as the story is now." in words(window)
    assert primaries(window) == []
    [made] = desk.workbench.tellings.of(desk.branch(story))
    assert "So ended 1." in EditorField(window).value
    EditorField(window).type("Mara looked back.")
    assert desk.workbench.manuscript.require(made.branch, made.keys[0]).text == "Mara looked back."


def test_writer_says_what_a_chapter_shows_and_how(desk: Desk, story: Story) -> None:
    window = make(desk, story, "My own", Arrangement.LINEAR)
    [made] = desk.workbench.tellings.of(desk.branch(story))
    key = made.keys[0]
    button(window, "Change what it shows").click().run()
    expect_whole(window)
    shows = window.multiselect(key=f"shows-{key}-")
    first = made.chapters[0].events[0]
    assert list(shows.value) == list(made.chapters[0].events)
    last = made.chapters[-1].events[0]
    shows.set_value([last, first]).run()
    window.selectbox(key=f"when-{key}-{last}").set_value(PartTime.FLASH_FORWARD).run()
    button(window, "Save").click().run()
    expect_whole(window)

    parts = desk.workbench.tellings.of(made.branch)[0].chapters[0].parts
    assert [(part.chapter, part.events, part.time) for part in parts] == [
        (3, (last,), PartTime.FLASH_FORWARD),
        (1, (first,), PartTime.PRESENT),
    ]
    assert "Glimpse of chapter 3" in words(window)
    assert "Save" not in labels(window)


def test_chapters_move_and_go_and_come_back(desk: Desk, story: Story) -> None:
    window = make(desk, story, "My own", Arrangement.LINEAR)
    tellings, branch = desk.workbench.tellings, desk.branch(story)
    first, second, third = tellings.of(branch)[0].keys
    button(window, "Move down").click().run()
    assert tellings.of(branch)[0].keys == (second, first, third)
    button(window, "Take it out").click().run()
    expect_whole(window)
    assert len(tellings.of(branch)[0].keys) == CHAPTERS - 1
    window.button(key=f"put-in-{tellings.of(branch)[0].taken_out[0].key}").click().run()
    expect_whole(window)
    assert len(tellings.of(branch)[0].keys) == CHAPTERS


def test_reader_of_each_telling_and_its_texts_are_compared(desk: Desk, story: Story) -> None:
    window = make(desk, story, "Looking back")
    window.segmented_control(key="part-of-tellings").set_value("reader").run()
    expect_whole(window)
    assert "Who knows of what first" in words(window)
    knowledge, first = (frame.value for frame in window.dataframe)
    assert list(knowledge["Chapter"]) == [1, 2, 3]
    assert len(first) == len(desk.workbench.prototype.snapshot(desk.branch(story)).events)
    window.segmented_control(key="part-of-tellings").set_value("events").run()
    expect_whole(window)
    [table] = (frame.value for frame in window.dataframe)
    assert set(table["text 1"]) == {"not written"}


def test_telling_is_renamed_put_away_and_brought_back(desk: Desk, story: Story) -> None:
    window = make(desk, story, "Looking back")
    button(window, "Rename").click().run()
    [made] = desk.workbench.tellings.of(desk.branch(story))
    window.text_input(key=f"new-name-{made.id}").set_value("From the end")
    button(window, "Use this name").click().run()
    assert window.header[0].value == "From the end"
    button(window, "Put away").click().run()
    expect_whole(window)
    assert desk.workbench.tellings.of(made.branch) == []
    button(window, "Put it back").click().run()
    assert window.header[0].value == "From the end"


def test_hostile_names_are_text(desk: Desk, story: Story) -> None:
    window = make(desk, story, HOSTILE)
    expect_only_text(window)
    for part in ("reader", "events"):
        window.segmented_control(key="part-of-tellings").set_value(part).run()
        expect_only_text(window)


def test_telling_is_chosen_for_export(desk: Desk, story: Story) -> None:
    make(desk, story, "Looking back")
    [made] = desk.workbench.tellings.of(desk.branch(story))
    window = desk.window("export", story)
    window.selectbox(key=f"export-text-{made.branch}").set_value(made.id).run()
    expect_whole(window)
    assert primaries(window) == ["Go to the tellings"]
    task = desk.workbench.tellings.writing(made.id, is_autopilot=True)
    assert desk.do(story, task).state is RunState.DONE
    window.run()
    assert primaries(window) == ["Download the manuscript"]
    assert "3 chapters" in words(window)
