"""Mystery game: what is decided, what is checked, and what is written, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from store.models.delta import Change, Delta
from store.models.desk.mystery import GuidePart, booklet_key
from store.models.endpoint import Endpoint, ModelSettings
from store.models.story import Story
from store.open import Store
from tests.fakes.scripted_server import hang, say, say_json
from tests.graph_flow.processes import until
from tests.graph_flow.telling.mystery.mill import ADA, BEN, DORA, GROUND, in_library
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
from tests.store.builders import adding, altered, begin

SECONDS = 60


@pytest.fixture
def mill(desk: Desk, library_path: Path) -> Story:
    """The story of the mill, with clues that suffice, and an able model."""
    story = desk.story(premise="A miller is drowned.")
    store = Store.open(library_path)
    in_library(store, desk.branch(story))
    store.close()
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    return story


def seen_on(window: AppTest) -> str:
    return words(window).replace("\\", "")


def turn(window: AppTest, part: str) -> AppTest:
    """Turn to the host guide, the booklets or the clues."""
    [control] = [one for one in window.main.segmented_control if "Booklets" in one.options]
    return control.set_value(part).run()


def select(window: AppTest, label: str) -> Any:
    [found] = [one for one in (*window.selectbox, *window.multiselect) if one.label == label]
    return found


def area(window: AppTest, label: str) -> Any:
    [found] = [one for one in window.text_area if label in one.label]
    return found


def test_story_that_has_not_begun_leads_to_its_premise(desk: Desk) -> None:
    window = desk.window("mystery", desk.story())

    expect_whole(window)
    assert primaries(window) == ["Go to the premise"]


def test_story_without_a_crime_says_what_is_needed(desk: Desk, library_path: Path) -> None:
    story = desk.story()
    store = Store.open(library_path)
    begin(store, desk.branch(story), adding(*GROUND))
    store.close()
    window = desk.window("mystery", story)

    expect_whole(window)
    assert "A mystery needs a victim, somebody who did it, and at least three others" in words(
        window
    )
    assert primaries(window) == ["Go to the graphs"]


def test_game_can_be_taken_without_any_model(desk: Desk, mill: Story) -> None:
    window = desk.window("mystery", mill)

    expect_whole(window)
    said = seen_on(window)
    assert "The clues suffice" in said
    assert "No text gives away" in said
    assert primaries(window) == ["Download the game"]
    assert "Tom Reed, miller, is dead." in area(window, "To read aloud as the evening").value
    assert desk.server.history == []


def test_what_is_decided_is_kept_and_checked(desk: Desk, mill: Story) -> None:
    window = desk.window("mystery", mill)
    select(window, "Who did it").set_value([BEN]).run()

    expect_whole(window)
    assert "Ben Oakes is to have done it, and remembers nothing" in seen_on(window)
    select(window, "Who is played").set_value([ADA, BEN]).run()
    assert "Too few people play" in seen_on(window)
    assert primaries(window) == ["Go to the graphs"]
    kit = desk.workbench.mysteries.kit(desk.branch(mill))
    assert [one.id for one in kit.case.players] == [ADA, BEN]
    # Another crime is somebody else's deed.
    select(window, "The crime").set_value("quarrel").run()
    expect_whole(window)
    assert select(window, "Who did it").value != [BEN]


def test_typed_text_is_kept_and_what_it_gives_away_is_shown(desk: Desk, mill: Story) -> None:
    branch = desk.branch(mill)
    window = desk.window("mystery", mill)
    turn(window, "booklets")
    select(window, "Whose booklet").set_value(BEN).run()
    area(window, "Before the evening").set_value("Cleo is a runaway nun.").run()

    expect_whole(window)
    assert desk.workbench.mysteries.kit(branch).text_of(booklet_key(BEN, 0)) == (
        "Cleo is a runaway nun."
    )
    assert "Words of what this person cannot know (runaway): “Cleo is a runaway nun.”" in seen_on(
        window
    )
    assert "1 text gives something away" in seen_on(window)
    button(window, "Use the story’s own sentences").click().run()
    assert "gives something away" not in seen_on(window)
    assert "He sells the flour twice." in area(window, "Before the evening").value
    button(window, "Bring the former text back").click().run()
    assert area(window, "Before the evening").value == "Cleo is a runaway nun."


def test_booklets_are_written_beside_runs(desk: Desk, mill: Story) -> None:
    desk.server.answer = lambda _: say("You listen, and say little. " * 12)
    window = desk.window("mystery", mill)
    turn(window, "booklets")
    assert "About 8 calls" in seen_on(window)
    button(window, "Have the booklets written").click().run()
    assert desk.workbench.mysteries.wait(desk.branch(mill), SECONDS)
    window.run()

    expect_whole(window)
    assert "Have the booklets written" not in labels(window)
    assert area(window, "Before the evening").value.startswith("You listen")


def test_work_under_way_is_seen_and_stopped(desk: Desk, mill: Story) -> None:
    desk.server.answer = lambda _: hang()
    window = desk.window("mystery", mill)
    turn(window, "booklets")
    button(window, "Have the booklets written").click().run()
    until(lambda: bool(desk.server.history))
    window.run()

    expect_whole(window)
    assert "Writing the booklet of Ada Finch" in seen_on(window)
    assert button(window, "Have the booklets written").disabled
    button(window, "Stop").click().run()
    assert desk.workbench.mysteries.wait(desk.branch(mill), SECONDS)
    window.run()
    expect_whole(window)
    assert "Stopped as you asked." in seen_on(window)
    assert not button(window, "Have the booklets written").disabled


def test_failure_is_said_and_nothing_is_lost(desk: Desk, mill: Story) -> None:
    desk.server.answer = lambda _: say("I would rather not.")
    window = desk.window("mystery", mill)
    area(window, "To read aloud as the evening").set_value("Mine.").run()
    button(window, "Have the guide written").click().run()
    assert desk.workbench.mysteries.wait(desk.branch(mill), SECONDS)
    window.run()

    expect_whole(window)
    assert len(texts_of(window.warning)) == 1
    assert area(window, "To read aloud as the evening").value == "Mine."


def test_verdict_of_a_solver_is_shown_with_its_reasons(desk: Desk, mill: Story) -> None:
    said = {"culprit": "Dora Pike", "reasons": f"The saw. {HOSTILE}", "missing": "A glove."}
    desk.server.answer = lambda _: say_json(said)
    window = desk.window("mystery", mill)
    select(window, "Who knows").set_value(DORA).run()
    button(window, "Let somebody try to solve it").click().run()
    assert desk.workbench.mysteries.wait(desk.branch(mill), SECONDS)
    window.run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    shown = seen_on(window)
    assert "With the booklet of Dora Pike, Dora Pike was named: that is wrong." in shown
    assert "Missing: A glove." in shown


def test_clue_is_edited_where_it_stands(desk: Desk, mill: Story) -> None:
    branch = desk.branch(mill)
    window = desk.window("mystery", mill)
    turn(window, "clues")
    first = desk.workbench.mysteries.kit(branch).clues[0]
    window.button(key=f"edit-{first.id}").click().run()
    area(window, "What the card says").set_value(HOSTILE).run()
    select(window, "What it helps to show").set_value([]).run()
    select(window, "Whom it rules out").set_value([]).run()
    select(window, "What it rests on").set_value([]).run()
    button(window, "Close").click().run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    changed = desk.workbench.mysteries.kit(branch).clues[0]
    assert (changed.text, changed.events, changed.clears) == (HOSTILE, (), ())
    shown = seen_on(window)
    assert "It rests on no event" in shown
    assert "Only one clue speaks for Ben Oakes" in shown
    button(window, "Add a clue").click().run()
    assert "A new clue" in [one.value for one in window.text_input]
    button(window, "Remove this clue").click().run()
    button(window, "Use the story’s own clues").click().run()
    assert desk.workbench.mysteries.kit(branch).clues[0] == first


def test_names_are_only_text(desk: Desk, mill: Story) -> None:
    branch = desk.branch(mill)
    snapshot = desk.workbench.prototype.snapshot(branch)
    changed = tuple(
        Change(before=one, after=altered(one, name=f"{number} {HOSTILE}"))
        for number, one in enumerate(snapshot.characters)
    )
    desk.workbench.story.commit_edit(branch, Delta(changes=changed), snapshot.chapter)
    desk.workbench.mysteries.replace_text(branch, GuidePart.OPENING, "", HOSTILE)
    desk.workbench.mysteries.add_clue(branch, HOSTILE[:80], HOSTILE)
    window = desk.window("mystery", mill)
    for part in ("guide", "booklets", "clues"):
        turn(window, part)
        expect_whole(window)
        expect_only_text(window, HOSTILE)


def test_export_leads_to_the_game(desk: Desk, mill: Story) -> None:
    window = desk.window("export", mill)
    expect_whole(window)
    assert "Your story as a murder mystery" in words(window)
