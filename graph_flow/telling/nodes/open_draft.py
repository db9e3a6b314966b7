"""The start of stage 3: which attempt at the chapter's text this is."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import PLAN, WRITERS
from graph_flow.telling.scenes import scene_groups
from store.models.endpoint import ModelStrength
from store.models.form import Form


def open_draft(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Set the attempt at the chapter's text; a note from the writer stays in the state.

    A run that goes on without its checkpoints takes up the attempt that it had begun.

    Raises:
        WorkbenchError: if nothing happens in the chapter, because the writer removed it all.
    """
    context, chapter = runtime.context, state["chapter"]
    told = context.store.excerpts.of_chapter(context.branch, chapter)
    scenes = len(scene_groups(told, chapter))
    if not scenes:
        raise WorkbenchError(f"Nothing happens in chapter {chapter}, so there is nothing to write.")
    context.progress.begin_step(f"Writing chapter {chapter}", _calls(context, state, scenes))
    attempt = context.store.manuscript.next_attempt(context.branch, chapter)
    return {
        "round": max(1, attempt - 1) if state.get("goes_on") else attempt,
        "goes_on": False,
        "reviews": 0,
        "is_again": False,
    }


def _calls(context: StoryContext, state: StoryState, scenes: int) -> int:
    """Return how many calls a chapter takes, as far as that is known before it is planned."""
    plans = 1
    if context.strength(PLAN) is ModelStrength.SMALL and context.settings.recalls:
        plans = 3
    if context.strength(WRITERS[Form(state["form"])]) is ModelStrength.SMALL:
        return plans + scenes
    return plans + 1 + 2 * context.settings.reviews
