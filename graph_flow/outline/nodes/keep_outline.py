"""The draft that the writer approved becomes the outline of the story."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.outline.current import accept_outline
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def keep_outline(
    state: StoryState,  # noqa: ARG001 - LangGraph calls a node with these names
    runtime: Runtime[StoryContext],
) -> StoryState:
    """Accept the current draft as the writer left it.

    Raises:
        WorkbenchError: if a part of it is not in a chapter still to be plotted.
    """
    accept_outline(runtime.context.store, runtime.context.branch)
    return {}
