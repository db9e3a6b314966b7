"""A candidate kept as a branch: the story goes on from before it, with it as the next chapter."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from store.deltas.locks import fit
from store.models.base import new_id
from store.models.proposals import Candidate, CandidateState
from store.models.story import Branch
from store.open import Store
from store.records.library import branch_name


def keep_candidate(store: Store, candidate: Candidate, branch_id: str, name: str) -> Branch:
    """Fork a branch before a candidate's chapter, and tell the candidate there; all or nothing.

    What the writer edited or locked since it was woven stays. The new branch has a copy of the
    candidate and of its goal, so that it says where its chapter comes from.

    Raises:
        StoreError: if the name is empty, too long, or taken.
        WorkbenchError: if the candidate could not be finished.
    """
    if candidate.state is CandidateState.GIVEN_UP:
        raise WorkbenchError("This one could not be finished, so it cannot be a chapter.")
    story = store.library.branch(branch_id).story
    wanted = branch_name(name, store.library.branches(story))
    with store.database.write():
        branch = store.library.fork(branch_id, candidate.chapter - 1, wanted)
        copy = _copied(store, candidate, branch)
        head = store.prototype.around(branch.id, copy.delta)
        delta, _ = fit(copy.delta, head)
        store.prototype.commit(
            branch.id,
            delta,
            chapter=copy.chapter,
            kind="chapter",
            title=copy.title,
            origin=f"{branch.id}-{copy.id}",
        )
        store.proposals.mark_chosen(copy.id)
    return branch


def _copied(store: Store, candidate: Candidate, branch: Branch) -> Candidate:
    goal = store.proposals.goal(candidate.goal)
    own = {"branch": branch.id, "round": 1}
    [kept] = store.proposals.save_goals([goal.model_copy(update={**own, "id": new_id()})])
    fresh = {"id": new_id(), "goal": kept.id, "state": CandidateState.PROPOSED, "chosen_by": None}
    return store.proposals.save_candidate(candidate.model_copy(update={**own, **fresh}))
