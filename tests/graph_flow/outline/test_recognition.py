"""Which parts of an outline a chapter tells although none of its turns says so."""

from __future__ import annotations

import pytest

from graph_flow.outline.recognition import with_parts_told
from store.models.outline import SubEvent
from store.models.plot import Event
from store.models.proposals import Candidate, Telling
from tests.graph_flow.outline.outlines import outline
from tests.store.builders import adding

BOX = "At night Effie lifts the box down from the rafters and breaks its lock with the scone iron."
STROKES = "Kirsten turns the paper over and counts a hundred and thirty-two pencil strokes."
CREW = "The crew of the fishery cruiser take down the description of a dog with white feet."
DRAWN = outline(
    events=outline().events[:1],
    links=(),
    sub_events=tuple(
        SubEvent(id=id_, event="theft", text=text)
        for id_, text in (("box", BOX), ("strokes", STROKES), ("crew", CREW))
    ),
)
EVENTS = (
    Event(
        id="e1",
        title="The lock",
        summary="Effie climbs on the counter at night, lifts the box from beside the rafters and sets "
        "the scone iron to the lock, which breaks.",
    ),
    Event(
        id="e2",
        title="There is always a back",
        summary="Kirsten lifts the jars, turns the paper over and counts along the pencil strokes.",
        spoken="Kirsten: A hundred and thirty-two.",
    ),
)


def candidate(*events: Event, tells: tuple[Telling, ...] = ()) -> Candidate:
    return Candidate(
        id="c",
        branch="branch",
        chapter=4,
        round=1,
        goal="goal",
        title="Davy’s box",
        delta=adding(*events),
        tells=tells,
    )


def told(one: Candidate, parts: tuple[str, ...] = ("box", "strokes", "crew")) -> dict[str, str]:
    found = with_parts_told(DRAWN, one, parts).tells
    return {telling.part: telling.event for telling in found}


def test_part_is_told_by_the_event_that_has_most_of_it() -> None:
    assert told(candidate(*EVENTS)) == {"box": "e1", "strokes": "e2"}


def test_what_a_turn_has_said_stands() -> None:
    said = (Telling(part="box", event="e2"),)

    assert told(candidate(*EVENTS, tells=said)) == {"box": "e2", "strokes": "e2"}


def test_only_what_the_chapter_is_to_tell_is_looked_for() -> None:
    assert told(candidate(*EVENTS), ("crew", "strokes", "gone")) == {"strokes": "e2"}


@pytest.mark.parametrize(
    "events",
    [
        (),
        (
            Event(
                id="e1", title="Breakfast", summary="Effie makes an egg for Kirsten at the stove."
            ),
        ),
        (Event(id="e1", title="A box", summary="A box stands there, and a paper, at night."),),
    ],
)
def test_what_is_not_told_is_left_for_the_next_chapter(events: tuple[Event, ...]) -> None:
    one = candidate(*events)

    assert with_parts_told(DRAWN, one, ("box", "strokes", "crew")) == one
