"""How candidates are laid before the scorer: in an order of chance, in as many words as fit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.scoring.comparison import Comparison, line_up, people_in, rule_line
from store.models.delta import Delta
from store.models.plot import Event, Part, Participation
from store.models.proposals import Candidate
from store.models.scoring import ScoringRule, general_rules
from tests.store.builders import HALE, MARA, adding, altered, snapshot_of

AROUND = snapshot_of(MARA, HALE)


def candidate(number: int, *summaries: str) -> Candidate:
    events = [
        Event(id=f"event-{number}-{at}", title="An event", summary=summary, position=at)
        for at, summary in enumerate(summaries)
    ]
    parts = [
        Participation(id=f"part-{one.id}", character=who, event=one.id)
        for one, who in zip(events, ("mara", "hale"), strict=False)
    ]
    # Told from the last to the first: what counts is where each stands in the chapter.
    return Candidate(
        id=f"candidate-{number}",
        branch="branch",
        chapter=1,
        round=1,
        goal=f"goal-{number}",
        title=f"Way {number}",
        delta=adding(*events[::-1], *parts),
    )


THREE = [candidate(number, f"Mara tries way {number}.", "Hale looks on.") for number in range(3)]


def compared(candidates: list[Candidate], *, with_reasons: bool) -> Comparison:
    return Comparison(line_up(candidates, "seed", {}), general_rules(), AROUND, with_reasons)


def test_order_is_decided_by_the_seed_alone() -> None:
    one, same = line_up(THREE, "branch/7/1", {}), line_up(THREE, "branch/7/1", {})

    assert one == same
    assert [entrant.label for entrant in one] == ["A", "B", "C"]
    assert {entrant.candidate.id for entrant in one} == {each.id for each in THREE}


def test_each_candidate_comes_first_about_as_often() -> None:
    first = Counter(line_up(THREE, f"branch/{at}/1", {})[0].candidate.id for at in range(300))

    assert set(first) == {each.id for each in THREE}
    assert min(first.values()) > 70


def test_labels_lead_back_to_events() -> None:
    for entrant in line_up(THREE, "seed", {}):
        number = entrant.candidate.id.removeprefix("candidate-")
        assert entrant.events == {
            f"{entrant.label}1": f"event-{number}-0",
            f"{entrant.label}2": f"event-{number}-1",
        }


def test_with_reasons_every_event_can_be_named() -> None:
    [told] = compared(THREE[:1], with_reasons=True).candidate_lines(1_000)

    assert told.splitlines() == [
        "A. Way 0",
        "A1 (Mara): Mara tries way 0.",
        "A2 (Hale): Hale looks on.",
    ]


def test_without_reasons_a_candidate_is_one_line() -> None:
    assert compared(THREE[:1], with_reasons=False).candidate_lines(1_000) == [
        "A. Way 0: Mara tries way 0. Hale looks on."
    ]


def test_whole_candidate_holds_what_is_said_thought_and_found_out_in_it() -> None:
    event = Event(id="event", title="A drawer", summary="Mara opens it.", spoken="Mara: Empty.")
    acts = Participation(
        id="acts", character="mara", event="event", inner="She knew.", learned="It is empty."
    )
    sees = Participation(
        id="sees", character="hale", event="event", part=Part.WITNESSES, inner="He did not."
    )
    told = candidate(0).model_copy(update={"delta": adding(event, acts, sees)})
    comparison = Comparison(
        line_up([told], "seed", {}), general_rules(), AROUND, True, is_whole=True
    )

    [line] = comparison.candidate_lines(1_000)

    assert "Mara opens it. Mara: Empty. (thinks: She knew; learns: It is empty)" in line
    assert "He did not." not in line


def test_candidate_that_was_told_is_shown_as_it_will_be_read_and_never_cut() -> None:
    text = "It was empty. " * 400
    one, other = candidate(0), candidate(1)
    comparison = Comparison(
        line_up([one, other], "seed", {one.id: text}), general_rules(), AROUND, True, is_whole=True
    )

    lines = {line[:1]: line for line in comparison.candidate_lines(50)}

    [told] = [line for line in lines.values() if text in line]
    assert len([line for line in lines.values() if "Its text:" in line]) == 1
    labels = {one.label: one for one in comparison.entrants}
    assert all(label in told for label in labels[told[:1]].events)


@pytest.mark.parametrize("with_reasons", [True, False])
def test_long_candidates_are_shortened_alike_and_lose_no_event(with_reasons: bool) -> None:
    summary = "Mara carries the lamp from the tower to the quay, and says nothing. " * 20
    many = [candidate(number, *[summary] * 24) for number in range(5)]

    lines = compared(many, with_reasons=with_reasons).candidate_lines(4_000)

    assert sum(map(estimate_tokens, lines)) < 6_000
    assert max(map(len, lines)) < 1.1 * min(map(len, lines))
    assert all(line.count("Mara carries") == 24 for line in lines)


def test_candidate_in_which_nothing_happens_is_still_one() -> None:
    empty = candidate(0)

    for with_reasons in (True, False):
        comparison = compared([empty], with_reasons=with_reasons)
        assert comparison.candidate_lines(100)[0].startswith("A. Way 0")
        assert comparison.asked.events == {"A": ()}


def test_only_those_who_take_part_are_introduced() -> None:
    alone = [candidate(0, "Mara waits.")]

    assert people_in([alone[0].delta, Delta()]) == {"mara"}
    assert compared(alone, with_reasons=True).people() == [
        "Mara: lighthouse keeper; wants: to leave"
    ]


def test_however_many_take_part_it_is_said_of_each_what_must_still_change() -> None:
    said = dict.fromkeys(("motivation", "fear", "secrets", "history"), "What was to be. " * 12)
    crowd = [
        altered(MARA, id=f"p{at}", name=f"Person {at}", arc="Learns to ask.", **said)
        for at in range(5)
    ]
    parts = [Participation(id=f"in-{one.id}", character=one.id, event="e") for one in crowd]
    met = candidate(0).model_copy(
        update={"delta": adding(Event(id="e", title="A fair", summary="They meet."), *parts)}
    )
    comparison = replace(
        compared([met], with_reasons=True), around=snapshot_of(*crowd), is_whole=True
    )

    lines = comparison.people()

    assert len(lines) == len(crowd)
    assert all("arc: Learns to ask." in line for line in lines)
    assert sum(map(estimate_tokens, lines)) <= 500


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"question": "Do wills meet?", "is_general": True}, "fight: Do wills meet?"),
        ({"question": "Do wills meet?"}, "fight (Fight): Do wills meet?"),
        ({}, "fight (Fight): Fight"),
        ({"top": 10}, "fight (Fight): Fight (from 1 to 10)"),
        ({"low": "calm."}, "fight (Fight): Fight (from 1 = calm to 5)"),
        (
            {"top": 3, "low": "calm", "high": "war"},
            "fight (Fight): Fight (from 1 = calm to 3 = war)",
        ),
    ],
)
def test_rule_is_told_with_the_scale_that_is_its_own(fields: dict[str, object], line: str) -> None:
    rule = ScoringRule.model_validate({"key": "fight", "name": "Fight", **fields})

    assert rule_line(rule) == line
