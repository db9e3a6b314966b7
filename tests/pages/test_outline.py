"""Outline: what it is for, writing one by hand, and placing its parts on the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from pages.components.editor.event import Bearing
from pages.components.outline.start import OutlineView
from store.models.outline import Outline, OutlineState
from store.models.plot import LinkKind
from store.models.run import DraftOutline
from store.models.story import OutlineUse, Story
from tests.fakes.scripted_server import refuse
from tests.pages.desk import (
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    turn_to,
    words,
)
from tests.pages.planned_story import plan_into
from tests.pages.told_story import HOSTILE_NAME, begin_into, tell_into


@pytest.fixture
def planned(desk: Desk, library_path: Path) -> Story:
    """A story that has begun, with an outline under work."""
    story = begin_into(library_path)
    plan_into(library_path, story)
    return desk.workbench.library.story(story)


@pytest.fixture
def half_told(desk: Desk, library_path: Path) -> Story:
    """A story of three chapters, of which the first told one part of the outline's and left one."""
    story = tell_into(library_path)
    plan_into(library_path, story, told=("p1",))
    return desk.workbench.library.story(story)


def outline_of(desk: Desk, story: Story) -> Outline:
    outline = desk.workbench.outline.newest(desk.branch(story))
    assert outline is not None
    return outline


def chapter_of(outline: Outline, part_id: str) -> int | None:
    return next(part.chapter for part in outline.sub_events if part.id == part_id)


def order_in(outline: Outline, chapter: int) -> list[str]:
    return [part.id for part in outline.parts_of(chapter)]


def edit_event(window: AppTest, title: str) -> AppTest:
    return button(window, f"Edit {title}").click().run()


def turn_to_board(window: AppTest, part: str = "") -> AppTest:
    """See the board, with a card of it open."""
    window.segmented_control(key="outline-view").set_value(OutlineView.BOARD).run()
    if part:
        window.session_state["outline-plan-board-selected"] = part
        window.run()
    expect_whole(window)
    return window


def test_story_must_have_begun(desk: Desk) -> None:
    window = desk.window("outline", desk.story())

    expect_whole(window)
    assert primaries(window) == ["Go to the premise"]


def test_empty_page_says_what_an_outline_is_for(desk: Desk, library_path: Path) -> None:
    story = desk.workbench.library.story(begin_into(library_path))

    window = desk.window("outline", story)

    expect_whole(window)
    assert "spreads them over the chapters" in words(window)
    assert primaries(window) == ["Draft an outline"]


def test_outline_is_written_by_hand_from_nothing(desk: Desk, library_path: Path) -> None:
    story = desk.workbench.library.story(begin_into(library_path))
    window = desk.window("outline", story)

    button(window, "Write my own").click().run()
    button(window, "Add a storyline").click().run()
    event = outline_of(desk, story).events[0].id
    window.text_input(key=f"{key(desk, story)}-{event}-title").set_value("The flood").run()
    window.text_area(key=f"{key(desk, story)}-{event}-action").set_value("It rises.").run()
    button(window, "Add a part").click().run()
    part = outline_of(desk, story).sub_events[0].id
    choice(window, f"part-{part}-chapter").set_value(3).run()
    button(window, "Done").click().run()

    expect_whole(window)
    kept = outline_of(desk, story)
    assert [(one.title, one.action) for one in kept.events] == [("The flood", "It rises.")]
    assert chapter_of(kept, part) == 3
    assert "Chapter 3" in words(window)
    button(window, "Use this outline").click().run()
    assert outline_of(desk, story).state is OutlineState.ACCEPTED
    assert primaries(window) == ["Plot the first chapter"]


def test_links_are_told_as_sentences(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)

    expect_whole(window)
    assert "The flood *causes* The auction" in words(window)
    assert "The four lines meet too late" in words(window)
    assert "Who hid them" in words(window)


def test_link_is_changed_from_either_side_and_taken_out(desk: Desk, planned: Story) -> None:
    window = edit_event(desk.window("outline", planned), "The auction")

    choice(window, "flood-CAUSES-auction-bearing").set_value(
        Bearing(LinkKind.FORESHADOWS, is_outgoing=False)
    ).run()
    window = edit_event(turn_again(window), "Tobin goes to sea")
    button(window, "Remove this link").click().run()

    links = {(one.source, one.link.value, one.target) for one in outline_of(desk, planned).links}
    assert links == {("flood", "foreshadows", "auction"), ("flood", "causes", "inquest")}


def test_events_are_added_moved_and_removed(desk: Desk, planned: Story) -> None:
    window = edit_event(desk.window("outline", planned), "The inquest")

    button(window, "Earlier").click().run()
    button(window, "Remove this event …").click().run()
    assert "3 parts go with it" in words(window)
    button(window, "Remove").click().run()

    expect_whole(window)
    kept = outline_of(desk, planned)
    assert "inquest" not in {event.id for event in kept.events}
    assert not any(part.event == "inquest" for part in kept.sub_events)
    button(window, "Add an event to Tobin").click().run()
    assert [event.line for event in outline_of(desk, planned).events][-1] == "Tobin"


def test_event_moves_among_those_of_its_line(desk: Desk, planned: Story) -> None:
    window = edit_event(desk.window("outline", planned), "The inquest")

    button(window, "Earlier").click().run()

    events = [event.id for event in outline_of(desk, planned).events]
    assert events[:3] == ["inquest", "flood", "auction"]


def test_storyline_is_renamed_and_removed(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)

    button(window, "Change Tobin").click().run()
    window.text_input(key="outline-plan-line-apprentice-name").set_value("The boy").run()
    button(window, "Done").click().run()
    assert "The boy" in texts_of(window.header)

    button(window, "Change The lamp keepers").click().run()
    button(window, "Remove the storyline …").click().run()
    button(window, "Remove").click().run()

    expect_whole(window)
    assert {event.line for event in outline_of(desk, planned).events} == {
        "The harbour",
        "The house of Lenz",
        "The boy",
    }


def test_what_cannot_be_kept_stays_in_its_field(desk: Desk, planned: Story) -> None:
    window = edit_event(desk.window("outline", planned), "The flood")

    window.text_input(key="outline-plan-flood-title").set_value("").run()

    assert "This cannot be empty" in words(window)
    assert outline_of(desk, planned).events[0].title == "The flood"


def test_card_is_placed_and_ordered_without_dragging(desk: Desk, planned: Story) -> None:
    window = turn_to_board(desk.window("outline", planned), "p16")

    choice(window, "part-p16-chapter").set_value(4).run()
    assert order_in(outline_of(desk, planned), 4) == ["p7", "p8", "p16"]
    choice(window, "part-p16-before").set_value("p8").run()

    expect_whole(window)
    assert order_in(outline_of(desk, planned), 4) == ["p7", "p16", "p8"]
    choice(window, "part-p16-chapter").set_value(0).run()
    assert chapter_of(outline_of(desk, planned), "p16") is None


def test_text_of_a_card_is_saved(desk: Desk, planned: Story) -> None:
    window = turn_to_board(desk.window("outline", planned), "p2")

    window.text_area(key="outline-plan-part-p2-text").set_value("They let go.").run()

    assert outline_of(desk, planned).sub_events[1].text == "They let go."


def test_what_is_told_stays_and_what_was_left_out_moves_on(desk: Desk, half_told: Story) -> None:
    window = turn_to_board(desk.window("outline", half_told), "p1")
    assert "Told in chapter 1" in words(window)
    assert labels(window).count("Remove this part") == 0

    window.session_state["outline-plan-board-selected"] = "p2"
    window.run()

    assert "Chapter 1 did not tell this" in texts_of(window.warning)[0]
    choice(window, "part-p2-chapter").set_value(5).run()
    assert chapter_of(outline_of(desk, half_told), "p2") == 5


def test_events_without_parts_are_put_on_the_board(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)
    button(window, "Add an event to Tobin").click().run()

    turn_to_board(window)
    button(window, "Put it on the board").click().run()

    kept = outline_of(desk, planned)
    assert {part.event for part in kept.sub_events} == {event.id for event in kept.events}


def test_outline_that_leaves_a_part_out_says_so(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)

    assert "have no chapter yet" in words(window)
    assert primaries(window) == []
    desk.workbench.outline.place_part(desk.branch(planned), "p16", 4)
    button(turn_again(window), "Use this outline").click().run()

    assert outline_of(desk, planned).state is OutlineState.ACCEPTED


def test_discarded_outline_is_asked_about_and_comes_back(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)

    button(window, "Discard the outline …").click().run()
    button(window, "Discard").click().run()
    assert desk.workbench.outline.newest(desk.branch(planned)) is None
    assert primaries(window) == ["Draft an outline"]
    button(window, "Restore").click().run()

    expect_whole(window)
    assert len(outline_of(desk, planned).events) == 6


def test_use_of_the_outline_is_chosen_here_and_in_settings(desk: Desk, planned: Story) -> None:
    window = desk.window("outline", planned)

    window.segmented_control(key=f"page-outline-use-{planned.id}").set_value(
        OutlineUse.FOLLOW
    ).run()

    assert desk.workbench.library.story(planned.id).settings.outline_use is OutlineUse.FOLLOW
    turn_to(window, "settings")
    field = window.segmented_control(key=f"settings-outline-use-{planned.id}")
    assert field.value == OutlineUse.FOLLOW
    field.set_value(OutlineUse.IGNORE).run()
    assert desk.workbench.library.story(planned.id).settings.outline_use is OutlineUse.IGNORE


@pytest.mark.parametrize("view", list(OutlineView))
def test_hostile_words_are_shown_as_text(desk: Desk, planned: Story, view: OutlineView) -> None:
    outline = outline_of(desk, planned)
    event = outline.events[0].model_copy(
        update={
            "title": HOSTILE_NAME,
            "line": HOSTILE_NAME,
            "setting": HOSTILE_NAME,
            "characters": (HOSTILE_NAME,),
            "action": HOSTILE_NAME,
        }
    )
    part = outline.sub_events[0].model_copy(update={"text": HOSTILE_NAME})
    desk.workbench.outline.save(
        outline.model_copy(
            update={
                "events": (event, *outline.events[1:]),
                "sub_events": (part, *outline.sub_events[1:]),
                "review": HOSTILE_NAME,
            }
        )
    )
    window = desk.window("outline", planned)

    window.segmented_control(key="outline-view").set_value(view).run()
    if view is OutlineView.BOARD:
        turn_to_board(window, "p1")

    expect_whole(window)
    expect_only_text(window, HOSTILE_NAME)


def test_drafted_outline_is_approved_at_its_gate(desk: Desk) -> None:
    story = desk.founded()
    window = desk.window("outline", story)

    button(window, "Draft an outline").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert primaries(window) == ["Approve the outline"]
    assert "Discard the outline …" not in labels(window)
    button(window, "Approve the outline").click().run()
    desk.settle(story)
    window.run()
    expect_whole(window)
    assert outline_of(desk, story).state is OutlineState.ACCEPTED
    assert primaries(window) == ["Plot the first chapter"]


def test_other_outline_is_asked_for_with_a_note(desk: Desk) -> None:
    story = desk.founded()
    desk.do(story, DraftOutline())
    window = desk.window("outline", story)
    question = desk.workbench.runs.pending(desk.branch(story))[0]

    window.text_area(key=f"note-{question.id}").set_value("Less water, please.").run()
    window.button(key=f"again-{question.id}").click().run()
    desk.settle(story)

    assert any("Less water, please." in sent.prompt for sent in desk.server.history)
    assert desk.workbench.runs.pending(desk.branch(story))[0].round == 2


def test_drafting_that_fails_can_go_on_or_be_left(desk: Desk) -> None:
    story = desk.founded()
    desk.server.answer = lambda _sent: refuse(401, "no such key")
    desk.do(story, DraftOutline())
    window = desk.window("outline", story)

    expect_whole(window)
    assert primaries(window) == ["Continue"]
    button(window, "Write my own").click().run()
    expect_whole(window)
    button(window, "Add a storyline").click().run()

    expect_whole(window)
    assert len(outline_of(desk, story).events) == 1


def test_plot_leads_to_the_outline_until_there_is_one(desk: Desk, planned: Story) -> None:
    story = desk.founded()

    assert "Outline first" in links(desk.window("plot", story))
    assert "Outline first" not in links(desk.window("plot", planned))


def links(window: AppTest) -> list[str]:
    return [one.proto.label for one in window.main.get("page_link")]


def key(desk: Desk, story: Story) -> str:
    return f"outline-{outline_of(desk, story).id}"


def choice(window: AppTest, name: str) -> Selectbox[Any]:
    [found] = [one for one in window.selectbox if f"-{name}" in str(one.key)]
    return found


def turn_again(window: AppTest) -> AppTest:
    return turn_to(turn_to(window, "plot"), "outline")
