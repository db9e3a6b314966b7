"""What the panel beside a picture says."""

from __future__ import annotations

from graph_flow.views import ChangeLine, Moment
from pages.components.details import Details, choices, details_of, subject_of
from store.delta import apply
from store.models.prototype import Snapshot
from tests.store.builders import CAST, CHAPTER_ONE, DISTRUST, adding, changing, fold

STORY = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def facts(id_: str, snapshot: Snapshot = STORY) -> dict[str, str]:
    return {fact.label: fact.text for fact in look_at(id_, snapshot).facts}


def look_at(id_: str, snapshot: Snapshot = STORY, *moments: Moment) -> Details:
    details = details_of(snapshot, id_, moments)
    assert details is not None
    return details


def test_person_is_what_they_do_want_and_are_to_others() -> None:
    assert facts("mara") == {"What they do": "lighthouse keeper", "What they want": "to leave"}
    assert look_at("mara").ties == ("Mara: distrust towards Hale, 7 of 10",)
    assert look_at("hale").ties == look_at("mara").ties


def test_person_came_to_be_by_what_they_took_part_in() -> None:
    history = look_at("mara").history

    assert [(one.when, one.lines) for one in history] == [
        ("At the beginning", ("Enters the story",)),
        ("Chapter 1", ("The door is locked: acts; fear",)),
    ]


def test_changes_stand_under_the_chapter_that_made_them() -> None:
    changed = apply(STORY, changing(DISTRUST, strength=9), 2)
    moment = Moment(chapter=2, changes=(ChangeLine(mark="±", text="distrust 7 → 9"),))

    tie = look_at("distrust", changed, moment)

    assert tie.lead == "Mara: distrust towards Hale, 9 of 10"
    assert [(one.chapter, one.lines) for one in tie.history] == [
        (0, ("Begins",)),
        (2, ("± distrust 7 → 9",)),
    ]


def test_event_says_where_who_and_what_it_leads_to() -> None:
    event = look_at("locked")

    assert (event.sort, event.title) == ("Event · chapter 1", "The door is locked")
    assert event.lead == "Mara finds the door locked."
    assert facts("locked") == {"Where": "Lamp room · the tower", "Mara": "acts; fear"}
    assert event.ties == ("“The door is locked” causes “The lamp dies”",)


def test_scene_says_what_happened_there() -> None:
    scene = look_at("lamp-room")

    assert facts("lamp-room") == {"Place": "the tower"}
    assert [one.lines for one in scene.history] == [("The door is locked",)]


def test_a_line_of_the_plot_graph_leads_to_its_event() -> None:
    assert subject_of(STORY, "mara-locked") == "locked"
    assert subject_of(STORY, "in-lamp-room") == "locked"
    assert subject_of(STORY, "cause") == "locked"
    assert subject_of(STORY, "distrust") == "distrust"


def test_what_does_not_stand_here_has_no_details() -> None:
    for id_ in ("", "nobody", "chapter-heading-1", "foundation", "thread"):
        assert subject_of(STORY, id_) is None
        assert details_of(STORY, id_) is None


def test_choices_are_said_in_words() -> None:
    ids = ["mara", "distrust", "locked", "lamp-room", "gone"]

    assert list(choices(STORY, ids).values()) == [
        "Mara",
        "Mara → Hale: distrust",
        "The door is locked",
        "Lamp room",
    ]
