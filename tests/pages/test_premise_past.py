"""What the author knows: the spine, what happened before the story, and how long it is to be."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.components.words import plain
from store.models.base import WHOLE
from store.models.plot import Event, Part, Participation, Spine
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from store.models.run import PlotChapters
from store.models.story import Story
from store.open import Store
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    turn_to,
    words,
)
from tests.store.builders import altered
from tests.wording import says

FIRE = Event(
    id="fire", title="The fire", summary="The mill burned.", story_order=-3.0, invented=("summary",)
)


NOTE = "Goals are asked for less at a time"


def key_of(desk: Desk, story: Story, *parts: str) -> str:
    branch = desk.branch(story)
    configuration = desk.workbench.proposals.configuration(branch)
    assert configuration is not None
    is_founded = desk.workbench.branches.status(branch).is_founded
    return "-".join([branch, "head" if is_founded else configuration.id, *parts])


def proposed(desk: Desk, story: Story) -> Snapshot:
    return desk.workbench.story.proposed_snapshot(desk.branch(story))


def now(desk: Desk, story: Story) -> Snapshot:
    return desk.workbench.prototype.snapshot(desk.branch(story))


def drafted(desk: Desk, *entities: AnyEntity) -> Story:
    """Return a story whose cast waits for approval, with more in it."""
    story = desk.drafted()
    whole = {**proposed(desk, story).entities, **{one.id: one for one in entities}}
    desk.workbench.story.save_configuration(
        desk.branch(story), "The lamp", Snapshot(entities=whole)
    )
    return story


def typed(window: AppTest, key: str, text: str) -> None:
    fields = {one.key: one for one in (*window.text_input, *window.text_area)}
    fields[key].set_value(text)
    window.run()
    expect_whole(window)


def test_spine_is_written_and_locked_like_the_foundation(desk: Desk) -> None:
    story = drafted(desk)
    window = desk.window("premise", story)

    typed(window, key_of(desk, story, SPINE_ID, "ending"), "She stays.")
    typed(window, key_of(desk, story, SPINE_ID, "cost"), "Her name.")
    window.button(key=key_of(desk, story, "lock", SPINE_ID, "ending")).click().run()

    expect_whole(window)
    spine = proposed(desk, story).spine
    assert (spine.ending, spine.cost, spine.locked) == ("She stays.", "Her name.", ("ending",))


def test_spine_is_changed_and_locked_on_the_plot_page_too(desk: Desk) -> None:
    story = desk.founded()
    branch = desk.branch(story)
    assert "Ending" not in words(desk.window("plot", story))
    whole = {**now(desk, story).entities, SPINE_ID: Spine(id=SPINE_ID, ending="She stays")}
    desk.workbench.story.edit(branch, Snapshot(entities=whole))

    window = desk.window("plot", story)
    expect_whole(window)
    key = f"{branch}-head-{SPINE_ID}"
    fields = {one.key: one for one in window.text_area}
    assert fields[f"{key}-ending"].value == "She stays"
    typed(window, f"{key}-ending", "She leaves.")
    window.button(key=f"{branch}-head-lock-{SPINE_ID}-ending").click().run()

    expect_whole(window)
    spine = now(desk, story).spine
    assert (spine.ending, spine.locked) == ("She leaves.", ("ending",))


def test_past_can_be_told_before_the_cast_is_approved(desk: Desk) -> None:
    story = drafted(desk)
    mara, other, *_ = proposed(desk, story).characters
    window = desk.window("premise", story)

    button(window, "Add an event").click().run()
    expect_whole(window)
    [event] = proposed(desk, story).events
    typed(window, key_of(desk, story, event.id, "summary"), "The mill burned.")
    window.number_input(key=key_of(desk, story, event.id, "years")).set_value(12.0).run()
    for part, person in ((Part.ACTS, mara), (Part.IS_TOLD, other), (Part.WITNESSES, mara)):
        window.multiselect(key=key_of(desk, story, event.id, part.name)).set_value([person.id])
        window.run()
        expect_whole(window)

    snapshot = proposed(desk, story)
    [event] = snapshot.events
    assert (event.summary, event.story_order) == ("The mill burned.", -12.0)
    parts = {one.character: one.part for one in snapshot.participations_in(event.id)}
    assert parts == {mara.id: Part.WITNESSES, other.id: Part.IS_TOLD}
    button(window, "Done").click().run()
    for shown in ("12 years before", plain("The mill burned."), "Who saw it"):
        assert shown in words(window)

    button(window, "Edit “Something happened”").click().run()
    button(window, "Remove this event").click().run()
    expect_whole(window)
    assert proposed(desk, story).events == []
    assert list(proposed(desk, story).of(Participation)) == []


def test_past_that_is_told_later_is_still_before_the_story(desk: Desk) -> None:
    story = drafted(desk, FIRE)
    desk.answer(story)
    desk.do(story, PlotChapters(is_autopilot=True))
    window = desk.window("premise", story)

    button(window, "Edit “The fire”").click().run()
    typed(window, key_of(desk, story, "fire", "summary"), "The mill burned down.")
    button(window, "Done").click().run()
    window.button(key=key_of(desk, story, "lock", "fire", WHOLE)).click().run()
    button(window, "Add an event").click().run()
    expect_whole(window)

    titles = [event.title for event in now(desk, story).events_of(0)]
    assert titles == ["The fire", "Something happened"]
    fire = now(desk, story).get(Event, "fire")
    assert (fire.summary, fire.locked) == ("The mill burned down.", (WHOLE,))
    assert now(desk, story).chapter == 1


def test_what_is_told_of_the_past_is_shown_as_text(desk: Desk) -> None:
    hostile = altered(FIRE, title=HOSTILE, summary=HOSTILE)
    story = drafted(desk, hostile, Spine(id=SPINE_ID, ending=HOSTILE, cost=HOSTILE))
    window = desk.window("premise", story)

    expect_whole(window)
    expect_only_text(window, HOSTILE)


def test_length_is_set_at_the_premise(desk: Desk) -> None:
    story = desk.story()
    window = desk.window("premise", story)

    window.number_input(key=f"length-{story.id}-chapter_cap").set_value(5).run()
    typed(window, f"length-{story.id}-words", "900")
    settings = desk.workbench.library.story(story.id).settings
    assert (settings.planned, settings.words) == (5, 900)

    window.toggle(key=f"length-{story.id}-opens_late").set_value(True).run()
    assert desk.workbench.library.story(story.id).settings.opens_late

    window.toggle(key=f"length-{story.id}-open").set_value(True).run()
    assert not [one for one in window.toggle if one.label == "New threads to the end"]
    typed(window, f"length-{story.id}-words", "")
    settings = desk.workbench.library.story(story.id).settings
    assert (settings.planned, settings.words) == (None, None)


def test_story_cannot_have_fewer_chapters_than_are_plotted(desk: Desk) -> None:
    story = desk.plotted(2)
    window = desk.window("premise", story)

    window.number_input(key=f"length-{story.id}-chapter_cap").set_value(1).run()

    expect_whole(window)
    assert says(words(window), "2 chapters are plotted already")
    assert desk.workbench.library.story(story.id).settings.planned == 12
    window.number_input(key=f"length-{story.id}-chapter_cap").set_value(2).run()
    assert desk.workbench.library.story(story.id).settings.planned == 2
    assert "Not saved yet" not in words(window)


def test_planned_length_can_be_taken_away_when_chapters_are_plotted_and_nothing_is_lost(
    desk: Desk,
) -> None:
    story = desk.plotted(2)
    before = now(desk, story)
    window = desk.window("premise", story)

    window.toggle(key=f"length-{story.id}-open").set_value(True).run()

    expect_whole(window)
    assert desk.workbench.library.story(story.id).settings.planned is None
    assert now(desk, story) == before
    desk.do(story, PlotChapters(is_autopilot=True))
    assert now(desk, story).chapter == 3
    window.toggle(key=f"length-{story.id}-open").set_value(False).run()
    assert desk.workbench.library.story(story.id).settings.planned == 12


def test_note_of_a_run_is_on_its_page_after_it(desk: Desk, library_path: Path) -> None:
    story = desk.plotted()
    run = desk.settle(story)
    store = Store.open(library_path)
    store.runs.add_note(run.id, NOTE)
    store.close()

    window = desk.window("plot", story)

    expect_whole(window)
    assert NOTE in words(window)
    turn_to(window, "premise")
    assert NOTE not in words(window)
    assert "Stop" not in labels(window)
