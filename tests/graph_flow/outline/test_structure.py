"""What must hold of an outline, how its parts move, and what of it becomes links of the story."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.outline.structure import (
    Span,
    carried_over,
    closing_links,
    earlier_events,
    event_problems,
    in_order,
    link_problems,
    misplaced,
    moved,
    outline_links,
    parts_left,
    spread,
    without_circles,
)
from store.models.outline import Outline
from store.models.plot import LinkKind
from store.models.proposals import Telling
from tests.graph_flow.outline.outlines import event, link, outline, outlines, part

SPAN = Span(told=0, cap=4)


# Structure


@given(outlines())
def test_order_of_events_never_goes_in_a_circle(drawn: Outline) -> None:
    earlier = earlier_events(drawn)
    placed: list[str] = []
    while len(placed) < len(earlier):
        free = [one for one in earlier if one not in placed and earlier[one] <= set(placed)]
        assert free, "each of these events waits for another"
        placed += free


@given(outlines())
def test_links_that_close_no_circle_are_kept(drawn: Outline) -> None:
    kept = without_circles(drawn)
    assert closing_links(kept.links) == []
    lost = [one for one in drawn.links if one not in kept.links]
    assert all(in_order(one) for one in lost)
    assert bool(lost) == bool(closing_links(drawn.links))


def test_circle_is_named_by_the_link_that_closes_it() -> None:
    drawn = outline(
        links=(
            link("theft", LinkKind.CAUSES, "trial"),
            link("trial", LinkKind.ENABLES, "flood"),
            link("theft", LinkKind.PAYS_OFF, "flood"),
        )
    )
    [remark] = link_problems(drawn)
    assert remark.event == "flood"
    assert "“theft” pays off “flood”" in remark.text


def test_what_leads_to_an_event_cannot_contradict_it() -> None:
    drawn = outline(
        links=(
            link("theft", LinkKind.CAUSES, "trial"),
            link("trial", LinkKind.CONTRADICTS, "theft"),
            link("leak", LinkKind.CONTRADICTS, "flood"),
        )
    )
    [remark] = link_problems(drawn)
    assert remark.event == "theft"


def test_sound_outline_has_no_problems() -> None:
    assert link_problems(outline()) == []
    assert event_problems(outline()) == []
    assert event_problems(outline(events=(event("theft"),), links=(), sub_events=())) == []


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (event("odd", characters=()), "Nobody is in it"),
        (event("odd", title="THEFT"), "repeats “theft”"),
        (event("odd", action="Mara climbs up and takes the bells."), "repeats “leak”"),
        (event("odd", "The fair"), "storyline “The fair” has no other event"),
    ],
)
def test_odd_event_is_noticed(odd: object, said: str) -> None:
    known = (event("theft"), event("leak", action="Mara climbs up and takes the bell."))
    drawn = outline(events=(*known, odd), links=(), sub_events=())
    [remark] = event_problems(drawn)
    assert remark.event == "odd"
    assert said in remark.text


# Parts in chapters


@given(outlines(), st.integers(0, 5), st.integers(1, 12))
def test_every_part_is_spread_once_and_in_order(drawn: Outline, told: int, count: int) -> None:
    chapters = range(told + 1, told + 1 + count)
    found = spread(drawn, chapters)
    order = [one.id for one in found.sub_events]
    assert sorted(order) == sorted(one.id for one in drawn.sub_events)
    assert Outline.model_validate(found.model_dump()) == found
    assert misplaced_parts(found, chapters) == []
    places = {one.id: (one.chapter or 0, at) for at, one in enumerate(found.sub_events)}
    mine = {
        one.id: [other.id for other in drawn.sub_events if other.event == one.id]
        for one in drawn.events
    }
    for ids in mine.values():
        assert ids == sorted(ids, key=lambda id_: places[id_])
    for later, earlier in earlier_events(drawn).items():
        for one in earlier:
            if mine[one] and mine[later]:
                assert places[mine[one][-1]] < places[mine[later][0]]


def misplaced_parts(found: Outline, chapters: range) -> list[str]:
    return [one.id for one in found.sub_events if one.chapter not in chapters]


def test_outline_can_be_used_when_every_part_stands_in_a_chapter_that_is_left() -> None:
    assert misplaced(outline(), (), SPAN) == []
    assert misplaced(outline(), {"theft-1", "theft-2"}, Span(told=1, cap=4)) == []


@pytest.mark.parametrize(
    ("changed", "span", "said"),
    [
        (outline(events=(), links=(), sub_events=()), SPAN, "no events yet"),
        (outline(sub_events=(part("theft-1", "theft", 1),)), SPAN, "“leak”, “trial”, “flood”"),
        (moved(outline(), "leak-1", None, None), SPAN, "have no chapter yet: “What leak-1 tells.”"),
        (outline(), Span(told=2, cap=4), "chapter 2"),
        (outline(), Span(told=0, cap=3), "last chapter, which is 3: “What flood-1 tells.”"),
    ],
)
def test_what_keeps_an_outline_from_being_used_is_named(
    changed: Outline, span: Span, said: str
) -> None:
    [problem] = misplaced(changed, (), span)
    assert said in problem


def test_long_list_of_what_is_not_placed_is_cut_short() -> None:
    parts = tuple(part(f"p{at}", "theft") for at in range(400))
    [problem] = misplaced(outline(events=(event("theft"),), links=(), sub_events=parts), (), SPAN)
    assert "and 395 more" in problem
    assert len(problem) < 400


@pytest.mark.parametrize(
    ("part_id", "chapter", "before", "order"),
    [
        ("flood-1", 1, "theft-2", ["theft-1", "flood-1", "theft-2"]),
        ("flood-1", 1, None, ["theft-1", "theft-2", "flood-1"]),
        ("flood-1", 1, "trial-1", ["theft-1", "theft-2", "flood-1"]),
        ("theft-2", 1, "theft-1", ["theft-2", "theft-1"]),
        ("theft-1", 1, "theft-1", ["theft-2", "theft-1"]),
    ],
)
def test_part_is_moved_before_another_or_to_the_end_of_a_chapter(
    part_id: str, chapter: int, before: str | None, order: list[str]
) -> None:
    found = moved(outline(), part_id, chapter, before)
    assert [one.id for one in found.parts_of(chapter)] == order
    assert len(found.sub_events) == 5


def test_what_a_chapter_did_not_tell_is_carried_over_and_not_lost() -> None:
    told = {"theft-1"}
    assert [one.id for one in carried_over(outline(), told, 3)] == ["theft-2", "leak-1"]
    assert carried_over(outline(), told, 1) == ()
    left = [one.id for one in parts_left(outline(), told)]
    assert left == ["theft-2", "leak-1", "trial-1", "flood-1"]


# Links of the story


def test_link_becomes_one_of_the_story_when_both_its_ends_are_told() -> None:
    assert outline_links(outline(), {}, [Telling(part="theft-1", event="s1")]) == []
    told = {"theft-1": "s1", "theft-2": "s2"}
    [made] = outline_links(outline(), told, [Telling(part="trial-1", event="s3")])
    assert (made.source, made.link, made.target) == ("s2", LinkKind.CAUSES, "s3")


def test_link_is_made_once() -> None:
    told = {"theft-1": "s1", "trial-1": "s3"}
    assert outline_links(outline(), told, [Telling(part="theft-2", event="s4")]) == []


def test_two_ends_that_one_event_tells_are_not_linked_to_each_other() -> None:
    tells = [Telling(part="theft-1", event="s1"), Telling(part="trial-1", event="s1")]
    assert outline_links(outline(), {}, tells) == []


def test_what_is_told_of_an_outline_that_is_gone_is_passed_by() -> None:
    tells = [Telling(part="nowhere", event="s1")]
    assert outline_links(outline(), {"gone": "s0"}, tells) == []
