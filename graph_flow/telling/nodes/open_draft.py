"""The start of stage 3: which attempt at the chapter's text this is."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import PLAN, WRITERS
from graph_flow.telling.discourse.planning import scene_count
from graph_flow.telling.discourse.standing import standing
from store.models.endpoint import ModelStrength
from store.models.form import Form


def open_draft(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Set the attempt at the chapter's text; a note from the writer stays in the state.

    A run that goes on without its checkpoints takes up the attempt that it had begun.

    Raises:
        WorkbenchError: if nothing happens in the chapter, because the writer removed it all.
    """
    context, chapter = runtime.context, state["chapter"]
    at = standing(context, chapter)
    scenes = scene_count(context, at)
    if not scenes:
        raise WorkbenchError(f"Nothing happens in {at.words}, so there is nothing to write.")
    plans = 0 if at.told else _calls_of_plan(context)
    context.progress.begin_step(f"Writing {at.words}", plans + _calls(context, state, scenes))
    attempt = context.store.manuscript.next_attempt(context.branch, chapter)
    return {
        "round": max(1, attempt - 1) if state.get("goes_on") else attempt,
        "goes_on": False,
        "reviews": 0,
        "is_again": False,
    }


def _calls(context: StoryContext, state: StoryState, scenes: int) -> int:
    """Return how many calls the text of a chapter takes, as far as that is known before it is planned."""
    if context.strength(WRITERS[Form(state["form"])]) is ModelStrength.SMALL:
        return scenes
    return 1 + 2 * context.settings.reviews


def _calls_of_plan(context: StoryContext) -> int:
    is_found_apart = context.strength(PLAN) is ModelStrength.SMALL and context.settings.recalls
    return 3 if is_found_apart else 1
