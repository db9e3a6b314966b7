"""Gate: is the chapter's text as the writer wants it?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def approve_draft(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the text, or to have the chapter written again."""
    return answered(ask_writer(Gate.DRAFT, state, runtime), state)
