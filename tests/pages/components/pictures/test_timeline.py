"""The timeline: lanes, beads, two orders, and a window of chapters."""

from __future__ import annotations

from pydantic import JsonValue

from pages.components.pictures.drawing import Picture
from pages.components.pictures.figure import timeline_legend
from pages.components.pictures.filters import Filters
from pages.components.pictures.palette import PART_COLORS
from pages.components.pictures.plot import Window
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from pages.components.pictures.timeline import MOST_LANES, Order, TimelineCut, draw_timeline
from store.deltas.delta import apply
from store.models.cast import Character
from store.models.plot import Event, EventLink, LinkKind, Part, Participation
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import CAST, CHAPTER_ONE, adding, fold, snapshot_of
from tests.wording import says

BEGINNING = fold([adding(*CAST)])
FIRST = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def event(id_: str, **values: object) -> Event:
    return Event.model_validate(
        {"id": id_, "title": id_.title(), "summary": "It happens.", **values}
    )


def part(person: str, event_id: str, kind: Part = Part.ACTS) -> Participation:
    return Participation(id=f"{person}-{event_id}", character=person, event=event_id, part=kind)


def after(*entities: AnyEntity, base: Snapshot = FIRST) -> Snapshot:
    return apply(base, adding(*entities), base.chapter + 1)


def cut(
    now: Snapshot,
    order: Order = Order.TELLING,
    window: Window | None = None,
    filters: Filters | None = None,
) -> TimelineCut:
    return TimelineCut(Viewpoint(StoryIndex(now)), window or Window(0, now.chapter), order, filters)


def beads(picture: Picture, subject: str) -> list[dict[str, JsonValue]]:
    return [one for one in picture.nodes if one.get("subject") == subject]


def test_everybody_present_has_a_lane_in_the_order_of_appearance() -> None:
    now = after(event("later"), part("hale", "later"), part("mara", "later"))

    assert [person.id for person in cut(now).people] == ["mara", "hale"]
    rows = draw_timeline(cut(now)).rows
    assert [row.words for row in rows] == ["Mara", "Hale", "Others"]
    assert [row.subject for row in rows] == ["mara", "hale", ""]


def test_event_is_a_bead_on_the_lane_of_each_who_takes_part_all_at_one_time() -> None:
    now = after(event("later"), part("mara", "later"), part("hale", "later", Part.IS_TOLD))
    picture = draw_timeline(cut(now))
    both = beads(picture, "later")

    assert len(both) == 2
    assert len({one["x"] for one in both}) == 1
    assert len({one["y"] for one in both}) == 2
    assert [bool(one["caption"]) for one in both] == [True, False]
    colors = [str(one["color"]) for one in both]
    assert PART_COLORS[Part.ACTS] in colors[0]
    assert PART_COLORS[Part.IS_TOLD] in colors[1]
    [joint] = [one for one in picture.edges if one["subject"] == "later"]
    assert {joint["from"], joint["to"]} == {one["id"] for one in both}


def test_event_with_nobody_of_the_lanes_stands_among_the_others() -> None:
    [bead] = beads(draw_timeline(cut(FIRST)), "after")

    assert bead["id"] == "after@others"


def test_chapters_go_on_along_the_lanes_and_their_events_in_order() -> None:
    now = after(event("later"), part("mara", "later"))
    picture = draw_timeline(cut(now))
    places = [float(str(beads(picture, one)[0]["x"])) for one in ("locked", "after", "later")]

    assert places == sorted(set(places))
    assert [column.words for column in picture.columns] == ["Chapter 1", "Chapter 2"]


def test_told_as_it_happens_a_flashback_stands_in_its_own_time() -> None:
    now = after(event("once", story_order=0.5), part("mara", "once"))
    told, happened = cut(now), cut(now, Order.STORY)

    assert [one.id for one in told.events] == ["locked", "after", "once"]
    assert [one.id for one in happened.events] == ["once", "locked", "after"]
    assert happened.is_told_out_of_order(now.get(Event, "once"))
    assert not happened.is_told_out_of_order(now.get(Event, "locked"))
    plain = {entry.words for entry in timeline_legend(cut(FIRST))}
    [more] = {entry.words for entry in timeline_legend(happened)} - plain
    assert says(more, "told", "order")


def test_window_is_of_the_telling_or_of_the_storys_own_time() -> None:
    now = after(event("once", story_order=0.5), part("mara", "once"))

    assert [one.id for one in cut(now, window=Window(2, 2)).events] == ["once"]
    assert [one.id for one in cut(now, Order.STORY, Window(2, 2)).events] == []
    assert [one.id for one in cut(now, Order.STORY, Window(0, 0)).events] == ["once"]


def test_nothing_moves_along_the_lanes_while_the_cursor_does() -> None:
    later = after(event("later"), part("mara", "later"))
    earlier = draw_timeline(cut(FIRST, window=Window(1, 3)))
    now = draw_timeline(cut(later, window=Window(1, 3)))

    for one in ("locked", "after"):
        assert beads(earlier, one)[0]["x"] == beads(now, one)[0]["x"]


def test_what_came_before_the_story_stands_in_order_in_one_column_before_chapter_1() -> None:
    past = [event("wreck", story_order=-190.0), event("quarrel", story_order=-2.0)]
    began = fold([adding(*CAST, *past, part("mara", "wreck")), adding(*CHAPTER_ONE)])
    happened = cut(began, Order.STORY)
    picture = draw_timeline(happened)

    assert [one.id for one in happened.events] == ["wreck", "quarrel", "locked", "after"]
    assert [column.words for column in picture.columns] == ["Before the story", "Chapter 1"]
    assert not any(map(happened.is_told_out_of_order, happened.events))
    places = [float(str(beads(picture, one.id)[0]["x"])) for one in happened.events]
    assert places == sorted(set(places))


def test_links_show_for_the_event_that_is_chosen() -> None:
    later = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    now = after(event("later"), part("mara", "later"), later)

    assert "pays" not in {one["id"] for one in draw_timeline(cut(now)).edges}
    shown = draw_timeline(cut(now), selected="later")
    assert "pays" in {one["id"] for one in shown.edges}


def test_of_a_large_cast_the_most_present_have_lanes_or_those_who_are_asked_for() -> None:
    people = [Character(id=f"p{n}", name=f"Person {n}") for n in range(40)]
    often = event("again")
    told: list[AnyEntity] = [event("all"), often, part("p39", "again")]
    told += [part(person.id, "all") for person in people]
    now = apply(snapshot_of(*people), adding(*told), 1)

    shown = [person.id for person in cut(now).people]
    assert len(shown) == MOST_LANES
    assert "p39" in shown
    asked = cut(now, filters=Filters(people=("p20", "p3")))
    assert [person.id for person in asked.people] == ["p3", "p20"]


def test_legend_tells_the_parts_that_are_there() -> None:
    now = after(event("later"), part("mara", "later", Part.WITNESSES))

    assert [entry.words for entry in timeline_legend(cut(now))] == ["acts", "witnesses"]


def test_nothing_to_show_is_an_empty_picture() -> None:
    assert draw_timeline(cut(BEGINNING)).nodes == ()
