"""Runs with their lease, and the writer's decisions."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from store.database.database import Database
from store.database.records import Records
from store.database.rows import column, from_row, now, to_row
from store.errors import LibraryUnavailable, NotFound
from store.models.base import dump_json, new_id
from store.models.run import (
    Decision,
    Run,
    RunState,
    StepDown,
    Task,
)
from store.records.calls import CallRecords
from store.records.unwritten import Ending, Held

LEASE = timedelta(seconds=10)
"""How long a running run may be silent before its process counts as dead."""

_ENDED = frozenset({RunState.DONE, RunState.FAILED, RunState.STOPPED})
_MESSAGE_LIMIT = 400


@dataclass(frozen=True)
class Owners:
    """The name of the process that works on a run, and whether a named one is still alive.

    By default nothing is known about processes, and only the heartbeat counts.
    """

    process: str = "process"
    is_alive: Callable[[str], bool] = lambda _owner: True


class RunStore:
    """Keeps runs and decisions.

    A process that works on a run holds a lease and renews it with a heartbeat. A running run whose
    heartbeat is older than `lease`, or whose process is known to be gone, reads as interrupted, and
    any process can take it up.

    What the library cannot take for now, because the disk is full or another program is writing, is
    held in memory: how a run ended, and the calls that were made. To this process they are as good as
    written, and they are written with `write_held`.
    """

    def __init__(
        self,
        database: Database,
        owners: Owners | None = None,
        calls: CallRecords | None = None,
        *,
        lease: timedelta = LEASE,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._database = database
        self._lease = lease
        self._clock = clock
        owners = owners or Owners()
        self._owner = f"{owners.process}/{new_id()}"
        self._is_alive = owners.is_alive
        self._at_work: set[str] = set()
        self._endings: Held[Ending] = Held()
        self._calls = calls or CallRecords(database)
        self._runs = Records(database, Run, "runs", "This run is not in the library.")

    def claim_new(self, branch: str, task: Task, from_chapter: int | None = None) -> Run | None:
        """Create a run for this process to work on; None if another is active on the branch.

        `from_chapter` is the chapter that is plotted last.

        Raises:
            LibraryUnavailable: if it cannot be written, or something from before cannot.
        """
        self.write_held()
        with self._database.write() as database:
            if self._is_taken(branch):
                return None
            id_, moment = new_id(), self._clock()
            run = Run(
                id=id_,
                branch=branch,
                thread=id_,
                task=task,
                state=RunState.RUNNING,
                from_chapter=from_chapter,
                owner=self._owner,
                started=moment,
                heartbeat=moment,
            )
            database.table("runs").insert(to_row(run))
        return run

    def claim_again(self, run: Run) -> Run | None:
        """Take up a run that is not done; None if it is done, or one is active on the branch.

        If two processes claim a run at the same time, one gets it. A run that stopped at its caps
        is allowed as much again.

        Raises:
            LibraryUnavailable: if it cannot be written, or something from before cannot.
        """
        self.write_held()
        with self._database.write():
            standing = self._runs.get(run.id)
            if self._is_taken(run.branch) or standing.state is RunState.DONE:
                return None
            return self._runs.update(
                run.id,
                state=RunState.RUNNING.value,
                owner=self._owner,
                message="",
                portions=standing.portions + standing.is_capped,
                is_capped=0,
                is_to_stop=0,
                is_last_chapter=0,
                heartbeat=column(self._clock()),
                ended=None,
            )

    def end_run(
        self, run_id: str, state: RunState, message: str = "", *, is_capped: bool = False
    ) -> Run:
        """Record how a run ended, or that it waits; leave alone one that another process took up.

        Raises:
            NotFound: if there is no such run.
            LibraryUnavailable: if it cannot be written now; it is held, and the run reads so.
        """
        ended = self._clock() if state in _ENDED else None
        message = message.strip()[:_MESSAGE_LIMIT].strip()
        ending = Ending(state, message, is_capped, ended)
        try:
            return self._end(run_id, ending)
        except LibraryUnavailable:
            self._endings.hold(run_id, ending)
            raise

    def _end(self, run_id: str, ending: Ending) -> Run:
        with self._database.write():
            run = self._runs.get(run_id)
            if run.owner != self._owner:
                return run
            return self._runs.update(
                run_id,
                state=ending.state.value,
                message=ending.message,
                ended=None if ending.ended is None else column(ending.ended),
                is_capped=int(ending.is_capped),
            )

    @property
    def has_held(self) -> bool:
        """Whether something is held that could not be written."""
        return self._calls.has_held or not self._endings.is_empty

    def write_held(self) -> None:
        """Write what could not be written before, if there is anything.

        Raises:
            LibraryUnavailable: if it cannot be written now either; it is still held then.
        """
        self._calls.write_held()
        if self._endings.is_empty:
            return
        with self._endings.written() as endings, self._database.write():
            for run_id, ending in endings.items():
                with suppress(NotFound):
                    self._end(run_id, ending)

    def begin_work(self, run_id: str) -> None:
        """Note that a thread of this process works on a run: it is alive, heartbeat or not."""
        self._at_work.add(run_id)

    def end_work(self, run_id: str) -> None:
        """Note that no thread of this process works on a run any more."""
        self._at_work.discard(run_id)

    def stop_waiting(self, run_id: str, message: str) -> bool:
        """Let a run that waits for the writer wait no more; return whether it did wait."""
        values = {
            "id": run_id,
            "waiting": RunState.WAITING.value,
            "stopped": RunState.STOPPED.value,
            "message": message.strip()[:_MESSAGE_LIMIT].strip(),
            "moment": column(self._clock()),
        }
        with self._database.write() as database:
            cursor = database.execute(
                "UPDATE runs SET state = :stopped, message = :message, ended = :moment "
                "WHERE id = :id AND state = :waiting",
                values,
            )
            return cursor.rowcount == 1

    def add_note(self, run_id: str, words: str) -> Run:
        """Record what the writer should know of a run, once.

        Raises:
            NotFound: if there is no such run.
        """
        words = words.strip()[:_MESSAGE_LIMIT].strip()
        with self._database.write():
            run = self._runs.get(run_id)
            if words in run.notes:
                return run
            return self._runs.update(run_id, notes=dump_json([*run.notes, words]))

    def step_down(self, run_id: str, agent: str, model: str) -> StepDown:
        """Record that an agent of a run is asked for less from now on, if its model is this one.

        Raises:
            NotFound: if there is no such run.
        """
        with self._database.write():
            run = self._runs.get(run_id)
            known = next(
                (one for one in run.step_downs if (one.agent, one.model) == (agent, model)), None
            )
            if known is not None:
                return known
            new = StepDown(agent=agent, model=model, since=self._clock())
            every = to_row(run.model_copy(update={"step_downs": (*run.step_downs, new)}))
            self._runs.update(run_id, step_downs=every["step_downs"])
        return new

    def heartbeat(self, run_id: str) -> bool:
        """Record that a run is alive, and return whether it is to go on.

        It is not if it no longer runs, if another process took it up, or if one asked for its end.
        """
        values = {"moment": column(self._clock()), "id": run_id, "owner": self._owner}
        with self._database.write() as database:
            found = database.execute(
                "UPDATE runs SET heartbeat = :moment "
                "WHERE id = :id AND state = 'running' AND owner = :owner RETURNING is_to_stop",
                values,
            ).fetchall()
        return bool(found) and not found[0][0]

    def ask_to_stop(self, run_id: str) -> None:
        """Ask whichever process works on a run to stop it; it does so at its next heartbeat."""
        with self._database.write() as database:
            database.execute(
                "UPDATE runs SET is_to_stop = 1 WHERE id = :id AND state = 'running'",
                {"id": run_id},
            )

    def ask_to_stop_after_chapter(self, run_id: str) -> None:
        """Ask whichever process works on a run to stop it once the chapter that it writes is done."""
        with self._database.write() as database:
            database.execute(
                "UPDATE runs SET is_last_chapter = 1 WHERE id = :id AND state = 'running'",
                {"id": run_id},
            )

    def come_to_chapter(self, run_id: str, chapter: int) -> None:
        """Record which of several chapters a run has come to."""
        with self._database.write():
            self._runs.update(run_id, at_chapter=chapter)

    def run(self, run_id: str) -> Run:
        """Return a run as it is now.

        Raises:
            NotFound: if there is none.
        """
        return self._as_read(self._runs.get(run_id))

    def run_of_thread(self, thread: str) -> Run:
        """Return the run of a thread of the state machine.

        Raises:
            NotFound: if there is none.
        """
        found = self._runs.first("thread = :thread ORDER BY started DESC", {"thread": thread})
        return self._as_read(self._runs.require(found))

    def runs(self, branch: str) -> list[Run]:
        """Return the runs of a branch as they are now, the newest first."""
        return [self._as_read(run) for run in self._runs.all(_IN_ORDER, {"branch": branch})]

    def noted(self, branch: str, limit: int) -> list[Run]:
        """Return the newest runs of a branch of which something was noted, the newest first."""
        values = {"branch": branch, "limit": limit}
        found = self._runs.all(f"notes != '[]' AND {_IN_ORDER} LIMIT :limit", values)
        return [self._as_read(run) for run in found]

    def latest(self, branch: str, kinds: Collection[str] = ()) -> Run | None:
        """Return the newest run of a branch, or the newest of some kinds; None if there is none."""
        values = {"branch": branch, "kinds": json.dumps(sorted(kinds))}
        run = self._runs.first(f"{_OF_KINDS} AND {_IN_ORDER}" if kinds else _IN_ORDER, values)
        return None if run is None else self._as_read(run)

    def active(self, branch: str) -> Run | None:
        """Return the run that is active on a branch, or None."""
        run = self._running(branch)
        is_alive = run is not None and self._as_read(run).state is RunState.RUNNING
        return run if is_alive else None

    def waiting(self, branch: str) -> list[Run]:
        """Return the runs of a branch that wait for the writer, the newest first."""
        held = json.dumps(list(self._endings.all()))
        values = {"branch": branch, "state": RunState.WAITING.value, "held": held}
        found = self._runs.all(f"{_WAITING} AND {_IN_ORDER}", values)
        return [run for run in map(self._as_read, found) if run.state is RunState.WAITING]

    def record_decision(self, question_id: str, branch: str, decision: Decision) -> bool:
        """Keep the answer to a question; change nothing and return False if it has one already."""
        row = to_row(decision) | {
            "question": question_id,
            "branch": branch,
            "created": column(self._clock()),
        }
        with self._database.write() as database:
            cursor = database.execute(
                "INSERT INTO decisions (question, branch, action, choice, note, created) "
                "VALUES (:question, :branch, :action, :choice, :note, :created) "
                "ON CONFLICT (question) DO NOTHING",
                row,
            )
            return cursor.rowcount == 1

    def decision(self, question_id: str) -> Decision | None:
        """Return the answer to a question, or None if it has none."""
        row = self._database.row(
            "SELECT * FROM decisions WHERE question = :id", {"id": question_id}
        )
        return None if row is None else from_row(Decision, row)

    def _as_read(self, run: Run) -> Run:
        if run.state is RunState.RUNNING and run.owner == self._owner:
            ending = self._endings.get(run.id)
            if ending is not None:
                return ending.of(run)
            if run.id in self._at_work:
                return run
        is_silent = self._clock() - run.heartbeat > self._lease
        if run.state is RunState.RUNNING and (is_silent or not self._is_alive(run.owner)):
            return run.model_copy(update={"state": RunState.INTERRUPTED})
        return run

    def _running(self, branch: str) -> Run | None:
        values = {"branch": branch, "state": RunState.RUNNING.value}
        return self._runs.first("branch = :branch AND state = :state", values)

    def _is_taken(self, branch: str) -> bool:
        """Return whether a run is active; mark a silent one as interrupted."""
        run = self._running(branch)
        if run is None:
            return False
        if self._as_read(run).state is RunState.RUNNING:
            return True
        self._runs.update(run.id, state=RunState.INTERRUPTED.value)
        return False


_OF_KINDS = "json_extract(task, '$.kind') IN (SELECT value FROM json_each(:kinds))"
_WAITING = "(state = :state OR id IN (SELECT value FROM json_each(:held)))"
_IN_ORDER = "branch = :branch ORDER BY started DESC, rowid DESC"
