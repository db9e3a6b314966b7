"""What the panel beside a picture says."""

from __future__ import annotations

import pytest

from graph_flow.views import ChangeLine, Moment
from pages.components.graphs.details import Details, choices, details_of, subject_of
from store.deltas.delta import apply
from store.models.cast import Life, Trait
from store.models.plot import Event, ThreadState
from store.models.prototype import Snapshot
from tests.store.builders import (
    AFTER,
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    MARA,
    MARA_LOCKED,
    THREAD,
    adding,
    altered,
    changing,
    fold,
)
from tests.wording import says

STORY = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def facts(id_: str, snapshot: Snapshot = STORY) -> dict[str, str]:
    return {fact.label: fact.text for fact in look_at(id_, snapshot).facts}


def look_at(id_: str, snapshot: Snapshot = STORY, *moments: Moment) -> Details:
    details = details_of(snapshot, id_, moments)
    assert details is not None
    return details


def test_what_came_before_the_story_is_said_to_have() -> None:
    wreck = Event(id="wreck", title="The wreck", summary="A ship is lost.", story_order=-19.0)
    saw = altered(MARA_LOCKED, id="saw", event="wreck", learned="The lamp failed.")
    story = fold([adding(*CAST, wreck, saw), adding(*CHAPTER_ONE)])

    assert says(look_at("wreck", story).sort, "before the story")
    assert says(facts("wreck", story)["Story time"], "The door is locked")
    assert says(look_at("saw", story).sort, "before the story")
    assert facts("saw", story)["Learned"] == "The lamp failed."
    [beginning, *_] = look_at("mara", story).history
    assert any(says(line, "The wreck") for line in beginning.lines)


def test_person_is_what_they_do_want_and_are_to_others() -> None:
    assert facts("mara") == {"Occupation": "lighthouse keeper", "Motivation": "to leave"}
    [relationship] = look_at("mara").mentions
    assert relationship.id == "distrust"
    assert says(relationship.text, "Mara", "distrust", "Hale", 7, 10)
    assert look_at("hale").mentions == look_at("mara").mentions


def test_person_who_cannot_act_and_what_a_genre_needs_are_said() -> None:
    told = apply(
        STORY, changing(MARA, life=Life.DEAD, traits=(Trait(name="rank", value="captain"),)), 2
    )

    assert facts("mara", told)["Life"] == "Dead"
    assert facts("mara", told)["rank"] == "captain"


def test_person_came_to_be_by_what_they_took_part_in() -> None:
    history = look_at("mara").history

    assert [(one.when, one.lines) for one in history] == [
        ("At the beginning", ("Enters the story",)),
        ("Chapter 1", ("The door is locked: acts; fear",)),
    ]


def test_changes_stand_under_the_chapter_that_made_them() -> None:
    changed = apply(STORY, changing(DISTRUST, strength=9), 2)
    moment = Moment(chapter=2, changes=(ChangeLine(mark="±", text="distrust 7 → 9"),))

    relationship = look_at("distrust", changed, moment)

    assert says(relationship.lead, "Mara", "distrust", "Hale", 9, 10)
    assert [(one.chapter, one.lines) for one in relationship.history] == [
        (0, ("Begins",)),
        (2, ("± distrust 7 → 9",)),
    ]


def test_event_says_where_who_and_what_it_leads_to() -> None:
    event = look_at("locked")

    assert (event.sort, event.title) == ("Event · chapter 1", "The door is locked")
    assert event.lead == "Mara finds the door locked."
    assert facts("locked") == {"Scene": "Lamp room · the tower", "Mara": "acts; fear"}
    assert [one.text for one in event.mentions] == ["“The door is locked” causes “The lamp dies”"]


def test_event_that_is_told_out_of_order_says_when_it_happens() -> None:
    told = apply(STORY, changing(AFTER, story_order=0.5, story_date="the year before"), 2)

    assert facts("after", told)["Story time"] == "right before “The door is locked”"
    assert facts("after", told)["Story date"] == "the year before"
    assert "Story time" not in facts("locked", told)


def test_scene_says_what_happened_there() -> None:
    scene = look_at("lamp-room")

    assert facts("lamp-room") == {"Place": "the tower"}
    assert [one.lines for one in scene.history] == [("The door is locked",)]


def test_part_says_who_does_what_in_what() -> None:
    part = look_at("mara-locked")

    assert (part.sort, part.title) == ("Part · chapter 1", "Mara in “The door is locked”")
    assert part.lead == "Mara acts."
    assert facts("mara-locked") == {"Feeling": "fear"}
    assert [one.id for one in part.mentions] == ["mara", "locked"]


def test_link_says_what_leads_to_what() -> None:
    link = look_at("cause")

    assert link.title == "“The door is locked” causes “The lamp dies”"
    assert [one.id for one in link.mentions] == ["locked", "after"]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (ThreadState.PLANNED, {"To be planted": "chapter 1", "To be paid off": "chapter 9"}),
        (ThreadState.PLANTED, {"Planted": "chapter 1", "To be paid off": "chapter 9"}),
        (ThreadState.PAID_OFF, {"Planted": "chapter 1", "Paid off": "chapter 9"}),
        (ThreadState.DROPPED, {"Planted": "chapter 1", "Was due to be paid off": "chapter 9"}),
    ],
)
def test_thread_says_how_far_it_has_come(state: ThreadState, told: dict[str, str]) -> None:
    thread = altered(THREAD, state=state, planted_in=1, paid_off_in=9)
    story = STORY.model_copy(update={"entities": {**STORY.entities, "thread": thread}})

    assert facts("thread", story) == {"State": state.value, **told}


def test_tie_mentions_who_it_is_between_and_what_else_is_between_them() -> None:
    debt = altered(DISTRUST, id="debt", tie="debt", source="hale", target="mara")
    story = apply(STORY, adding(debt), 2)

    assert [one.id for one in look_at("distrust", story).mentions] == ["mara", "hale", "debt"]


def test_a_click_asks_for_what_was_clicked() -> None:
    for id_ in ("mara", "distrust", "locked", "lamp-room", "mara-locked", "cause", "thread"):
        assert subject_of(STORY, id_) == id_
        assert look_at(id_).id == id_
    assert subject_of(STORY, "in-lamp-room") == "locked"


def test_what_does_not_stand_here_has_no_details() -> None:
    for id_ in ("", "nobody", "chapter-heading-1", "foundation"):
        assert subject_of(STORY, id_) is None
        assert details_of(STORY, id_) is None


def test_choices_are_said_in_words() -> None:
    ids = ["mara", "distrust", "locked", "lamp-room", "gone"]

    assert list(choices(STORY, ids).values()) == [
        "Mara",
        "Mara towards Hale: distrust",
        "The door is locked",
        "Lamp room",
    ]
