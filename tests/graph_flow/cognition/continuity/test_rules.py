"""Each rule of the continuity check: what it finds, and what comes close and is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graph_flow.cognition.continuity.check import check_losses, check_story
from graph_flow.cognition.continuity.chronicle import Chronicle
from graph_flow.cognition.continuity.finding import Finding, Rule, Severity
from store.models.cast import Awareness, Life, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import LinkKind, Part, Thread, ThreadState
from store.models.prototype import AnyEntity, Snapshot
from tests.graph_flow.cognition.continuity.stories import (
    BARN,
    CAST,
    HALE,
    IDA,
    MARA,
    QUAY,
    TOWER,
    event,
    link,
    part,
    sentences,
    story,
)
from tests.store.builders import altered
from tests.wording import says

CAUSES, ENABLES = LinkKind.CAUSES, LinkKind.ENABLES
DEAD_HALE = altered(HALE, life=Life.DEAD)
MISSING_HALE = altered(HALE, life=Life.MISSING)


def check(*chapters: Sequence[AnyEntity], is_over: bool = False) -> list[Finding]:
    return check_story(story([*CAST, QUAY, TOWER, BARN], *chapters), is_over=is_over)


def expect_one(findings: list[Finding], rule: Rule) -> Finding:
    assert [finding.rule for finding in findings] == [rule], sentences(findings)
    return findings[0]


# The dead act


def test_the_dead_do_not_act() -> None:
    found = check([DEAD_HALE], event("feast", "hale"))
    finding = expect_one(found, Rule.DEAD)
    assert (
        finding.sentence
        == "Hale has been dead since chapter 1, but acts in “The feast” (chapter 2)."
    )
    assert finding.chapters == (1, 2)
    assert finding.severity is Severity.CONTRADICTION
    assert [(item.id, item.chapter) for item in finding.evidence] == [("hale", 0), ("feast", 2)]


def test_the_dead_see_nothing() -> None:
    found = check([DEAD_HALE], [*event("feast", "mara"), part("feast", "hale", Part.WITNESSES)])
    assert "but sees “The feast”" in expect_one(found, Rule.DEAD).sentence


@pytest.mark.parametrize("kind", [Part.IS_AFFECTED, Part.IS_TOLD])
def test_the_dead_are_buried_and_spoken_to(kind: Part) -> None:
    assert check([DEAD_HALE], [*event("burial", "mara"), part("burial", "hale", kind)]) == []


def test_who_dies_in_a_chapter_may_act_in_it() -> None:
    assert check([DEAD_HALE, *event("fall", "hale")]) == []


def test_who_comes_back_to_life_in_a_chapter_may_act_in_it() -> None:
    assert check([DEAD_HALE], [HALE, *event("waking", "hale")], event("feast", "hale")) == []


def test_a_flashback_before_the_death_is_fine() -> None:
    assert check([], [], [DEAD_HALE], event("youth", "hale", story_order=1.5)) == []


def test_a_flashback_after_the_death_is_not() -> None:
    found = check([DEAD_HALE], [], [], event("feast", "hale", story_order=2.5))
    assert expect_one(found, Rule.DEAD).chapters == (1, 4)


def test_a_look_ahead_beyond_the_death_is_not() -> None:
    found = check(event("vision", "hale", story_order=3.0), [DEAD_HALE])
    assert expect_one(found, Rule.DEAD).chapters == (1, 2)


def test_who_was_dead_from_the_beginning_is_said_so() -> None:
    chronicle = story([MARA, DEAD_HALE], event("feast", "hale"))
    assert sentences(check_story(chronicle, is_over=False)) == [
        "Hale has been dead since the beginning, but acts in “The feast” (chapter 1)."
    ]


def test_the_missing_are_not_among_people() -> None:
    found = check([MISSING_HALE], event("feast", "hale", "mara"))
    sentence = expect_one(found, Rule.DEAD).sentence
    assert says(sentence, "Hale", "missing", "chapter 1", "The feast", "chapter 2")


def test_the_missing_may_act_where_nobody_meets_them() -> None:
    alone = event("hiding", "hale")
    told = [*event("plan", "hale"), part("plan", "mara", Part.IS_TOLD)]
    assert check([MISSING_HALE], alone, told) == []


def test_the_found_are_among_people() -> None:
    assert check([MISSING_HALE], [HALE, *event("feast", "hale", "mara")]) == []


# One person in two places


def test_one_person_is_not_in_two_places_at_one_hour() -> None:
    found = check([*event("kiss", "mara", at=QUAY), *event("fire", "mara", at=TOWER, position=1)])
    finding = expect_one(found, Rule.TWO_PLACES)
    assert says(finding.sentence, "Mara", "9 pm", "Quay", "Tower", "chapter 1")
    assert finding.severity is Severity.DOUBT
    assert {item.id for item in finding.evidence} == {"mara", "kiss", "fire", "quay", "tower"}


def test_one_person_is_not_in_two_places_at_one_moment_of_the_story() -> None:
    first, second = (
        event("kiss", "mara", at=QUAY, story_order=0.5),
        event("fire", "mara", at=BARN, story_order=0.5),
    )
    finding = expect_one(check(first, second), Rule.TWO_PLACES)
    assert says(finding.sentence, "Mara", "Quay", "Barn", 1, 2)
    assert finding.severity is Severity.CONTRADICTION


@pytest.mark.parametrize("kind", [Part.IS_AFFECTED, Part.WITNESSES])
def test_whoever_is_affected_or_sees_is_there(kind: Part) -> None:
    other = [*event("fire", at=TOWER), part("fire", "mara", kind)]
    expect_one(check([*event("kiss", "mara", at=QUAY), *other]), Rule.TWO_PLACES)


def test_whoever_is_told_need_not_be_there() -> None:
    other = [*event("fire", at=TOWER), part("fire", "mara", Part.IS_TOLD)]
    assert check([*event("kiss", "mara", at=QUAY), *other]) == []


def test_times_of_day_are_compared_within_a_chapter() -> None:
    assert check(event("kiss", "mara", at=QUAY), event("fire", "mara", at=TOWER)) == []


def test_a_scene_without_a_time_may_be_at_any() -> None:
    assert check([*event("kiss", "mara", at=QUAY), *event("milk", "mara", at=BARN)]) == []


def test_two_scenes_at_one_place_are_no_two_places() -> None:
    deck = altered(TOWER, id="deck", name="Deck", place="The  Harbour")
    told = [deck, *event("kiss", "mara", at=QUAY), *event("fire", "mara", at=deck)]
    assert check(told) == []


def test_a_scene_that_names_no_place_may_be_at_that_of_the_other() -> None:
    deck = altered(TOWER, id="deck", name="Deck", place="")
    assert check([deck, *event("kiss", "mara", at=QUAY), *event("fire", "mara", at=deck)]) == []


def test_different_people_are_in_different_places() -> None:
    assert check([*event("kiss", "mara", at=QUAY), *event("fire", "hale", at=TOWER)]) == []


def test_different_moments_of_the_story_are_different_times() -> None:
    early = event("kiss", "mara", at=QUAY, story_order=0.2)
    late = event("fire", "mara", at=TOWER, story_order=0.3)
    assert check([*early, *late]) == []


# Somebody uses what they cannot know


def test_nobody_acts_on_what_they_cannot_know() -> None:
    found = check(
        event("theft", "hale", at=QUAY),
        [*event("search", "mara", at=TOWER), link("theft", CAUSES, "search")],
    )
    finding = expect_one(found, Rule.UNKNOWN)
    assert says(finding.sentence, "The search", "chapter 2", "Mara", "The theft")
    assert finding.chapters == (1, 2)
    assert [item.id for item in finding.evidence] == ["theft", "search", "mara"]


THEFT = event("theft", "hale", at=QUAY)
SEARCH = [*event("search", "mara", at=TOWER), link("theft", ENABLES, "search")]


def test_that_holds_without_places_too() -> None:
    expect_one(check(event("theft", "hale"), SEARCH), Rule.UNKNOWN)


@pytest.mark.parametrize("kind", list(Part))
def test_whoever_had_any_part_in_it_knows(kind: Part) -> None:
    assert check([*THEFT, part("theft", "mara", kind)], SEARCH) == []


def test_whoever_met_somebody_who_knew_may_know() -> None:
    assert check(THEFT, event("supper", "hale", "ida"), event("walk", "ida", "mara"), SEARCH) == []


def test_word_does_not_go_back_in_time() -> None:
    found = check(event("walk", "ida", "mara"), THEFT, event("supper", "hale", "ida"), SEARCH)
    expect_one(found, Rule.UNKNOWN)


def test_a_meeting_after_the_act_does_not_count() -> None:
    expect_one(check(THEFT, SEARCH, event("walk", "hale", "mara")), Rule.UNKNOWN)


def test_a_meeting_in_a_flashback_comes_before() -> None:
    late = event("supper", "hale", "mara", story_order=1.5)
    assert check(THEFT, SEARCH, late) == []


def test_whoever_comes_to_the_place_may_find_it() -> None:
    assert check(THEFT, event("walk", "mara", at=QUAY), SEARCH) == []
    there = [*event("search", "mara", at=QUAY), link("theft", CAUSES, "search")]
    assert check(THEFT, there) == []


def test_whoever_is_with_somebody_who_knows_may_be_told() -> None:
    told = [*event("search", "mara", at=TOWER), part("search", "hale", Part.WITNESSES)]
    assert check(THEFT, [*told, link("theft", CAUSES, "search")]) == []


def test_what_happens_to_people_needs_no_knowledge() -> None:
    hit = [*event("wave", at=TOWER), part("wave", "mara", Part.IS_AFFECTED)]
    assert check(THEFT, [*hit, link("theft", CAUSES, "wave")]) == []


def test_what_happens_without_people_is_open_to_all() -> None:
    assert check(event("storm", at=QUAY), [*SEARCH[:-1], link("storm", CAUSES, "search")]) == []


def test_other_links_say_nothing_of_knowledge() -> None:
    linked = link("theft", LinkKind.PARALLELS, "search")
    assert check(THEFT, [*SEARCH[:-1], linked]) == []


SECRET = Relationship(
    id="secret",
    source="mara",
    target="hale",
    tie=RelationshipKind.ROMANCE,
    awareness=Awareness.HIDDEN,
)
ANSWER = altered(SECRET, id="answer", source="hale", target="mara", awareness=Awareness.MUTUAL)


def test_nobody_answers_what_is_hidden_from_them() -> None:
    finding = expect_one(check([SECRET], [ANSWER]), Rule.HIDDEN)
    assert says(finding.sentence, "romance", "Mara", "Hale", "chapter 2")
    assert [item.id for item in finding.evidence] == ["secret", "answer"]


def test_a_tie_that_turns_into_the_same_kind_is_an_answer() -> None:
    debt = altered(ANSWER, tie=RelationshipKind.DEBT)
    expect_one(check([SECRET, debt], [ANSWER]), Rule.HIDDEN)


@pytest.mark.parametrize(
    "chapters",
    [
        ([SECRET], [ANSWER, *event("kiss", "mara", "hale")]),
        ([SECRET, ANSWER],),
        ([SECRET], [altered(ANSWER, tie=RelationshipKind.RIVALRY)]),
        ([SECRET], [altered(ANSWER, source="ida")]),
        ([SECRET], [altered(SECRET, awareness=Awareness.MUTUAL), ANSWER]),
        ([altered(SECRET, is_mutual=True)], [ANSWER]),
        ([altered(SECRET, awareness=Awareness.ONE_SIDED)], [ANSWER]),
        ([ANSWER], [SECRET]),
    ],
    ids=[
        "they meet",
        "at once",
        "another kind",
        "another person",
        "told",
        "mutual",
        "open",
        "before",
    ],
)
def test_what_is_no_answer_to_a_hidden_tie(chapters: tuple[list[AnyEntity], ...]) -> None:
    assert check(*chapters) == []


# A link to something removed


def test_nothing_leads_to_what_is_gone() -> None:
    """As only a damaged library holds it."""
    whole = story([*CAST], event("feast", "hale"))
    entities = {id_: one for id_, one in whole.entities.items() if id_ != "hale"}
    broken = Chronicle.of(
        Snapshot(chapter=1, entities=entities, first_chapter=whole.told), whole.timelines
    )
    finding = expect_one(check_story(broken, is_over=False), Rule.REMOVED)
    assert says(finding.sentence, "Hale", "The feast")
    assert finding.chapters == (1,)


def test_a_candidate_says_what_was_removed_under_it() -> None:
    told = story([*CAST])
    without_hale = told.after(Delta(changes=(Change(before=HALE),)), 1)
    woven = event("feast", "mara", "hale", at=TOWER)
    proposed = Delta(changes=tuple(Change(after=one) for one in woven))
    found = sentences(check_losses(without_hale, proposed))
    assert len(found) == 2
    assert all(says(sentence, "The feast") for sentence in found)
    assert sum(says(sentence, "Hale") for sentence in found) == 1


def test_what_a_candidate_brings_along_is_not_lost() -> None:
    proposed = Delta(changes=tuple(Change(after=one) for one in [QUAY, *event("x", at=QUAY)]))
    assert check_losses(story([*CAST]), proposed) == []


# A payoff before its plant


@pytest.mark.parametrize(
    ("source", "kind", "target"),
    [("early", LinkKind.PAYS_OFF, "late"), ("late", LinkKind.FORESHADOWS, "early")],
)
def test_a_payoff_is_told_after_its_plant(source: str, kind: LinkKind, target: str) -> None:
    found = check(event("early"), [*event("late"), link(source, kind, target)])
    finding = expect_one(found, Rule.PAYOFF)
    assert says(finding.sentence, "The early", "chapter 1", "The late", "chapter 2")
    assert finding.chapters == (1, 2)


@pytest.mark.parametrize(
    ("source", "kind", "target"),
    [("late", LinkKind.PAYS_OFF, "early"), ("early", LinkKind.FORESHADOWS, "late")],
)
def test_a_payoff_that_is_told_later_is_fine(source: str, kind: LinkKind, target: str) -> None:
    assert check(event("early"), [*event("late"), link(source, kind, target)]) == []


def test_within_a_chapter_the_place_in_it_counts() -> None:
    told = [*event("a", position=0), *event("b", position=1)]
    assert check([*told, link("b", LinkKind.PAYS_OFF, "a")]) == []
    expect_one(check([*told, link("a", LinkKind.PAYS_OFF, "b")]), Rule.PAYOFF)


def test_for_the_reader_a_flashback_comes_when_it_is_told() -> None:
    """What prepares may be older in the story, but the reader meets it too late."""
    told = [*event("late", story_order=0.1), link("late", LinkKind.FORESHADOWS, "early")]
    expect_one(check(event("early"), told), Rule.PAYOFF)


def thread(state: ThreadState, **values: object) -> Thread:
    fields = {"id": "key", "title": "the key", "state": state}
    return Thread.model_validate(fields | values)


def test_a_thread_is_paid_off_after_it_was_planted() -> None:
    found = check([thread(ThreadState.PAID_OFF, planted_in=5, paid_off_in=2)])
    assert says(expect_one(found, Rule.PAYOFF).sentence, "the key", "chapter 2", "chapter 5")
    assert check([thread(ThreadState.PAID_OFF, planted_in=2, paid_off_in=2)]) == []


def test_a_thread_is_not_paid_off_out_of_nothing() -> None:
    found = check([], [thread(ThreadState.PAID_OFF)])
    finding = expect_one(found, Rule.PAYOFF)
    assert says(finding.sentence, "the key")
    assert finding.chapters == (2,)


def test_a_thread_that_was_once_planted_needs_no_chapter_for_it() -> None:
    assert check([thread(ThreadState.PLANTED)], [thread(ThreadState.PAID_OFF)]) == []


# A thread open at the end


@pytest.mark.parametrize("planted", [None, 1])
def test_a_thread_is_not_left_open_at_the_end(planted: int | None) -> None:
    told = [thread(ThreadState.PLANTED, planted_in=planted)]
    assert check(told, []) == []
    finding = expect_one(check(told, [], is_over=True), Rule.OPEN)
    assert says(finding.sentence, "the key", "open")


@pytest.mark.parametrize("state", [ThreadState.PLANNED, ThreadState.DROPPED])
def test_a_thread_that_no_reader_waits_for_is_not_open(state: ThreadState) -> None:
    assert check([thread(state)], is_over=True) == []


# A relationship that jumps


TRUST = Relationship(
    id="trust", source="mara", target="hale", tie=RelationshipKind.FRIENDSHIP, strength=8
)


def test_a_tie_does_not_jump_without_an_event() -> None:
    finding = expect_one(check([TRUST], [altered(TRUST, strength=4)]), Rule.JUMP)
    assert says(finding.sentence, "friendship", "Mara", "Hale", 8, 4, "chapter 2")
    assert finding.chapters == (2,)
    assert [item.id for item in finding.evidence] == ["trust", "mara", "hale"]


def test_a_tie_does_not_turn_over_without_an_event() -> None:
    enmity = altered(TRUST, tie=RelationshipKind.ENMITY)
    found = check([TRUST], [enmity, *event("walk", "mara")])
    assert says(expect_one(found, Rule.JUMP).sentence, "friendship", "enmity")


@pytest.mark.parametrize(
    "told",
    [
        [altered(TRUST, strength=5)],
        [altered(TRUST, tie=RelationshipKind.ROMANCE)],
        [altered(TRUST, tie=RelationshipKind.DEBT)],
        [altered(TRUST, strength=1), *event("fight", "mara", "hale")],
        [
            altered(TRUST, strength=1),
            *event("rumour", "hale"),
            part("rumour", "mara", Part.IS_TOLD),
        ],
    ],
    ids=["a small step", "still warm", "neither", "they meet", "told"],
)
def test_what_is_no_jump(told: list[AnyEntity]) -> None:
    assert check([TRUST], told) == []


def test_a_meeting_in_another_chapter_does_not_explain_a_jump() -> None:
    told = event("fight", "mara", "hale")
    expect_one(check([TRUST, *told], [altered(TRUST, strength=1)]), Rule.JUMP)


def test_a_jump_that_is_healed_is_still_one() -> None:
    expect_one(
        check([TRUST], [altered(TRUST, strength=4)], [altered(TRUST, strength=5)]), Rule.JUMP
    )


# A character who vanished


def acts(*chapters: int) -> list[list[AnyEntity]]:
    """Return eight chapters: Hale acts in some of them."""
    return [event(f"e{one}", "hale") if one in chapters else [] for one in range(1, 9)]


def test_whoever_acted_often_does_not_vanish() -> None:
    finding = expect_one(check(*acts(1, 2, 3)), Rule.VANISHED)
    assert says(finding.sentence, "Hale", "3 chapters", "chapter 3", 8)
    assert finding.chapters == (3,)


@pytest.mark.parametrize(
    "chapters", [(1, 2), (3, 4, 5), (1, 2, 8), (1, 4), ()], ids=["rarely", "just", "back", "2", "0"]
)
def test_who_has_not_vanished(chapters: tuple[int, ...]) -> None:
    assert check(*acts(*chapters)) == []


def test_whoever_is_often_away_is_not_missed_soon() -> None:
    told = [event(f"e{one}", "hale") if one in {1, 4, 7} else [] for one in range(1, 13)]
    assert check(*told) == []
    expect_one(check(*told, []), Rule.VANISHED)


@pytest.mark.parametrize("life", [Life.DEAD, Life.MISSING])
def test_the_dead_and_the_missing_are_not_missed(life: Life) -> None:
    chapters = acts(1, 2, 3)
    chapters[3] = [altered(HALE, life=life)]
    assert check(*chapters) == []


def test_whoever_is_still_told_of_things_is_not_gone() -> None:
    chapters = acts(1, 2, 3)
    chapters[6] = [*event("letter", "mara"), part("letter", "hale", Part.IS_TOLD)]
    assert check(*chapters) == []


def test_what_is_long_depends_on_the_length_of_the_story() -> None:
    told = [event(f"e{one}", "ida") if one < 36 else [] for one in range(1, 44)]
    assert check(*told) == [], "eight chapters of 43"
    assert expect_one(check(*told, []), Rule.VANISHED).evidence[0].id == IDA.id
