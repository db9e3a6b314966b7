"""Gate: are these the ways to try?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def approve_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the goals, or to have others set."""
    return answered(ask_writer(Gate.GOALS, state, runtime), state)
