"""Stage 2, before each chapter: which chapter is next, and in which round."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def open_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Set the chapter after the head, in a new round, and mark the one before it for closing.

    A run that goes on without its checkpoints takes up the round that is there.
    """
    store, branch = runtime.context.store, runtime.context.branch
    head = store.prototype.head(branch)
    chapter = head.chapter + 1 if head else 1
    runtime.context.progress.open_chapter(chapter)
    goes_on = state.get("goes_on", False) and "chapter" not in state
    round_ = store.proposals.next_round(branch, chapter)
    return {
        "chapter": chapter,
        "closing": state.get("chapter", 0),
        "round": max(1, round_ - 1) if goes_on else round_,
        "goes_on": goes_on,
        "asked_by": "",
        "choice": "",
        "is_again": False,
    }
