"""What a task needs before it can start, and the state that a run begins with."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.state import StoryState
from graph_flow.views import Desk
from store.models.form import Form
from store.models.run import (
    ChooseAgain,
    DraftOutline,
    Initialize,
    PlotChapters,
    Task,
    WriteChapter,
)
from store.models.story import Story


def check_task(task: Task, desk: Desk) -> None:
    """Check that the story is ready for a task.

    Raises:
        WorkbenchError: if it is not; the message says what comes first.
    """
    if isinstance(task, Initialize):
        if desk.is_founded:
            raise WorkbenchError("This story has begun already; edit its cast instead.")
        return
    if not desk.is_founded:
        raise WorkbenchError("Approve the cast and the world first, on the page Premise.")
    if isinstance(task, PlotChapters | DraftOutline):
        _check_plotting(desk)
    elif isinstance(task, ChooseAgain):
        if task.chapter != desk.plotted + 1:
            raise WorkbenchError(f"Chapter {task.chapter} is not the next one to choose.")
    elif task.chapter > desk.plotted:
        raise WorkbenchError(f"Chapter {task.chapter} has no plot yet. Plot it first.")


def _check_plotting(desk: Desk) -> None:
    if not desk.people:
        raise WorkbenchError("Nobody is in this story. Add people on the page Premise first.")
    cap = desk.story.settings.chapter_cap
    if desk.plotted >= cap:
        raise WorkbenchError(
            f"The story has all of its {cap} chapters. Allow more in Settings to go on."
        )


def entry_for(task: Task, desk: Desk, round_: int = 1) -> StoryState:
    """Return the state in which a run of this task begins.

    `round_` is the newest round in which the chapter was asked for, where one is chosen again.
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
            "chapter": desk.plotted,
            "round": 1,
            "draft": 1,
            "asked_by": "",
        }
    if isinstance(task, PlotChapters):
        return {
            "task": "plot",
            "is_autopilot": task.is_autopilot,
            "stops_at_goal": task.stops_at_goal,
            "last_chapter": desk.plotted + task.chapters,
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
    form = form_of(task, desk.story)
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
