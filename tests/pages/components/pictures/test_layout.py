"""Where people, events and scenes stand: apart from each other, and always in the same place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.components.pictures.layout import Point, figure_id, plot_positions, role_positions
from store.models.delta import Delta
from store.models.story import Brief
from store.open import Store
from store.prototype.arrivals import Arrival, ToldChapter, read_arrivals, read_told
from tests.store.builders import begin, go_on, histories


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One library for all stories that hypothesis thinks of."""
    store = Store.open(tmp_path_factory.mktemp("library") / "library.db")
    yield store
    store.close()


def came(*people: str, commit: int = 1, beside: str = "") -> list[Arrival]:
    companions = {beside: 5} if beside else {}
    return [Arrival(person=one, commit=commit, companions=companions) for one in people]


def crowd(count: int, commit: int = 1) -> list[Arrival]:
    return came(*(f"{commit}-{n}" for n in range(count)), commit=commit)


@st.composite
def arrivals(draw: st.DrawFn) -> list[Arrival]:
    """Draw people who come in one after another, or together, with some of those before them."""
    everybody: list[Arrival] = []
    for commit, count in enumerate(draw(st.lists(st.integers(1, 30), min_size=1, max_size=6))):
        for seat in range(count):
            known = [one.person for one in everybody]
            near = draw(st.lists(st.sampled_from(known), max_size=3)) if known else []
            companions = {person: draw(st.integers(1, 10)) for person in near}
            person = Arrival(person=f"{commit}-{seat}", commit=commit, companions=companions)
            everybody.append(person)
    return everybody


@given(arrivals(), st.data())
@settings(deadline=None, max_examples=60)
def test_whoever_has_a_seat_keeps_it_when_others_come(
    everybody: list[Arrival], data: st.DataObject
) -> None:
    last = data.draw(st.sampled_from(sorted({one.commit for one in everybody})))
    earlier = role_positions([one for one in everybody if one.commit <= last])
    later = role_positions(everybody)

    assert {person: later[person] for person in earlier} == earlier


@given(st.integers(1, 40), st.integers(0, 60))
@settings(deadline=None, max_examples=40)
def test_names_do_not_cover_each_other(first: int, newcomers: int) -> None:
    places = role_positions([*crowd(first), *crowd(newcomers, commit=2)])

    assert len(places) == first + newcomers
    assert all(_are_apart(*pair) for pair in combinations(places.values(), 2))


def _are_apart(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) > 60 or abs(one.y - other.y) > 30


def test_newcomer_sits_on_the_side_of_those_they_come_with() -> None:
    cast = crowd(4)
    for host in cast:
        places = role_positions([*cast, *came("new", commit=2, beside=host.person)])
        x, y = places[host.person]

        assert places["new"].x * x + places["new"].y * y > 0


def test_in_a_crowd_those_who_are_close_sit_near_each_other() -> None:
    families = [
        came(*(f"{family}-{n}" for n in range(8)), beside=f"{family}-0") for family in "abcd"
    ]
    places = role_positions([person for family in families for person in family])
    near = [_distance(places["a-0"], places[f"a-{n}"]) for n in range(1, 8)]
    far = [_distance(places["a-0"], places[f"{family}-{n}"]) for family in "bcd" for n in range(8)]

    assert sum(near) / len(near) < sum(far) / len(far)


def _distance(one: Point, other: Point) -> float:
    return math.dist(one, other)


@given(histories())
@settings(deadline=None, max_examples=40)
def test_nothing_jumps_from_one_chapter_to_the_next_whatever_it_takes_out(
    shared_store: Store, deltas: list[Delta]
) -> None:
    store, pictures = shared_store, []
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    for chapter, delta in enumerate(deltas):
        begin(store, branch, delta) if chapter == 0 else go_on(store, branch, delta)
        places = role_positions(read_arrivals(store.database, branch))
        places |= plot_positions(read_told(store.database, branch, 0, chapter))
        standing = store.prototype.snapshot(branch, chapter).entities.keys()
        pictures.append({id_: place for id_, place in places.items() if id_ in standing})

    for earlier, later in pairwise(pictures):
        both = earlier.keys() & later.keys()
        assert {id_: later[id_] for id_ in both} == {id_: earlier[id_] for id_ in both}


def test_two_people_face_each_other_and_one_stands_in_the_middle() -> None:
    assert role_positions(came("a", "b")) == {"a": Point(-170, 0), "b": Point(170, 0)}
    assert role_positions(came("a")) == {"a": Point(0, 0)}


def test_nobody_to_draw_is_no_error() -> None:
    assert role_positions([]) == {}
    assert plot_positions([]) == {}


def test_a_thousand_find_a_seat() -> None:
    first_and_later = [*crowd(500), *crowd(500, commit=2)]

    assert len(set(role_positions(first_and_later).values())) == 1000


def test_chapters_are_columns_and_their_events_go_down_in_order() -> None:
    places = plot_positions(
        [ToldChapter(chapter=1, events=("a", "b")), ToldChapter(chapter=2, events=("c",))]
    )

    assert places["a"].y < places["b"].y
    assert max(places["a"].x, places["b"].x) < places["c"].x


def test_in_each_chapter_people_stand_above_the_events_and_scenes_beneath() -> None:
    people, scenes = tuple("pqrst"), ("x", "y")
    places = plot_positions(
        [
            ToldChapter(chapter=chapter, events=("a", "b"), people=people, scenes=scenes)
            for chapter in (1, 2)
        ]
    )
    above = [places[figure_id(person, 1)] for person in people]
    beneath = [places[figure_id(scene, 1)] for scene in scenes]

    assert max(place.y for place in above) < places["a"].y
    assert min(place.y for place in beneath) > places["b"].y
    assert len(set(above)) == len(people)
    assert places[figure_id("p", 1)].x < places[figure_id("p", 2)].x


def test_columns_do_not_run_into_each_other() -> None:
    told = [
        ToldChapter(chapter=n, events=tuple(f"{n}-{e}" for e in range(4)), people=tuple("pqr"))
        for n in range(4)
    ]
    places = plot_positions(told)
    columns = [
        [places[id_] for id_ in (*one.events, *(figure_id(p, one.chapter) for p in one.people))]
        for one in told
    ]

    for left, right in pairwise(columns):
        assert max(place.x for place in left) + 120 < min(place.x for place in right)
