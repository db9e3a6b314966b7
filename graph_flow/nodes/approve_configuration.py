"""Gate: is the configuration as the writer wants it?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def approve_configuration(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the configuration, or to have it drafted again."""
    return answered(ask_writer(Gate.CONFIGURATION, state, runtime), state)
