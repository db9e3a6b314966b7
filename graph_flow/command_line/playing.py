"""Make a story, or what is missing of one, and say how it goes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import BaseModel

from graph_flow.command_line.arguments import RunRequest
from graph_flow.command_line.ending import (
    DONE,
    FAILED,
    INTERRUPTED,
    NOTHING_BEGUN,
    WRONG_USE,
    say,
)
from graph_flow.command_line.making import Wanted, finish_open_run, left_of, make_missing
from graph_flow.command_line.watching import RunFailed, watch
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.workbench.assembly import assemble
from graph_flow.workbench.workbench import Workbench
from store.database.troubles import cause_of
from store.errors import LibraryUnavailable, StoreError
from store.formats.exports import MARKDOWN, WHOLE_STORY
from store.models.run import Run, Task, Totals
from store.models.story import Brief, Story, StorySettings
from store.upkeep.files import write_whole


class Report(BaseModel):
    """The last line of `tellwright run --json`; `chapters` counts plotted chapters."""

    story: str
    branch: str
    status: str
    chapters: int
    words: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float


def open_workbench() -> Workbench | None:
    """Return the workbench of the library; None, after saying why, if it cannot be opened."""
    try:
        return assemble()
    except StoreError as problem:
        say(str(problem))
        return None


def play(workbench: Workbench, request: RunRequest) -> int:
    """Do what was asked for, close the workbench, and return the exit code."""
    try:
        with closing(workbench), _story(workbench, request) as story:
            return _make_story(workbench, story, request)
    except (WorkbenchError, StoreError, ModelError) as problem:
        say(str(problem))
        return FAILED if isinstance(problem, LibraryUnavailable) else WRONG_USE


@contextmanager
def _story(workbench: Workbench, play: RunRequest) -> Iterator[str]:
    """Yield the id of the story to continue, or of a new one.

    A new story in which nothing was begun is not left in the library.
    """
    if play.story:
        yield workbench.library.story(play.story).id
        return
    story = workbench.library.create_story(Brief(premise=play.premise, form=play.form))
    try:
        _plan(workbench, story, play, play.chapters)
        yield story.id
    finally:
        if not _is_begun(workbench, story.id):
            workbench.library.delete(story.id)


def _is_begun(workbench: Workbench, story: str) -> bool:
    return workbench.runs.progress(workbench.library.main_branch(story).id) is not None


def _make_story(workbench: Workbench, story: str, play: RunRequest) -> int:
    began = time.monotonic()
    branch = workbench.library.main_branch(story).id
    used_before = workbench.ledger.totals(branch=branch)
    status, code = "done", DONE
    try:
        _make_missing(workbench, branch, play)
        if play.folder:
            _write_files(workbench, branch, play.folder)
    except (RunFailed, LibraryUnavailable) as failure:
        status, code = "failed", FAILED
        say(str(failure))
    except KeyboardInterrupt:
        if not _is_begun(workbench, story):
            say(NOTHING_BEGUN)
            return INTERRUPTED
        workbench.runs.stop(branch)
        status, code = "interrupted", INTERRUPTED
    if code != DONE:
        say(f"To continue: {_again(story, play)}")
    if play.is_json:
        used = _since(used_before, workbench.ledger.totals(branch=branch))
        report = _report(workbench, branch, status, used)
        seconds = round(time.monotonic() - began, 3)
        sys.stdout.write(report.model_copy(update={"seconds": seconds}).model_dump_json() + "\n")
    return code


def _make_missing(workbench: Workbench, branch: str, play: RunRequest) -> None:
    """Do what is missing; work from earlier runs of the command is not repeated."""
    used_before = workbench.ledger.totals(branch=branch)

    def work(task: Task) -> None:
        left = left_of(play.caps, _since(used_before, workbench.ledger.totals(branch=branch)))
        watch(workbench, _begin(workbench, branch, task.model_copy(update={"caps": left})))

    _set_length(workbench, branch, play)
    finish_open_run(workbench, branch, lambda run: watch(workbench, run))
    wanted = Wanted(play.chapters, is_written=play.is_written, until_goal=play.until_goal)
    make_missing(workbench, branch, wanted, work)


def _begin(workbench: Workbench, branch: str, task: Task) -> Run:
    """Begin a run; with the first of a story, say which story it is."""
    is_first = workbench.runs.progress(branch) is None
    run = workbench.runs.start(branch, task)
    if is_first:
        say(f"Story {workbench.library.story_of(branch).id}")
    return run


def _set_length(workbench: Workbench, branch: str, play: RunRequest) -> None:
    """Plan as many chapters as are asked for, in as many words; a longer plan is kept.

    A new story gets exactly that plan when it is created.
    """
    status = workbench.branches.status(branch)
    if play.chapters < status.plotted:
        say(
            f"The story has {status.plotted} chapters already, more than --chapters "
            f"{play.chapters}. All of them are kept."
        )
    planned = max(play.chapters, status.story.settings.chapter_cap)
    _plan(workbench, status.story, play, planned)


def _plan(workbench: Workbench, story: Story, play: RunRequest, chapters: int) -> None:
    def planned(settings: StorySettings) -> StorySettings:
        changed = {
            "chapter_cap": chapters,
            "words": play.words or settings.words,
            "is_direct": play.is_direct or settings.is_direct,
            "is_sketched": play.is_sketched and settings.is_sketched,
        }
        return settings.model_copy(update=changed)

    if planned(story.settings) != story.settings:
        workbench.library.change_settings(story.id, planned)


def _write_files(workbench: Workbench, branch: str, folder: Path) -> None:
    files = {
        f"story{form.suffix}": workbench.files.export(branch, form)
        for form in (MARKDOWN, WHOLE_STORY)
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_whole(folder / name, content)
    except OSError as problem:
        raise RunFailed(
            f"The story is finished, but it could not be written to {folder}: {cause_of(problem)}."
        ) from problem


def _again(story: str, play: RunRequest) -> str:
    """Return the command that continues a story."""
    words = ["tellwright run --story", story, "--chapters", str(play.chapters)]
    # How long its chapters are, and whether it is made directly, is part of the story by now.
    words += ["--write", "--form", play.form.value] if play.is_written else []
    words += ["--until-goal"] if play.until_goal else []
    for name, most in play.caps.model_dump(exclude_none=True).items():
        words += [f"--max-{name}", str(most)]
    words += ["--out", shlex.quote(str(play.folder))] if play.folder else []
    return " ".join(words)


def _report(workbench: Workbench, branch: str, status: str, used: Totals) -> Report:
    chapters = workbench.story.chapters(branch)
    return Report(
        story=workbench.branches.status(branch).story.id,
        branch=branch,
        status=status,
        chapters=len(chapters),
        words=sum(chapter.words for chapter in chapters),
        calls=used.calls,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cost=used.cost,
        seconds=0.0,
    )


def _since(before: Totals, now: Totals) -> Totals:
    return Totals(
        calls=now.calls - before.calls,
        tokens_in=now.tokens_in - before.tokens_in,
        tokens_out=now.tokens_out - before.tokens_out,
        cost=now.cost - before.cost,
        milliseconds=now.milliseconds - before.milliseconds,
    )
