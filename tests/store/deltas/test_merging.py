"""Two branches brought together: what each changed is kept, and what both changed is asked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.deltas.checks import validate
from store.deltas.delta import apply, diff
from store.deltas.merging import PRESENCE, Side, Sides, conflicts, merge
from store.errors import DeltaInvalid
from store.models.cast import Character
from store.models.delta import Delta
from store.models.plot import Event, Participation
from store.models.prototype import Snapshot
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    MARA,
    adding,
    changing,
    deltas_on,
    removing,
    snapshot_of,
)

BASE = snapshot_of(*CAST, *CHAPTER_ONE)


def sides(ours: Delta, theirs: Delta) -> Sides:
    return Sides(base=BASE, ours=apply(BASE, ours, 2), theirs=apply(BASE, theirs, 2))


def united(both: Sides, **answers: Side) -> Snapshot:
    """Bring theirs into ours; `answers` are by `entity__field`."""
    given_ = {key.replace("__", "."): side for key, side in answers.items()}
    return apply(both.ours, merge(both, given_), 3)


def test_what_only_one_changed_is_taken_over() -> None:
    both = sides(changing(MARA, status="ill"), changing(MARA, motivation="to stay"))
    assert conflicts(both) == []
    mara = united(both).get(Character, "mara")
    assert (mara.status, mara.motivation) == ("ill", "to stay")


def test_same_change_on_both_sides_is_no_question() -> None:
    both = sides(changing(MARA, status="ill"), changing(MARA, status="ill"))
    assert conflicts(both) == []
    assert merge(both, {}).is_empty


@pytest.mark.parametrize(("side", "status"), [("ours", "ill"), ("theirs", "away")])
def test_field_that_both_changed_is_asked_about(side: Side, status: str) -> None:
    both = sides(changing(MARA, status="ill"), changing(MARA, status="away", age="40"))
    (conflict,) = conflicts(both)
    assert (conflict.key, conflict.field) == ("mara.status", "status")
    with pytest.raises(DeltaInvalid, match="1 questions"):
        merge(both, {})
    mara = united(both, mara__status=side).get(Character, "mara")
    assert (mara.status, mara.age) == (status, "40")


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_removed_there_and_changed_here_is_asked_about(side: Side) -> None:
    both = sides(changing(DISTRUST, strength=9), removing(DISTRUST))
    (conflict,) = conflicts(both)
    assert conflict.field == PRESENCE
    assert ("distrust" in united(both, distrust__presence=side).entities) is (side == "ours")


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_removed_here_and_changed_there_is_asked_about(side: Side) -> None:
    both = sides(removing(DISTRUST), changing(DISTRUST, strength=9))
    (conflict,) = conflicts(both)
    assert conflict.ours is None
    assert ("distrust" in united(both, distrust__presence=side).entities) is (side == "theirs")


def test_what_refers_to_what_we_took_out_stays_out() -> None:
    part = Participation(id="hale-after", character="hale", event="after")
    both = sides(removing(DISTRUST, HALE), adding(part))
    assert united(both).entities == both.ours.entities


def test_what_we_still_need_is_not_taken_out() -> None:
    mine = Participation(id="hale-after", character="hale", event="after")
    both = sides(adding(mine), removing(DISTRUST, HALE))
    whole = united(both)
    assert "hale" in whole.entities
    assert "hale-after" in whole.entities
    assert "distrust" not in whole.entities


def test_what_else_changed_is_taken_over_where_somebody_cannot_go() -> None:
    theirs = Delta(
        changes=(*removing(DISTRUST, HALE).changes, *changing(MARA, status="free").changes)
    )
    both = sides(changing(DISTRUST, strength=9), theirs)
    whole = united(both, distrust__presence="ours")
    assert {"hale", "distrust"} <= whole.entities.keys()
    assert whole.get(Character, "mara").status == "free"


def test_second_person_of_one_name_gets_another() -> None:
    ours, theirs = Character(id="tom", name="Tom"), Character(id="other", name="tom")
    both = sides(adding(ours), adding(theirs))
    names = [person.name for person in united(both).characters]
    assert names == ["Mara", "Hale", "Tom", "tom (2)"]


def test_new_events_come_after_ours_in_their_order() -> None:
    ours = Event(id="mine", title="Mine", summary="It happens.", position=4)
    theirs = [
        Event(id=f"e{at}", title=f"E{at}", summary="It happens.", position=at) for at in (1, 0)
    ]
    both = sides(adding(ours), adding(*theirs))
    assert [one.id for one in sorted(added(both), key=lambda one: one.position)] == ["e0", "e1"]
    assert min(one.position for one in added(both)) == 5


def added(both: Sides) -> list[Event]:
    return [one for one in merge(both, {}).additions() if isinstance(one, Event)]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_both_did_comes_together_and_fits(data: st.DataObject) -> None:
    base = apply(Snapshot(), data.draw(deltas_on(Snapshot(), 0)), 0)
    ours = apply(base, data.draw(deltas_on(base, 1)), 1)
    theirs = apply(base, data.draw(deltas_on(base, 2)), 1)
    both = Sides.model_construct(base=base, ours=ours, theirs=theirs)
    sampled: st.SearchStrategy[Side] = st.sampled_from(["ours", "theirs"])
    answers = {one.key: data.draw(sampled) for one in conflicts(both)}

    delta = merge(both, answers)

    assert validate(delta, ours) == []
    whole = apply(ours, delta, 2)
    for change in diff(base, ours).changes:  # what only we changed is as we have it
        if change.id not in theirs.entities or theirs.entities[change.id] == change.before:
            assert whole.entities.get(change.id) == change.after or change.id in asked(both)


def asked(both: Sides) -> set[str]:
    return {one.entity for one in conflicts(both)}


def test_nothing_is_left_of_a_merge_into_oneself() -> None:
    both = Sides(base=BASE, ours=BASE, theirs=BASE)
    assert merge(both, {}).is_empty
