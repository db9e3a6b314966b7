"""A candidate that was woven before the writer edited the story still fits afterwards."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from store.deltas.checks import validate
from store.deltas.delta import apply, diff
from store.deltas.rebase import rebase
from store.models.cast import Character, Relationship
from store.models.delta import Delta
from store.models.plot import Participation
from store.models.prototype import Snapshot
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    LAMP_ROOM,
    LOCKED,
    MARA,
    adding,
    altered,
    changing,
    deltas_on,
    fold,
    histories,
    removing,
    snapshot_of,
)

STORY = snapshot_of(*CAST)


def test_on_the_same_state_nothing_changes() -> None:
    delta = changing(MARA, status="away")
    assert rebase(delta, STORY) == delta


def test_the_writers_edit_of_another_field_stays() -> None:
    edited = apply(STORY, changing(MARA, occupation="smuggler"), 0)
    after = apply(edited, rebase(changing(MARA, status="away"), edited), 1)
    mara = after.get(Character, "mara")
    assert (mara.occupation, mara.status) == ("smuggler", "away")


def test_the_writers_edit_of_the_same_field_wins() -> None:
    edited = apply(STORY, changing(DISTRUST, strength=2), 0)
    moved = rebase(changing(DISTRUST, strength=9, reason="the fire"), edited)
    relationship = apply(edited, moved, 1).get(Relationship, "distrust")
    assert (relationship.strength, relationship.reason) == (2, "the fire")


def test_what_refers_to_a_removed_person_falls_away_with_all_that_hangs_on_it() -> None:
    alone = apply(STORY, removing(DISTRUST, HALE), 0)
    part = Participation(id="p", character="hale", event="locked")
    moved = rebase(adding(LAMP_ROOM, LOCKED, part), alone)
    assert [change.id for change in moved.changes] == ["lamp-room", "locked"]


def test_what_the_writer_needs_is_not_taken_away() -> None:
    base = snapshot_of(*CAST, *CHAPTER_ONE)
    ida = altered(HALE, id="ida", name="Ida")
    edited = apply(base, adding(ida, altered(DISTRUST, id="new", target="ida")), 1)
    assert rebase(removing(ida), edited).is_empty


def test_what_was_done_already_is_not_done_twice() -> None:
    delta = adding(LAMP_ROOM)
    assert rebase(delta, apply(STORY, delta, 1)).is_empty


@given(histories(longest=3), st.data())
def test_a_moved_delta_always_fits(deltas: list[Delta], data: st.DataObject) -> None:
    base = fold(deltas)
    woven = data.draw(deltas_on(base, 7))
    edited = apply(base, data.draw(deltas_on(base, 8)), 8)
    moved = rebase(woven, edited)
    assert validate(moved, edited) == []
    assert rebase(diff(base, base), edited).is_empty
    assert rebase(moved, edited) == moved


def test_an_empty_story_takes_additions_only() -> None:
    assert rebase(changing(MARA, status="away"), Snapshot()).is_empty
