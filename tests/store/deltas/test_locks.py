"""What a writer has locked stays as it is, whatever an agent proposes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.deltas.checks import validate
from store.deltas.delta import apply, diff
from store.deltas.locks import broken_locks, is_locked, without_locked
from store.errors import DeltaInvalid
from store.models.base import WHOLE, new_id
from store.models.cast import Character, Relationship, RelationshipKind, Trait
from store.models.delta import Change, Delta
from store.models.plot import EventLink, LinkKind, Participation
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Branch
from store.open import Store
from tests.store.builders import (
    AFTER,
    CAST,
    CAUSE,
    CHAPTER_ONE,
    DISTRUST,
    GROUND,
    HALE,
    LAMP_ROOM,
    LOCKED,
    MARA,
    MARA_LOCKED,
    adding,
    altered,
    begin,
    changing,
    deltas_on,
    fold,
    go_on,
    histories,
    removing,
    snapshot_of,
)
from tests.wording import says

KEPT_MARA = altered(MARA, locked=("motivation",), invented=("motivation", "occupation"))
WHOLE_TIE = altered(DISTRUST, locked=(WHOLE,))


def story(*locked: AnyEntity) -> Snapshot:
    """Return the story of the builders, some of its entities locked."""
    entities = {entity.id: entity for entity in (*CAST, *CHAPTER_ONE, *locked)}
    return snapshot_of(*entities.values())


def together(*deltas: Delta) -> Delta:
    return Delta(changes=tuple(change for delta in deltas for change in delta.changes))


def test_without_locks_nothing_is_taken_out() -> None:
    delta = changing(MARA, motivation="to stay")
    assert without_locked(delta, story()) == (delta, ())
    assert broken_locks(delta, story()) == []


def test_a_locked_field_stays_and_the_others_change() -> None:
    delta = changing(KEPT_MARA, motivation="to flee", status="wet", invented=("status",))
    kept, refused = without_locked(delta, story(KEPT_MARA))
    [change] = kept.changes
    assert change.after == altered(KEPT_MARA, status="wet", invented=("motivation", "status"))
    [sentence] = refused
    assert says(sentence, "Mara", "motivation", "to flee")


def test_a_change_of_nothing_but_locked_fields_falls_away() -> None:
    kept, refused = without_locked(changing(KEPT_MARA, motivation=""), story(KEPT_MARA))
    assert kept.is_empty
    [sentence] = refused
    assert says(sentence, "Mara", "motivation")


def test_a_tie_that_is_locked_as_a_whole_stays() -> None:
    kept, refused = without_locked(changing(WHOLE_TIE, strength=2), story(WHOLE_TIE))
    assert kept.is_empty
    [sentence] = refused
    assert says(sentence, "strength", "distrust", "Mara", "Hale", 2)


@pytest.mark.parametrize("locked", [(WHOLE,), ("reason",)])
def test_nothing_locked_is_taken_out_of_the_story(locked: tuple[str, ...]) -> None:
    relationship = altered(DISTRUST, locked=locked)
    kept, refused = without_locked(removing(relationship, HALE), story(relationship))
    assert kept.is_empty, "Hale has to stay, for a locked tie leads to him"
    [sentence] = refused
    assert says(sentence, "distrust", "Mara", "Hale", "removed")


def test_a_locked_person_may_be_met() -> None:
    hale = altered(HALE, locked=(WHOLE,))
    part = Participation(id="p", character="hale", event="locked")
    owing = Relationship(id="r", source="hale", target="mara", tie=RelationshipKind.DEBT)
    delta = adding(part, owing)
    assert without_locked(delta, story(hale)) == (delta, ())


def test_only_the_writer_locks_and_unlocks() -> None:
    unlocking = changing(KEPT_MARA, locked=(), status="wet")
    locking = changing(HALE, locked=(WHOLE,))
    new = adding(Character(id="ida", name="Ida", locked=(WHOLE,)))
    base = story(KEPT_MARA)
    kept, refused = without_locked(together(unlocking, locking, new), base)
    after = apply(base, kept, 2)
    assert after.get(Character, "mara") == altered(KEPT_MARA, status="wet")
    assert after.get(Character, "hale") == HALE
    assert after.get(Character, "ida").locked == ()
    assert len(refused) == 3
    assert all(map(says, refused, ("Mara", "Hale", "Ida")))


def test_who_would_take_a_locked_name_does_not_come() -> None:
    mara = altered(MARA, locked=("name",))
    ida = Character(id="ida", name="mara")
    part = Participation(id="p", character="ida", event="locked")
    kept, refused = without_locked(
        together(changing(mara, name="Maria"), adding(ida, part)), story(mara)
    )
    assert kept.is_empty
    assert len(refused) == 1


def test_a_link_is_not_turned_round_over_a_locked_one() -> None:
    cause = altered(CAUSE, locked=(WHOLE,))
    back = EventLink(id="back", source=AFTER.id, target=LOCKED.id, link=LinkKind.BEFORE)
    onward = EventLink(id="onward", source=LOCKED.id, target=AFTER.id, link=LinkKind.BEFORE)
    base = story(cause)
    assert validate(together(adding(back), removing(cause)), base) == []
    kept, _ = without_locked(together(adding(back, onward), removing(cause)), base)
    assert [change.id for change in kept.changes] == ["onward"]


def test_what_is_locked_is_said_in_words() -> None:
    ground = altered(GROUND, locked=("long_term_goal",))
    mara = altered(MARA, locked=("traits", "aliases"))
    place = altered(MARA_LOCKED, locked=("character",))
    base = story(ground, mara, place)
    rank = Trait(name="rank", value="captain")
    delta = together(
        changing(ground, long_term_goal="All drown."),
        changing(mara, traits=(rank,), aliases=("M", "Em")),
        changing(place, character="hale"),
    )
    goal, aliases, traits, part = broken_locks(delta, base)
    assert says(goal, "goal", "All drown.")
    assert says(aliases, "Mara", "other names", "M, Em")
    assert says(traits, "Mara", "traits", "rank: captain")
    assert says(part, "person", "Mara", "The door is locked", "Hale")


def test_a_long_value_is_cut_short() -> None:
    scene = altered(LAMP_ROOM, locked=("atmosphere",))
    [sentence] = broken_locks(changing(scene, atmosphere="fog " * 90), story(scene))
    assert len(sentence) < 250


def test_an_id_of_another_kind_is_for_validation_to_refuse() -> None:
    """A Delta made by hand may add what stands already, as something else."""
    impostor = adding(Character(id="locked", name="Impostor"))
    assert broken_locks(impostor, story(altered(LOCKED, locked=(WHOLE,)))) == []


@given(histories(longest=3), st.data())
def test_whatever_is_proposed_nothing_locked_differs_and_the_rest_fits(
    deltas: list[Delta], data: st.DataObject
) -> None:
    base = data.draw(locked_snapshots(fold(deltas)))
    proposed = data.draw(hostile_deltas(base))
    kept, refused = without_locked(proposed, base)
    assert validate(kept, base) == []
    assert broken_locks(kept, base) == []
    assert bool(refused) == bool(broken_locks(proposed, base))
    assert without_locked(kept, base) == (kept, ())
    after = apply(base, kept, 9)
    for entity in base.entities.values():
        if entity.locked:
            stays = after.entities[entity.id]
            assert stays.locked == entity.locked
            assert locked_values(stays) == locked_values(entity)


def locked_values(entity: AnyEntity) -> dict[str, object]:
    names = set(type(entity).model_fields) - {"invented"}
    return {name: getattr(entity, name) for name in names if is_locked(entity, name)}


@st.composite
def locked_snapshots(draw: st.DrawFn, base: Snapshot) -> Snapshot:
    """Draw a snapshot of which some fields and some whole entities are locked."""
    entities = dict(base.entities)
    for id_ in draw(st.lists(st.sampled_from(sorted(entities)), max_size=6)) if entities else ():
        fields = [*sorted(set(type(entities[id_]).model_fields) - {"id", "kind"}), WHOLE]
        locked = draw(st.lists(st.sampled_from(fields), unique=True, max_size=3))
        entities[id_] = altered(entities[id_], locked=tuple(sorted(locked)))
    return base.model_copy(update={"entities": entities})


@st.composite
def hostile_deltas(draw: st.DrawFn, base: Snapshot) -> Delta:
    """Draw a Delta that fits, and that also renames people, swaps names and moves locks."""
    after = apply(base, draw(deltas_on(base, 7)), 7)
    entities = dict(after.entities)
    people = [entity for entity in entities.values() if isinstance(entity, Character)]
    names = draw(st.permutations([person.name for person in people]))
    for person, name in zip(people, names, strict=True):
        locked = draw(st.sampled_from([person.locked, (), ("name",)]))
        entities[person.id] = altered(person, name=name, locked=locked)
    links = [entity for entity in entities.values() if isinstance(entity, EventLink)]
    for gone in draw(st.lists(st.sampled_from(links), max_size=1)) if links else ():
        del entities[gone.id]
        entities["turned"] = EventLink(
            id="turned", source=gone.target, target=gone.source, link=LinkKind.CAUSES
        )
    delta = diff(base, Snapshot(entities=entities))
    if not validate(delta, base):
        return delta
    return diff(base, after)


def test_changes_are_compared_with_what_stands() -> None:
    """What the Delta says of the state before is not trusted."""
    forged = Delta(
        changes=(
            Change(
                before=altered(KEPT_MARA, locked=()),
                after=altered(KEPT_MARA, locked=(), motivation="to flee"),
            ),
        )
    )
    assert len(broken_locks(forged, story(KEPT_MARA))) == 2


def test_no_chapter_changes_what_is_locked_and_the_writer_does(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    locked = altered(MARA, locked=("motivation",))
    edit(store, branch, changing(MARA, locked=("motivation",)))

    with pytest.raises(DeltaInvalid, match="Mara’s motivation is locked"):
        go_on(store, branch.id, changing(locked, motivation="to flee"))

    assert store.prototype.snapshot(branch.id).get(Character, "mara") == locked
    edit(store, branch, changing(locked, motivation="to flee"))
    edit(store, branch, changing(altered(locked, motivation="to flee"), locked=()))
    go_on(store, branch.id, changing(altered(MARA, motivation="to flee"), motivation="to stay"))
    assert store.prototype.snapshot(branch.id).get(Character, "mara").motivation == "to stay"


def test_no_chapter_takes_out_what_is_locked(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    edit(store, branch, changing(DISTRUST, locked=(WHOLE,)))
    with pytest.raises(DeltaInvalid, match="locked"):
        go_on(store, branch.id, removing(WHOLE_TIE))


def edit(store: Store, branch: Branch, delta: Delta) -> None:
    store.prototype.commit(branch.id, delta, chapter=0, kind="edit", origin=new_id())
