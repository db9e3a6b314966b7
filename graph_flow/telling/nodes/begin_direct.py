"""The direct way, stage 1: a story that has nothing but its premise."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.delta import Delta


def begin_direct(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:  # noqa: ARG001
    """Commit an empty chapter 0: the story has no cast, and is written from its premise."""
    context = runtime.context
    context.store.prototype.commit(
        context.branch, Delta(), chapter=0, kind="configuration", origin=f"direct-{context.run}"
    )
    return {}
