"""The Plot Graph: people, events and scenes, and what joins them."""

from __future__ import annotations

from pydantic import JsonValue

from pages.components.pictures.drawing import Picture
from pages.components.pictures.filters import Filters
from pages.components.pictures.palette import LINK_COLORS
from pages.components.pictures.plot import PlotCut, Window, draw_plot
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from store.deltas.delta import apply
from store.models.plot import Event, EventLink, LinkKind, Part, Participation
from store.models.prototype import AnyEntity, Snapshot
from tests.pages.components.pictures.placing import plot_places_of
from tests.store.builders import CAST, CHAPTER_ONE, LOCKED, MARA_LOCKED, adding, altered, fold

BEGINNING = fold([adding(*CAST)])
FIRST = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def after(*entities: AnyEntity) -> Snapshot:
    """Return the story after a second chapter that adds these."""
    return apply(FIRST, adding(*entities), 2)


def cut(
    now: Snapshot,
    before: Snapshot | None = None,
    first: int = 0,
    filters: Filters | None = None,
) -> PlotCut:
    return PlotCut(Viewpoint(StoryIndex(now), before), Window(first, now.chapter), filters)


def drawn(
    now: Snapshot, before: Snapshot | None = None, first: int = 0, selected: str = ""
) -> Picture:
    return draw_plot(cut(now, before, first), plot_places_of(now), selected=selected)


def shapes(picture: Picture) -> dict[str, JsonValue]:
    return {str(one["id"]): one["shape"] for one in picture.nodes}


def edge(picture: Picture, id_: str) -> dict[str, JsonValue]:
    return next(one for one in picture.edges if one["id"] == id_)


def test_people_events_and_scenes_have_different_shapes() -> None:
    shown = shapes(drawn(FIRST))

    assert len({shown["mara@1"], shown["locked"], shown["lamp-room@1"]}) == 3
    assert "hale@1" not in shown, "takes part in nothing"


def test_edges_join_people_to_events_and_events_to_scenes() -> None:
    picture = drawn(FIRST)
    ends = {str(one["id"]): (one["from"], one["to"]) for one in picture.edges}

    assert ends == {
        "mara-locked": ("mara@1", "locked"),
        "in-lamp-room": ("locked", "lamp-room@1"),
        "cause": ("locked", "after"),
    }
    assert edge(picture, "cause")["label"] == "causes"
    assert edge(picture, "cause")["arrows"] == {"to": {"enabled": True}}
    assert edge(picture, "mara-locked")["arrows"] == {"to": {"enabled": False}}


def test_who_only_sees_or_hears_of_an_event_is_joined_by_dashes() -> None:
    dashes = {}
    for part in Part:
        entities = [
            altered(one, part=part) if one.id == MARA_LOCKED.id else one for one in CHAPTER_ONE
        ]
        picture = drawn(fold([adding(*CAST), adding(*entities)]))
        dashes[part] = bool(edge(picture, "mara-locked")["dashes"])

    assert dashes == {
        Part.ACTS: False,
        Part.IS_AFFECTED: False,
        Part.WITNESSES: True,
        Part.IS_TOLD: True,
    }


def test_events_of_the_chapter_stand_out() -> None:
    groups = {str(one["id"]): one["group"] for one in drawn(FIRST, BEGINNING).nodes}
    later = Event(id="later", title="Later", summary="Later.")
    then = {str(one["id"]): one["group"] for one in drawn(after(later), FIRST).nodes}

    assert (groups["locked"], groups["lamp-room@1"]) == ("new-event", "new-scene")
    assert (then["locked"], then["later"]) == ("event", "new-event")


def test_each_chapter_that_tells_something_has_a_heading() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    headings = drawn(after(later)).columns

    assert [one.words for one in headings] == ["Chapter 1", "Chapter 2"]
    assert [one.short for one in headings] == ["1", "2"]
    assert headings[0].at < headings[1].at


def test_chapters_before_those_shown_are_left_out() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    pays = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    picture = drawn(after(later, pays), FIRST, first=2)

    assert set(shapes(picture)) == {"later"}
    assert picture.edges == ()


def test_link_over_a_chapter_bows_around_what_lies_between() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    pays = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    next_chapter = drawn(apply(FIRST, adding(later, pays), 2))
    leap = drawn(apply(FIRST, adding(later, pays), 3))

    assert edge(next_chapter, "pays")["smooth"] is False
    assert edge(leap, "pays")["smooth"]


def test_every_kind_of_link_has_a_colour() -> None:
    assert set(LINK_COLORS) == set(LinkKind)


def test_nothing_is_drawn_before_anything_happens() -> None:
    assert drawn(BEGINNING).nodes == ()


def test_cut_holds_what_its_chapters_tell_in_order() -> None:
    told = cut(FIRST, first=1)

    assert [event.id for event in told.events] == [LOCKED.id, "after"]
    assert list(told.people) == ["mara"]
    assert list(told.scenes) == ["lamp-room"]
    assert cut(FIRST, first=2).events == []


def test_a_person_stands_in_each_chapter_that_has_them_and_is_joined_when_chosen() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    again = Participation(id="mara-later", character="mara", event="later")
    now = after(later, again)

    assert {"mara@1", "mara@2"} <= set(shapes(drawn(now)))
    assert not [one for one in drawn(now).edges if one.get("subject") == "mara"]
    [way] = [one for one in drawn(now, selected="mara").edges if one.get("subject") == "mara"]
    assert (way["from"], way["to"]) == ("mara@1", "mara@2")


def test_filters_leave_the_events_that_are_asked_for() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    told_of = Participation(id="hale-later", character="hale", event="later", part=Part.IS_TOLD)
    pays = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    now = after(later, told_of, pays)

    def left(**wanted: object) -> list[str]:
        filters = Filters.model_validate(wanted)
        return [event.id for event in cut(now, filters=filters).events]

    assert left(people=("hale",)) == ["later"]
    assert left(parts=(Part.ACTS,)) == ["locked"]
    assert left(people=("hale",), parts=(Part.ACTS,)) == []
    assert left(links=(LinkKind.PAYS_OFF,)) == ["locked", "later"]
    assert left(thread="thread") == ["locked", "later"]
    assert left(thread="no such thread") == ["locked", "after", "later"]
