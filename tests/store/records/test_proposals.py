"""Proposals are kept, each once, however often the agents run."""

from __future__ import annotations

import pytest

from store.errors import NotFound
from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import (
    Candidate,
    CandidateState,
    Configuration,
    Goal,
    Score,
    Sketch,
    Turn,
    Verdict,
)
from store.models.story import Branch
from store.open import Store
from tests.store.builders import CAST, LAMP_ROOM, LOCKED, MARA, adding

SCORES = (Score(rule="conflict", weight=0.5, value=4, reason="they fight"),)


def goal_of(branch: Branch, position: int = 0, round_: int = 1, chapter: int = 1) -> Goal:
    return Goal(
        id=new_id(),
        branch=branch.id,
        chapter=chapter,
        round=round_,
        position=position,
        title=f"Goal {position}",
        text="Open the door.",
    )


def candidate_of(goal: Goal, delta: Delta | None = None) -> Candidate:
    return Candidate(
        id=new_id(),
        branch=goal.branch,
        chapter=goal.chapter,
        round=goal.round,
        goal=goal.id,
        title=goal.title,
        delta=delta or adding(LOCKED),
        turns=(Turn(character="mara", name="Mara", text="I try the door."),),
    )


def test_a_configuration_fills_up(store: Store, branch: Branch) -> None:
    assert store.proposals.configuration(branch.id) is None
    first = Configuration(id=new_id(), branch=branch.id, round=1, title="The Salt Road")
    store.proposals.save_configuration(first)
    filled = first.model_copy(update={"delta": adding(*CAST), "is_complete": True})
    store.proposals.save_configuration(filled)
    assert store.proposals.configuration(branch.id) == filled


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("# Salt\n\n## 1. Ash\n\nIt fell.", "Salt", "## 1. Ash\n\nIt fell."),
        ("## 1. Ash\n\nIt fell.", "", "## 1. Ash\n\nIt fell."),
        ("Ash", "", "Ash"),
    ],
)
def test_title_of_a_sketch_is_its_first_line(text: str, title: str, body: str) -> None:
    sketch = Sketch(idea=1, text=text)
    assert (sketch.title, sketch.body) == (title, body)


def test_sketches_are_kept_in_the_order_of_their_ideas_each_once(
    store: Store, branch: Branch
) -> None:
    sketch = Sketch(idea=3, text="Ash fell.")
    assert store.proposals.save_sketch(branch.id, sketch) is None
    store.proposals.save_configuration(Configuration(id=new_id(), branch=branch.id, round=1))

    store.proposals.save_sketch(branch.id, sketch)
    store.proposals.save_sketch(branch.id, Sketch(idea=1, text="Snow fell."))
    store.proposals.save_sketch(branch.id, sketch.model_copy(update={"remark": "Dry."}))

    found = store.proposals.configuration(branch.id)
    assert found is not None
    assert [(one.idea, one.remark) for one in found.sketches] == [(1, ""), (3, "Dry.")]
    assert found.sketch_of(1) == Sketch(idea=1, text="Snow fell.")
    assert found.sketch_of(2) is None


def test_a_round_that_starts_again_has_one_configuration(store: Store, branch: Branch) -> None:
    first = Configuration(id=new_id(), branch=branch.id, round=1)
    store.proposals.save_configuration(first)
    again = store.proposals.save_configuration(first.model_copy(update={"id": new_id()}))
    assert again.id == first.id
    assert store.proposals.configurations(branch.id) == [first]


def test_the_newest_round_counts(store: Store, branch: Branch) -> None:
    assert store.proposals.next_round(branch.id, 0) == 1
    for round_ in (1, 2):
        store.proposals.save_configuration(
            Configuration(id=new_id(), branch=branch.id, round=round_, title=f"Round {round_}")
        )
    newest = store.proposals.configuration(branch.id)
    assert newest is not None
    assert newest.title == "Round 2"
    assert store.proposals.next_round(branch.id, 0) == 3
    assert store.proposals.next_round(branch.id, 1) == 1
    store.proposals.save_goals([goal_of(branch, round_=4)])
    assert store.proposals.next_round(branch.id, 1) == 5
    assert store.proposals.next_round(branch.id, 2) == 1


def test_goals_that_are_set_twice_are_there_once(store: Store, branch: Branch) -> None:
    first = store.proposals.save_goals([goal_of(branch, position) for position in range(3)])
    again = store.proposals.save_goals([goal_of(branch, position) for position in range(3)])
    assert [goal.id for goal in again] == [goal.id for goal in first]
    assert store.proposals.goals(branch.id, 1, 1) == again


def test_the_writers_goal_stands_beside_the_agents(store: Store, branch: Branch) -> None:
    (theirs,) = store.proposals.save_goals([goal_of(branch)])
    mine = goal_of(branch).model_copy(update={"is_by_writer": True, "title": "Mine"})
    store.proposals.save_goals([mine])
    assert {goal.id for goal in store.proposals.goals(branch.id, 1, 1)} == {theirs.id, mine.id}
    dropped = theirs.model_copy(update={"is_dropped": True})
    store.proposals.save_goals([dropped])
    assert store.proposals.goal(theirs.id) == dropped
    with pytest.raises(NotFound):
        store.proposals.goal("gone")


def test_a_relay_that_runs_twice_makes_one_candidate(store: Store, branch: Branch) -> None:
    (goal,) = store.proposals.save_goals([goal_of(branch)])
    first = store.proposals.save_candidate(candidate_of(goal))
    again = store.proposals.save_candidate(candidate_of(goal, adding(LOCKED, LAMP_ROOM)))
    assert again.id == first.id
    assert store.proposals.candidates(branch.id, 1) == [again]
    assert len(again.delta.changes) == 2


def test_the_writers_candidates_stand_beside_the_agents(store: Store, branch: Branch) -> None:
    (goal,) = store.proposals.save_goals([goal_of(branch)])
    theirs = store.proposals.save_candidate(candidate_of(goal))
    for _ in range(2):
        mine = candidate_of(goal).model_copy(update={"is_by_writer": True})
        assert store.proposals.save_candidate(mine).id == mine.id
    found = store.proposals.candidates(branch.id, 1, 1)
    assert [one.is_by_writer for one in found] == [False, True, True]
    assert found[0] == theirs


def test_candidates_come_in_the_order_of_their_goals(store: Store, branch: Branch) -> None:
    goals = store.proposals.save_goals([goal_of(branch, position) for position in range(3)])
    for goal in reversed(goals):
        store.proposals.save_candidate(candidate_of(goal))
    found = store.proposals.candidates(branch.id, 1, 1)
    assert [one.goal for one in found] == [goal.id for goal in goals]
    assert store.proposals.candidates(branch.id, 1, 2) == []
    assert store.proposals.candidates(branch.id, 2) == []


def test_scores_are_kept_with_their_reasons(store: Store, branch: Branch) -> None:
    (goal,) = store.proposals.save_goals([goal_of(branch)])
    candidate = store.proposals.save_candidate(candidate_of(goal))
    store.proposals.save_scores(candidate.id, SCORES * 3, "good")
    store.proposals.save_scores(candidate.id, SCORES, "better " + "x" * 500)
    scored = store.proposals.candidate(candidate.id)
    assert scored.scores == SCORES
    assert scored.total == 4
    assert len(scored.comment) == 400
    with pytest.raises(NotFound):
        store.proposals.save_scores("none", SCORES, "")


def test_one_is_chosen_and_none_is_thrown_away(store: Store, branch: Branch) -> None:
    goals = store.proposals.save_goals([goal_of(branch, position) for position in range(3)])
    kept = [store.proposals.save_candidate(candidate_of(goal)) for goal in goals]
    other = store.proposals.save_candidate(
        candidate_of(store.proposals.save_goals([goal_of(branch, chapter=2)])[0])
    )
    store.proposals.mark_chosen(kept[1].id)
    states = [one.state.value for one in store.proposals.candidates(branch.id, 1)]
    assert states == ["passed over", "chosen", "passed over"]
    assert store.proposals.candidate(other.id).state is CandidateState.PROPOSED
    store.proposals.save_candidate(candidate_of(goals[1], adding(MARA)))
    assert store.proposals.candidate(kept[1].id).state is CandidateState.CHOSEN


def test_a_round_has_hope_until_its_last_relay_is_given_up(store: Store, branch: Branch) -> None:
    dropped = goal_of(branch, 2).model_copy(update={"is_dropped": True})
    goals = store.proposals.save_goals([goal_of(branch, 0), goal_of(branch, 1), dropped])
    first, second = (store.proposals.save_candidate(candidate_of(goal)) for goal in goals[:2])

    assert store.proposals.conclude(first.id, is_given_up=True)
    assert not store.proposals.conclude(second.id, is_given_up=True)
    assert store.proposals.conclude(second.id, is_given_up=False)
    states = [one.state for one in store.proposals.candidates(branch.id, 1)]
    assert states == [CandidateState.GIVEN_UP, CandidateState.PROPOSED]


def test_relay_that_runs_again_is_given_up_until_it_is_concluded(
    store: Store, branch: Branch
) -> None:
    goal = store.proposals.save_goals([goal_of(branch)])[0]
    first = store.proposals.save_candidate(candidate_of(goal))
    store.proposals.conclude(first.id, is_given_up=True)

    again = store.proposals.save_candidate(candidate_of(goal))

    assert (again.id, again.state) == (first.id, CandidateState.GIVEN_UP)
    assert store.proposals.conclude(again.id, is_given_up=False)
    assert store.proposals.candidate(first.id).state is CandidateState.PROPOSED


def test_what_was_chosen_is_not_concluded_anew(store: Store, branch: Branch) -> None:
    goal = store.proposals.save_goals([goal_of(branch)])[0]
    chosen = store.proposals.save_candidate(candidate_of(goal))
    store.proposals.mark_chosen(chosen.id)

    assert store.proposals.conclude(chosen.id, is_given_up=True)

    assert store.proposals.candidate(chosen.id).state is CandidateState.CHOSEN


def test_a_chapter_has_one_verdict(store: Store, branch: Branch) -> None:
    assert store.proposals.verdict(branch.id, 1) is None
    verdict = Verdict(branch=branch.id, chapter=1, is_reached=False)
    reached = Verdict(branch=branch.id, chapter=1, is_reached=True, events=("locked",))
    store.proposals.save_verdict(verdict)
    store.proposals.save_verdict(reached)
    later = store.proposals.save_verdict(verdict.model_copy(update={"chapter": 2}))
    assert store.proposals.verdict(branch.id, 1) == reached
    assert store.proposals.verdicts(branch.id) == [reached, later]


def test_finished_candidates_are_told_apart_by_their_goals(store: Store, branch: Branch) -> None:
    goals = store.proposals.save_goals(
        [
            goal_of(branch, 1, chapter=2),
            goal_of(branch, 0, chapter=2).model_copy(update={"text": "Leave. " * 100}),
            goal_of(branch).model_copy(update={"text": ""}),
        ]
    )
    second, first, earlier = [store.proposals.save_candidate(candidate_of(one)) for one in goals]
    store.proposals.save_candidate(
        candidate_of(goal_of(branch)).model_copy(update={"state": CandidateState.WEAVING})
    )

    found = store.proposals.finished_candidates(branch.id)

    assert [one.id for one in found] == [earlier.id, first.id, second.id]
    assert [one.chapter for one in found] == [1, 2, 2]
    assert [one.goal for one in found] == ["Goal 0", "Leave. " * 100, "Open the door."]
