"""What is missing of a story, made step by step: the same whoever begins and watches the runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graph_flow.command_line.watching import RunFailed
from graph_flow.workbench.workbench import Workbench
from store.models.outline import OutlineState
from store.models.run import (
    Caps,
    DraftOutline,
    Initialize,
    PlotChapters,
    ReadStory,
    Run,
    RunState,
    Task,
    Totals,
    WriteChapter,
)

Do = Callable[[Task], None]
"""Begins a task on the story's branch, and watches it to its end."""

Watch = Callable[[Run], None]
"""Watches a run to its end."""


@dataclass(frozen=True)
class Wanted:
    """How much of a story is to be made: so many chapters in all, with or without text."""

    chapters: int
    is_written: bool
    until_goal: bool = False
    has_outline: bool = False
    """Whether the whole story is outlined before its first chapter is plotted."""


def make_missing(workbench: Workbench, branch: str, wanted: Wanted, do: Do) -> None:
    """Do what is missing of a story; what is there is not made again."""
    if not workbench.branches.status(branch).is_founded:
        do(Initialize(is_autopilot=True))
    if wanted.has_outline and not _is_outlined(workbench, branch):
        do(DraftOutline(is_autopilot=True))
    status = workbench.branches.status(branch)
    missing = wanted.chapters - status.plotted
    if missing > 0 and not (wanted.until_goal and status.is_reached):
        do(PlotChapters(chapters=missing, is_autopilot=True, stops_at_goal=wanted.until_goal))
    if wanted.is_written:
        _write_missing(workbench, branch, wanted.chapters, do)


def finish_open_run(workbench: Workbench, branch: str, watch: Watch) -> None:
    """Resume a run on autopilot that was stopped, failed or was interrupted."""
    progress = workbench.runs.progress(branch)
    if progress is None or not progress.run.task.is_autopilot:
        return
    if progress.run.state in {RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED}:
        watch(workbench.runs.resume(branch))


def left_of(caps: Caps, used: Totals) -> Caps:
    """Return what may still be used.

    Raises:
        RunFailed: if a limit is reached.
    """
    tokens = used.tokens_in + used.tokens_out
    left = Caps.model_construct(
        calls=None if caps.calls is None else caps.calls - used.calls,
        tokens=None if caps.tokens is None else caps.tokens - tokens,
        cost=None if caps.cost is None else caps.cost - used.cost,
    )
    if any(value is not None and value <= 0 for value in (left.calls, left.tokens, left.cost)):
        raise RunFailed("The run has used all that you allowed.")
    return left


def _is_outlined(workbench: Workbench, branch: str) -> bool:
    outline = workbench.outline.newest(branch)
    return outline is not None and outline.state is OutlineState.ACCEPTED


def _write_missing(workbench: Workbench, branch: str, chapters: int, do: Do) -> None:
    plotted = min(chapters, workbench.branches.status(branch).plotted)
    unwritten = workbench.manuscript.unwritten(branch, range(1, plotted + 1))
    if unwritten:
        do(WriteChapter(chapter=unwritten[0], then=tuple(unwritten[1:]), is_autopilot=True))
    if _is_to_be_read(workbench, branch):
        do(ReadStory(is_autopilot=True))


def _is_to_be_read(workbench: Workbench, branch: str) -> bool:
    """Return whether the story is complete and an able model has not read it as a whole yet.

    Where it stands as a sketch told it, readers have: they preferred it to others as it is.
    """
    status = workbench.branches.status(branch)
    settings = status.story.settings
    is_complete = status.written == status.plotted >= (settings.planned or status.plotted + 1)
    return (
        is_complete
        and settings.reviews > 0
        and not workbench.story.is_as_told(branch)
        and workbench.runs.estimate(branch, ReadStory()).calls > 0
        and not workbench.runs.has_done(branch, "read")
    )
