"""The end of stage 3: the newest text of the chapter counts as approved."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def approve_text(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Mark the chapter's newest version as approved; its text stays as it is."""
    context = runtime.context
    context.store.manuscript.approve_draft(context.branch, state["chapter"])
    return {}
