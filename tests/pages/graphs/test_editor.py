"""The editor in the panel beside a picture: read, edit, add, take out, undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from pages.components.editor.event import Bearing
from pages.components.graphs.navigation import GraphName
from pages.components.words import plain
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind, Trait
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Part,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import Snapshot
from store.models.story import Story
from tests.pages.desk import HOSTILE, Desk, button, expect_only_text, expect_whole, words
from tests.pages.told_story import MARA, tell_into
from tests.wording import says


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.library.story(tell_into(library_path))


def now(desk: Desk, story: Story, chapter: int | None = None) -> Snapshot:
    return desk.workbench.prototype.snapshot(desk.branch(story), chapter)


def look_at(window: AppTest, id_: str) -> AppTest:
    """Look at something, in the Plot Graph where the Role Graph does not show it."""
    if id_ not in offered(window):
        [views] = [one for one in window.segmented_control if "Plot Graph" in one.options]
        views.set_value(GraphName.PLOT).run()
    choose(window, "Look at", id_)
    return window


def offered(window: AppTest) -> list[str]:
    """Return what stands in the picture."""
    [drawn] = [
        one for one in window.get("bidi_component") if "picture" in json.loads(one.proto.json)
    ]
    picture = json.loads(drawn.proto.json)["picture"]
    return [item["id"] for item in (*picture["nodes"], *picture["edges"])]


def edit(window: AppTest, id_: str) -> AppTest:
    look_at(window, id_)
    return button(window, "Edit").click().run()


def write(window: AppTest, label: str, text: str, place: int = 0) -> AppTest:
    fields = [*window.main.text_input, *window.main.text_area]
    found = [one for one in fields if one.label.split(" :")[0] == label]
    found[place].set_value(text)
    return window.run()


def choose(window: AppTest, label: str, option: object, place: int = -1) -> AppTest:
    boxes = [one for one in window.main.selectbox if one.label == label]
    boxes[place].select(option)
    return window.run()


def lock(window: AppTest, name: str) -> Button:
    """Return the lock of a field, or of the whole of something."""
    [found] = [one for one in window.main.button if str(one.key).endswith(name)]
    return found


def save(window: AppTest) -> AppTest:
    button(window, "Save").click().run()
    expect_whole(window)
    return window


def test_person_is_edited_as_one_step(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    expect_whole(window)
    write(window, "Motivation", "to stay")
    write(window, "Age", "41")
    write(window, "Other names (separated by commas)", "The Keeper, M.")
    choose(window, "Life", Life.MISSING)
    assert now(desk, told).get(Character, "mara") == now(desk, told, 3).get(Character, "mara")
    assert now(desk, told).get(Character, "mara").age == ""

    save(window)

    mara = now(desk, told).get(Character, "mara")
    assert (mara.motivation, mara.age, mara.life) == ("to stay", "41", Life.MISSING)
    assert mara.aliases == ("The Keeper", "M.")
    steps = desk.workbench.branches.steps(desk.branch(told)).entries
    assert [step.chapter for step in steps] == [3, 3, 2, 1]
    said = words(window)
    assert "Saved in chapter 3" in said
    assert "to stay" in said


def test_attributes_of_a_genre_are_added_changed_and_taken_out(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    button(window, "Add a line").click().run()
    button(window, "Add a line").click().run()
    write(window, "Trait", "rank", place=0)
    write(window, "Value", "captain", place=0)
    write(window, "Trait", "magic", place=1)
    save(window)
    mara = now(desk, told).get(Character, "mara")
    assert mara.traits == (Trait(name="rank", value="captain"), Trait(name="magic"))

    button(window, "Edit").click().run()
    [first, _] = [one for one in window.main.button if one.label == "Remove this line"]
    first.click().run()
    save(window)

    assert now(desk, told).get(Character, "mara").traits == (Trait(name="magic"),)


def test_what_was_saved_can_be_undone(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Age", "41")
    save(window)

    button(window, "Undo").click().run()

    expect_whole(window)
    assert now(desk, told).get(Character, "mara") == now(desk, told, 3).get(Character, "mara")
    assert now(desk, told).get(Character, "mara").age == ""
    assert "Saved in" not in words(window)


def test_undo_takes_nothing_back_but_what_was_saved_here(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Age", "41")
    save(window)
    other = edit(desk.window("graphs", told), "hale")
    save(write(other, "Age", "50"))

    button(window, "Undo").click().run()

    assert says(words(window), "something else")
    assert now(desk, told).get(Character, "mara").age == "41"
    assert now(desk, told).get(Character, "hale").age == "50"


def test_leaving_it_as_it_was_changes_nothing(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Age", "41")
    button(window, "Discard changes").click().run()
    assert "Edit" in words(window)

    button(window, "Edit").click().run()

    assert [one.value for one in window.main.text_input if one.label == "Age"] == [""]
    assert now(desk, told).get(Character, "mara").age == ""


def test_edit_of_an_earlier_chapter_says_so_and_carries_forward(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    window.sidebar.slider[0].set_value(1).run()
    edit(window, "mara")
    assert says(words(window), "changing chapter 1", "forward to chapter 3")
    write(window, "Health", "ill")
    write(window, "Situation", "caught")

    save(window)

    states = [now(desk, told, chapter).get(Character, "mara") for chapter in (0, 1, 2, 3)]
    assert [one.health for one in states] == ["", "ill", "ill", "ill"]
    assert [one.status for one in states] == ["", "caught", "caught", "free to go"]
    assert "Saved in chapter 1" in words(window)


def test_refused_edit_stays_in_its_fields_with_the_reason(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Name", "Hale")

    save(window)

    assert says(words(window), "two people", "Hale")
    assert [one.value for one in window.main.text_input if one.label == "Name"] == ["Hale"]
    save(write(window, "Name", "Marla"))
    assert now(desk, told).get(Character, "mara").name == "Marla"


def test_value_that_does_not_fit_holds_the_save_back(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Age", "41")
    write(window, "Name", " ")
    assert says(words(window), "empty")

    save(window)

    assert says(words(window), "cannot be saved")
    assert now(desk, told).get(Character, "mara").age == ""


def test_what_is_typed_and_saved_in_one_breath_is_saved(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    [age] = [one for one in window.main.text_input if one.label == "Age"]
    age.set_value("41")

    save(window)

    assert now(desk, told).get(Character, "mara").age == "41"


def test_other_window_is_told_and_what_was_typed_stays(desk: Desk, told: Story) -> None:
    window, other = (edit(desk.window("graphs", told), "mara") for _ in range(2))
    write(window, "Age", "41")
    write(window, "Situation", "caught")
    write(other, "Age", "50")
    write(other, "Situation", "on the run")
    save(write(other, "Health", "ill"))

    save(window)

    assert "has changed, perhaps" in words(window)
    assert plain("Mara: age; Mara: situation") in words(window)
    assert [one.value for one in window.main.text_input if one.label == "Age"] == ["41"]
    assert now(desk, told).get(Character, "mara").age == "50"
    save(window)
    mara = now(desk, told).get(Character, "mara")
    assert (mara.age, mara.health) == ("41", "ill")


def test_what_was_typed_waits_while_something_else_is_looked_at(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara")
    write(window, "Age", "41")
    look_at(window, "hale")
    assert "Not saved yet" in words(window)

    button(window, "Continue with Mara").click().run()

    assert [one.value for one in window.main.text_input if one.label == "Age"] == ["41"]


def test_new_link_that_is_left_open_has_a_name_to_go_back_to(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    button(window, "A link between events").click().run()
    look_at(window, "hale")

    button(window, "Continue with the new link").click().run()

    expect_whole(window)
    assert "Add a link" in [one.value for one in window.main.subheader]


def test_tie_is_edited_turned_around_and_joined_by_another(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "distrust")
    choose(window, "Kind", RelationshipKind.ENMITY)
    choose(window, "Awareness", Awareness.HIDDEN)
    write(window, "Reason", "the lamp")
    [strength] = [one for one in window.main.slider if one.label == "Strength"]
    strength.set_value(2).run()
    button(window, "Swap the two").click().run()
    save(window)
    relationship = now(desk, told).get(Relationship, "distrust")
    assert (relationship.source, relationship.target) == ("hale", "mara")
    assert (relationship.tie, relationship.strength) == (RelationshipKind.ENMITY, 2)
    assert (relationship.awareness, relationship.reason) == (Awareness.HIDDEN, "the lamp")

    button(window, "A relationship").click().run()
    save(choose(window, "Kind", RelationshipKind.ROMANCE))

    between = [one for one in now(desk, told).relationships if one.source == "hale"]
    assert {one.tie for one in between if one.target == "mara"} >= {
        RelationshipKind.ENMITY,
        RelationshipKind.ROMANCE,
    }


def test_event_is_edited_with_its_people_place_time_and_links(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "opened")
    write(window, "Title", "The door gives way")
    write(window, "Consequences", "Nobody can go back.")
    choose(window, "Scene", "quay")
    choose(window, "Story time", "before")
    choose(window, "Other event", "arrival", place=0)
    write(window, "Story date", "the ninth")
    choose(window, "Part", Part.IS_TOLD, place=0)
    write(window, "Impact", "she laughs", place=0)
    button(window, "Add somebody").click().run()
    button(window, "Add a link").click().run()
    save(window)

    story = now(desk, told)
    event = story.get(Event, "opened")
    assert (event.title, event.story_date) == ("The door gives way", "the ninth")
    scene = story.scene_of("opened")
    assert scene is not None
    assert scene.id == "quay"
    assert event.story_order is not None
    assert event.story_order < 1
    parts = story.participations_in("opened")
    assert len(parts) == 3
    assert (parts[0].part, parts[0].impact) == (Part.IS_TOLD, "she laughs")
    assert sum("opened" in (one.source, one.target) for one in story.of(EventLink)) == 3
    assert "right before “The inspector lands”" in words(window)


def test_person_and_link_go_out_of_an_event(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "opened")
    [part, _] = [one for one in window.main.button if one.label == "Remove them"]
    part.click().run()
    [link, _] = [one for one in window.main.button if one.label == "Remove this link"]
    link.click().run()
    save(window)

    story = now(desk, told)
    assert [one.character for one in story.participations_in("opened")] == ["hale"]
    assert sum("opened" in (one.source, one.target) for one in story.of(EventLink)) == 1


def test_all_links_are_said_both_ways(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "l4")
    [how] = [one for one in window.main.selectbox if one.label == "Link"]
    assert len(how.options) == 2 * len(LinkKind)

    save(choose(window, "Link", Bearing(LinkKind.CONTRADICTS, is_outgoing=False)))

    link = now(desk, told).get(EventLink, "l4")
    assert (link.source, link.target, link.link) == ("opened", "locked", LinkKind.CONTRADICTS)


def test_part_and_place_are_edited_by_themselves(desk: Desk, told: Story) -> None:
    window = edit(desk.window("graphs", told), "mara-opened")
    save(write(window, "Feeling", "joy"))
    assert now(desk, told).get(Participation, "mara-opened").emotion == "joy"

    edit(window, "quay")
    save(write(window, "Mood", "salt and tar"))

    assert now(desk, told).get(Scene, "quay").atmosphere == "salt and tar"


def test_thread_is_added_and_goes_on(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    button(window, "A thread").click().run()
    write(window, "Title", "the second key")
    choose(window, "State", ThreadState.PLANTED)
    window.main.number_input[0].set_value(2).run()
    save(window)

    [thread] = now(desk, told).threads
    assert (thread.title, thread.state) == ("the second key", ThreadState.PLANTED)
    assert (thread.planted_in, thread.paid_off_in) == (2, None)
    assert "planted" in words(window)
    window = desk.window("graphs", told)
    button(window, "the second key :gray[planted]").click().run()
    button(window, "Edit").click().run()
    save(choose(window, "State", ThreadState.DROPPED))
    assert now(desk, told).get(Thread, thread.id).state is ThreadState.DROPPED


def test_person_place_and_event_are_added(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    button(window, "A person").click().run()
    expect_whole(window)
    save(write(window, "Name", HOSTILE))
    expect_only_text(window, HOSTILE)
    [person] = [one for one in now(desk, told).characters if one.name == HOSTILE]

    button(window, "An event").click().run()
    save(write(window, "Summary", "The light goes out."))

    [event] = [one for one in now(desk, told).events if one.summary == "The light goes out."]
    assert now(desk, told).first_chapter_of(event.id) == 3
    assert event.position == 3
    parts = now(desk, told).participations_in(event.id)
    assert [one.character for one in parts] == [person.id]
    button(window, "A place").click().run()
    save(write(window, "Name", "The cellar"))
    assert "The cellar" in [one.name for one in now(desk, told).scenes]


def test_something_new_that_is_let_go_never_was(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    button(window, "A person").click().run()
    write(window, "Name", "Nobody")

    button(window, "Discard changes").click().run()

    assert len(now(desk, told).characters) == 5
    assert "What chapter 3 changed" in words(window)


def test_taking_out_asks_and_says_what_goes_along(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), "stranger")
    button(window, "Remove …").click().run()
    assert "This also removes 1 relationship, 2 parts in events" in words(window)
    button(window, "Keep").click().run()
    assert "stranger" in now(desk, told).entities

    button(window, "Remove …").click().run()
    button(window, "Remove").click().run()

    expect_whole(window)
    assert "stranger" not in now(desk, told).entities
    assert "stranger" in now(desk, told, 2).entities
    button(window, "Undo").click().run()
    assert "stranger" in now(desk, told).entities


def test_what_a_later_chapter_needs_cannot_be_taken_out_earlier(desk: Desk, told: Story) -> None:
    window = desk.window("graphs", told)
    window.sidebar.slider[0].set_value(0).run()
    look_at(window, "tobin")
    button(window, "Remove …").click().run()

    button(window, "Remove").click().run()

    expect_whole(window)
    assert "tobin" in now(desk, told, 0).entities
    assert "chapter 1" in words(window)


def test_history_leads_to_its_chapter(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), "mara")

    button(window, "Chapter 1").click().run()

    assert window.sidebar.slider[0].value == 1
    assert "free to go" not in words(window)


def test_mention_leads_to_what_it_mentions(desk: Desk, told: Story) -> None:
    window = look_at(desk.window("graphs", told), "mara")

    button(window, plain("Mara: mentorship towards Tobin, 5 of 10")).click().run()

    assert "Relationship" in [one.value for one in window.main.caption]
    button(window, "Tobin").click().run()
    assert [one.value for one in window.main.subheader] == ["Tobin"]


def test_lock_of_the_whole_is_kept_at_once_and_that_of_a_field_with_the_rest(
    desk: Desk, told: Story
) -> None:
    window = look_at(desk.window("graphs", told), "mara")
    lock(window, "whole-mara-*").click().run()
    assert now(desk, told).get(Character, "mara").locked == ("*",)
    lock(window, "whole-mara-*").click().run()

    button(window, "Edit").click().run()
    lock(window, "lock-mara-age").click().run()
    assert now(desk, told).get(Character, "mara").locked == ()
    save(window)

    assert now(desk, told).get(Character, "mara").locked == ("age",)


def test_field_that_was_edited_is_no_longer_invented(desk: Desk) -> None:
    story = desk.founded()
    person = next(one for one in now(desk, story).characters if "occupation" in one.invented)
    window = edit(desk.window("graphs", story), person.id)

    save(write(window, "Occupation", "mender of nets"))

    assert "occupation" not in now(desk, story).get(Character, person.id).invented
    assert MARA.invented == ()
