"""When things happen in the story."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from store.models.plot import Event, moment, right_after, right_before

TIMES = some.lists(some.floats(-1_000, 4_000), min_size=1, max_size=30, unique=True)


def event(position: int, order: float | None = None) -> Event:
    return Event(id="e", title="E", summary="", position=position, story_order=order)


def test_event_happens_when_it_is_told_unless_it_has_an_order_of_its_own() -> None:
    assert moment(event(2, 1.5), chapter=7) == 1.5
    assert 7 < moment(event(0), chapter=7) < 8


@given(some.integers(0, 5_000), some.integers(0, 3_000))
def test_events_of_a_chapter_happen_in_their_order_and_before_the_next(
    position: int, chapter: int
) -> None:
    times = [moment(event(place), chapter) for place in (position, position + 1)]

    assert chapter < times[0] < times[1] < chapter + 1


@given(TIMES, some.data())
def test_place_beside_an_event_lies_between_it_and_its_neighbour(
    times: list[float], data: some.DataObject
) -> None:
    anchor = data.draw(some.sampled_from(times))
    earlier = max((one for one in times if one < anchor), default=float("-inf"))
    later = min((one for one in times if one > anchor), default=float("inf"))

    assert earlier <= right_before(anchor, times) <= anchor
    assert anchor <= right_after(anchor, times) <= later


def test_first_and_last_places_lie_apart_from_the_rest() -> None:
    assert right_before(1.25, [1.25, 2.5]) == 0.75
    assert right_after(2.5, [1.25, 2.5]) == 3.0
    assert right_after(1.25, [1.25, 2.25]) == 1.75
