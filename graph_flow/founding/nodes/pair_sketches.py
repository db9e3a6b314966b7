"""Stage 1: which of the stories that were told whole are read side by side."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.ranking import pairs
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def pair_sketches(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:  # noqa: ARG001
    """Say which sketches are read together, of those that have come."""
    sketches = runtime.context.configuration.sketches
    return {"to_compare": [list(pair) for pair in pairs(len(sketches))]}
