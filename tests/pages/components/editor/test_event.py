"""Where an event stands in the story's own time, in words."""

from __future__ import annotations

import pytest

from pages.components.editor.event import When, nearest, order_at, when_of, when_words
from store.models.plot import Event
from store.models.prototype import Snapshot
from tests.store.builders import adding, fold


def event(name: str, position: int) -> Event:
    return Event(id=name, title=name.title(), summary="", position=position)


STORY = fold(
    [
        adding(),
        adding(event("one", 0), event("two", 1)),
        adding(event("three", 0), event("memory", 1)),
    ]
)
MEMORY = STORY.get(Event, "memory")


def put(when: When) -> tuple[Event, Snapshot]:
    moved = MEMORY.model_copy(update={"story_order": order_at(MEMORY, when, STORY)})
    entities = {**STORY.entities, "memory": moved}
    return moved, STORY.model_copy(update={"entities": entities})


def test_event_without_an_order_happens_when_it_is_told() -> None:
    assert when_of(MEMORY, STORY) == When("told")
    assert when_words(MEMORY, STORY) == "when it is told"
    assert order_at(MEMORY, When("told"), STORY) is None


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (When("after", "one"), "right after “One”"),
        (When("before", "two"), "right after “One”"),
        (When("before", "one"), "right before “One”"),
        (When("after", "three"), "right after “Three”"),
    ],
)
def test_event_is_put_between_its_neighbours(asked: When, told: str) -> None:
    assert when_words(*put(asked)) == told


def test_several_events_fit_between_two() -> None:
    story = STORY
    for name in ("a", "b", "c"):
        new = event(name, 5)
        new = new.model_copy(update={"story_order": order_at(new, When("after", "one"), story)})
        story = story.model_copy(update={"entities": {**story.entities, name: new}})

    times = [story.get(Event, name).story_order for name in ("c", "b", "a")]
    assert times == sorted(times, key=lambda time: time or 0)
    assert when_words(story.get(Event, "c"), story) == "right after “One”"
    assert when_words(story.get(Event, "b"), story) == "right after “C”"


def test_choice_begins_with_the_event_that_is_nearest() -> None:
    assert nearest(MEMORY, "after", STORY) == When("after", "three")
    assert nearest(MEMORY, "told", STORY) == When("told")


def test_only_event_of_a_story_happens_when_it_is_told() -> None:
    alone = fold([adding(event("one", 0))])
    one = alone.get(Event, "one").model_copy(update={"story_order": 3.0})

    assert when_of(one, alone) == When("told")
    assert nearest(one, "after", alone) == When("told")


def test_place_beside_something_gone_is_when_it_is_told() -> None:
    assert order_at(MEMORY, When("after", "gone"), STORY) is None
