"""What is locked in a proposed beginning survives a new draft of it."""

from __future__ import annotations

from graph_flow.founding.cast import held, redrafted, relationships_among, scenes_among
from store.models.base import WHOLE
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.plot import Scene
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import Action, Decision
from tests.desk import Desk
from tests.store.builders import DISTRUST, GROUND, HALE, LAMP_ROOM, MARA, altered, snapshot_of

AGAIN = Decision(action=Action.ASK_AGAIN, note="Make it sadder.")


def test_what_is_locked_is_held_with_the_people_it_is_about() -> None:
    relationship = altered(DISTRUST, locked=("reason",))
    ida = Character(id="ida", name="Ida")
    others = (
        altered(one, invented=(*type(one).model_fields,)) for one in (GROUND, MARA, HALE, LAMP_ROOM)
    )
    relationship = altered(relationship, invented=("strength", "tie"))
    kept = held(snapshot_of(*others, ida, relationship), "Ida goes.")
    assert set(kept.entities) == {"mara", "hale", "distrust"}


def test_what_agents_made_up_is_not_held() -> None:
    drafted = (
        altered(one, invented=(*type(one).model_fields,)) for one in (GROUND, MARA, HALE, DISTRUST)
    )
    assert held(snapshot_of(*drafted), "").entities == {}


def test_what_the_writer_typed_is_held_without_a_lock() -> None:
    ida = Character(id="ida", name="Ida", age="31", invented=("name",))
    tobin = Character(id="tobin", name="Tobin", occupation="keeper")
    premise = "Tobin, a keeper, waits."
    assert set(held(snapshot_of(ida, tobin), premise).entities) == {"ida"}


def test_locked_fields_stay_and_the_others_are_drafted() -> None:
    kept = altered(
        MARA, locked=("motivation",), invented=("motivation", "occupation"), secrets="a letter"
    )
    draft = Character(
        id="new",
        name="Mara Lenz",
        motivation="to flee",
        occupation="smuggler",
        invented=("motivation", "name", "occupation"),
    )
    again = redrafted(draft, kept)
    assert (again.id, again.name, again.locked) == ("mara", "Mara", ("motivation",))
    assert (again.motivation, again.occupation, again.secrets) == (
        MARA.motivation,
        "smuggler",
        "a letter",
    )
    assert again.invented == ("motivation", "occupation")


def test_what_is_locked_as_a_whole_is_not_drafted() -> None:
    kept = altered(MARA, locked=(WHOLE,))
    assert redrafted(altered(MARA, id="new", age="90"), kept) == kept


def test_a_tie_and_a_scene_come_once() -> None:
    kept_tie, kept_scene = (
        altered(DISTRUST, locked=("strength",)),
        altered(LAMP_ROOM, locked=("*",)),
    )
    relationship = altered(DISTRUST, id="new", strength=2, reason="the fire")
    other = altered(DISTRUST, id="other", tie=RelationshipKind.DEBT)
    room = Scene(id="new", name="LAMP room", place="the cellar")

    [again, debt] = relationships_among([relationship, other], [kept_tie])
    assert again == altered(kept_tie, reason="the fire")
    assert debt == other
    assert scenes_among([room], [kept_scene]) == [kept_scene]


def edited(desk: Desk, branch: str, *entities: AnyEntity) -> Snapshot:
    """Save edits of the proposed beginning."""
    proposed = desk.workbench.story.proposed_snapshot(branch)
    whole = {**proposed.entities, **{one.id: one for one in entities}}
    desk.workbench.story.save_configuration(branch, "The lamp", Snapshot(entities=whole))
    return desk.workbench.story.proposed_snapshot(branch)


def test_locked_things_survive_when_the_cast_is_asked_for_again(desk: Desk) -> None:
    story = desk.drafted()
    branch = desk.branch(story)
    first = desk.workbench.story.proposed_snapshot(branch)
    mara, hale, *others = first.characters
    relationship = Relationship(
        id="mine", source=mara.id, target=hale.id, tie=RelationshipKind.DEBT, locked=(WHOLE,)
    )
    before = edited(
        desk,
        branch,
        altered(first.foundation, tone="dry and quiet", locked=("tone",)),
        altered(mara, motivation="to sleep", locked=("motivation",)),
        altered(others[0], locked=(WHOLE,)),
        relationship,
    )

    desk.answer(story, AGAIN)

    after = desk.workbench.story.proposed_snapshot(branch)
    assert (after.foundation.tone, after.foundation.locked) == ("dry and quiet", ("tone",))
    assert after.foundation.background != before.foundation.background
    again = after.get(Character, mara.id)
    assert (again.name, again.motivation) == (mara.name, "to sleep")
    assert after.get(Character, hale.id).name == hale.name
    assert after.get(Character, others[0].id) == altered(others[0], locked=(WHOLE,))
    assert after.get(Relationship, "mine") == relationship
    names = [person.name.casefold() for person in after.characters]
    assert len(set(names)) == len(names)


def test_nobody_is_asked_for_a_person_who_is_locked_as_a_whole(desk: Desk) -> None:
    story = desk.drafted()
    branch = desk.branch(story)
    mara = desk.workbench.story.proposed_snapshot(branch).characters[0]
    edited(desk, branch, altered(mara, locked=(WHOLE,)))
    desk.server.history.clear()

    desk.answer(story, AGAIN)

    drafted = [
        sent
        for sent in desk.server.history
        if "secret" in (sent.schema or {}).get("properties", {})
    ]
    people = desk.workbench.story.proposed_snapshot(branch).characters
    assert mara.id in {person.id for person in people}
    assert len(drafted) == len(people) - 1
