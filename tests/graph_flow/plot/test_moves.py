"""A weaver without a model: what a move may name, and what it adds, whatever was answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_flow.cognition.knowledge import knowledge_of
from graph_flow.llm.schema import NOTHING
from graph_flow.plot.answers import (
    CHANGEABLE,
    NEW_PLACE,
    SOMEBODY_NEW,
    RoleAnswer,
    RoleOptions,
    role_schema,
)
from graph_flow.plot.beats import widened
from graph_flow.plot.casting import speakers
from graph_flow.plot.moves import Choices, add_beat, appended, are_alike, choices_for
from graph_flow.prompting.whole import LINE
from store.deltas.delta import apply, diff
from store.models.base import WHOLE
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.delta import Delta
from store.models.fields import BOOKKEEPING, shown_fields
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import Snapshot
from tests.graph_flow.structure import expect_whole_prototype
from tests.store.builders import adding, altered, snapshot_of
from tests.wording import says

MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")
IDA = Character(id="ida", name="Ida")
CAST = [MARA, HALE, IDA]
QUAY = Scene(id="quay", name="Quay")
ROOK = Character(id="rook", name="Old Rook", aliases=("the Crow",), life=Life.DEAD)
KEY = Thread(id="key", title="who has the second key", state=ThreadState.PLANTED, planted_in=0)
FEAR = Relationship(
    id="fear", source="mara", target="hale", tie=RelationshipKind.DISTRUST, strength=7
)
HEAD = snapshot_of(*CAST, QUAY, FEAR)


def draft(head: Snapshot = HEAD) -> Snapshot:
    """Return the draft of the chapter after a head."""
    return head.model_copy(update={"chapter": head.chapter + 1})


def choices(snapshot: Snapshot, person: Character) -> Choices:
    """Return what somebody can name who may meet everybody, and answer every thread."""
    known = knowledge_of(snapshot, person.id)
    threads = {thread.title: thread.id for thread in snapshot.threads}
    return replace(choices_for(snapshot, known, snapshot.characters), threads=threads)


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
    return add_beat(before, person, widened(answer), choices(before, person)).draft


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

    [relationship] = woven.relationships
    assert (relationship.id, relationship.tie, relationship.strength) == (
        "fear",
        RelationshipKind.DISTRUST,
        2,
    )


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


def test_role_that_changes_into_nothing_does_not_change() -> None:
    assert after(move(changed="health", change="Nothing.")).get(Character, "mara") == MARA


# Somebody new


def bringing(name: str, who: str = "ferryman with a limp") -> RoleAnswer:
    return move(together_with=["Hale", SOMEBODY_NEW], newcomer=name, newcomer_is=who)


def test_somebody_new_comes_in_where_the_move_happens() -> None:
    woven = after(bringing("Osk Tallis"))

    [newcomer] = [one for one in woven.characters if one not in CAST]
    assert (newcomer.name, newcomer.occupation) == ("Osk Tallis", "ferryman with a limp")
    assert newcomer.invented == ("name", "occupation")
    assert woven.first_chapter_of(newcomer.id) == 1
    [event] = woven.events
    parts = {part.character: part.part for part in woven.participations_in(event.id)}
    assert parts == {
        "mara": Part.ACTS,
        "hale": Part.IS_AFFECTED,
        newcomer.id: Part.IS_AFFECTED,
    }
    assert "Osk Tallis" in choices(woven, HALE).others


@pytest.mark.parametrize(
    "name", ["Hale", "HALE", " hale ", "Old Rook", "Rook", "the crow", "nothing", "Nobody", "X. Y."]
)
def test_name_of_somebody_who_was_there_or_died_brings_nobody(name: str) -> None:
    base = draft(snapshot_of(*CAST, ROOK, QUAY, FEAR))

    woven = after(bringing(name), on=base)

    assert woven.characters == base.characters
    assert len(woven.events) == 1


@pytest.mark.parametrize("said", ["The ferryman waits for nobody now", "Ruth, a nun", "J. P."])
def test_sentence_is_nobody_s_name(said: str) -> None:
    assert after(bringing(said)).characters == CAST


def test_nobody_comes_in_who_is_not_met() -> None:
    assert after(move(newcomer="Osk Tallis", newcomer_is="ferryman")).characters == CAST


def test_relative_of_somebody_may_come_in() -> None:
    lenz = altered(MARA, name="Mara Lenz")
    base = draft(snapshot_of(lenz, HALE, IDA, QUAY))

    woven = after(bringing("Tobias Lenz"), lenz, on=base)

    assert [one.name for one in woven.characters][-1] == "Tobias Lenz"


# The dead


def test_dead_can_be_mourned_and_not_met() -> None:
    grief = Relationship(id="g", source="mara", target="rook", tie=RelationshipKind.KINSHIP)
    allowed = choices(snapshot_of(*CAST, ROOK, QUAY, grief), MARA)

    assert "Old Rook" not in allowed.others
    assert allowed.toward["Old Rook"] == "rook"


# Open questions


def test_thread_that_a_move_answers_is_paid_off() -> None:
    base = draft(snapshot_of(*CAST, QUAY, KEY))

    woven = after(move(closes=KEY.title), on=base)

    [thread] = woven.threads
    assert (thread.state, thread.planted_in, thread.paid_off_in) == (ThreadState.PAID_OFF, 0, 1)
    assert thread.invented == ("paid_off_in", "state")


@pytest.mark.parametrize("said", ["T2", "T2 who has the second key", KEY.title, "who has the key"])
def test_question_is_named_by_its_label_or_its_words(said: str) -> None:
    bell = altered(KEY, id="bell", title="Why the bell was sold in the year of the flood…")
    offered = choices(snapshot_of(*CAST, QUAY, bell, KEY), CAST[0])

    assert offered.questions == [f"T1 {bell.title}", f"T2 {KEY.title}"]
    assert offered.thread(said) == KEY.id
    assert offered.thread("T1, why she sold it") == bell.id
    assert offered.thread("T9") is None


def test_question_of_many_words_is_kept_whole_under_a_title_of_few() -> None:
    asked = (
        "Who sold the bell, and did the keeper's mother know of it in the year of the flood, "
        "or only guess?"
    )
    before = draft()
    beat = widened(move()).model_copy(update={"plants": asked})

    woven = add_beat(before, MARA, beat, choices(before, MARA)).draft

    [thread] = [one for one in woven.threads if one.title.startswith("Who sold")]
    assert (
        thread.title
        == "Who sold the bell, and did the keeper's mother know of it in the year of the…"
    )
    assert thread.description == asked


def test_move_is_linked_to_what_planted_the_thread() -> None:
    told = [
        Event(id="e1", title="A lost key", summary="Hale asks who has the second key."),
        Event(id="e2", title="Rain", summary="It rains on the quay all night."),
    ]
    key = altered(KEY, planted_in=1)
    head = apply(snapshot_of(*CAST, QUAY), adding(*told, key), 1)

    woven = after(move(closes=KEY.title), on=draft(head))

    [link] = woven.of(EventLink)
    assert (link.target, link.link) == ("e1", LinkKind.PAYS_OFF)
    assert woven.get(Event, link.source).title == "The key turns"


def test_what_made_somebody_answer_a_thread_planted_it_too() -> None:
    told = Event(id="e1", title="Wax", summary="Mara finds wax on the sill.")
    part = Participation(id="p", character="mara", event="e1")
    head = apply(snapshot_of(*CAST, QUAY), adding(told, part, altered(KEY, planted_in=1)), 1)

    woven = after(move(closes=KEY.title, because_of="E1"), on=draft(head))

    assert {(link.link, link.source == "e1") for link in woven.of(EventLink)} == {
        (LinkKind.CAUSES, True),
        (LinkKind.PAYS_OFF, False),
    }


@pytest.mark.parametrize("state", [ThreadState.PAID_OFF, ThreadState.DROPPED, ThreadState.PLANNED])
def test_only_what_was_planted_is_paid_off(state: ThreadState) -> None:
    thread = altered(KEY, state=state)

    woven = after(move(closes=KEY.title), on=draft(snapshot_of(*CAST, QUAY, thread)))

    assert woven.threads == [thread]


def test_locked_thread_stays_open() -> None:
    thread = altered(KEY, locked=(WHOLE,))
    base = draft(snapshot_of(*CAST, QUAY, thread))

    woven, _, refused = add_beat(base, MARA, widened(move(closes=KEY.title)), choices(base, MARA))

    assert woven.threads == [thread]
    assert len(woven.events) == 1
    assert any("locked" in sentence for sentence in refused)


# What is locked


def test_a_move_loses_only_what_is_locked() -> None:
    mara = altered(MARA, locked=("status",), status="on watch")
    base = draft(snapshot_of(mara, HALE, IDA, QUAY, FEAR))
    answer = move(
        changed="status",
        change="locked out",
        relationship={"toward": "Hale", "tie": "distrust", "strength": 2},
    )

    woven, _, refused = add_beat(base, mara, widened(answer), choices(base, mara))

    assert woven.get(Character, "mara") == mara
    assert woven.get(Relationship, "fear").strength == 2
    assert len(woven.events_of(1)) == 1
    [sentence] = refused
    assert says(sentence, "Mara", "situation", "locked out")


def test_a_locked_tie_is_not_changed() -> None:
    fear = altered(FEAR, locked=(WHOLE,))
    base = draft(snapshot_of(*CAST, QUAY, fear))
    meeting = {"toward": "Hale", "tie": "distrust", "strength": 2}

    woven, _, refused = add_beat(
        base, MARA, widened(move(relationship=meeting)), choices(base, MARA)
    )

    assert woven.relationships == [fear]
    assert len(refused) == 2, "its strength, and its reason"


# Whatever is answered


GONE = Character(id="gone", name="Piers", life=Life.MISSING)
WHOLE_HEAD = snapshot_of(*CAST, ROOK, GONE, QUAY, FEAR, KEY)
WORDS = st.sampled_from(["The key turns", "Nobody answers", "A rope breaks", "Quay", "the vault"])
SENTENCES = st.sampled_from(
    ["Mara turns the key and listens for steps.", "A rope breaks over the water at night."]
)
NEWCOMERS = st.sampled_from(["Osk Tallis", "Ruth", "hale", "The Crow", "Rook", NOTHING, "J. P."])


@st.composite
def answers(draw: st.DrawFn, choices: Choices) -> RoleAnswer:
    """Draw any answer that the schema for these choices takes."""
    options = RoleOptions(
        others=list(choices.others),
        toward=list(choices.toward),
        places=list(choices.scenes),
        events=list(choices.events),
        threads=list(choices.threads),
        is_opening=draw(st.booleans()),
        is_closing=draw(st.booleans()),
        has_room=draw(st.booleans()),
    )
    schema = role_schema(options)
    may_bring = "newcomer" not in schema.without
    company = [*options.others, *([SOMEBODY_NEW] if may_bring else [])]
    met = st.lists(st.sampled_from(company), max_size=3) if company else st.just([])
    may_go = "new_place" not in schema.without
    said = {
        "title": draw(WORDS),
        "action": draw(SENTENCES),
        "place": draw(st.sampled_from([*options.places, *([NEW_PLACE] if may_go else [])])),
        "new_place": draw(WORDS),
        "newcomer": draw(NEWCOMERS),
        "newcomer_is": draw(st.sampled_from(["a ferryman", NOTHING])),
        "together_with": draw(met)[: len(company)],
        "because_of": draw(st.sampled_from([*options.events, NOTHING])),
        "emotion": "uneasy",
        "consequence": "the door stays shut",
        "changed": draw(st.sampled_from([*CHANGEABLE, NOTHING])),
        "change": draw(st.sampled_from(["locked out", "nothing"])),
        "relationship": {
            "toward": draw(st.sampled_from([*options.toward, NOTHING])),
            "tie": draw(st.sampled_from(list(RelationshipKind))),
            "strength": draw(st.integers(1, 10)),
        },
        "closes": draw(st.sampled_from([*options.threads, NOTHING])),
        "opens": draw(st.sampled_from(["who has the key", "where the rope is", "nothing"])),
    }
    return schema.validate(said)


@settings(max_examples=50)
@given(st.data())
def test_whatever_roles_answer_the_plot_holds_together(data: st.DataObject) -> None:
    """Two chapters of two rounds of two moves, by anybody, with anybody, anywhere."""
    head = WHOLE_HEAD
    for chapter in (1, 2):
        woven = draft(head)
        relay = data.draw(st.lists(st.sampled_from(CAST), min_size=2, max_size=2, unique=True))
        for turn, (_, person) in enumerate(speakers(relay, 2)):
            allowed = choices(woven, person)
            beat = widened(data.draw(answers(allowed)))
            woven = add_beat(woven, person, beat, allowed).draft
            assert len(woven.events_of(chapter)) == turn + 1
        expect_whole_prototype(woven)
        expect_only_what_is_open_to_agents(diff(head, woven))
        committed = apply(head, diff(head, woven), chapter)
        assert committed.entities == woven.entities
        expect_nobody_back(committed)
        expect_threads_in_order(committed)
        places = [scene.name.casefold() for scene in committed.scenes]
        assert len(places) == len(set(places))
        head = committed


@pytest.mark.parametrize(("sentences", "kept"), [(3, 3), (11, 11), (12, 11), (20, 19)])
def test_what_is_added_to_takes_a_line_or_as_much_as_it_took(sentences: int, kept: int) -> None:
    before = [f"He wants thing {number:03} more than any." for number in range(sentences)]

    after = appended(" ".join(before), "He wants to be seen.")

    assert after == " ".join([*before[-kept:], "He wants to be seen."])


def test_what_somebody_wanted_in_one_long_sentence_is_shortened_and_not_replaced() -> None:
    before = f"He wants {'to be let back in ' * 19}by the keeper."
    assert len(before) < LINE

    after = appended(before, "Since the flood he wants to be asked first.")

    assert after.startswith("He wants to be let back in")
    assert after.endswith("… Since the flood he wants to be asked first.")
    assert len(after) <= LINE
    assert appended(before, "x" * LINE) == "x" * LINE


def expect_only_what_is_open_to_agents(delta: Delta) -> None:
    """Fail if a move changed what no agent may change."""
    for change in delta.changes:
        fields = shown_fields(type(change.entity))
        if change.operation == "change":
            assert all(
                name in BOOKKEEPING or fields[name].is_changed_by_agents for name in change.fields
            )


def expect_nobody_back(story: Snapshot) -> None:
    """Fail if one of the dead or missing is among people, or somebody else has their name."""
    away = {one.id for one in (ROOK, GONE)}
    assert not any(part.character in away for part in story.of(Participation))
    assert [story.get(Character, id_).life for id_ in ("rook", "gone")] == [
        Life.DEAD,
        Life.MISSING,
    ]
    new = {person.name for person in story.characters} - {one.name for one in WHOLE_HEAD.characters}
    assert new <= {"Osk Tallis", "Ruth"}


def expect_threads_in_order(story: Snapshot) -> None:
    """Fail unless every thread is told once, and paid off after it was planted."""
    titles = [thread.title for thread in story.threads]
    assert len(titles) == len(set(titles)) <= 3
    for thread in story.threads:
        is_paid = thread.state is ThreadState.PAID_OFF
        assert is_paid == (thread.paid_off_in is not None)
        assert thread.paid_off_in is None or thread.paid_off_in >= (thread.planted_in or 0)


def test_nearly_the_same_questions_are_alike() -> None:
    title = "What Hale learns on the quay when Mara follows him"

    assert are_alike(title, title.upper())
    assert are_alike(title, title.replace("learns", "hears"))
    assert not are_alike(title, "A storm takes the roof, and Ida must choose whom to save.")
