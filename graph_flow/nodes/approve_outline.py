"""Gate: is this the outline to go by?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def approve_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the outline, or to have another drafted."""
    return {**answered(ask_writer(Gate.OUTLINE, state, runtime), state), "draft": 1}
