"""A candidate becomes a chapter: its commit and its mark as the chosen one, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from graph_flow.branching.keeping import commit_candidate, keep_candidate
from store.models.proposals import Candidate, CandidateState, Chooser, Goal
from store.models.story import Brief
from store.open import Store
from tests.store.builders import CAST, CHAPTER_ONE, adding, begin


@pytest.fixture
def candidate(store: Store) -> Candidate:
    """A plot for the first chapter of a story."""
    story = store.library.create_story(Brief(premise="A keeper."))
    branch = store.library.main_branch(story.id).id
    begin(store, branch, adding(*CAST))
    goal = Goal(id="goal", branch=branch, chapter=1, round=1, position=0, title="Away", text="Go.")
    store.proposals.save_goals([goal])
    woven = Candidate(
        id="flight",
        branch=branch,
        chapter=1,
        round=1,
        goal=goal.id,
        title="Away",
        delta=adding(*CHAPTER_ONE),
    )
    return store.proposals.save_candidate(woven)


@pytest.fixture
def no_marks(store: Store) -> Iterator[None]:
    """The file takes commits, and refuses to have a candidate marked, as a full disk may."""
    with store.database.write() as database:
        database.execute(
            "CREATE TRIGGER no_marks BEFORE UPDATE OF state ON candidates "
            "BEGIN SELECT RAISE(ABORT, 'no marks'); END"
        )
    yield
    with store.database.write() as database:
        database.execute("DROP TRIGGER no_marks")


@pytest.mark.usefixtures("no_marks")
def test_chapter_whose_candidate_cannot_be_marked_is_not_told(
    store: Store, candidate: Candidate
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="no marks"):
        commit_candidate(store, candidate, "a-run", Chooser.WRITER)

    assert [commit.chapter for commit in store.prototype.commits(candidate.branch)] == [0]
    assert store.proposals.candidate("flight").state is CandidateState.PROPOSED
    store.prototype.verify(candidate.branch)


@pytest.mark.usefixtures("no_marks")
def test_branch_whose_candidate_cannot_be_marked_is_not_kept(
    store: Store, candidate: Candidate
) -> None:
    story = store.library.branch(candidate.branch).story

    with pytest.raises(sqlite3.IntegrityError, match="no marks"):
        keep_candidate(store, candidate, candidate.branch, "Away")

    assert [branch.id for branch in store.library.branches(story)] == [candidate.branch]
    assert len(store.proposals.all_goals(candidate.branch)) == 1


def test_candidate_committed_twice_by_the_same_run_is_one_chapter(
    store: Store, candidate: Candidate
) -> None:
    for _ in range(2):
        commit_candidate(store, candidate, "a-run", Chooser.SCORES)

    assert [commit.chapter for commit in store.prototype.commits(candidate.branch)] == [0, 1]
    told = store.proposals.candidate("flight")
    assert (told.state, told.chosen_by) == (CandidateState.CHOSEN, Chooser.SCORES)
