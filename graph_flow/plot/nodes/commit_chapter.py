"""Stage 2: the chosen plot becomes this chapter's snapshot, all of it or none."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.branching.keeping import commit_candidate
from graph_flow.errors import PlottingFailed
from graph_flow.plot.candidates import best_of
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Candidate, Chooser


def commit_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Commit the candidate that the writer chose, or else the one with the best scores.

    Prompts of long ago are summed up, so a run of hundreds of chapters keeps few of them. The commit's origin names the run, so after a chapter is taken back, the same candidate can be
    chosen again.

    Raises:
        WeavingFailed: if nobody chose, and no candidate could be finished.
    """
    context, choice = runtime.context, state.get("choice")
    chosen = context.store.proposals.candidate(choice) if choice else _best(state, context)
    chooser = Chooser.WRITER if choice else Chooser.SCORES
    commit_candidate(context.store, chosen, context.run, chooser)
    context.store.old_prompts.thin(context.branch)
    return {"choice": ""}


def _best(state: StoryState, context: StoryContext) -> Candidate:
    woven = context.store.proposals.candidates(context.branch, state["chapter"], state["round"])
    best = best_of(woven)
    if best is None:
        raise PlottingFailed("No plot of this chapter could be finished. Plot it again.")
    return best
