"""Parts of several plots become one that fits, whatever is taken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.plot.combining import ChosenChanges, Combined, combine
from store.deltas.delta import apply, canonical
from store.deltas.names import references
from store.models.cast import Character, Relationship, RelationshipKind, Trait
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Participation,
    Scene,
    Thread,
)
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    LAMP_ROOM,
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
from tests.wording import says

STORY = snapshot_of(*CAST, *CHAPTER_ONE)

SHIP = Scene(id="ship", name="The ship", place="the bay")
NORA = Character(id="nora", name="Nora", occupation="pilot")
LEAVING = Event(id="leaving", title="Mara leaves", summary="Mara takes the boat.", position=0)
PURSUIT = Event(id="pursuit", title="Hale follows", summary="Hale follows her.", position=1)
ON_SHIP = Occurrence(id="on-ship", event="leaving", scene="ship")
MARA_LEAVES = Participation(id="mara-leaves", character="mara", event="leaving")
NORA_STEERS = Participation(id="nora-steers", character="nora", event="leaving")
LEADS = EventLink(id="leads", source="leaving", target="pursuit", link=LinkKind.CAUSES)
FROM_LOCKED = EventLink(id="from-locked", source="locked", target="leaving", link=LinkKind.CAUSES)
FLIGHT = adding(SHIP, NORA, LEAVING, PURSUIT, ON_SHIP, MARA_LEAVES, NORA_STEERS, LEADS, FROM_LOCKED)

STORM = Event(id="storm", title="The storm", summary="A storm comes up.", position=0)
SAME_SHIP = Scene(id="ship-2", name="the  SHIP", time="night")
IN_STORM = Occurrence(id="in-storm", event="storm", scene="ship-2")
SAME_NORA = Character(id="nora-2", name="nora", motivation="to win")
NORA_IN_STORM = Participation(id="nora-storm", character="nora-2", event="storm")
TRUST = Relationship(
    id="trust", source="mara", target="nora-2", tie=RelationshipKind.FRIENDSHIP, strength=6
)
TEMPEST = adding(STORM, SAME_SHIP, IN_STORM, SAME_NORA, NORA_IN_STORM, TRUST)


def together(*deltas: Delta) -> Delta:
    return Delta(changes=tuple(change for delta in deltas for change in delta.changes))


def take(delta: Delta, *entities: AnyEntity) -> ChosenChanges:
    return ChosenChanges(delta, frozenset(entity.id for entity in entities))


def under_other_ids(delta: Delta, suffix: str) -> Delta:
    """Return a Delta whose additions have other ids; what they are called stays."""
    new = {one.id: f"{one.id}{suffix}" for one in delta.additions() if one.kind != "foundation"}

    def moved(entity: AnyEntity) -> AnyEntity:
        ends = {field: new.get(id_, id_) for field, id_ in references(entity).items()}
        return entity.model_copy(update={**ends, "id": new.get(entity.id, entity.id)})

    return Delta(
        changes=tuple(
            Change(before=change.before, after=change.after and moved(change.after))
            for change in delta.changes
        )
    )


def after(combined: Combined) -> Snapshot:
    return apply(STORY, combined.delta, 2)


def ids(combined: Combined) -> set[str]:
    return {change.id for change in combined.delta.changes}


def test_event_comes_with_its_people_and_its_place() -> None:
    combined = combine([take(FLIGHT, LEAVING)], STORY)

    assert ids(combined) == {
        *("leaving", "on-ship", "ship", "mara-leaves", "nora-steers", "nora", "from-locked")
    }
    assert combined.dropped == ()
    assert after(combined).scene_of("leaving") == SHIP


def test_link_comes_only_where_both_ends_are_taken_or_stand() -> None:
    alone = combine([take(FLIGHT, PURSUIT)], STORY)
    both = combine([take(FLIGHT, LEAVING, PURSUIT)], STORY)

    assert "leads" not in ids(alone)
    assert {"leads", "from-locked"} <= ids(both)


def test_events_are_numbered_in_the_order_of_the_parts() -> None:
    combined = combine([take(TEMPEST, STORM), take(FLIGHT, PURSUIT, LEAVING)], STORY)

    assert [event.id for event in after(combined).events_of(2)] == ["storm", "leaving", "pursuit"]
    assert [event.position for event in after(combined).events_of(2)] == [0, 1, 2]


def test_what_is_new_under_one_name_becomes_one() -> None:
    combined = combine([take(FLIGHT, LEAVING), take(TEMPEST, STORM, TRUST)], STORY)

    story = after(combined)
    assert [one.name for one in story.characters] == ["Mara", "Hale", "nora"]
    nora = story.get(Character, "nora")
    assert (nora.occupation, nora.motivation) == ("pilot", "to win")
    assert [scene.id for scene in story.scenes] == ["lamp-room", "ship"]
    assert story.scene_of("storm") == story.scene_of("leaving")
    assert story.get(Scene, "ship").place == "the bay"
    assert story.get(Scene, "ship").time == "night"
    assert story.get(Relationship, "trust").target == "nora"
    assert story.get(Participation, "nora-storm").character == "nora"


def test_place_that_the_story_has_already_is_the_one_taken() -> None:
    room = altered(LAMP_ROOM, id="room", name="LAMP ROOM")
    where = Occurrence(id="where", event="storm", scene="room")

    combined = combine([take(adding(STORM, room, where), STORM)], STORY)

    assert after(combined).scene_of("storm") == LAMP_ROOM
    assert "room" not in ids(combined)


def test_two_changes_of_one_person_hold_field_by_field_and_the_later_wins() -> None:
    one = take(changing(MARA, status="bound", health="ill"), MARA)
    other = take(changing(MARA, status="free", age="41"), MARA)

    combined = combine([one, other], STORY)

    mara = after(combined).get(Character, "mara")
    assert (mara.status, mara.health, mara.age) == ("free", "ill", "41")
    assert combined.dropped == ("Mara, situation: “free” is used, not “bound”.",)


def test_traits_of_two_parts_that_are_too_many_are_those_of_the_later() -> None:
    def traits(letter: str) -> tuple[Trait, ...]:
        return tuple(Trait(name=f"{letter}{number}") for number in range(30))

    combined = combine(
        [
            take(changing(MARA, traits=traits("a")), MARA),
            take(changing(MARA, traits=traits("b")), MARA),
        ],
        STORY,
    )

    assert after(combined).get(Character, "mara").traits == traits("b")
    assert len(combined.dropped) == 1


def test_same_new_tie_of_two_parts_is_one_and_the_later_strength_holds() -> None:
    relationship = Relationship(
        id="one", source="hale", target="mara", tie=RelationshipKind.ENMITY, strength=3
    )
    other = altered(relationship, id="other", strength=8, reason="the door")

    combined = combine(
        [take(adding(relationship), relationship), take(adding(other), other)], STORY
    )

    assert after(combined).get(Relationship, "one") == altered(
        relationship, strength=8, reason="the door"
    )
    assert "strength: “8” is used, not “3”" in combined.dropped[0]


def test_reworded_copy_of_an_event_is_not_told_twice() -> None:
    reworded = altered(LEAVING, summary="She rows.")
    copy = together(adding(SHIP, NORA, reworded, ON_SHIP, MARA_LEAVES, NORA_STEERS))

    combined = combine([take(FLIGHT, LEAVING), take(copy, reworded)], STORY)

    assert [event.summary for event in after(combined).events_of(2)] == ["She rows."]
    assert len(after(combined).participations_in("leaving")) == 2
    assert "“She rows.” is used" in combined.dropped[0]


def test_tie_to_somebody_who_is_taken_out_falls_away_and_is_told() -> None:
    gone = take(removing(HALE, DISTRUST), HALE)
    relationship = Relationship(id="debt", source="mara", target="hale", tie=RelationshipKind.DEBT)

    combined = combine([gone, take(adding(relationship), relationship)], STORY)

    assert "hale" not in after(combined).entities
    [dropped] = combined.dropped
    assert says(dropped, "debt", "Mara", "Hale")


def test_tie_between_two_who_turn_out_to_be_one_is_left_out() -> None:
    other_hale = Character(id="hale-2", name="HALE")
    relationship = Relationship(
        id="odd", source="hale-2", target="hale", tie=RelationshipKind.KINSHIP
    )

    combined = combine([take(adding(other_hale, relationship, STORM), relationship, STORM)], STORY)

    assert ids(combined) == {"storm"}
    assert "both are one" in combined.dropped[0]


def test_links_of_two_parts_that_close_a_circle_are_not_all_taken() -> None:
    there = EventLink(id="there", source="storm", target="leaving", link=LinkKind.BEFORE)
    back = EventLink(id="back", source="leaving", target="storm", link=LinkKind.BEFORE)
    one, other = adding(STORM, LEAVING, there), adding(STORM, LEAVING, back)

    combined = combine([take(one, STORM, LEAVING), take(other, STORM, LEAVING)], STORY)

    assert ids(combined) == {"storm", "leaving", "there"}
    assert combined.dropped


def test_what_left_the_story_meanwhile_is_not_taken() -> None:
    without = Snapshot(entities={"mara": MARA})

    combined = combine([take(changing(HALE, status="away"), HALE)], without)

    assert combined == Combined(Delta(), ())


def test_thread_of_two_parts_is_one() -> None:
    one = Thread(id="one", title="Who lit the lamp?", description="Nobody was there.")
    other = Thread(id="other", title="who lit the lamp?")

    combined = combine([take(adding(one), one), take(adding(other), other)], STORY)

    assert [thread.id for thread in after(combined).threads] == ["thread", "one"]


@given(st.data())
def test_whatever_is_taken_fits_the_story(data: st.DataObject) -> None:
    before = fold(data.draw(histories(3)))
    numbers = data.draw(st.lists(st.integers(7, 9), min_size=1, max_size=4))
    parts = []
    for place, number in enumerate(numbers):
        # A number that comes twice gives other things the same ids, or only the same names.
        delta = data.draw(deltas_on(before, number))
        if data.draw(st.booleans()):
            delta = under_other_ids(delta, f"x{place}")
        listed = [change.id for change in delta.changes]
        chosen = data.draw(st.sets(st.sampled_from(listed))) if listed else set()
        parts.append(ChosenChanges(delta, frozenset(chosen)))

    combined = combine(parts, before)

    story = apply(before, combined.delta, before.chapter + 1)
    assert combined.delta == canonical(combined.delta)
    assert all(end in story.entities for one in story.entities.values() for end in _ends(one))
    new = [event for event in story.events_of(story.chapter) if event.id not in before.entities]
    assert [event.position for event in new] == list(range(len(new)))


@given(st.data())
def test_all_of_one_plot_is_that_plot(data: st.DataObject) -> None:
    before = fold(data.draw(histories(3)))
    delta = data.draw(deltas_on(before, 7))

    combined = combine([ChosenChanges(delta, frozenset(one.id for one in delta.changes))], before)

    assert {change.id for change in combined.delta.changes} == {one.id for one in delta.changes}
    assert combined.dropped == ()


def _ends(entity: AnyEntity) -> list[str]:
    return list(references(entity).values())
