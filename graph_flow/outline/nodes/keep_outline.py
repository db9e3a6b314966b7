"""What the writer approved becomes the outline that the story is plotted by."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.outline.current import accept_outline
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def keep_outline(
    state: StoryState,  # noqa: ARG001 - LangGraph calls a node with these names
    runtime: Runtime[StoryContext],
) -> StoryState:
    """Accept the draft under work, as the writer left it.

    Raises:
        WorkbenchError: if a part of it stands in no chapter that is left.
    """
    accept_outline(runtime.context.store, runtime.context.branch)
    return {}
