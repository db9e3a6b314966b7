"""What the writer chose among scored candidates, as it is read to be held against the scores."""

from __future__ import annotations

from collections.abc import Sequence

from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import Candidate, Chooser, Goal, Score
from store.models.story import Branch, Brief, Story
from store.open import Store

LOW, HIGH = (Score(key="wit", rule="Wit", weight=0.5, value=value) for value in (2, 5))


def woven(
    store: Store, branch: Branch, chapter: int, *scores: Sequence[Score], round_: int = 1
) -> list[Candidate]:
    """Propose candidates with these scores for a chapter."""
    candidates = []
    for position, given in enumerate(scores):
        [goal] = store.proposals.save_goals(
            [
                Goal(
                    id=new_id(),
                    branch=branch.id,
                    chapter=chapter,
                    round=round_,
                    position=position,
                    title="A goal",
                    text="Something happens.",
                )
            ]
        )
        candidate = Candidate(
            id=new_id(),
            branch=branch.id,
            chapter=chapter,
            round=round_,
            goal=goal.id,
            title=f"Way {position}",
            delta=Delta(),
            scores=tuple(given),
        )
        candidates.append(store.proposals.save_candidate(candidate))
    return candidates


def edited(store: Store, candidate: Candidate, *parts: Candidate) -> Candidate:
    """Propose what the writer made of one candidate, or of several."""
    own = {
        "id": new_id(),
        "scores": (),
        "is_by_writer": True,
        "parts_of": tuple(part.id for part in (candidate, *parts)),
    }
    return store.proposals.save_candidate(candidate.model_copy(update=own))


def test_choice_is_read_with_what_was_passed_over(
    store: Store, story: Story, branch: Branch
) -> None:
    _, second, _ = woven(store, branch, 1, [LOW], [HIGH], [LOW, HIGH])

    store.proposals.mark_chosen(second.id, Chooser.WRITER)

    [choice] = store.choices.of(story.id)
    assert (choice.branch, choice.chapter) == (branch.id, 1)
    assert choice.chosen == (HIGH,)
    assert choice.passed_over == ((LOW,), (LOW, HIGH))


def test_what_the_scores_chose_and_what_is_open_is_no_choice(
    store: Store, story: Story, branch: Branch
) -> None:
    first, _ = woven(store, branch, 1, [LOW], [HIGH])
    woven(store, branch, 2, [LOW], [HIGH])
    assert store.choices.of(story.id) == []

    store.proposals.mark_chosen(first.id, Chooser.SCORES)
    assert store.choices.of(story.id) == []

    store.proposals.mark_chosen(first.id, Chooser.WRITER)
    assert len(store.choices.of(story.id)) == 1
    store.proposals.reopen(branch.id, 1)
    assert store.choices.of(story.id) == []


def test_only_the_newest_round_was_passed_over(store: Store, story: Story, branch: Branch) -> None:
    woven(store, branch, 1, [HIGH], [HIGH])
    first, _, _ = woven(store, branch, 1, [LOW], [LOW], [HIGH], round_=2)

    store.proposals.mark_chosen(first.id, Chooser.WRITER)

    [choice] = store.choices.of(story.id)
    assert choice.passed_over == ((LOW,), (HIGH,))


def test_candidate_of_an_earlier_round_is_held_against_the_newest(
    store: Store, story: Story, branch: Branch
) -> None:
    early, _ = woven(store, branch, 1, [HIGH], [HIGH])
    woven(store, branch, 1, [LOW], [LOW], round_=2)

    store.proposals.mark_chosen(early.id, Chooser.WRITER)

    [choice] = store.choices.of(story.id)
    assert (choice.chosen, choice.passed_over) == ((HIGH,), ((LOW,), (LOW,)))


def test_who_reworks_one_chose_it(store: Store, story: Story, branch: Branch) -> None:
    first, _ = woven(store, branch, 1, [HIGH], [LOW])

    store.proposals.mark_chosen(edited(store, first).id, Chooser.WRITER)

    [choice] = store.choices.of(story.id)
    assert (choice.chosen, choice.passed_over) == ((HIGH,), ((LOW,),))


def test_what_was_not_compared_is_left_out(store: Store, story: Story, branch: Branch) -> None:
    first, second = woven(store, branch, 1, [HIGH], [LOW])
    [alone] = woven(store, branch, 2, [HIGH])
    unscored, _ = woven(store, branch, 3, [], [])
    for one in (edited(store, first, second), alone, unscored):
        store.proposals.mark_chosen(one.id, Chooser.WRITER)

    assert store.choices.of(story.id) == []


def test_newest_choices_of_all_branches_of_one_story_are_read(
    store: Store, story: Story, branch: Branch
) -> None:
    elsewhere = store.library.main_branch(store.library.create_story(Brief()).id)
    for place in (branch, elsewhere):
        for chapter in range(1, 8):
            first, _ = woven(store, place, chapter, [HIGH], [LOW])
            store.proposals.mark_chosen(first.id, Chooser.WRITER)

    assert [choice.chapter for choice in store.choices.of(story.id)] == [*range(1, 8)]
    assert [choice.chapter for choice in store.choices.of(story.id, most=3)] == [5, 6, 7]
    assert {choice.branch for choice in store.choices.of(story.id)} == {branch.id}


def test_choices_are_found_without_reading_all_candidates(store: Store, story: Story) -> None:
    plan = store.database.rows(
        "EXPLAIN QUERY PLAN SELECT rowid FROM candidates WHERE chosen_by = 'writer' "
        "AND branch IN (SELECT id FROM branches WHERE story = :story)",
        {"story": story.id},
    )

    assert any("COVERING INDEX candidates_by_writer_s_choice" in str(row["detail"]) for row in plan)
