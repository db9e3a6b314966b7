"""Making the next chapters of a long story: the real workbench, machine, checkpoints and store."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from random import Random

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.run import PlotChapters, Run, RunState, WriteChapter
from store.models.story import StorySettings
from store.open import Store
from tests.benchmarks.measures.generation.timed_server import RunningServer, ServedCall
from tests.benchmarks.milestones import Milestone, opened
from tests.fakes.invention import prose

SETTINGS = StorySettings(goals=3, roles=3, chapter_cap=5_000)
"""What the story is made with: three ways into a chapter, three people for each."""

_WORDS = 1_200
"""Words of a chapter that goes before one that is told."""

PATIENCE = 600.0
"""Seconds after which a run will not come to rest any more."""


class PlottingFailed(Exception):
    """A run did not plot what it should have: there is nothing to measure."""


@dataclass(frozen=True)
class Stretch:
    """Some chapters that were plotted in a row, on autopilot."""

    moments: tuple[float, ...]
    """When the run began, then when each chapter was committed: seconds since the epoch."""
    calls: tuple[ServedCall, ...]
    own_seconds: float
    """Time that the processor spent on our process, all its threads together."""
    text_calls: tuple[ServedCall, ...] = ()
    """What their texts took, if they were written too."""

    @property
    def chapters(self) -> int:
        """How many chapters were plotted."""
        return len(self.moments) - 1

    @property
    def seconds(self) -> list[float]:
        """Seconds of each chapter: from the commit of the one before it to its own."""
        return [after - before for before, after in pairwise(self.moments)]

    @property
    def chains(self) -> list[int]:
        """How many calls of each chapter, up to its commit, waited for each other."""
        return [
            longest_chain([call for call in self.calls if before < call.began <= after])
            for before, after in pairwise(self.moments)
        ]

    def without_first(self) -> Stretch:
        """Return the chapters after the first one, which made everything ready."""
        return replace(self, moments=self.moments[1:])


def longest_chain(calls: Sequence[ServedCall]) -> int:
    """Return the most calls of which each began after the one before it had ended."""
    length, free_from = 0, float("-inf")
    for call in sorted(calls, key=lambda call: call.ended):
        if call.began >= free_from:
            length, free_from = length + 1, call.ended
    return length


class Plotter:
    """A workbench on a copy of a long story, told up to a milestone."""

    def __init__(self, workbench: Workbench, store: Store, branch: str, server: RunningServer):
        self._workbench = workbench
        self._store = store
        self._branch = branch
        self._server = server

    def plot(self, chapters: int) -> Stretch:
        """Plot the next chapters on autopilot.

        Raises:
            PlottingFailed: if the run ends in another way.
        """
        told = len(self._store.prototype.commits(self._branch))
        gc.collect()
        asked = time.time()
        run, own_seconds = self._timed_run(PlotChapters(chapters=chapters, is_autopilot=True))
        ended = self._store.runs.run(run.id)
        made = self._store.prototype.commits(self._branch)[told:]
        commits = [one for one in made if one.kind == "chapter"]  # The spine has its own.
        if ended.state is not RunState.DONE or len(commits) != chapters:
            raise PlottingFailed(f"{len(commits)} of {chapters} chapters: {ended.message}")
        moments = (run.started, *(commit.created for commit in commits))
        return Stretch(
            moments=tuple(moment.timestamp() for moment in moments),
            calls=tuple(self._server.calls(since=asked)),
            own_seconds=own_seconds,
        )

    def write(self, stretch: Stretch) -> Stretch:
        """Return a stretch whose chapters, the newest of the story, were written too.

        Raises:
            PlottingFailed: if a run ends in another way.
        """
        head = self._store.prototype.commits(self._branch)[-1].chapter
        asked = time.time()
        for chapter in range(head - stretch.chapters + 1, head + 1):
            task = WriteChapter(chapter=chapter, is_autopilot=True)
            run = self._workbench.runs.start(self._branch, task)
            self._workbench.runs.wait(run, PATIENCE)
            ended = self._store.runs.run(run.id)
            if ended.state is not RunState.DONE:
                raise PlottingFailed(f"the text of chapter {chapter}: {ended.message}")
        return replace(stretch, text_calls=tuple(self._server.calls(since=asked)))

    def _timed_run(self, task: PlotChapters) -> tuple[Run, float]:
        """Return a run that has come to rest, and the seconds of the processor that it took.

        To look whether it may start is left out: that is done once, however many chapters follow.
        """
        began, looking = time.process_time(), time.thread_time()
        run = self._workbench.runs.start(self._branch, task)
        began += time.thread_time() - looking
        self._workbench.runs.wait(run, PATIENCE)
        return run, time.process_time() - began


class Way(StrEnum):
    """How chapters are made: by which model and, with an able one, whether they are told before they are plotted."""

    SMALL = "small"
    ABLE = "able"
    TOLD = "told"

    @property
    def strength(self) -> ModelStrength:
        """The strength of the model."""
        return ModelStrength.SMALL if self is Way.SMALL else ModelStrength.ABLE


@contextmanager
def plotter(
    milestone: Milestone, library: Path, server: RunningServer, way: Way
) -> Iterator[Plotter]:
    """Open a workbench on a new copy of a story, plotted up to its milestone; `library` is the copy.

    If its chapters are to be told, the last one has a text.
    """
    milestone.copy_to(library)
    variables = {
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": way.strength.value,
        "OPENAI_BASE_URL": server.url,
    }
    with opened(library) as store:
        for at in range(len(milestone.coming)):
            milestone.tell(store, at)
        if way is Way.TOLD:
            head = store.prototype.commits(milestone.branch)[-1].chapter
            store.manuscript.begin_by_hand(milestone.branch, head, Form.NOVEL)
            store.manuscript.save_text(milestone.branch, head, prose(Random(head), _WORDS))
        workbench = assemble(library, Terms(OwnModels(variables.get)))
        try:
            story = store.library.story_of(milestone.branch)
            settings = SETTINGS.model_copy(update={"is_sketched": way is Way.TOLD})
            workbench.library.change_settings(story.id, lambda _: settings)
            yield Plotter(workbench, store, milestone.branch, server)
        finally:
            workbench.close()


def checkpoint_bytes(library: Path) -> int:
    """Return the size of the files of checkpoints beside a library."""
    return sum(file.stat().st_size for file in library.parent.glob(f"{library.stem}.checkpoints*"))
