"""Stage 3, before each of several chapters: which of them is next."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.llm.errors import RunStopped
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.scenes import scene_groups
from store.models.run import WriteChapter


def seek_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Turn to the next of the run's chapters that has no text; beyond the last if none is left.

    What was written meanwhile, by hand or in another window, is left alone.

    Raises:
        RunStopped: if the writer asked to stop after the chapter before.
    """
    context = runtime.context
    chapter = next(
        (one for one in _unwritten(context, after=state["chapter"]) if _is_told(context, one)), None
    )
    if chapter is None:
        return {"chapter": state["last_chapter"] + 1}
    if context.store.runs.run(context.run).is_last_chapter:
        raise RunStopped
    context.store.runs.come_to_chapter(context.run, chapter)
    context.store.old_prompts.thin(context.branch)
    context.progress.open_chapter(chapter)
    return {"chapter": chapter, "asked_by": "", "is_again": False}


def _unwritten(context: StoryContext, after: int) -> list[int]:
    task = context.store.runs.run(context.run).task
    head = context.store.prototype.head(context.branch)
    chapters = task.chapters if isinstance(task, WriteChapter) else ()
    unwritten = set(context.store.manuscript.unwritten(context.branch, head.chapter if head else 0))
    return [one for one in chapters if one > after and one in unwritten]


def _is_told(context: StoryContext, chapter: int) -> bool:
    """Return whether anything happens in a chapter that could be written; if not, the writer is told."""
    told = context.store.excerpts.of_chapter(context.branch, chapter)
    if context.settings.is_direct or scene_groups(told, chapter):
        return True
    context.store.runs.add_note(
        context.run, f"Nothing happens in chapter {chapter}: it is left out."
    )
    return False
