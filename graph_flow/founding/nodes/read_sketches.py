"""Stage 1: two of the stories that were told whole, read side by side."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.reading import read_pair
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def read_sketches(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Have two sketches read; what is said of them is kept with the call, and weighed with the others."""
    first, second = state["pair"]
    read_pair(runtime.context, state["round"], (first, second))
    return {}
