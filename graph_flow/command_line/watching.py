"""A run that is watched from a terminal or a log until it ends."""

from __future__ import annotations

import sys
from contextlib import closing

from tqdm import tqdm

from graph_flow.command_line.ending import say
from graph_flow.workbench.workbench import Workbench
from store.models.run import Progress, Run, RunState

_LOOK_EVERY = 0.2
"""Seconds between two looks at what a run is doing."""


class RunFailed(Exception):
    """A run ended early; the message says why."""


def watch(workbench: Workbench, run: Run) -> None:
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
            say(progress.step)
            self._step = progress.step

    def close(self) -> None:
        """Do nothing; each line stands by itself."""
