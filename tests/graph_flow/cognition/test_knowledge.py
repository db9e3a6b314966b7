"""Limited cognition: what one character can know, and what it cannot."""

from __future__ import annotations

import pytest

from graph_flow.cognition.knowledge import (
    Quotes,
    aim_shown_to,
    knowledge_of,
    mentionable,
    named_in,
    shown_to,
    wholly_shown_to,
)
from store.deltas.delta import apply
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.plot import Event, Foundation, Occurrence, Part, Participation, Scene, Spine
from store.models.prototype import FOUNDATION_ID, SPINE_ID, AnyEntity, Snapshot
from tests.store.builders import adding, altered, snapshot_of

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


def relationship(id_: str, source: str, target: str, **values: object) -> Relationship:
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
    snapshot = snapshot_of(*CAST, relationship("t", "mara", "hale"), hall, *shared)

    known = knowledge_of(snapshot, "mara").model_dump_json()

    assert "MARAHIDES" in known
    for canary in ("HALEHIDES", "HALEWITHIN", "HALEWANTS", "IDAHIDES"):
        assert canary not in known


@pytest.mark.parametrize("awareness", list(Awareness))
def test_own_relationships_are_known(awareness: Awareness) -> None:
    own = relationship("own", "mara", "hale", awareness=awareness)

    assert knowledge_of(snapshot_of(*CAST, own), "mara").toward == (own,)


@pytest.mark.parametrize(
    ("awareness", "is_known"),
    [(Awareness.MUTUAL, True), (Awareness.ONE_SIDED, False), (Awareness.HIDDEN, False)],
)
def test_what_others_feel_is_known_only_where_both_know(
    awareness: Awareness, is_known: bool
) -> None:
    felt = relationship("felt", "hale", "mara", awareness=awareness)

    known = knowledge_of(snapshot_of(*CAST, felt), "mara")

    assert known.known_of_others == ((felt,) if is_known else ())
    assert ("hale" in {person.id for person in known.people}) is is_known


def test_mutual_tie_is_known_from_both_of_its_ends() -> None:
    sisters = relationship("sisters", "ida", "mara", is_mutual=True, awareness=Awareness.ONE_SIDED)

    assert knowledge_of(snapshot_of(*CAST, sisters), "mara").known_of_others == (sisters,)


def test_ties_between_others_are_not_known() -> None:
    between = relationship("between", "hale", "ida", is_mutual=True)

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
    assert [memory.scene for memory in known.memories] == [None if part is Part.IS_TOLD else hall]


def test_who_is_only_told_knows_what_happened_and_no_more() -> None:
    told = event("told", "hall", mara=Part.IS_TOLD, hale=Part.ACTS, ida=Part.WITNESSES)
    lived = [
        altered(one, consequences="HALEOUTCOME") if isinstance(one, Event) else one for one in told
    ]
    hall = Scene(id="hall", name="Hall")

    known = knowledge_of(snapshot_of(*CAST, hall, *lived), "mara")

    [memory] = known.memories
    assert memory.event.summary == "What happens in told."
    assert "HALEOUTCOME" not in known.model_dump_json()
    assert known.people == ()
    assert "HALEOUTCOME" in knowledge_of(snapshot_of(*CAST, hall, *lived), "ida").model_dump_json()


def test_who_was_only_told_of_it_was_not_seen_there() -> None:
    told = event("told", "hall", mara=Part.ACTS, hale=Part.IS_TOLD, ida=Part.WITNESSES)

    known = knowledge_of(snapshot_of(*CAST, Scene(id="hall", name="Hall"), *told), "mara")

    assert [person.id for person in known.people] == ["ida"]


def test_why_others_feel_as_they_do_is_theirs() -> None:
    felt = relationship("felt", "hale", "mara", reason="HALEWHY")
    own = relationship("own", "mara", "hale", reason="MARAWHY")

    known = knowledge_of(snapshot_of(*CAST, felt, own), "mara").model_dump_json()

    assert "HALEWHY" not in known
    assert "MARAWHY" in known


def test_of_the_draft_only_what_comes_before_the_position_has_happened() -> None:
    hall = Scene(id="hall", name="Hall")
    before = snapshot_of(*CAST, hall)
    first, second = event("first", "hall", mara=Part.ACTS), event("second", "hall", mara=Part.ACTS)
    moved = altered(second[0], position=1)
    draft = apply(before, adding(*first, moved, *second[1:]), 1)

    known = [
        [memory.event.id for memory in knowledge_of(draft, "mara", position).memories]
        for position in (0, 1, 2, None)
    ]

    assert known == [[], ["first"], ["first", "second"], ["first", "second"]]


def test_look_into_the_future_is_known_to_nobody_yet() -> None:
    ahead, before = event("ahead", "hall", mara=Part.ACTS), event("before", "hall", mara=Part.ACTS)
    hall = Scene(id="hall", name="Hall")
    told = adding(altered(ahead[0], story_order=9.0), *ahead[1:])
    past = adding(altered(before[0], story_order=0.5), *before[1:])
    snapshot = apply(apply(snapshot_of(*CAST, hall), told, 1), past, 2)

    def remembered(at: int) -> list[str]:
        later = snapshot.model_copy(update={"chapter": at})
        return [memory.event.id for memory in knowledge_of(later, "mara").memories]

    assert remembered(2) == ["before"]
    assert remembered(9) == ["ahead", "before"]


GOAL = "Mara goes to the quay. Ida follows her. There the inspector waits."


def shown(goal: str, *company: str, **fields: object) -> str:
    snapshot = snapshot_of(MARA, altered(HALE, **fields), IDA)
    told = mentionable(Quotes([goal]), snapshot)
    return shown_to(knowledge_of(snapshot, "mara"), goal, company, told)


def test_role_is_shown_the_goal_but_for_people_whom_it_cannot_meet() -> None:
    assert shown(GOAL, "ida") == GOAL
    assert shown(GOAL) == "Mara goes to the quay. There the inspector waits."


def test_what_can_only_be_shown_in_part_is_not_among_what_is_shown_as_a_whole() -> None:
    snapshot = snapshot_of(MARA, HALE, IDA)
    texts = ["Who waits at the quay?", GOAL, "Ida leaves", ""]

    told = mentionable(Quotes(texts), snapshot)
    shown_whole = wholly_shown_to(knowledge_of(snapshot, "mara"), texts, [], told)

    assert shown_whole == ["Who waits at the quay?", ""]


@pytest.mark.parametrize(
    ("secret", "is_shown"),
    [
        ("he sold the spare lenses", False),
        ("imprisoned", False),
        ("ill", True),
        ("the quay", True),
        ("he waits", True),
    ],
)
def test_role_is_not_shown_a_sentence_that_quotes_what_it_cannot_know(
    secret: str, is_shown: bool
) -> None:
    told = (
        f"At the quay Hale waits, ill and imprisoned: {HALE.name} knows he sold the spare lenses."
    )

    assert bool(shown(told, "hale", secrets=secret)) is is_shown
    assert shown(told, "hale", secrets="") == told


def test_role_is_shown_what_it_knows_itself_whoever_else_hides_the_same() -> None:
    secret = "the lamp was broken with the keeper's own hammer"
    goal = f"Mara confesses that {secret}. Hale has known it."
    hale, told = (
        altered(HALE, secrets=secret),
        Event(id="e", title="Said", summary=f"I say {secret}."),
    )
    part = Participation(id="p", character="mara", event="e")

    for knows in (altered(MARA, secrets=secret), MARA):
        snapshot = snapshot_of(knows, hale)
        mentions = mentionable(Quotes([goal]), snapshot)
        seen = shown_to(knowledge_of(snapshot, "mara"), goal, ["hale"], mentions)
        assert (secret in seen) is (knows is not MARA)

    remembered = snapshot_of(MARA, hale, told, part)
    mentions = mentionable(Quotes([goal]), remembered)
    assert shown_to(knowledge_of(remembered, "mara"), goal, ["hale"], mentions) == goal


def test_aim_may_say_what_the_author_has_decided_but_nothing_that_others_hide() -> None:
    spine = Spine(id=SPINE_ID, turns="Mara puts the lamp out before them all.")
    hale = altered(HALE, secrets="he was paid to look away that night")
    aim = "You put the lamp out before them all. He was paid to look away that night."
    snapshot = snapshot_of(MARA, hale, spine)
    mentions = mentionable(Quotes([aim]), snapshot)
    known = knowledge_of(snapshot, "mara")

    assert aim_shown_to(known, aim, ["hale"], mentions) == "You put the lamp out before them all."
    assert shown_to(known, aim, ["hale"], mentions) == ""


def test_aim_keeps_its_quotations_and_shares_six_words_with_a_secret_by_chance() -> None:
    hale = altered(HALE, secrets="he told her he would come back for you and the light")
    aim = 'You say: "You took your time." She would come back for you and knew it.'
    snapshot = snapshot_of(MARA, hale)
    mentions = mentionable(Quotes([aim]), snapshot)
    known = knowledge_of(snapshot, "mara")

    assert aim_shown_to(known, aim, ["hale"], mentions) == aim
    assert shown_to(known, aim, ["hale"], mentions) == 'You say: "You took your time."'


def test_author_may_name_whoever_somebody_has_heard_of() -> None:
    rusk = Character(id="rusk", name="Davy Rusk", secrets="who lit the barn that night")
    aim = "You call Davy Rusk to the table. Davy knows who lit the barn that night."
    heard = altered(MARA, history="In her first year, Davy Rusk burned his hair.")
    mentions = mentionable(Quotes([aim]), snapshot_of(MARA, rusk))

    for mara, shown in ((MARA, ""), (heard, "You call Davy Rusk to the table.")):
        known = knowledge_of(snapshot_of(mara, rusk), "mara")
        assert shown_to(known, aim, [], mentions) == shown
        assert aim_shown_to(known, aim, [], mentions) == shown


def test_what_the_whole_world_knows_is_no_secret() -> None:
    world = Foundation(
        id=FOUNDATION_ID, background="Everybody knows that Hale was paid to look away."
    )
    hale = altered(HALE, secrets="that Hale was paid to look away that night")
    goal = "They all know that Hale was paid to look away. Ask why Hale was paid to look away that night."
    snapshot = snapshot_of(MARA, hale, world)
    mentions = mentionable(Quotes([goal]), snapshot)

    shown = shown_to(knowledge_of(snapshot, "mara"), goal, ["hale"], mentions)

    assert shown == "They all know that Hale was paid to look away."


def test_who_was_told_something_else_is_not_shown_what_the_event_is_called() -> None:
    goal = "At dusk comes the burning of the ferry house."
    burning = Event(id="e", title="The burning of the ferry house", summary="It burns.")
    told = Participation(
        id="p", character="mara", event="e", part=Part.IS_TOLD, learned="The ferry is late."
    )
    snapshot = snapshot_of(MARA, burning, told)
    known = knowledge_of(snapshot, "mara")

    assert shown_to(known, goal, [], mentionable(Quotes([goal]), snapshot)) == ""


def test_chinese_goal_is_not_shown_where_it_quotes_a_secret() -> None:
    assert (
        shown("海尔在码头等她。海尔偷了灯塔的钥匙。", "hale", secrets="他偷了灯塔的钥匙")
        == "海尔在码头等她。"
    )


def test_sentence_that_the_story_was_not_searched_for_is_not_shown() -> None:
    snapshot = snapshot_of(MARA, HALE, IDA)
    told = mentionable(Quotes([GOAL]), snapshot)

    shown = shown_to(knowledge_of(snapshot, "mara"), f"{GOAL} Then it rains.", ["ida"], told)

    assert shown == GOAL


def test_what_has_changed_since_can_be_mentioned_too() -> None:
    quotes = Quotes(["Hale sold all of the spare lenses. Mara is in the cellar until it is day."])
    earlier = snapshot_of(MARA, altered(HALE, secrets="sold all of the spare lenses"))
    cellar = Event(id="cellar", title="Cellar", summary="She is in the cellar until it is day.")
    later = snapshot_of(MARA, HALE, IDA, cellar)

    told = mentionable(quotes, earlier).after(earlier, later)

    assert mentionable(quotes, earlier).quoted.keys() == {"hale"}
    assert told.quoted.keys() == {"cellar"}
    assert told.people.keys() == {"mara", "hale", "ida"}
    assert told.quoted == mentionable(quotes, later).quoted


def test_of_what_is_hidden_only_people_and_what_is_quoted_is_kept() -> None:
    cellar = Event(id="cellar", title="Cellar", summary="Hale digs in the cellar until it is day.")
    attic = Event(id="attic", title="Attic", summary="Nobody has been in the attic for a year.")
    snapshot = snapshot_of(MARA, HALE, cellar, attic)

    kept = mentionable(Quotes(["Now he digs in the cellar until it is day again."]), snapshot)

    assert kept.quoted.keys() == {"cellar"}
    assert kept.people.keys() == {"mara", "hale"}
    assert mentionable(Quotes(["They dig in the cellar"]), snapshot).quoted == {}


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("Mara Lenz", "mara lenz goes", True),
        ("Mara Lenz", "Then Mara goes", True),
        ("Mara Lenz", "Marathon men go", False),
        ("Ida Berg", "Then Ida goes", True),
        ("The Inspector", "The storm comes", False),
        ("The Inspector", "the inspector comes", True),
        ("马拉", "然后马拉走了", True),
        ("<img src=x>", "an <img src=x> here", True),
    ],
)
def test_person_is_named_by_a_name_or_a_part_of_it(name: str, text: str, named: bool) -> None:
    assert bool(named_in(text, [Character(id="x", name=name)])) is named


def test_part_of_a_name_that_several_have_names_nobody() -> None:
    people = [Character(id="ash", name="Lord Ash"), Character(id="brand", name="Lord Brand")]

    assert named_in("Then Lord Ash comes", people) == {"ash"}
    assert named_in("Then a Lord comes", people) == set()


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
