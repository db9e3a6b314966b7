"""What the writer approved becomes the outline that the story is plotted by."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import WorkbenchError
from graph_flow.outline.current import NO_OUTLINE, outline_problems
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.outline import OutlineState


def keep_outline(
    state: StoryState,  # noqa: ARG001 - LangGraph calls a node with these names
    runtime: Runtime[StoryContext],
) -> StoryState:
    """Accept the draft under work, as the writer left it.

    Raises:
        WorkbenchError: if a part of it stands in no chapter that is left.
    """
    store, branch = runtime.context.store, runtime.context.branch
    outline = store.outlines.newest(branch)
    if outline is None:
        raise WorkbenchError(NO_OUTLINE)
    if outline.state is OutlineState.ACCEPTED:
        return {}
    problems = outline_problems(store, branch)
    if problems:
        raise WorkbenchError(" ".join(problems))
    store.outlines.save(outline.model_copy(update={"state": OutlineState.ACCEPTED}))
    return {}
