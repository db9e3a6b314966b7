"""`tellwright run`: make a story without a browser, through the same workbench as the pages.

The commands that keep the library are in `graph_flow.workbench.upkeep_commands`.

Exit codes: 0 done; 2 wrong usage; 3 a run failed or reached a limit (run it again with `--story` to
continue); 130 interrupted (likewise).
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel
from tqdm import tqdm

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.workbench import upkeep_commands
from graph_flow.workbench.assembly import assemble, library_path, restore_library
from graph_flow.workbench.workbench import Workbench
from store.errors import StoreError
from store.formats.exports import DOCUMENTS, WHOLE_STORY
from store.models.form import Form
from store.models.run import (
    Caps,
    Initialize,
    PlotChapters,
    Progress,
    ReadStory,
    Run,
    RunState,
    Task,
    Totals,
    WriteChapter,
)
from store.models.story import (
    LEAST_WORDS,
    MOST_CHAPTERS,
    MOST_WORDS,
    PREMISE_LIMIT,
    Brief,
    Story,
)
from store.models.telling import DraftState

DONE, WRONG_USE, FAILED, INTERRUPTED = 0, 2, 3, 130

_LOOK_EVERY = 0.2
"""Seconds between two looks at what a run is doing."""


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


class RunFailed(Exception):
    """A run ended early; the message says why."""


@dataclass(frozen=True)
class RunRequest:
    """What the command was asked to do."""

    premise: str
    story: str
    chapters: int
    words: int | None
    form: Form
    is_written: bool
    until_goal: bool
    is_direct: bool
    folder: Path | None
    is_json: bool
    caps: Caps


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given and given[0] in upkeep_commands.ABOUT:
        return upkeep_commands.run(given, library_path(), restore_library)
    play = _read(given)
    try:
        with closing(assemble()) as workbench:
            return _make_story(workbench, play)
    except (WorkbenchError, StoreError, ModelError) as problem:
        _say(str(problem))
        return WRONG_USE


def _read(arguments: Sequence[str] | None) -> RunRequest:
    parser = argparse.ArgumentParser(
        prog="tellwright", description="Make long stories with versioned story graphs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="make a story on autopilot, without asking at any gate")
    run.add_argument("--premise", type=_premise, default="", help="what the story is about")
    run.add_argument("--story", default="", help="the id of a story to continue")
    run.add_argument(
        "--chapters", type=_chapters, required=True, help="how many chapters the story has in all"
    )
    run.add_argument(
        "--words", type=_words, help=f"words a chapter, {LEAST_WORDS} to {MOST_WORDS:,}"
    )
    run.add_argument("--write", action="store_true", help="write the chapters too")
    run.add_argument("--form", choices=[form.value for form in Form], default=Form.NOVEL.value)
    run.add_argument("--until-goal", action="store_true", help="stop when the goal is reached")
    run.add_argument(
        "--direct", action="store_true", help="one prompt a chapter, without cast and graphs"
    )
    run.add_argument("--max-calls", type=_positive, help="limit on calls to the model")
    run.add_argument("--max-tokens", type=_positive, help="limit on tokens, in and out together")
    run.add_argument("--max-cost", type=_amount, help="limit on cost, at the endpoint's prices")
    run.add_argument(
        "--out", type=Path, help="a folder for the written chapters and the whole story as files"
    )
    run.add_argument("--json", action="store_true", help="print a report in JSON as the last line")
    for name, about in upkeep_commands.ABOUT.items():
        commands.add_parser(name, help=about)
    given = parser.parse_args(arguments)
    if not (given.premise or given.story):
        run.error("give --premise for a new story, or --story to continue one")
    return RunRequest(
        premise=given.premise,
        story=given.story,
        chapters=given.chapters,
        words=given.words,
        form=Form(given.form),
        is_written=given.write,
        until_goal=given.until_goal,
        is_direct=given.direct,
        folder=given.out,
        is_json=given.json,
        caps=Caps(calls=given.max_calls, tokens=given.max_tokens, cost=given.max_cost),
    )


def _premise(text: str) -> str:
    if len(text) > PREMISE_LIMIT:
        raise argparse.ArgumentTypeError(f"at most {PREMISE_LIMIT:,} characters")
    return text


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _chapters(text: str) -> int:
    number = _positive(text)
    if number > MOST_CHAPTERS:
        raise argparse.ArgumentTypeError(f"at most {MOST_CHAPTERS:,}")
    return number


def _words(text: str) -> int:
    number = int(text)
    if not LEAST_WORDS <= number <= MOST_WORDS:
        raise argparse.ArgumentTypeError(f"{LEAST_WORDS} to {MOST_WORDS:,}")
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("more than 0")
    return number


def _make_story(workbench: Workbench, play: RunRequest) -> int:
    began = time.monotonic()
    story = _open_story(workbench, play)
    branch = workbench.library.main_branch(story).id
    used_before = workbench.ledger.totals(branch=branch)
    status, code = "done", DONE
    try:
        _make_missing(workbench, branch, play)
    except RunFailed as failure:
        status, code = "failed", FAILED
        _say(str(failure))
    except KeyboardInterrupt:
        workbench.runs.stop(branch)
        status, code = "interrupted", INTERRUPTED
    if code != DONE:
        _say(f"To continue: {_again(story, play)}")
    if play.folder and code == DONE:
        _write_files(workbench, branch, play.folder)
    if play.is_json:
        used = _since(used_before, workbench.ledger.totals(branch=branch))
        report = _report(workbench, branch, status, used)
        seconds = round(time.monotonic() - began, 3)
        sys.stdout.write(report.model_copy(update={"seconds": seconds}).model_dump_json() + "\n")
    return code


def _open_story(workbench: Workbench, play: RunRequest) -> str:
    """Return the id of the story to continue, or of a new one."""
    if play.story:
        return workbench.library.story(play.story).id
    story = workbench.library.create_story(Brief(premise=play.premise, form=play.form))
    _plan(workbench, story, play, play.chapters)
    _say(f"Story {story.id}")
    return story.id


def _make_missing(workbench: Workbench, branch: str, play: RunRequest) -> None:
    """Do what is missing; work from earlier runs of the command is not repeated."""
    used_before = workbench.ledger.totals(branch=branch)

    def work(task: Task) -> None:
        left = _left(play.caps, _since(used_before, workbench.ledger.totals(branch=branch)))
        _watch(workbench, workbench.runs.start(branch, task.model_copy(update={"caps": left})))

    _set_length(workbench, branch, play)
    _finish_open_run(workbench, branch)
    if not workbench.branches.status(branch).is_founded:
        work(Initialize(is_autopilot=True))
    status = workbench.branches.status(branch)
    missing = play.chapters - status.plotted
    if missing > 0 and not (play.until_goal and status.is_reached):
        work(PlotChapters(chapters=missing, is_autopilot=True, stops_at_goal=play.until_goal))
    if play.is_written:
        for chapter in workbench.story.chapters(branch)[: play.chapters]:
            if chapter.draft in {None, DraftState.WRITING}:
                work(WriteChapter(chapter=chapter.number, is_autopilot=True))
        if _is_to_be_read(workbench, branch):
            work(ReadStory(is_autopilot=True))


def _is_to_be_read(workbench: Workbench, branch: str) -> bool:
    """Return whether the story is complete and an able model has not read it as a whole yet."""
    status = workbench.branches.status(branch)
    settings = status.story.settings
    is_complete = status.written == status.plotted >= (settings.planned or status.plotted + 1)
    return (
        is_complete
        and settings.reviews > 0
        and workbench.runs.estimate(branch, ReadStory()).calls > 0
        and not workbench.runs.has_done(branch, "read")
    )


def _left(caps: Caps, used: Totals) -> Caps:
    """Return what the command may still use.

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


def _set_length(workbench: Workbench, branch: str, play: RunRequest) -> None:
    """Plan as many chapters as are asked for, in as many words; a longer plan is kept.

    A new story gets exactly that plan when it is created.
    """
    status = workbench.branches.status(branch)
    if play.chapters < status.plotted:
        _say(
            f"The story has {status.plotted} chapters already, more than --chapters "
            f"{play.chapters}. All of them are kept."
        )
    planned = max(play.chapters, status.story.settings.chapter_cap)
    _plan(workbench, status.story, play, planned)


def _plan(workbench: Workbench, story: Story, play: RunRequest, chapters: int) -> None:
    changed = {
        "chapter_cap": chapters,
        "words": play.words or story.settings.words,
        "is_direct": play.is_direct or story.settings.is_direct,
    }
    settings = story.settings.model_copy(update=changed)
    if settings != story.settings:
        workbench.library.update_settings(story.id, settings)


def _finish_open_run(workbench: Workbench, branch: str) -> None:
    """Resume a run on autopilot that was stopped, failed or was interrupted."""
    progress = workbench.runs.progress(branch)
    if progress is None or not progress.run.task.is_autopilot:
        return
    if progress.run.state in {RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED}:
        _watch(workbench, workbench.runs.resume(branch))


def _watch(workbench: Workbench, run: Run) -> None:
    """Show a run until it ends.

    Raises:
        RunFailed: if it ended early.
    """
    with closing(_Bar() if sys.stderr.isatty() else _Log()) as display:
        while not workbench.runs.wait(run, _LOOK_EVERY):
            progress = workbench.runs.progress(run.branch)
            if progress is not None:
                display.show(progress)
    ended = workbench.runs.progress(run.branch)
    if ended is not None and ended.run.state is not RunState.DONE:
        raise RunFailed(ended.run.message or "The run ended early.")


class _Bar:
    """Progress on a terminal: a bar that is drawn again in place."""

    def __init__(self) -> None:
        self._bar = tqdm(unit="call", file=sys.stderr, dynamic_ncols=True)

    def show(self, progress: Progress) -> None:
        """Show what the run is doing now."""
        self._bar.set_description_str(progress.step)
        self._bar.total, self._bar.n = progress.expected or None, progress.done
        self._bar.set_postfix_str(" · ".join(one.words for one in progress.activities))

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()


class _Log:
    """Progress in a file or a pipe, where nothing can be drawn again: a line for each step."""

    def __init__(self) -> None:
        self._step = ""

    def show(self, progress: Progress) -> None:
        """Name the step, unless it is still the same."""
        if progress.step and progress.step != self._step:
            _say(progress.step)
            self._step = progress.step

    def close(self) -> None:
        """Do nothing; each line stands by itself."""


def _write_files(workbench: Workbench, branch: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for form in (*DOCUMENTS, WHOLE_STORY):
        (folder / f"story{form.suffix}").write_bytes(workbench.files.export(branch, form))


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


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


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


if __name__ == "__main__":
    sys.exit(main())
