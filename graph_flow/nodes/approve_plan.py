"""Gate: is this how to tell the chapter?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def approve_plan(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the plan, or to have it made anew."""
    return answered(ask_writer(Gate.PLAN, state, runtime), state)
