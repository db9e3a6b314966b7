"""A book that was typed by hand is read into the story, one chapter after the other."""

from __future__ import annotations

from datetime import UTC, datetime

from langgraph.runtime import Runtime

from graph_flow.llm.errors import RunStopped
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.comparing.compare import compare
from graph_flow.telling.comparing.passages import changed_passages
from graph_flow.telling.comparing.proposed import unread_chapters
from store.models.base import new_id
from store.models.edits.comparison import ComparisonState, TextComparison
from store.models.manuscript import Draft
from store.models.run import ReadBook


def read_book(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Keep what the next of the run's chapters says, for the writer to decide on.

    A chapter that has been read as it stands is not read again, and one that has become part of the
    story meanwhile is left alone.

    Raises:
        RunStopped: if the writer asked to stop after the chapter before.
    """
    context = runtime.context
    draft = _next(context, after=state["chapter"])
    if draft is None:
        return {"chapter": state["last_chapter"]}
    if context.store.runs.run(context.run).is_last_chapter:
        raise RunStopped
    chapter = draft.chapter
    context.store.runs.come_to_chapter(context.run, chapter)
    context.progress.begin_step(f"Reading chapter {chapter} into the story", 1)
    context.progress.open_chapter(chapter)
    asked = _asked(context, draft)
    found = compare(context, asked, f"{chapter}/facts/{asked.id}")
    context.store.comparisons.change(found)
    return {"chapter": chapter}


def _next(context: StoryContext, after: int) -> Draft | None:
    """Return the next text that has not been read as it is now; None if none is left."""
    task = context.store.runs.run(context.run).task
    wanted = task.chapters if isinstance(task, ReadBook) else ()
    unread = unread_chapters(context.store, context.branch)
    chapter = next((one for one in unread if one > after and one in wanted), None)
    return context.store.manuscript.draft(context.branch, chapter) if chapter else None


def _asked(context: StoryContext, draft: Draft) -> TextComparison:
    """Return the comparison of a text that waits for its answer, which is begun if there is none."""
    comparisons = context.store.comparisons
    begun = comparisons.newest(context.branch, draft.chapter)
    if begun and begun.state is ComparisonState.ASKED and begun.text == draft.text:
        return begun
    return comparisons.add(
        TextComparison(
            id=new_id(),
            branch=context.branch,
            chapter=draft.chapter,
            text=draft.text,
            passages=changed_passages("", draft),
            is_plot=True,
            created=datetime.now(UTC),
        )
    )
