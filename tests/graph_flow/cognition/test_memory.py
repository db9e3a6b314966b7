"""Budgeted context: nothing beyond the room there is, the most relevant kept, in order."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.cognition.knowledge import knowledge_of
from graph_flow.cognition.memory import (
    PromptBudget,
    cast_lines,
    known_relationships,
    own_ties,
    recollect,
    recollect_wholly,
    relationship_line,
    remember,
    select,
    whole_memory_line,
    within,
)
from graph_flow.llm.tokens import estimate_tokens
from store.deltas.delta import apply
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.plot import Event, EventLink, LinkKind, Part, Participation, Thread, ThreadState
from store.models.prototype import AnyEntity, Snapshot
from store.prototype.excerpts import Query
from tests.store.builders import adding, altered

LINES = st.lists(st.text(max_size=40), max_size=12)
ROOMS = st.builds(PromptBudget, st.integers(0, 120), st.integers(0, 12))


def cost(lines: Sequence[str]) -> int:
    return sum(estimate_tokens(line) for line in lines)


@given(LINES, ROOMS)
def test_first_lines_are_kept_as_long_as_there_is_room(
    lines: list[str], room: PromptBudget
) -> None:
    kept = within(lines, room)

    assert cost(kept) <= room.tokens
    assert len(kept) <= room.lines
    assert lines[: len(kept)] == list(kept)
    assert kept.left_out == len(lines) - len(kept)
    next_one = lines[: len(kept) + 1]
    is_full = len(kept) == room.lines or cost(next_one) > room.tokens
    assert len(kept) == len(lines) or is_full


@given(st.lists(st.tuples(st.text(max_size=40), st.integers(0, 9)), max_size=12), ROOMS)
def test_best_lines_are_kept_within_the_room_and_in_order(
    items: list[tuple[str, int]], room: PromptBudget
) -> None:
    numbered = [(f"{at} {text}", score) for at, (text, score) in enumerate(items)]

    chosen = select(numbered, score=lambda item: item[1], line=lambda item: item[0], budget=room)

    kept = list(chosen.lines)
    assert [text for text, _ in chosen.items] == kept
    assert cost(kept) <= room.tokens
    assert len(kept) <= room.lines
    assert kept == [text for text, _ in numbered if text in kept]
    assert chosen.lines.left_out == len(items) - len(kept)
    for text, score in numbered:
        if text not in kept and len(kept) < room.lines:
            better = [one for one, its in numbered if one in kept and its >= score]
            assert cost([*better, text]) > room.tokens


def told(chapters: int, people: int = 2) -> Snapshot:
    """Return a story of one event a chapter, whose hero of even chapters is the first person."""
    cast = [Character(id=f"p{at}", name=f"Person {at}") for at in range(people)]
    snapshot = apply(Snapshot(), adding(*cast), 0)
    for chapter in range(1, chapters + 1):
        event = Event(
            id=f"e{chapter}", title=f"Event {chapter}", summary=f"It happens, number {chapter}."
        )
        part = Participation(id=f"i{chapter}", character=f"p{chapter % people}", event=event.id)
        snapshot = apply(snapshot, adding(event, part), chapter)
    return snapshot


def chapters_of(snapshot: Snapshot, query: Query, room: PromptBudget) -> list[int]:
    chosen = remember(snapshot, query, room)
    assert [snapshot.first_chapter_of(event.id) for event in chosen.items] == [
        int(line.split(":")[0].removeprefix("Chapter ")) for line in chosen.lines
    ]
    return [snapshot.first_chapter_of(event.id) for event in chosen.items]


def test_whole_short_story_is_remembered_in_order() -> None:
    assert chapters_of(told(4), Query(), PromptBudget(1_000)) == [1, 2, 3, 4]


def test_of_a_long_story_the_latest_is_remembered_first() -> None:
    snapshot = told(100)
    tokens = 5 * estimate_tokens("Chapter 100: It happens, number 100.")

    assert chapters_of(snapshot, Query(people=("p0", "p1")), PromptBudget(tokens)) == [
        96,
        97,
        98,
        99,
        100,
    ]


def test_events_with_the_people_at_hand_are_remembered_before_others() -> None:
    chapters = chapters_of(told(10), Query(people=("p1",)), PromptBudget(1_000, 5))

    assert len([chapter for chapter in chapters if chapter % 2 == 1]) >= 4
    assert chapters == sorted(chapters)


def with_change(snapshot: Snapshot, *entities: AnyEntity) -> Snapshot:
    return snapshot.model_copy(
        update={"entities": {**snapshot.entities, **{one.id: one for one in entities}}}
    )


def test_event_that_speaks_of_what_is_at_hand_is_remembered_from_far() -> None:
    snapshot = told(60)
    early = altered(snapshot.get(Event, "e3"), summary="The brass sextant is thrown into the sea.")

    chapters = chapters_of(
        with_change(snapshot, early),
        Query(text="Who has the brass sextant?"),
        PromptBudget(1_000, 4),
    )

    assert chapters == [3, 58, 59, 60]


def test_word_that_stands_everywhere_tells_nothing() -> None:
    snapshot = told(60)

    assert chapters_of(snapshot, Query(text="it happens"), PromptBudget(1_000, 3)) == [58, 59, 60]


def test_what_led_to_what_happens_now_is_remembered_from_far() -> None:
    link = EventLink(id="l", source="e2", target="e60", link=LinkKind.CAUSES)

    chapters = chapters_of(
        with_change(told(60), link), Query(events=("e60",)), PromptBudget(1_000, 6)
    )

    assert 2 in chapters


def test_what_planted_an_open_thread_is_remembered_from_far() -> None:
    def remembered(state: ThreadState) -> list[int]:
        thread = Thread(id="t", title="the sextant", state=state, planted_in=2)
        return chapters_of(with_change(told(60), thread), Query(), PromptBudget(1_000, 12))

    assert 2 in remembered(ThreadState.PLANTED)
    assert 2 not in remembered(ThreadState.PAID_OFF)


def test_memory_does_not_grow_with_the_story() -> None:
    for chapters in (20, 400):
        assert cost(remember(told(chapters), Query(), PromptBudget(200)).lines) <= 200


def test_somebody_remembers_how_it_was_for_them() -> None:
    snapshot = told(2, people=1)
    lived = altered(snapshot.get(Participation, "i1"), emotion="glad")
    heard = altered(snapshot.get(Participation, "i2"), part=Part.IS_TOLD, emotion="shocked")
    snapshot = with_change(snapshot, lived, heard)

    lines = recollect(knowledge_of(snapshot, "p0"), snapshot, Query(), PromptBudget(1_000)).lines

    assert list(lines) == [
        "(chapter 1): It happens, number 1. You felt glad.",
        "(chapter 2) You were told: It happens, number 2.",
    ]


def test_large_cast_is_told_by_whom_it_is_about_and_who_acted_last() -> None:
    snapshot = told(9, people=60)

    lines = cast_lines(snapshot, "What does Person 40 want?", PromptBudget(1_000, 3))

    assert [line.split(":")[0] for line in lines] == ["Person 8", "Person 9", "Person 40"]
    assert lines.left_out == 57


def test_large_cast_is_told_within_its_room() -> None:
    lines = cast_lines(told(1, people=60), "", PromptBudget(50))

    assert 0 < cost(lines) <= 50


def test_ties_to_the_company_are_told_first_then_the_strongest() -> None:
    cast = [Character(id=f"p{at}", name=f"P{at}") for at in range(5)]
    relationships = [
        Relationship(
            id=f"t{at}", source="p0", target=f"p{at}", tie=RelationshipKind.DEBT, strength=10 - at
        )
        for at in range(1, 4)
    ]
    hers = Relationship(
        id="hers",
        source="p4",
        target="p0",
        tie=RelationshipKind.ROMANCE,
        strength=1,
        awareness=Awareness.MUTUAL,
        reason="she never says",
    )
    snapshot = apply(Snapshot(), adding(*cast, *relationships, hers), 0)

    told_ties = known_relationships(
        knowledge_of(snapshot, "p0"), snapshot, ["p4"], PromptBudget(1_000, 2)
    )

    assert list(told_ties) == [
        "P0 feels debt toward P1, 9 of 10",
        "P4 feels romance toward P0, 1 of 10",
    ]
    assert told_ties.left_out == 2


def test_own_ties_come_with_reasons_and_what_others_show_in_one_line() -> None:
    cast = [Character(id=f"p{at}", name=f"P{at}") for at in range(4)]
    mine = Relationship(
        id="mine", source="p0", target="p1", tie=RelationshipKind.DEBT, reason="gold"
    )
    theirs = [
        Relationship(
            id=f"t{at}",
            source=f"p{at}",
            target="p0",
            tie=RelationshipKind.ROMANCE,
            strength=at,
            awareness=Awareness.MUTUAL,
            reason="she never says",
        )
        for at in (2, 3)
    ]
    snapshot = apply(Snapshot(), adding(*cast, mine, *theirs), 0)

    lines = own_ties(knowledge_of(snapshot, "p0"), snapshot, ["p2"], PromptBudget(1_000, 4))

    assert list(lines) == [
        "P1: debt, 5 of 10 (gold)",
        "Toward you, as far as you see: romance of P2 (2), romance of P3 (3)",
    ]


def test_tie_that_came_to_be_besides_an_older_one_says_so() -> None:
    cast = [Character(id=f"p{at}", name=f"P{at}") for at in range(3)]
    ties = [
        Relationship(id=kind, source="p0", target=target, tie=kind, strength=strength)
        for kind, target, strength in (
            (RelationshipKind.SERVICE, "p1", 5),
            (RelationshipKind.DEBT, "p2", 7),
            (RelationshipKind.DISTRUST, "p1", 9),
        )
    ]
    snapshot = apply(Snapshot(), adding(*cast, *ties), 0)

    lines = own_ties(knowledge_of(snapshot, "p0"), snapshot, ["p1"], PromptBudget(1_000, 4))

    assert list(lines) == [
        "P1: service, 5 of 10",
        "P2: debt, 7 of 10",
        "P1: by now also distrust, 9 of 10",
    ]


def test_writer_s_name_for_a_tie_and_a_marriage_are_told_to_agents() -> None:
    snapshot = told(1, people=3)
    owed = Relationship(
        id="owed",
        source="p0",
        target="p1",
        tie=RelationshipKind.DEBT,
        called="owes her his life",
    )
    wed = Relationship(id="wed", source="p0", target="p2", tie=RelationshipKind.MARRIAGE)
    for one in (owed, wed):
        snapshot = apply(snapshot, adding(one), 1)

    lines = own_ties(knowledge_of(snapshot, "p0"), snapshot, ["p1"], PromptBudget(1_000, 9))
    assert "Person 1: debt (“owes her his life”), 5 of 10" in list(lines)
    assert (
        relationship_line(snapshot, owed)
        == "Person 0 feels debt toward Person 1 (“owes her his life”), 5 of 10"
    )
    assert relationship_line(snapshot, wed) == "Person 0 is married to Person 2, 5 of 10"


def test_what_must_be_remembered_comes_whole_and_in_its_place() -> None:
    snapshot = told(3, people=1)
    long = "She said that she would come back. " * 20
    snapshot = with_change(snapshot, altered(snapshot.get(Event, "e1"), summary=long.strip()))
    known = knowledge_of(snapshot.model_copy(update={"chapter": 4}), "p0")
    now = snapshot.model_copy(update={"chapter": 4})

    before, lately = recollect_wholly(known, now, Query(), PromptBudget(2_000, 8), ["e1", "e9"])
    without, _ = recollect_wholly(known, now, Query(), PromptBudget(2_000, 8))

    assert [memory.event.id for memory in before.items] == ["e1", "e2", "e3"]
    assert long.strip() in before.lines[0]
    assert long.strip() not in without.lines[0]
    assert not lately.items


def test_of_much_that_has_just_happened_the_last_is_told_at_most_length() -> None:
    snapshot = told(3, people=1)
    long = [
        altered(snapshot.get(Event, f"e{at}"), summary=f"Word {at} of it. " * 60)
        for at in (1, 2, 3)
    ]
    snapshot = with_change(snapshot, *long).model_copy(
        update={"first_chapter": dict.fromkeys(snapshot.entities, 3)}
    )

    _, lately = recollect_wholly(
        knowledge_of(snapshot, "p0"), snapshot, Query(), PromptBudget(500, 8)
    )

    assert [memory.event.id for memory in lately.items] == ["e1", "e2", "e3"]
    first, second, last = map(len, lately.lines)
    assert last > 2 * first
    assert abs(first - second) < 20


def test_outcomes_of_much_are_remembered_rather_than_little_of_it_at_length() -> None:
    snapshot = told(12, people=1)
    long = [
        altered(
            snapshot.get(Event, f"e{at}"),
            summary=f"Word {at} of it, and what they did then. " * 30,
            consequences=f"What came of {at} is that nobody says so.",
        )
        for at in range(1, 13)
    ]
    snapshot = with_change(snapshot, *long).model_copy(
        update={
            "first_chapter": {id_: int(id_[1:]) for id_ in (f"e{at}" for at in range(1, 13))},
            "chapter": 13,
        }
    )
    room = PromptBudget(400, 16)

    before, _ = recollect_wholly(knowledge_of(snapshot, "p0"), snapshot, Query(), room)

    assert cost(before.lines) <= room.tokens
    outcomes = [line for line in before.lines if "nobody says so" in line and "Word" not in line]
    at_length = [line for line in before.lines if "Word" in line]
    assert len(before.items) >= 6
    assert len(outcomes) >= 4
    assert at_length, "the last is remembered at length"
    assert before.items[-1].event.id == "e12"
    assert before.lines.left_out == 12 - len(before.items)
    assert [memory.chapter for memory in before.items] == sorted(
        memory.chapter for memory in before.items
    )


SHUTTER = (
    "On the second night, at “Thirty-nine, Vaudin”, Abraham stood in his kitchen with his boots on and laced. "
    "Rachel, with the child on her arm, closed the north shutter so that it banged."
)


def shutter(**values: object) -> Snapshot:
    """Return what two people did one night, of whom the second did what it is remembered for."""
    cast = (
        Character(id="abraham", name="Abraham Vaudin"),
        Character(id="rachel", name="Mrs. Rachel Vaudin"),
    )
    event = Event(id="shutter", title="The shutter", summary=SHUTTER, story_order=-12)
    parts = [
        Participation(id=f"part-{one.id}", character=one.id, event=event.id, part=Part.ACTS)
        for one in cast
    ]
    return apply(Snapshot(), adding(*cast, event, *(altered(one, **values) for one in parts)), 0)


def test_what_somebody_did_is_remembered_by_them_if_there_is_no_room_for_all_of_it() -> None:
    snapshot = shutter()
    [hers], [his] = (knowledge_of(snapshot, one).memories for one in ("rachel", "abraham"))

    assert whole_memory_line(hers) == f"(12 years before the story) {SHUTTER}"
    # Her name alone stands in what he did, too.
    assert "… Rachel, with the child on her arm, closed the north shutter" in whole_memory_line(
        hers, 110
    )
    assert "Abraham stood in his kitchen" in whole_memory_line(his, 110)


def test_memory_is_cut_between_words() -> None:
    [hers] = knowledge_of(shutter(), "rachel").memories
    words = {word.strip("….,") for word in SHUTTER.split()}

    for most in range(60, 110):
        line = whole_memory_line(hers, most).removeprefix("(12 years before the story) ")
        assert {word.strip("….,") for word in line.split()} - {""} <= words
        assert len(line) <= most + 2


def test_some_memories_of_before_are_told_at_length_and_the_others_in_short() -> None:
    events = [
        Event(
            id=f"e{at}",
            title=f"Event {at}",
            summary=f"Person 0 loses number {at} "
            + "and looks for it everywhere, " * 9
            + "in vain.",
            story_order=at - 9,
        )
        for at in range(8)
    ]
    parts = [
        Participation(
            id=f"p{event.id}",
            character="p0",
            event=event.id,
            part=Part.ACTS if at == 3 else Part.WITNESSES,
        )
        for at, event in enumerate(events)
    ]
    person = Character(id="p0", name="Person 0")
    snapshot = apply(Snapshot(), adding(person, *events, *parts), 0)
    now = snapshot.model_copy(update={"chapter": 1})

    before, _ = recollect_wholly(knowledge_of(now, "p0"), now, Query(), PromptBudget(300, 16))

    long = [line for line in before.lines if len(line) > 200]
    assert 1 <= len(long) < len(before.lines)
    # Their own deed is among these.
    assert any("number 3" in line for line in long)
    assert cost(before.lines) <= 300
