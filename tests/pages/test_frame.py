"""The frame of every page: which story is open, how far it is, and what is at work."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from graph_flow.workbench.runs import RunService
from pages.components.frame import frame
from store.models.run import PlotChapters, Progress, RunState
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import hang
from tests.pages.desk import (
    HOSTILE,
    SECONDS_FOR_A_PAGE,
    Desk,
    button,
    expect_only_text,
    labels,
    texts_of,
    turn_to,
    words,
)
from tests.pages.told_story import begin_into, tell_into
from tests.wording import says


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.library.story(tell_into(library_path))


def links(window: AppTest) -> dict[str, str]:
    """Return the pages that the sidebar leads to, by what it says."""
    return {one.proto.label: one.proto.page for one in window.sidebar.get("page_link")}


def test_page_without_a_story_leads_to_the_library(desk: Desk) -> None:
    window = desk.window("graphs")

    assert "No story is open" in words(window)
    button(window, "Go to the library").click().run()

    assert texts_of(window.title) == ["Library"]


def test_address_opens_a_story_in_a_new_window(desk: Desk, told: Story) -> None:
    window = desk.window()
    window.query_params["story"] = told.id
    turn_to(window, "graphs")

    assert "**The Lamp Room**" in texts_of(window.sidebar.markdown)


def test_story_stays_open_from_page_to_page(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)

    assert dict(window.query_params) == {"story": told.id}
    carried = [parse_qs(one.proto.query_string) for one in window.sidebar.get("page_link")]
    assert carried == [{"story": [told.id]}] * len(carried)
    turn_to(window, "export")
    assert "**The Lamp Room**" in texts_of(window.sidebar.markdown)


@pytest.mark.parametrize(
    "address", ["nowhere", "<script>alert(1)</script>", "' OR 1=1 --", "x" * 500]
)
def test_address_of_no_story_is_told_and_forgotten(desk: Desk, address: str) -> None:
    window = desk.window()
    window.query_params["story"] = address
    window.run()

    [told] = texts_of(window.warning)
    assert says(told, "story", "address")
    assert "Library" in links(window)
    window.run()
    assert texts_of(window.warning) == []


def test_deleted_story_is_not_open_any_more(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    desk.workbench.library.delete(told.id)
    window.run()

    assert "was deleted" in words(window)
    assert "No story is open" in words(window)


def test_way_of_the_work_says_how_far_it_is(desk: Desk, told: Story) -> None:
    assert list(links(desk.window("graphs", told)))[1:11] == [
        "Premise :material/check:",
        "Outline",
        "Plot 3/12",
        "Graphs",
        "History",
        "Talk",
        "Write 0/3",
        "Tellings",
        "Evaluate",
        "Export",
    ]
    fresh = desk.story()
    assert list(links(desk.window("graphs", fresh)))[1:11] == [
        "Premise",
        "Outline",
        "Plot",
        "Graphs",
        "History",
        "Talk",
        "Write",
        "Tellings",
        "Evaluate",
        "Export",
    ]


def test_title_is_shown_as_it_was_typed(desk: Desk, told: Story) -> None:
    desk.workbench.library.rename(told.id, HOSTILE)
    window = desk.window("graphs", told)

    expect_only_text(window, HOSTILE)
    assert HOSTILE not in links(window)
    assert any(said.startswith("**\\<b\\>x\\<") for said in texts_of(window.sidebar.markdown))


def test_time_cursor_is_hidden_until_there_is_a_chapter(desk: Desk, library_path: Path) -> None:
    begun = desk.workbench.library.story(begin_into(library_path))

    assert len(desk.window("graphs", begun).slider) == 0


def test_time_cursor_is_the_same_on_every_page(desk: Desk, told: Story) -> None:
    window = desk.window("export", told)
    assert [slider.label for slider in window.sidebar.slider] == ["As of chapter 3 of 3"]

    window.sidebar.slider[0].set_value(1).run()
    turn_to(window, "graphs")

    assert {slider.label for slider in window.slider} == {"As of chapter 1 of 3"}
    assert {slider.value for slider in window.slider} == {1}


def test_both_cursors_of_a_page_move_together(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)

    window.main.slider[0].set_value(2).run()

    assert [slider.value for slider in window.slider] == [2, 2]
    window.sidebar.slider[0].set_value(0).run()
    assert {slider.label for slider in window.slider} == {"As of the beginning"}


def test_cursor_at_the_newest_chapter_goes_on_with_the_story(desk: Desk) -> None:
    story = desk.plotted(1)
    window = desk.window("graphs", story)
    assert window.sidebar.slider[0].value == 1

    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))
    window.run()

    assert window.sidebar.slider[0].value == 2


def test_choice_that_waits_is_linked_from_every_other_page(desk: Desk) -> None:
    story = desk.drafted()

    assert links(desk.window("graphs", story))["A choice is waiting for you"] == "premise"
    at_the_place = desk.window("premise", story)
    assert "A choice is waiting for you" not in links(at_the_place)
    assert "on this page" in " ".join(texts_of(at_the_place.sidebar.caption))


def test_run_at_work_can_be_watched_and_stopped_from_any_page(desk: Desk) -> None:
    story = desk.founded()
    desk.server.queue(hang())
    desk.workbench.runs.start(desk.branch(story), PlotChapters())
    window = desk.window("graphs", story)

    assert any("· 0:" in text for text in texts_of(window.sidebar.markdown))
    button(window, "Stop").click().run()
    desk.server.release()
    desk.settle(story)
    window.run()

    assert "**Stopped**" in texts_of(window.sidebar.markdown)


@pytest.mark.parametrize(
    ("state", "headline"),
    [(RunState.FAILED, "**Something went wrong**"), (RunState.STOPPED, "**Stopped**")],
)
def test_run_that_ended_early_says_why_and_goes_on(
    desk: Desk, library_path: Path, state: RunState, headline: str
) -> None:
    story = desk.founded()
    store = Store.open(library_path)
    run = store.runs.claim_new(desk.branch(story), PlotChapters(is_autopilot=True))
    assert run is not None
    store.runs.end_run(run.id, state, f"No answer. {HOSTILE}")
    store.close()
    window = desk.window("graphs", story)

    assert headline in texts_of(window.sidebar.markdown)
    assert any("No answer" in text for text in texts_of(window.sidebar.caption))
    expect_only_text(window, HOSTILE)
    button(window, "Continue").click().run()

    assert desk.settle(story).state is RunState.DONE


def test_error_with_words_is_told_and_the_page_goes_on() -> None:
    def page() -> None:
        import streamlit as st

        from graph_flow.errors import WorkbenchError
        from pages.components.frame import frame

        typed = st.text_input("Title", "what I typed")
        with frame.showing_errors():
            raise WorkbenchError("Wait a *little*.")
        st.write(f"still there: {typed}")

    window = AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE).run()

    assert texts_of(window.error) == ["Wait a \\*little\\*\\."]
    assert "still there: what I typed" in words(window)


def test_error_without_words_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), frame.showing_errors():
        raise ZeroDivisionError


def test_library_that_cannot_be_read_is_told(desk: Desk, library_path: Path, told: Story) -> None:
    window = desk.window("graphs", told)
    desk.workbench.close()
    library_path.write_bytes(b"this is no library" * 200)
    for leftover in ("-wal", "-shm"):
        library_path.with_name(library_path.name + leftover).unlink(missing_ok=True)
    window.run()

    assert [one.message for one in window.exception] == []
    assert len(window.error) == 1


def test_page_shows_what_a_run_commits_while_the_page_is_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cast is approved in another window and committed between two readings of one page."""
    story = desk.drafted()
    read = RunService.progress

    def read_late(runs: RunService, branch_id: str, *kinds: str) -> Progress | None:
        monkeypatch.setattr(RunService, "progress", read)
        desk.answer(story)
        return runs.progress(branch_id, *kinds)

    window = desk.window("premise", story)
    monkeypatch.setattr(RunService, "progress", read_late)
    turn_to(window, "plot")

    assert "Plot the first chapter" in labels(window)
