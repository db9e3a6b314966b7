"""Stage 3, before each of several chapters: which of them is next to be written, or to be reviewed."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.llm.errors import RunStopped
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.discourse.in_one_piece import is_waiting_for_review, told_before
from graph_flow.telling.discourse.planning import scene_count
from graph_flow.telling.discourse.standing import standing
from store.models.run import WriteChapter


def seek_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Turn to the next of the run's chapters that has no text; beyond the last if none is left.

    Those that the run has written in one piece are next as well, until they are reviewed.

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
    update: StoryState = {"chapter": chapter, "asked_by": "", "is_again": False}
    if is_waiting_for_review(context, chapter):
        plan = context.plan(chapter)
        if not told_before(context, plan):
            context.progress.begin_step(f"Revising chapter {chapter}", 2 * context.settings.reviews)
        update |= {"round": plan.attempt, "reviews": 0}
    return update


def _unwritten(context: StoryContext, after: int) -> list[int]:
    run = context.store.runs.run(context.run)
    task = run.task
    if isinstance(task, WriteChapter) and task.is_of_telling:
        # A text from before is written anew: it was asked for because it has become stale.
        written = context.store.manuscript.chapters_written_after(context.branch, run.started)
        return [one for one in task.chapters if one not in written]
    head = context.store.prototype.head(context.branch)
    plotted = head.chapter if head else 0
    chapters = task.chapters if isinstance(task, WriteChapter) else ()
    ahead = [one for one in chapters if after < one <= plotted]
    unwritten = set(context.store.manuscript.unwritten(context.branch, ahead))
    return [one for one in ahead if one in unwritten or is_waiting_for_review(context, one)]


def _is_told(context: StoryContext, chapter: int) -> bool:
    """Return whether anything happens in a chapter that could be written; if not, the writer is told."""
    at = standing(context, chapter)
    if context.settings.is_direct or scene_count(context, at):
        return True
    context.store.runs.add_note(context.run, f"Nothing happens in {at.words}: it is left out.")
    return False
