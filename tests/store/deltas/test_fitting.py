"""What was proposed fits the story as it has become, with the people who have come meanwhile."""

from __future__ import annotations

from store.deltas.delta import apply
from store.deltas.locks import fit
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.plot import Participation
from tests.store.builders import CAST, LAMP_ROOM, LOCKED, adding, altered, changing, snapshot_of

STORY = snapshot_of(*CAST)


def test_somebody_who_came_meanwhile_by_the_same_name_is_not_brought_in_twice() -> None:
    newcomer = Character(id="newcomer", name="Perrin Ashdown", occupation="toll keeper")
    part = Participation(id="p", character="newcomer", event="locked")
    relationship = Relationship(id="t", source="newcomer", target="mara", tie=RelationshipKind.DEBT)
    itself = Relationship(id="s", source="newcomer", target="there", tie=RelationshipKind.KINSHIP)
    there = Character(id="there", name="perrin ashdown")
    now = apply(STORY, adding(there), 0)

    moved, refused = fit(adding(newcomer, LAMP_ROOM, LOCKED, part, relationship, itself), now)
    assert refused == ()

    story = apply(now, moved, 1)
    assert "newcomer" not in story.entities
    assert "s" not in story.entities
    assert story.get(Participation, "p").character == "there"
    assert story.get(Relationship, "t").source == "there"
    assert story.get(Character, "there") == there


def test_somebody_new_comes_where_nobody_has_the_name() -> None:
    newcomer = Character(id="newcomer", name="Perrin Ashdown")

    assert fit(adding(newcomer), STORY) == (adding(newcomer), ())


def test_what_is_locked_stays_and_is_said() -> None:
    mara = altered(STORY.get(Character, "mara"), locked=("status",))
    now = snapshot_of(*(mara if one.id == "mara" else one for one in CAST))

    delta, refused = fit(changing(mara, status="away"), now)

    assert delta.is_empty
    assert len(refused) == 1
