"""Limited cognition: what one character can know, and what it cannot."""

from __future__ import annotations

import pytest

from graph_flow.knowledge import knowledge_of
from store.delta import apply
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.plot import Event, Occurrence, Part, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import adding, snapshot_of

MARA = Character(id="mara", name="Mara", occupation="keeper", secrets="MARAHIDES", age="30")
HALE = Character(
    id="hale",
    name="Hale",
    occupation="inspector",
    personality="HALEWITHIN",
    motivation="HALEWANTS",
    secrets="HALEHIDES",
)
IDA = Character(id="ida", name="Ida", occupation="skipper", secrets="IDAHIDES")
CAST = (MARA, HALE, IDA)


def tie(id_: str, source: str, target: str, **values: object) -> Relationship:
    given = {"id": id_, "source": source, "target": target, "tie": RelationshipKind.DEBT}
    return Relationship.model_validate(given | values)


def event(id_: str, scene: str, **parts: Part) -> list[AnyEntity]:
    """Return an event in a scene, with who takes which part in it."""
    return [
        Event(id=id_, title=id_, summary=f"What happens in {id_}."),
        Occurrence(id=f"{id_}-at", event=id_, scene=scene),
        *(
            Participation(id=f"{id_}-{person}", character=person, event=id_, part=part)
            for person, part in parts.items()
        ),
    ]


def test_character_knows_itself_with_its_secrets() -> None:
    assert knowledge_of(snapshot_of(*CAST), "mara").character == MARA


def test_nobody_else_s_secrets_and_inner_states_are_known() -> None:
    shared = event("ball", "hall", mara=Part.ACTS, hale=Part.ACTS, ida=Part.WITNESSES)
    hall = Scene(id="hall", name="Hall")
    snapshot = snapshot_of(*CAST, tie("t", "mara", "hale"), hall, *shared)

    known = knowledge_of(snapshot, "mara").model_dump_json()

    assert "MARAHIDES" in known
    for canary in ("HALEHIDES", "HALEWITHIN", "HALEWANTS", "IDAHIDES"):
        assert canary not in known


@pytest.mark.parametrize("awareness", list(Awareness))
def test_own_relationships_are_known(awareness: Awareness) -> None:
    own = tie("own", "mara", "hale", awareness=awareness)

    assert knowledge_of(snapshot_of(*CAST, own), "mara").toward == (own,)


@pytest.mark.parametrize(
    ("awareness", "is_known"),
    [(Awareness.MUTUAL, True), (Awareness.ONE_SIDED, False), (Awareness.HIDDEN, False)],
)
def test_what_others_feel_is_known_only_where_both_know(
    awareness: Awareness, is_known: bool
) -> None:
    felt = tie("felt", "hale", "mara", awareness=awareness)

    known = knowledge_of(snapshot_of(*CAST, felt), "mara")

    assert known.known_of_others == ((felt,) if is_known else ())
    assert ("hale" in {person.id for person in known.people}) is is_known


def test_mutual_tie_is_known_from_both_of_its_ends() -> None:
    sisters = tie("sisters", "ida", "mara", is_mutual=True, awareness=Awareness.ONE_SIDED)

    assert knowledge_of(snapshot_of(*CAST, sisters), "mara").known_of_others == (sisters,)


def test_ties_between_others_are_not_known() -> None:
    between = tie("between", "hale", "ida", is_mutual=True)

    known = knowledge_of(snapshot_of(*CAST, between), "mara")

    assert (known.toward, known.known_of_others, known.people) == ((), (), ())


@pytest.mark.parametrize("part", list(Part))
def test_events_are_known_to_whoever_has_any_part_in_them(part: Part) -> None:
    here = event("here", "hall", mara=part, hale=Part.ACTS)
    elsewhere = event("elsewhere", "hall", hale=Part.ACTS, ida=Part.ACTS)
    hall = Scene(id="hall", name="Hall")

    known = knowledge_of(snapshot_of(*CAST, hall, *here, *elsewhere), "mara")

    assert [memory.event.id for memory in known.memories] == ["here"]
    assert [memory.part.part for memory in known.memories] == [part]
    assert [memory.scene for memory in known.memories] == [hall]


def test_memories_come_in_the_order_of_the_telling() -> None:
    hall = Scene(id="hall", name="Hall")
    snapshot = snapshot_of(*CAST, hall)
    for chapter, name in enumerate(("first", "second", "third"), start=1):
        snapshot = apply(snapshot, adding(*event(name, "hall", mara=Part.ACTS)), chapter)

    memories = knowledge_of(snapshot, "mara").memories

    assert [(memory.chapter, memory.event.id) for memory in memories] == [
        (1, "first"),
        (2, "second"),
        (3, "third"),
    ]


def test_of_people_met_only_what_anybody_can_see_is_known() -> None:
    hall = Scene(id="hall", name="Hall")
    snapshot = snapshot_of(*CAST, hall, *event("ball", "hall", mara=Part.ACTS, hale=Part.ACTS))

    [hale] = knowledge_of(snapshot, "mara").people

    assert hale.model_dump() == {
        "id": "hale",
        "name": "Hale",
        "gender": "",
        "age": "",
        "occupation": "inspector",
    }


def test_event_without_a_place_is_remembered_all_the_same() -> None:
    ball = event("ball", "nowhere", mara=Part.ACTS)
    placeless = [entity for entity in ball if not isinstance(entity, Occurrence)]

    [memory] = knowledge_of(snapshot_of(*CAST, *placeless), "mara").memories

    assert memory.scene is None


def test_who_is_not_in_the_story_knows_nothing() -> None:
    with pytest.raises(KeyError):
        knowledge_of(Snapshot(), "mara")
