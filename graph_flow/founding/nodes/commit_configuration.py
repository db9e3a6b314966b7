"""Stage 1 ends: the configuration becomes chapter 0."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def commit_configuration(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:  # noqa: ARG001
    """Give the story its title and commit the configuration.

    The title comes first: a page that sees chapter 0 must already find it.
    """
    context = runtime.context
    configuration = context.configuration
    if configuration.title:
        context.store.library.rename(context.story.id, configuration.title)
    context.store.prototype.commit(
        context.branch,
        configuration.delta,
        chapter=0,
        kind="configuration",
        title=configuration.title,
        origin=configuration.id,
    )
    return {}
