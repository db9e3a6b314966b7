"""PlotWeave without the model: who speaks when, and what a move adds, whatever was answered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_flow.answers.names import NOTHING
from graph_flow.answers.weaving import (
    CHANGEABLE,
    NEW_PLACE,
    RoleAnswer,
    RoleOptions,
    role_answer,
    role_schema,
)
from graph_flow.knowledge import knowledge_of
from graph_flow.weaving import Choices, add_move, are_alike, cast_relay, choices_for
from store.delta import apply, diff
from store.models.base import WHOLE
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.plot import (
    Event,
    EventLink,
    Occurrence,
    Part,
    Participation,
    Scene,
    ThreadState,
)
from store.models.prototype import AnyEntity, Snapshot
from tests.graph_flow.structure import expect_whole_prototype
from tests.store.builders import adding, altered, changing, snapshot_of

MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")
IDA = Character(id="ida", name="Ida")
CAST = [MARA, HALE, IDA]
QUAY = Scene(id="quay", name="Quay")
FEAR = Relationship(
    id="fear", source="mara", target="hale", tie=RelationshipKind.DISTRUST, strength=7
)
HEAD = snapshot_of(*CAST, QUAY, FEAR)


def draft(head: Snapshot = HEAD) -> Snapshot:
    """Return the draft of the chapter after a head."""
    return head.model_copy(update={"chapter": head.chapter + 1})


def choices(snapshot: Snapshot, person: Character) -> Choices:
    return choices_for(snapshot, knowledge_of(snapshot, person.id), CAST)


def move(**said: Any) -> RoleAnswer:
    """Return a role's answer; what is not said is nothing."""
    nothing = {"toward": NOTHING, "tie": "debt", "strength": 3}
    answer = {
        "title": "The key turns",
        "action": "Mara turns the key and listens. Nobody answers her.",
        "place": "Quay",
        "new_place": "Quay",
        "together_with": [],
        "because_of": NOTHING,
        "emotion": "uneasy",
        "consequence": "the door stays shut",
        "changed": NOTHING,
        "change": NOTHING,
        "relationship": nothing,
        "opens": NOTHING,
    }
    return RoleAnswer.model_validate(answer | said)


def after(answer: RoleAnswer, person: Character = MARA, on: Snapshot | None = None) -> Snapshot:
    before = on or draft()
    return add_move(before, person, answer, choices(before, person)).draft


# Who speaks


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


def test_nearly_the_same_goals_are_alike() -> None:
    goal = "Mara follows Hale to the quay and learns why he lies."

    assert are_alike(goal, goal.upper())
    assert are_alike(goal, goal.replace("learns", "hears"))
    assert not are_alike(goal, "A storm takes the roof, and Ida must choose whom to save.")


# What a role may name


def test_role_may_meet_whom_it_knows_and_whoever_is_in_the_relay_but_not_itself() -> None:
    known = knowledge_of(HEAD, "mara")

    assert set(choices_for(HEAD, known, [MARA]).others) == {"Hale"}
    assert set(choices_for(HEAD, known, [MARA, IDA]).others) == {"Hale", "Ida"}


def test_role_may_go_only_where_it_has_been_or_where_the_story_began() -> None:
    later = apply(
        HEAD,
        adding(
            Scene(id="vault", name="Vault"),
            Event(id="e", title="e", summary="Hale opens the vault."),
            Occurrence(id="o", event="e", scene="vault"),
            Participation(id="p", character="hale", event="e"),
        ),
        1,
    )

    assert set(choices(later, MARA).scenes) == {"Quay"}
    assert set(choices(later, HALE).scenes) == {"Quay", "Vault"}


def test_role_may_name_only_what_it_remembers() -> None:
    woven = after(move(together_with=["Hale"]))
    [event] = woven.events

    assert dict(choices(woven, HALE).events) == {"E1": event.id}
    assert dict(choices(woven, IDA).events) == {}


# What a move adds


def test_move_becomes_an_event_with_its_people_and_its_place() -> None:
    woven = after(move(together_with=["Hale", "Hale"]))

    [event] = woven.events_of(1)
    assert event.summary == "Mara turns the key and listens. Nobody answers her."
    assert event.consequences == "the door stays shut"
    parts = {part.character: part for part in woven.participations_in(event.id)}
    assert (parts["mara"].part, parts["mara"].emotion) == (Part.ACTS, "uneasy")
    assert parts["hale"].part is Part.IS_AFFECTED
    assert len(woven.participations_in(event.id)) == 2
    assert woven.scene_of(event.id) == QUAY


def test_moves_follow_each_other() -> None:
    woven = after(move(title="Second"), HALE, on=after(move(title="First")))

    assert [(event.position, event.title) for event in woven.events_of(1)] == [
        (0, "First"),
        (1, "Second"),
    ]


def test_new_place_is_made_once_and_used_again() -> None:
    first = after(move(place=NEW_PLACE, new_place="The Vault"))
    second = after(move(place=NEW_PLACE, new_place="the vault"), HALE, on=first)

    vaults = [scene for scene in second.scenes if scene.id != "quay"]
    assert [scene.name for scene in vaults] == ["The Vault"]
    assert {second.scene_of(event.id) for event in second.events} == set(vaults)


def test_place_that_exists_is_not_made_anew() -> None:
    assert after(move(place=NEW_PLACE, new_place="QUAY")).scenes == [QUAY]


def test_cause_is_linked_to_what_it_leads_to() -> None:
    woven = after(move(because_of="E1"), on=after(move()))

    first, second = woven.events
    [link] = woven.of(EventLink)
    assert (link.source, link.target) == (first.id, second.id)


def test_tie_of_the_same_kind_is_changed() -> None:
    meeting = {"toward": "Hale", "tie": "distrust", "strength": 2}

    woven = after(move(relationship=meeting))

    [tie] = woven.relationships
    assert (tie.id, tie.tie, tie.strength) == ("fear", RelationshipKind.DISTRUST, 2)


@pytest.mark.parametrize(
    ("company", "awareness"), [(["Hale"], Awareness.MUTUAL), ([], Awareness.ONE_SIDED)]
)
def test_tie_of_another_kind_is_added_and_known_to_whoever_was_there(
    company: list[str], awareness: Awareness
) -> None:
    meeting = {"toward": "Hale", "tie": "debt", "strength": 4}

    woven = after(move(relationship=meeting, together_with=company))

    [fear, debt] = woven.relationships
    assert fear == FEAR
    assert (debt.source, debt.target, debt.tie) == ("mara", "hale", RelationshipKind.DEBT)
    assert debt.awareness is awareness


def test_thread_is_opened_once() -> None:
    first = after(move(opens="who has the second key"))
    second = after(move(opens="Who has the second key?"), HALE, on=first)

    [thread] = second.threads
    assert thread.title == "who has the second key"
    assert (thread.state, thread.planted_in) == (ThreadState.PLANTED, 1)


@pytest.mark.parametrize("nothing", ["nothing", "Nothing.", "none"])
def test_nothing_opens_no_thread(nothing: str) -> None:
    assert after(move(opens=nothing)).threads == []


def test_role_changes_in_what_it_says_and_in_nothing_else() -> None:
    woven = after(move(changed="status", change="locked out"))

    mara = woven.get(Character, "mara")
    assert mara.status == "locked out"
    assert "status" in mara.invented
    assert woven.get(Character, "hale") == HALE
    assert mara.model_copy(update={"status": "", "invented": ()}) == MARA


# What is locked


def test_a_move_loses_only_what_is_locked() -> None:
    mara = altered(MARA, locked=("status",), status="on watch")
    base = draft(snapshot_of(mara, HALE, IDA, QUAY, FEAR))
    answer = move(
        changed="status",
        change="locked out",
        relationship={"toward": "Hale", "tie": "distrust", "strength": 2},
    )

    woven, refused = add_move(base, mara, answer, choices(base, mara))

    assert woven.get(Character, "mara") == mara
    assert woven.get(Relationship, "fear").strength == 2
    assert len(woven.events_of(1)) == 1
    assert refused == ("Mara’s status is locked; the plot would have made it “locked out”.",)


def test_a_locked_tie_is_not_changed() -> None:
    fear = altered(FEAR, locked=(WHOLE,))
    base = draft(snapshot_of(*CAST, QUAY, fear))
    meeting = {"toward": "Hale", "tie": "distrust", "strength": 2}

    woven, refused = add_move(base, MARA, move(relationship=meeting), choices(base, MARA))

    assert woven.relationships == [fear]
    assert len(refused) == 2, "its strength, and its reason"


# Whatever is answered


WORDS = st.sampled_from(["The key turns", "Nobody answers", "A rope breaks", "Quay", "the vault"])
SENTENCES = st.sampled_from(
    ["Mara turns the key and listens for steps.", "A rope breaks over the water at night."]
)


@st.composite
def answers(draw: st.DrawFn, choices: Choices) -> RoleAnswer:
    """Draw any answer that the schema for these choices takes."""
    others = list(choices.others)
    company = st.lists(st.sampled_from(others), max_size=3) if others else st.just([])
    said = {
        "title": draw(WORDS),
        "action": draw(SENTENCES),
        "place": draw(st.sampled_from([*choices.scenes, NEW_PLACE])),
        "new_place": draw(WORDS),
        "together_with": draw(company)[: len(others)],
        "because_of": draw(st.sampled_from([*choices.events, NOTHING])),
        "emotion": "uneasy",
        "consequence": "the door stays shut",
        "changed": draw(st.sampled_from([*CHANGEABLE, NOTHING])),
        "change": draw(st.sampled_from(["locked out", "nothing"])),
        "relationship": {
            "toward": draw(st.sampled_from([*others, NOTHING])),
            "tie": draw(st.sampled_from(list(RelationshipKind))),
            "strength": draw(st.integers(1, 10)),
        },
        "opens": draw(st.sampled_from(["who has the key", "where the rope is", "nothing"])),
    }
    options = RoleOptions(
        others=others,
        places=list(choices.scenes),
        events=list(choices.events),
        is_opening=draw(st.booleans()),
        is_closing=draw(st.booleans()),
    )
    schema = role_schema(options)
    asked = {name: said[name] for name in schema.model_fields}
    if "new_place" not in asked:
        asked["place"] = draw(st.sampled_from(options.places))
    return role_answer(schema.model_validate(asked))


@settings(max_examples=50)
@given(st.data())
def test_whatever_roles_answer_the_plot_holds_together(data: st.DataObject) -> None:
    """Two chapters of three moves each, by anybody, with anybody, anywhere."""
    head = HEAD
    for chapter in (1, 2):
        woven = draft(head)
        for turn in range(3):
            person = data.draw(st.sampled_from(CAST))
            allowed = choices(woven, person)
            woven = add_move(woven, person, data.draw(answers(allowed)), allowed).draft
            assert len(woven.events_of(chapter)) == turn + 1
        expect_whole_prototype(woven)
        committed = apply(head, diff(head, woven), chapter)
        assert committed.entities == woven.entities
        titles = [thread.title for thread in committed.threads]
        assert len(titles) == len(set(titles)) <= 2
        places = [scene.name.casefold() for scene in committed.scenes]
        assert len(places) == len(set(places))
        head = committed
