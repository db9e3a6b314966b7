"""Gate: are these the ways to try?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState, is_over
from store.models.story import Gate


def approve_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the goals, or to have others set; not where the run is over."""
    if is_over(state):
        return {"is_again": False}
    return answered(ask_writer(Gate.GOALS, state, runtime), state)
