"""Stage 2, before each chapter: which chapter is next, and in which round."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.following import newest_read, sketched_chapter
from graph_flow.plot.agents import CHAPTER_SKETCH, SINGLE_AUTHOR
from graph_flow.plot.forecast import parts_due
from graph_flow.prompting.length import chapter_sketches
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.endpoint import ModelStrength
from store.models.story import OutlineUse


def open_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Set the chapter after the head, in a new round, and mark the one before it for closing.

    It is told first, if it can be. A run that goes on without its checkpoints takes up the round that is there.
    """
    context = runtime.context
    store, branch = context.store, context.branch
    head = store.prototype.head(branch)
    chapter = head.chapter + 1 if head else 1
    context.progress.open_chapter(chapter)
    goes_on = state.get("goes_on", False) and "chapter" not in state
    round_ = store.proposals.next_round(branch, chapter)
    return {
        "chapter": chapter,
        "closing": state.get("chapter", 0),
        "round": max(1, round_ - 1) if goes_on else round_,
        "to_sketch": [] if goes_on else _to_sketch(context, chapter),
        "goes_on": goes_on,
        "asked_by": "",
        "choice": "",
        "is_again": False,
    }


def _to_sketch(context: StoryContext, chapter: int) -> list[int]:
    """Return the places of the goals that are to be told; none if the sketch of the story tells the chapter.

    Whoever tells one, and whoever reads its plot, has to be able, and goes on from a text: there is none where
    the chapter before is not written, and has not been told either.
    """
    count = chapter_sketches(context.settings)
    are_able = all(
        context.strength(one) is ModelStrength.ABLE for one in (CHAPTER_SKETCH, SINGLE_AUTHOR)
    )
    is_new = count and are_able and sketched_chapter(context.store, context.branch, chapter) is None
    if not is_new or not newest_read(context.store, context.branch, chapter, 0).chapters:
        return []
    is_followed = context.settings.outline_use is OutlineUse.FOLLOW and parts_due(context, chapter)
    return [1] if is_followed else list(range(1, count + 1))
