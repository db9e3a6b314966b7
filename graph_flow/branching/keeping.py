"""A candidate becomes a chapter: of its own branch, or of a new one that begins before it."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from store.deltas.locks import fit
from store.models.base import new_id
from store.models.proposals import Candidate, CandidateState, Chooser
from store.models.story import Branch
from store.open import Store
from store.records.library import branch_name


def commit_candidate(store: Store, candidate: Candidate, made_by: str, chooser: Chooser) -> None:
    """Commit a candidate as its chapter and mark it as chosen, in one transaction.

    What the writer has edited or locked since it was made stays: the candidate is rebased on the
    present head, without changes to what is now locked. `made_by` is the id of the run or branch
    that commits it; if the same one commits it again, there is still only one commit.

    Raises:
        DeltaInvalid: if what is left of the candidate does not fit the story.
        StoryMoved: if the chapter is already plotted.
    """
    with store.database.write():
        head = store.prototype.around(candidate.branch, [candidate.delta])
        delta, _ = fit(candidate.delta, head)
        store.prototype.commit(
            candidate.branch,
            delta,
            chapter=candidate.chapter,
            kind="chapter",
            title=candidate.title,
            origin=f"{made_by}-{candidate.id}",
        )
        store.proposals.mark_chosen(candidate.id, chooser)


def keep_candidate(store: Store, candidate: Candidate, branch_id: str, name: str) -> Branch:
    """Fork a branch before a candidate's chapter and commit it there, in one transaction.

    The new branch has a copy of the candidate and its goal, to show where its chapter came from.

    Raises:
        StoreError: if the name is empty, too long, or taken.
        WorkbenchError: if the candidate could not be finished.
    """
    if candidate.state is CandidateState.GIVEN_UP:
        raise WorkbenchError("This candidate could not be finished, so it cannot become a chapter.")
    story = store.library.branch(branch_id).story
    wanted = branch_name(name, store.library.all_branches(story))
    with store.database.write():
        branch = store.library.fork(branch_id, candidate.chapter - 1, wanted)
        copy = _copied(store, candidate, branch)
        commit_candidate(store, copy, branch.id, Chooser.WRITER)
    return branch


def _copied(store: Store, candidate: Candidate, branch: Branch) -> Candidate:
    goal = store.proposals.goal(candidate.goal)
    own = {"branch": branch.id, "round": 1}
    [kept] = store.proposals.save_goals([goal.model_copy(update={**own, "id": new_id()})])
    fresh = {"id": new_id(), "goal": kept.id, "state": CandidateState.PROPOSED, "chosen_by": None}
    return store.proposals.save_candidate(candidate.model_copy(update={**own, **fresh}))
