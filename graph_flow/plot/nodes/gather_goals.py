"""Stage 2: whether the goals of a chapter that was to be told are all there, or others have to be set."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def gather_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Wait for the tellings of a chapter and the goals beside them; if nobody could tell it, ask for all goals."""
    store, branch = runtime.context.store, runtime.context.branch
    goals = store.proposals.goals(branch, state["chapter"], state["round"])
    return {"to_sketch": [], "is_again": not any(goal.sketch for goal in goals)}
