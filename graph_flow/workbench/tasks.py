"""What a task needs before it can start, and the state in which its run begins."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.state import StoryState
from graph_flow.views import BranchStatus
from store.models.form import Form
from store.models.run import (
    ChooseAgain,
    DraftOutline,
    Initialize,
    PlotChapters,
    ReadStory,
    Task,
    WriteChapter,
)
from store.models.story import Story


def check_task(task: Task, status: BranchStatus) -> None:
    """Check that the story is ready for a task.

    Raises:
        WorkbenchError: if it is not; the message says what comes first.
    """
    if isinstance(task, Initialize):
        if status.is_founded:
            raise WorkbenchError("This story has already begun. Edit its cast instead.")
        return
    if not status.is_founded:
        raise WorkbenchError("Approve the cast and the world first, on the Premise page.")
    _check_direct(task, status)
    match task:
        case PlotChapters() | DraftOutline():
            _check_plotting(status)
        case ReadStory():
            _check_written(status)
        case ChooseAgain():
            _check_choosing(task.chapter, status)
        case WriteChapter() if task.chapter > status.plotted:
            raise WorkbenchError(f"Chapter {task.chapter} has no plot yet. Plot it first.")


def _check_choosing(chapter: int, status: BranchStatus) -> None:
    if chapter != status.plotted + 1:
        raise WorkbenchError(f"Chapter {chapter} is not the next chapter to choose a plot for.")


def _check_direct(task: Task, status: BranchStatus) -> None:
    if status.story.settings.is_direct and isinstance(task, DraftOutline | ChooseAgain | ReadStory):
        raise WorkbenchError(
            "This story is made directly, one prompt a chapter, without outline, plots and revision. "
            "Change that in Settings, under “Leave out”."
        )


def _check_written(status: BranchStatus) -> None:
    missing = status.plotted - status.written
    if missing or not status.written:
        raise WorkbenchError("Write all of its chapters first: then the story is read as a whole.")


def _check_plotting(status: BranchStatus) -> None:
    if not (status.people or status.story.settings.is_direct):
        raise WorkbenchError(
            "There is nobody in this story yet. Add people on the Premise page first."
        )
    last = status.story.settings.last_chapter
    if status.plotted >= last:
        raise WorkbenchError(
            f"The story has all of its {last:,} chapters. Plan more on the Premise page to go on."
        )


def entry_for(task: Task, status: BranchStatus, round_: int = 1) -> StoryState:
    """Return the state in which a run of this task begins.

    `round_` is the newest round of candidates, for a chapter that is chosen again.
    """
    if isinstance(task, Initialize):
        return {
            "task": "initialize",
            "is_autopilot": task.is_autopilot,
            "chapter": 0,
            "round": 1,
            "asked_by": "",
        }
    if isinstance(task, DraftOutline):
        return {
            "task": "outline",
            "is_autopilot": task.is_autopilot,
            "chapter": status.plotted,
            "round": 1,
            "draft": 1,
            "asked_by": "",
        }
    if isinstance(task, PlotChapters):
        return {
            "task": "plot",
            "is_autopilot": task.is_autopilot,
            "stops_at_goal": task.stops_at_goal,
            "last_chapter": status.plotted + task.chapters,
            "is_reached": False,
        }
    if isinstance(task, ChooseAgain):
        return {
            "task": "choose",
            "is_autopilot": False,
            "chapter": task.chapter,
            "last_chapter": task.chapter,
            "round": round_,
            "asked_by": "",
            "is_reached": False,
        }
    if isinstance(task, ReadStory):
        return {"task": "read", "is_autopilot": task.is_autopilot, "chapter": status.written}
    form = form_of(task, status.story)
    return {
        "task": "write",
        "is_autopilot": task.is_autopilot,
        "chapter": task.chapter,
        "form": form.value,
        "asked_by": "",
    }


def form_of(task: WriteChapter, story: Story) -> Form:
    """Return the form in which a chapter is written: the task's, or else the story's own."""
    return task.form or story.brief.form
