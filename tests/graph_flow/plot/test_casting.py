"""PlotWeave without the model: who speaks when, who may come in, and when it is enough."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.plot.casting import (
    cast_relay,
    has_enough,
    has_room_for_another,
    speakers,
)
from store.deltas.delta import apply
from store.models.cast import Character, Life
from store.models.plot import Event, Part, Participation
from store.models.proposals import Turn
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import adding, altered, changing, snapshot_of

MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")
IDA = Character(id="ida", name="Ida")
CAST = [MARA, HALE, IDA]
HEAD = snapshot_of(*CAST)


def names(relay: list[Character]) -> list[str]:
    return [person.name for person in relay]


def test_people_whom_the_goal_names_take_part() -> None:
    assert names(cast_relay(HEAD, "Ida follows hale to the quay.", 2, 0)) == ["Hale", "Ida"]


def test_those_who_acted_least_lately_come_next() -> None:
    acted: list[AnyEntity] = [
        Event(id="e", title="e", summary="Mara acts."),
        Participation(id="p", character="mara", event="e"),
        Participation(id="w", character="hale", event="e", part=Part.WITNESSES),
    ]

    head = apply(HEAD, adding(*acted), 1)

    assert names(cast_relay(head, "Somebody goes.", 3, 0)) == ["Hale", "Ida", "Mara"]


def test_every_turn_lets_another_speak_last() -> None:
    relays = [names(cast_relay(HEAD, "Somebody goes.", 3, turn)) for turn in range(3)]

    assert {relay[-1] for relay in relays} == {"Mara", "Hale", "Ida"}
    assert {frozenset(relay) for relay in relays} == {frozenset({"Mara", "Hale", "Ida"})}


@given(st.integers(1, 8), st.integers(0, 20), st.text(max_size=30))
def test_relay_has_as_many_different_people_as_it_may(count: int, turn: int, goal: str) -> None:
    relay = cast_relay(HEAD, goal, count, turn)

    assert len(relay) == len({person.id for person in relay}) == min(count, 3)


@pytest.mark.parametrize("life", [Life.DEAD, Life.MISSING])
def test_the_dead_and_the_missing_do_not_speak(life: Life) -> None:
    head = apply(HEAD, changing(HALE, life=life), 1)

    assert names(cast_relay(head, "Hale walks the quay.", 3, 0)) == ["Mara", "Ida"]


def test_where_nobody_is_left_the_dead_speak() -> None:
    gone = [altered(person, life=Life.DEAD) for person in CAST]

    assert len(cast_relay(snapshot_of(*gone), "Somebody goes.", 3, 0)) == 3


def test_story_without_people_has_no_relay() -> None:
    assert cast_relay(Snapshot(), "Somebody goes.", 3, 1) == []


# Rounds


@given(st.integers(1, 8), st.integers(1, 3))
def test_everybody_moves_in_every_round_and_each_round_begins_with_another(
    people: int, rounds: int
) -> None:
    relay = [Character(id=f"p{at}", name=f"P{at}") for at in range(people)]

    order = speakers(relay, rounds)

    assert [round_ for round_, _ in order] == [at // people + 1 for at in range(people * rounds)]
    by_round = [order[at : at + people] for at in range(0, len(order), people)]
    assert all({who.id for _, who in one} == {who.id for who in relay} for one in by_round)
    first = [one[0][1].id for one in by_round]
    assert len(set(first)) == min(people, rounds)
    assert order[0] == (1, relay[0])


def test_nobody_moves_in_no_relay() -> None:
    assert speakers([], 3) == []


# Somebody new


def crowd(count: int, newest: int = 0) -> Snapshot:
    """Return so many people, one of whom came in with a chapter."""
    people = [Character(id=f"p{at}", name=f"P{at}") for at in range(count)]
    return snapshot_of(*people).model_copy(update={"first_chapter": {"p0": newest}})


def test_story_s_first_people_leave_room_for_another() -> None:
    assert has_room_for_another(crowd(3), 1)


def test_after_somebody_new_chapters_pass_without_another() -> None:
    rooms = [has_room_for_another(crowd(4, newest=3), chapter) for chapter in range(4, 8)]

    assert rooms == [False, True, True, True]


def test_model_that_always_brings_somebody_does_not_flood_the_cast() -> None:
    """The cast grows, and more and more slowly: some 18 people after 60 chapters, not 63."""
    cast = crowd(3)
    came: list[int] = []
    for chapter in range(1, 61):
        if has_room_for_another(cast, chapter):
            came.append(chapter)
            cast = apply(cast, adding(Character(id=f"n{chapter}", name=f"N{chapter}")), chapter)

    rests = [later - earlier for earlier, later in pairwise(came)]
    assert rests == sorted(rests)
    assert rests[0] == 2
    assert 10 <= len(came) <= 16


# Enough


def moved(*people: Character, skipped: bool = False) -> list[Turn]:
    return [Turn(character=one.id, name=one.name, text="", is_skipped=skipped) for one in people]


def test_half_of_a_relay_is_enough_and_less_is_not() -> None:
    assert has_enough([MARA, HALE], [*moved(MARA), *moved(HALE, skipped=True)])
    assert has_enough(CAST, moved(MARA, HALE))
    assert not has_enough(CAST, moved(MARA))
    assert not has_enough(CAST, moved(MARA, MARA, MARA))
    assert not has_enough([MARA], moved(MARA, skipped=True))
    assert not has_enough([], [])
