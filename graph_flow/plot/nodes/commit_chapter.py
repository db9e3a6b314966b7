"""Stage 2: the chosen plot becomes this chapter's snapshot, all of it or nothing."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import WeavingFailed
from graph_flow.plot.candidates import worth
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.locks import fit
from store.models.proposals import Candidate, CandidateState, Chooser


def commit_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Commit the chosen candidate, or the one with the highest score.

    What the writer edited or locked since it was woven stays: the candidate is moved onto the
    present head, without what it would change of what is locked now. The origin names the run:
    where a chapter was taken back, the same candidate can be chosen again.
    """
    context, proposals = runtime.context, runtime.context.store.proposals
    chapter, choice = state["chapter"], state.get("choice")
    chosen = (
        proposals.candidate(choice)
        if choice
        else best_of(proposals.candidates(context.branch, chapter, state["round"]))
    )
    head = context.store.prototype.around(context.branch, chosen.delta)
    delta, _ = fit(chosen.delta, head)
    context.store.prototype.commit(
        context.branch,
        delta,
        chapter=chapter,
        kind="chapter",
        title=chosen.title,
        origin=f"{context.run}-{chosen.id}",
    )
    proposals.mark_chosen(chosen.id, Chooser.WRITER if choice else Chooser.SCORES)
    return {"choice": ""}


def best_of(candidates: list[Candidate]) -> Candidate:
    """Return the candidate with the highest score; without scores, the one in which most happens.

    One that was given up is no candidate.

    Raises:
        WeavingFailed: if there is none.
    """
    standing = [one for one in candidates if one.state is not CandidateState.GIVEN_UP]
    if not standing:
        raise WeavingFailed("No plot of this chapter could be finished. Plot it anew.")
    return max(standing, key=worth)
