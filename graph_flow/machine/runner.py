"""Runs in the background: a thread and a heartbeat for each run, and what the pages see of it."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from graph_flow.agents import AGENTS
from graph_flow.errors import WorkbenchError
from graph_flow.llm.budget import Budget, CapReached
from graph_flow.llm.errors import ModelError, RunStopped
from graph_flow.llm.exchange import Pause
from graph_flow.llm.gateway import Gateway, wait_or_stop
from graph_flow.machine.catching_up import CatchingUp, LibraryWaits, trouble_of
from graph_flow.machine.graph import build_story_graph
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.gates import Answer
from graph_flow.runtime.progress import LiveProgress
from graph_flow.runtime.state import StoryState
from store.errors import LibraryUnavailable, StoreError
from store.models.run import Caps, Question, Run, RunState
from store.models.story import Gate
from store.open import Store

Entry = StoryState | Command[str] | None
"""What a thread is invoked with: a new task, an answer at a gate, or None to continue."""

HEARTBEAT = 2.0
"""Seconds between two heartbeats of a run."""

_STEPS = 1_000_000
"""LangGraph's bound on steps is for graphs that could loop unseen; ours are bounded by chapters."""

_WAITING = "Waiting until the library can be written"

_BROKEN = (
    "Something went wrong inside Tellwright, but nothing up to here is lost. "
    "Continue to try again; if it happens again, please report it with the app's log."
)

_log = logging.getLogger(__name__)
_LATE = "cannot schedule new futures after"


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Leave out that LangGraph could not note the end of a task whose run was already stopped.

    The task runs again when the run is continued, and what its calls brought is in the ledger.
    """
    problem = record.exc_info[1] if record.exc_info else None
    return not (isinstance(problem, RuntimeError) and str(problem).startswith(_LATE))


logging.getLogger("concurrent.futures").addFilter(is_worth_logging)


class Position(NamedTuple):
    """Where the checkpoints of a run say that it stands."""

    state: StoryState
    steps: tuple[str, ...]
    """The nodes that come next."""


@dataclass
class LiveRun:
    """A run that a thread of this process works on."""

    run: Run
    progress: LiveProgress = field(default_factory=LiveProgress)
    stop: threading.Event = field(default_factory=threading.Event)
    rests: threading.Event = field(default_factory=threading.Event)
    """No heartbeat is sent any more."""
    ended: threading.Event = field(default_factory=threading.Event)


class Runner:
    """Execute runs in threads of this process, and record how each one ended."""

    def __init__(
        self,
        store: Store,
        gateway: Gateway,
        checkpoints: SqliteSaver,
        pause: Pause = wait_or_stop,
    ) -> None:
        self._store = store
        self._gateway = gateway
        self._checkpoints = checkpoints
        self._pause = pause
        self._graph = build_story_graph(checkpoints)
        self._lock = threading.Lock()
        self._live: dict[str, LiveRun] = {}
        self._catching_up = CatchingUp(store.runs)

    def launch(self, run: Run, entry: Entry) -> None:
        """Start working on a run that has been claimed; return at once."""
        live = LiveRun(run)
        with self._lock:
            self._live[run.id] = live
        self._store.runs.begin_work(run.id)
        beat = threading.Thread(
            target=self._beat, args=(live,), name=f"heartbeat {run.id}", daemon=True
        )
        beat.start()
        work = threading.Thread(target=self._work, args=(live, entry, beat), name=f"run {run.id}")
        work.start()

    def live(self, run_id: str) -> LiveRun | None:
        """Return a run that this process is working on, if it is."""
        with self._lock:
            return self._live.get(run_id)

    @property
    def is_at_work(self) -> bool:
        """Whether a thread of this process works on any run."""
        with self._lock:
            return bool(self._live)

    def stop(self, run_id: str) -> bool:
        """Ask a run to stop; return False if no thread here is working on it."""
        live = self.live(run_id)
        if live is None:
            return False
        live.stop.set()
        return True

    def wait(self, run_id: str, seconds: float | None = None) -> bool:
        """Wait until a run is no longer worked on; return False if the time runs out first."""
        live = self.live(run_id)
        return live is None or live.ended.wait(seconds)

    def close(self) -> None:
        """Stop all runs, wait for them, and close the checkpoints."""
        with self._lock:
            lives = list(self._live.values())
        for live in lives:
            live.stop.set()
        for live in lives:
            live.ended.wait()
        self._catching_up.close()
        self._checkpoints.conn.close()

    def questions(self, run: Run) -> list[Question]:
        """Return the questions for which a run's thread is waiting."""
        return [
            Question(
                id=asked.id,
                branch=run.branch,
                thread=run.thread,
                gate=Gate(asked.value["gate"]),
                chapter=asked.value["chapter"],
                round=asked.value["round"],
            )
            for asked in self._graph.get_state(_config(run)).interrupts
        ]

    def forget(self, run: Run) -> None:
        """Delete the checkpoints of a run that will not be continued."""
        self._checkpoints.delete_thread(run.thread)

    def position(self, run: Run) -> Position | None:
        """Return where the checkpoints of a run say that it stands; None if they are gone."""
        found = self._graph.get_state(_config(run))
        return Position(cast("StoryState", found.values), found.next) if found.values else None

    def entry_to_continue(self, run: Run) -> Entry:
        """Return how a run continues from its checkpoints: with an answer if a question has one."""
        for question in self.questions(run):
            decision = self._store.runs.decision(question.id)
            if decision is not None:
                return answer_to(question, Answer(action=decision.action, choice=decision.choice))
        return None

    def _work(self, live: LiveRun, entry: Entry, beat: threading.Thread) -> None:
        end = _End(RunState.FAILED, _BROKEN)
        try:
            end = _End(self._play(live, entry))
        except (RunStopped, CapReached, ModelError, WorkbenchError, StoreError) as problem:
            end = _end_after(problem)
            if end.state is RunState.FAILED:
                # In words: whoever keeps the log in memory would keep all frames with the problem itself.
                _log.warning("run %s failed: %s", live.run.id, end.message)
        finally:
            try:
                self._end(live, end)
            finally:
                # Only once nothing of the run uses the library any more may it be closed.
                live.rests.set()
                beat.join()
                with self._lock:
                    self._live.pop(live.run.id, None)
                self._store.runs.end_work(live.run.id)
                live.ended.set()

    def _play(self, live: LiveRun, entry: Entry) -> RunState:
        """Let the machine work until it is done, or asks; while the library cannot be written, wait.

        Raises:
            LibraryUnavailable: if it cannot be written for too long.
        """
        waits, is_again = LibraryWaits(), False
        while True:
            try:
                return self._invoke(live, self._entry_again(live.run, entry) if is_again else entry)
            except LibraryUnavailable as problem:
                self._wait(live, waits, problem)
                is_again = True

    def _invoke(self, live: LiveRun, entry: Entry) -> RunState:
        self._graph.invoke(
            entry, self._bounded(live.run), context=self._context(live), durability="sync"
        )
        is_waiting = bool(self._graph.get_state(_config(live.run)).next)
        return RunState.WAITING if is_waiting else RunState.DONE

    def _entry_again(self, run: Run, entry: Entry) -> Entry:
        """Return how a run goes on after a write failed: from its checkpoints, if it has any yet."""
        self._store.runs.write_held()
        return self.entry_to_continue(run) if self.position(run) else entry

    def _wait(self, live: LiveRun, waits: LibraryWaits, problem: LibraryUnavailable) -> None:
        """Wait for a library that cannot be written.

        Raises:
            RunStopped: if the run is asked to stop.
            LibraryUnavailable: if there was enough waiting, or it is of no use.
        """
        seconds = waits.after(problem)
        if seconds is None:
            raise problem
        _log.warning("run %s waits for the library: %s", live.run.id, problem)
        with live.progress.waiting(_WAITING, trouble_of(problem, seconds)):
            self._pause(seconds, live.stop)
        if live.stop.is_set():
            raise RunStopped

    def _end(self, live: LiveRun, end: _End) -> None:
        """Record how a run ended; what cannot be recorded now will be, as soon as it can.

        Until then the store holds it in memory. If the process ends before, the run reads as
        interrupted, and can be continued.
        """
        try:
            self._store.runs.end_run(live.run.id, end.state, end.message, is_capped=end.is_capped)
            if end.state is RunState.DONE:
                self._checkpoints.delete_thread(live.run.thread)
            self._store.old_prompts.thin(live.run.branch)
        except StoreError as problem:
            _log.warning("run %s could not record its end: %s", live.run.id, problem)
        if self._store.runs.has_held:
            self._catching_up.begin()

    def _context(self, live: LiveRun) -> StoryContext:
        return StoryContext(
            store=self._store,
            gateway=self._gateway,
            progress=live.progress,
            stop=live.stop,
            branch=live.run.branch,
            run=live.run.id,
            budget=self._budget(live.run),
        )

    def _budget(self, run: Run) -> Budget | None:
        """Return what a run may still use, counting what it used before a stop or a crash."""
        if run.task.caps == Caps():
            return None
        return Budget(run.allowed, self._store.ledger.totals(run=run.id))

    def _bounded(self, run: Run) -> RunnableConfig:
        return {
            **_config(run),
            "recursion_limit": _STEPS,
            "max_concurrency": self._at_once(),
        }

    def _at_once(self) -> int:
        """Return how many calls all endpoints together take at a time; each has its own limit."""
        used = set(self._gateway.endpoints(AGENTS).values())
        return sum(endpoint.concurrency for endpoint in used)

    def _beat(self, live: LiveRun) -> None:
        """Send heartbeats; stop a run that another process has taken over, or asked to stop."""
        while not live.rests.wait(HEARTBEAT):
            try:
                if not self._store.runs.heartbeat(live.run.id):
                    live.stop.set()
            except StoreError as problem:
                _log.warning("run %s could not record a heartbeat: %s", live.run.id, problem)


class _End(NamedTuple):
    """How a run ended, with a message for the writer."""

    state: RunState
    message: str = ""
    is_capped: bool = False


def _end_after(problem: Exception) -> _End:
    """Return how a run ends that came upon a problem."""
    match problem:
        case RunStopped():
            return _End(RunState.STOPPED, "Stopped as you asked; nothing is lost.")
        case CapReached():
            return _End(RunState.STOPPED, str(problem), is_capped=True)
        case LibraryUnavailable(remedy=remedy, reason=reason) if remedy:
            return _End(
                RunState.FAILED,
                f"{reason} Nothing that was finished is lost: {remedy}, then continue.",
            )
        case _:
            return _End(RunState.FAILED, str(problem))


def answer_to(question: Question, answer: Answer) -> Command[str]:
    """Return the command that resumes a thread with the answer to this question only."""
    value = answer.model_copy(update={"question": question.id})
    return Command(resume={question.id: value.model_dump(mode="json")})


def _config(run: Run) -> RunnableConfig:
    return {"configurable": {"thread_id": run.thread}}
