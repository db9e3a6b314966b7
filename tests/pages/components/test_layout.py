"""Where people, events and scenes stand: apart from each other, and always in the same place."""

from __future__ import annotations

from itertools import combinations, takewhile

from hypothesis import given, settings
from hypothesis import strategies as st

from pages.components.layout import Point, plot_positions, role_positions
from pages.components.plot_cut import cut
from store.delta import apply
from store.models.cast import Character
from store.models.delta import Delta
from store.models.plot import Event, Participation
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import adding, fold, histories, snapshot_of


def people(count: int, start: int = 0) -> list[Character]:
    return [Character(id=f"p{n}", name=f"Person {n}") for n in range(start, start + count)]


def until_one_leaves(deltas: list[Delta]) -> list[Delta]:
    """Cut a history short where it removes something: who leaves for good frees a seat."""
    return list(
        takewhile(lambda delta: all(one.operation != "remove" for one in delta.changes), deltas)
    )


@given(histories().map(until_one_leaves))
@settings(deadline=None)
def test_nobody_moves_when_the_story_goes_on(deltas: list[Delta]) -> None:
    beginning = fold(deltas[:1])
    earlier = role_positions(beginning, fold(deltas[:-1] or deltas))
    later = role_positions(beginning, fold(deltas))

    assert {person: later[person] for person in earlier} == earlier


@given(histories().map(until_one_leaves))
@settings(deadline=None)
def test_no_event_moves_when_the_story_goes_on(deltas: list[Delta]) -> None:
    last = len(deltas) - 1
    before, after = fold(deltas[:-1] or deltas), fold(deltas)
    earlier = plot_positions(cut(before, 0, last))
    later = plot_positions(cut(after, 0, last))

    events = [event.id for event in before.events]
    assert {id_: later[id_] for id_ in events} == {id_: earlier[id_] for id_ in events}


@given(st.integers(1, 40), st.integers(0, 60))
@settings(deadline=None, max_examples=40)
def test_names_do_not_cover_each_other(first: int, newcomers: int) -> None:
    beginning = snapshot_of(*people(first))
    now = apply(beginning, adding(*people(newcomers, first)), 1)

    places = role_positions(beginning, now)

    assert len(places) == first + newcomers
    assert all(_are_apart(*pair) for pair in combinations(places.values(), 2))


def _are_apart(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) > 60 or abs(one.y - other.y) > 30


def test_newcomer_sits_on_the_side_of_those_they_come_with() -> None:
    beginning = snapshot_of(*people(4))
    for host in beginning.characters:
        now = apply(beginning, adding(*_meeting("new", host.id)), 1)
        places = role_positions(beginning, now)

        assert places["new"].x * places[host.id].x + places["new"].y * places[host.id].y > 0


def _meeting(newcomer: str, host: str) -> list[AnyEntity]:
    return [
        Character(id=newcomer, name="A newcomer"),
        Event(id="met", title="They meet", summary="They meet."),
        Participation(id="m1", character=newcomer, event="met"),
        Participation(id="m2", character=host, event="met"),
    ]


def test_two_people_face_each_other_and_one_stands_in_the_middle() -> None:
    two = snapshot_of(*people(2))
    one = snapshot_of(*people(1))

    assert role_positions(two, two) == {"p0": Point(-170, 0), "p1": Point(170, 0)}
    assert role_positions(one, one) == {"p0": Point(0, 0)}


def test_nobody_to_draw_is_no_error() -> None:
    assert role_positions(Snapshot(), Snapshot()) == {}
    assert plot_positions(cut(Snapshot(), 0, 3)) == {}


def test_chapters_are_columns_and_their_events_go_down_in_order() -> None:
    first = snapshot_of(*people(1))
    snapshot = apply(first, adding(_event("a", 0), _event("b", 1)), 1)
    snapshot = apply(snapshot, adding(_event("c", 0)), 2)

    places = plot_positions(cut(snapshot, 0, 2))

    assert places["a"].y < places["b"].y
    assert max(places["a"].x, places["b"].x) < places["c"].x


def _event(id_: str, position: int) -> Event:
    return Event(id=id_, title=f"Event {id_}", summary="It happens.", position=position)


def test_five_hundred_newcomers_find_a_seat() -> None:
    beginning = snapshot_of(*people(3))
    now = apply(beginning, adding(*people(500, 3)), 1)

    assert len(set(role_positions(beginning, now).values())) == 503
