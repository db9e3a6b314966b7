"""One worker's work on one story: claim it, go on from where it is, and put each chapter in safety.

Whatever dies meanwhile, the next worker who is given the story's name goes on from there. All that it is
given is a name, and all that it returns is how it left the story.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field

from graph_flow.command_line.experiments.errors import (
    ClaimLost,
    ExperimentError,
    ResultsUnusable,
    WrongVersion,
)
from graph_flow.command_line.experiments.measures import Work, report_of
from graph_flow.command_line.experiments.records import (
    Ended,
    Experiment,
    Outcome,
    StoryScores,
    StoryTask,
)
from graph_flow.command_line.experiments.shared.files import LibraryFile
from graph_flow.command_line.experiments.shared.journal import Journal
from graph_flow.command_line.experiments.shared.leases import Lease, Leases
from graph_flow.command_line.experiments.shared.results import HALT, Results, StoreClock
from graph_flow.command_line.experiments.shared.slots import SharedSlotBook
from graph_flow.command_line.experiments.version import this_version
from graph_flow.command_line.experiments.ways import (
    brief_of,
    models_for,
    settings_for,
    wanted_of,
)
from graph_flow.command_line.making import finish_open_run, left_of, make_missing
from graph_flow.command_line.watching import RunFailed
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.llm.exchange import Capacity
from graph_flow.llm.transport.offer import EMBEDDED_URL, OwnModels
from graph_flow.llm.transport.pump import SlotBook
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.database.troubles import cause_of
from store.errors import StoreError
from store.models.run import Run, RunState, Task
from store.open import Store

_LOOK_EVERY = 0.1
"""Seconds between two looks at whether somebody wants the worker to stop."""
_LOOKS = 5
"""Looks between two at whether a chapter is done, which cost more."""
_MISSED = 3
"""After so many beats in a row that could not be sent, a worker stops: its claim is about to end."""

IsWanted = Callable[[], bool]
"""Says whether whoever asked for the work still waits for it."""
Judge = Callable[[Store], StoryScores | None]
"""Evaluates the only story of a library, once it is done; None: there is no judge."""

_log = logging.getLogger(__name__)


def always_wanted() -> bool:
    """Go on whether or not anybody waits: the next who asks finds the story further on, or done."""
    return True


def without_judge(_store: Store) -> StoryScores | None:
    """Give no scores: an experiment without a judge has lengths, costs and measures."""
    return None


class _Stopped(Exception):
    """Somebody wanted the worker to stop."""


def this_worker() -> str:
    """Return by which name this process claims its work."""
    return f"{socket.gethostname()}/{os.getpid()}"


def work_on(
    place: str,
    story: str,
    stop: threading.Event | None = None,
    is_wanted: IsWanted = always_wanted,
    judge: Judge = without_judge,
) -> Ended:
    """Work on a story of the experiment whose results are at a place, and return how it was left.

    It can be called by any number of workers at any time: a story that is done, or is in the hands of
    another, is left alone.
    """
    try:
        results = Results.open(place)
        experiment, task = _asked_for(results, story)
        if results.is_done(story):
            return Ended(story=story, outcome=Outcome.DONE)
        clock = StoreClock(results, time.monotonic)
        leases = Leases(results, clock, this_worker(), experiment.beat)
        lease = leases.claim(f"claims/{story}")
        if lease is None:
            return _ended(story, Outcome.BUSY, "Another worker has it.")
        slots = _slots(results, leases, clock, experiment, task)
        work = _StoryWork(
            results, experiment, task, leases, lease, slots, stop or threading.Event()
        )
        return work.ended(is_wanted, judge)
    except WrongVersion as problem:
        return _ended(story, Outcome.REFUSED, str(problem))
    except ExperimentError as problem:
        return _ended(story, Outcome.FAILED, str(problem))


def _asked_for(results: Results, story: str) -> tuple[Experiment, StoryTask]:
    """Return the experiment and its story of this name.

    Raises:
        WrongVersion: if another version of Tellwright has begun it.
        ResultsUnusable: if there is no such story.
    """
    experiment = results.experiment()
    if experiment is None:
        raise ResultsUnusable(f"There is no experiment at {results.place}.")
    if experiment.version != this_version():
        raise WrongVersion(
            f"{this_worker()} has Tellwright {this_version()}, and the experiment was begun with "
            f"{experiment.version}."
        )
    task = experiment.story(story)
    if task is None:
        raise ResultsUnusable(f"The experiment at {results.place} has no story {story}.")
    return experiment, task


def _slots(
    results: Results, leases: Leases, clock: StoreClock, experiment: Experiment, task: StoryTask
) -> SlotBook:
    """Return the slots of the story's model; a worker has the embedded one for itself."""
    is_own = experiment.models[task.model].base_url == EMBEDDED_URL
    return SlotBook() if is_own else SharedSlotBook(results, leases, clock)


def _ended(story: str, outcome: Outcome, message: str) -> Ended:
    return Ended(story=story, outcome=outcome, message=message[:2_000], worker=this_worker())


@dataclass
class _StoryWork:
    """A story that this worker has claimed."""

    results: Results
    experiment: Experiment
    task: StoryTask
    leases: Leases
    lease: Lease
    slots: SlotBook
    stop: threading.Event
    is_lost: bool = False
    problem: str = ""
    """Why it stops, if nobody asked it to."""
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        story = self.task.name
        self.file = LibraryFile(self.results, story, self.lease)
        self.journal = Journal(self.results, story, self.lease.number)
        self._rests = threading.Event()

    def ended(self, is_wanted: IsWanted, judge: Judge) -> Ended:
        """Make what is missing of the story, and return how it was left."""
        heart = threading.Thread(target=self._beat, args=(is_wanted,), name="claim", daemon=True)
        heart.start()
        try:
            return self._in_words(judge)
        finally:
            self._rests.set()
            heart.join()
            self._give_back()

    def _in_words(self, judge: Judge) -> Ended:
        story = self.task.name
        try:
            self._make()
            self._report(judge)
        except _Stopped:
            if self.is_lost:
                return _ended(story, Outcome.BUSY, "Another worker took it over.")
            if self.problem:
                return _ended(story, Outcome.FAILED, f"{self.problem}{self._kept()}")
            return _ended(story, Outcome.STOPPED, "Stopped.")
        except OSError as problem:
            words = f"The library of the story cannot be written: {cause_of(problem)}."
            return _ended(story, Outcome.FAILED, words + self._kept())
        except (RunFailed, WorkbenchError, ModelError, StoreError) as problem:
            return _ended(story, Outcome.FAILED, f"{problem}{self._kept()}")
        return Ended(story=story, outcome=Outcome.DONE, worker=this_worker())

    def _kept(self) -> str:
        """Return where what was paid for is, unless it is among the results."""
        if self.file.is_safe or not self.file.path.exists():
            return ""
        return f" What is done is kept on {socket.gethostname()} in {self.file.folder}."

    def _make(self) -> None:
        is_there = self.file.fetch()
        capacity = Capacity(slots=self.slots)
        # Whoever has the claim is alone with the library, whatever its runs say of their owners.
        terms = Terms(
            OwnModels(os.environ.get),
            capacity=capacity,
            is_alive=lambda _owner: False,
            ledger_of=self.journal.of,
        )
        with closing(assemble(self.file.path, terms)) as workbench:
            branch = self._branch(workbench, is_there=is_there)
            self.journal.recover(branch)
            try:
                self._make_missing(workbench, branch)
            except BaseException:
                self._save_what_is_there()
                raise
            self._put()

    def _branch(self, workbench: Workbench, *, is_there: bool) -> str:
        """Return the branch of the story, which is begun if it is not there yet.

        It is put among the results before anything is asked: calls belong to a branch.
        """
        if not is_there:
            workbench.models.change_settings(lambda _: models_for(self.experiment, self.task))
            story = workbench.library.create_story(brief_of(self.experiment, self.task))
            settings = settings_for(self.task.way, self.experiment.making)
            workbench.library.change_settings(story.id, lambda _: settings)
            self._put()
        return workbench.library.main_branch(workbench.library.story_ids()[0]).id

    def _make_missing(self, workbench: Workbench, branch: str) -> None:
        def watch(run: Run) -> None:
            self._watch(workbench, run)

        def do(task: Task) -> None:
            left = left_of(self.experiment.share, workbench.ledger.totals(branch=branch))
            watch(workbench.runs.start(branch, task.model_copy(update={"caps": left})))

        finish_open_run(workbench, branch, watch)
        make_missing(workbench, branch, wanted_of(self.task.way, self.experiment.making), do)

    def _watch(self, workbench: Workbench, run: Run) -> None:
        """Watch a run to its end, and put each chapter that is done among the results.

        Raises:
            RunFailed: if it ended early.
            _Stopped: if somebody wants the worker to stop.
            ResultsUnusable: if a chapter could not be put there.
        """
        seen, looks = _far(workbench, run.branch), 0
        try:
            while not workbench.runs.wait(run, _LOOK_EVERY):
                if self.stop.is_set():
                    raise _Stopped
                looks += 1
                if looks % _LOOKS == 0 and (now := _far(workbench, run.branch)) != seen:
                    seen = now
                    self._put()
        except BaseException:
            workbench.runs.stop(run.branch)
            workbench.runs.wait(run)
            raise
        ended = workbench.runs.progress(run.branch)
        if ended is not None and ended.run.state is not RunState.DONE:
            if self.stop.is_set():
                raise _Stopped
            raise RunFailed(ended.run.message or "The run ended early.")

    def _put(self) -> None:
        """Put the library among the results, unless another worker has taken the story over."""
        if self.is_lost:
            raise _Stopped
        safe = self.journal.mark()
        self.file.put()
        self.journal.forget(safe)

    def _save_what_is_there(self) -> None:
        """Put what there is among the results, if that is possible; else it stays here."""
        with suppress(_Stopped, OSError, StoreError):
            self._put()

    def _report(self, judge: Judge) -> None:
        with closing(Store.open(self.file.path)) as store:
            work = Work(
                version=self.experiment.version,
                library=self.file.newest() or "",
                seconds=time.monotonic() - self.began,
                calls_repeated=self.journal.lost,
                workers=self.lease.number,
            )
            report = report_of(store, self.task, work)
            scores = judge(store)
        self.results.keep_report(report.model_copy(update={"scores": scores}))
        self.journal.forget(self.journal.mark())

    def _beat(self, is_wanted: IsWanted) -> None:
        """Keep the claim; stop the work if it is lost, not wanted, or cannot be kept."""
        missed = 0
        while not self._rests.wait(self.experiment.beat):
            try:
                self._beat_once(is_wanted)
                missed = 0
            except ClaimLost:
                self.is_lost = True
                self.stop.set()
                return
            except ResultsUnusable as problem:
                missed += 1
                if missed >= _MISSED:
                    self.problem = str(problem)
                    self.stop.set()

    def _beat_once(self, is_wanted: IsWanted) -> None:
        self.leases.beat(self.lease)
        if isinstance(self.slots, SharedSlotBook):
            self.slots.beat()
        if not is_wanted() or self.results.has(HALT):
            self.stop.set()

    def _give_back(self) -> None:
        """Release what is held; remove the files here if what they hold is among the results."""
        is_safe = self.file.is_safe
        try:
            if isinstance(self.slots, SharedSlotBook):
                self.slots.close()
            if not self.is_lost:
                self.leases.release(self.lease)
        except ResultsUnusable as problem:
            _log.warning("a claim could not be given back, and ends by itself: %s", problem)
        if is_safe or self.is_lost:
            self.file.remove()


def _far(workbench: Workbench, branch: str) -> tuple[bool, int, int]:
    """Return how far a story is: whether it has begun, and its plotted and written chapters."""
    status = workbench.branches.status(branch)
    return status.is_founded, status.plotted, status.written
