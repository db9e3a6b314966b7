"""The Plot Graph: people, events and scenes, and what joins them."""

from __future__ import annotations

from pydantic import JsonValue

from pages.components.drawing import Picture
from pages.components.plot_cut import cut
from pages.components.plot_graph import LINK_COLORS, draw_plot, links_shown
from store.delta import apply
from store.models.plot import Event, EventLink, LinkKind, Part
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import CAST, CHAPTER_ONE, LOCKED, MARA_LOCKED, adding, altered, fold

BEGINNING = fold([adding(*CAST)])
FIRST = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def after(*entities: AnyEntity) -> Snapshot:
    """Return the story after a second chapter that adds these."""
    return apply(FIRST, adding(*entities), 2)


def drawn(now: Snapshot, before: Snapshot | None = None, first: int = 0) -> Picture:
    return draw_plot(cut(now, first, now.chapter), before)


def shapes(picture: Picture) -> dict[str, JsonValue]:
    return {str(one["id"]): one["shape"] for one in picture.nodes}


def edge(picture: Picture, id_: str) -> dict[str, JsonValue]:
    return next(one for one in picture.edges if one["id"] == id_)


def test_people_events_and_scenes_have_different_shapes() -> None:
    shown = shapes(drawn(FIRST))

    assert len({shown["mara"], shown["locked"], shown["lamp-room"]}) == 3
    assert "hale" not in shown, "takes part in nothing"


def test_edges_join_people_to_events_and_events_to_scenes() -> None:
    picture = drawn(FIRST)
    ends = {str(one["id"]): (one["from"], one["to"]) for one in picture.edges}

    assert ends == {
        "mara-locked": ("mara", "locked"),
        "in-lamp-room": ("locked", "lamp-room"),
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

    assert (groups["locked"], groups["lamp-room"]) == ("touched-event", "touched-scene")
    assert (then["locked"], then["later"]) == ("event", "touched-event")


def test_each_chapter_that_tells_something_has_a_heading() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    headings = [one["label"] for one in drawn(after(later)).nodes if one["group"] == "heading"]

    assert headings == ["Chapter 1", "Chapter 2"]


def test_chapters_before_those_shown_are_left_out() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    pays = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    picture = drawn(after(later, pays), FIRST, first=2)

    assert set(shapes(picture)) == {"later", "chapter-heading-2"}
    assert picture.edges == ()


def test_link_over_a_chapter_bows_around_what_lies_between() -> None:
    later = Event(id="later", title="Later", summary="Later.")
    pays = EventLink(id="pays", source="locked", target="later", link=LinkKind.PAYS_OFF)
    next_chapter = drawn(apply(FIRST, adding(later, pays), 2))
    leap = drawn(apply(FIRST, adding(later, pays), 3))

    assert edge(next_chapter, "pays")["smooth"] is False
    assert edge(leap, "pays")["smooth"]


def test_every_kind_of_link_has_a_colour_and_the_legend_only_those_shown() -> None:
    assert set(LINK_COLORS) == set(LinkKind)
    assert links_shown(cut(FIRST, 0, 1)) == [LinkKind.CAUSES]


def test_nothing_is_drawn_before_anything_happens() -> None:
    assert drawn(BEGINNING).nodes == ()


def test_cut_holds_what_its_chapters_tell_in_order() -> None:
    told = cut(FIRST, 1, 1)

    assert [event.id for event in told.events] == [LOCKED.id, "after"]
    assert [person.id for person in told.people] == ["mara"]
    assert [scene.id for scene in told.scenes] == ["lamp-room"]
    assert cut(FIRST, 2, 5).events == ()
