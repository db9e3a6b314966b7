"""Stage 2, before each chapter: which chapter is next, and in which round."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def open_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Set the chapter after the head, in a new round, and mark the one before it for closing."""
    store, branch = runtime.context.store, runtime.context.branch
    head = store.prototype.head(branch)
    chapter = head.chapter + 1 if head else 1
    return {
        "chapter": chapter,
        "closing": state.get("chapter", 0),
        "round": store.proposals.next_round(branch, chapter),
        "asked_by": "",
        "choice": "",
        "is_again": False,
    }
