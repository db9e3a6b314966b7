"""A full, locked or read-only disk: words, the right state, and nothing paid for twice."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver

from graph_flow.errors import NothingToContinue
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.machine.catching_up import LONGEST_ALTOGETHER
from graph_flow.machine.checkpoints import open_checkpoints
from graph_flow.machine.owner import is_alive, this_process
from graph_flow.machine.runner import Runner
from graph_flow.workbench.workbench import Workbench
from store.database.database import Database
from store.errors import LibraryUnavailable
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.run import (
    Activity,
    Initialize,
    Outcome,
    PlotChapters,
    Run,
    RunState,
    Task,
    WriteChapter,
)
from store.models.story import Gate, GateMode, Story
from store.open import Store
from store.records.runs import Owners
from tests.desk import Desk, going_on
from tests.fakes.full_disk import FullDisk
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent
from tests.graph_flow.llm.desk import no_local_model
from tests.graph_flow.machine.test_faults import is_sentence
from tests.graph_flow.scripting import repeated, the_nth
from tests.graph_flow.structure import expect_whole_story, expect_written
from tests.libraries import checkpoints_of

SECONDS = 120
PATIENCE = 0.05
"""Seconds for which SQLite waits for another writer."""
GO_ON = {"gates": dict.fromkeys(Gate, GateMode.GO_ON), "goals": 2, "roles": 2}
CALLS: dict[Task, tuple[str, ...]] = {
    Initialize(): ("foundation", "character", "ties"),
    PlotChapters(): ("goals", "role", "scorer", "exit"),
    WriteChapter(chapter=1): ("plan", "writer_novel"),
}
"""Tasks, and the agents during whose calls something happens to the disk."""
MOMENTS = [(task, agent) for task, agents in CALLS.items() for agent in agents]


class Obstacle:
    """Something that keeps a library from being written, for some waits or for good."""

    def __init__(self, begin: Callable[[], object], end: Callable[[], object]) -> None:
        self._begin = begin
        self._end = end
        self.waits: list[float] = []
        self.lasts = 3
        self.is_there = False

    def arise(self) -> None:
        self._begin()
        self.is_there = True

    def go(self) -> None:
        if self.is_there:
            self._end()
        self.is_there = False


@pytest.fixture
def library(library_path: Path) -> Iterator[Store]:
    """The library of the app under test, which has little patience with other programs."""
    store = Store.of(Database(library_path, PATIENCE), Owners(this_process(), is_alive))
    yield store
    store.close()


@pytest.fixture
def saver(library_path: Path) -> Iterator[SqliteSaver]:
    """The checkpoints of the app under test, which has little patience with other programs."""
    opened = open_checkpoints(library_path)
    opened.conn.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
    yield opened
    opened.conn.close()


@pytest.fixture
def disk() -> Iterator[Obstacle]:
    """A disk that a test can fill; there is room again after three waits."""
    full = FullDisk()
    obstacle = Obstacle(full.fill, full.free)
    yield obstacle
    obstacle.go()


@pytest.fixture
def lock(library_path: Path) -> Iterator[Obstacle]:
    """Another program, which writes to the library without an end; it is done after three waits."""
    other = sqlite3.connect(library_path, isolation_level=None, check_same_thread=False)
    yield Obstacle(lambda: other.execute("BEGIN EXCLUSIVE"), lambda: other.execute("ROLLBACK"))
    other.close()


@pytest.fixture
def at_desk(
    library: Store, library_path: Path, server: ScriptedServer, saver: SqliteSaver
) -> Iterator[Callable[[Obstacle], Desk]]:
    """Sit down at a desk at which an obstacle is gone after some waits."""
    opened: list[Workbench] = []

    def sit_down(obstacle: Obstacle) -> Desk:
        def pause(seconds: float, _stop: object) -> None:
            obstacle.waits.append(seconds)
            if len(obstacle.waits) >= obstacle.lasts:
                obstacle.go()

        endpoint = Endpoint(
            base_url=server.url, model="scripted", strength=ModelStrength.SMALL, timeout=60
        )
        book = EndpointBook(
            lambda: ModelSettings(endpoint=endpoint), OwnModels(lambda _: None), no_local_model
        )
        gateway = Gateway(book, library.calls, pause=pause)
        opened.append(Workbench(library, gateway, book, Runner(library, gateway, saver, pause)))
        return Desk(opened[-1], server, library_path)

    yield sit_down
    server.release()
    for workbench in opened:
        workbench.close()


def ready(desk: Desk, task: Task) -> Story:
    """Return a story that is ready for a task."""
    story = desk.story(settings=GO_ON)
    for before in CALLS:
        if before == task:
            break
        desk.do(story, before)
    return story


def during(agent: str, obstacle: Obstacle) -> Callable[[Sent], Reply | None]:
    """Return a script in which an obstacle arises while an agent is being asked."""
    is_it = the_nth(agent, 1)

    def say(sent: Sent) -> Reply | None:
        if is_it(sent):
            obstacle.arise()
        return going_on(sent)

    return say


def expect_done(desk: Desk, story: Story, run: Run) -> None:
    """Fail unless a run has done its task, and each call was made once and is in the ledger."""
    branch = desk.branch(story)
    assert run.state is RunState.DONE, run.message
    with closing(Store.open(desk.library)) as store:
        assert store.runs.run(run.id).state is RunState.DONE
        recorded = store.calls.newest(branch, limit=1_000)
        assert len(recorded) == len(desk.server.history)
        assert {call.outcome for call in recorded} == {Outcome.OK}
        assert repeated(desk.server.history) == []
        if isinstance(run.task, PlotChapters):
            expect_whole_story(desk.workbench, store, branch, chapters=1)
        if isinstance(run.task, WriteChapter):
            expect_written(desk.workbench, branch, 1)


@pytest.mark.parametrize(("task", "agent"), MOMENTS)
def test_disk_that_is_full_for_a_moment_costs_nothing(
    at_desk: Callable[[Obstacle], Desk], disk: Obstacle, task: Task, agent: str
) -> None:
    desk = at_desk(disk)
    story = ready(desk, task)
    desk.server.answer = during(agent, disk)

    run = desk.do(story, task)

    assert len(disk.waits) >= disk.lasts, "it was noticed"
    expect_done(desk, story, run)


@pytest.mark.parametrize(("task", "agent"), MOMENTS)
def test_library_that_another_program_has_locked_costs_nothing(
    at_desk: Callable[[Obstacle], Desk], lock: Obstacle, task: Task, agent: str
) -> None:
    desk = at_desk(lock)
    story = ready(desk, task)
    desk.server.answer = during(agent, lock)

    run = desk.do(story, task)

    assert len(lock.waits) >= lock.lasts, "it was noticed"
    expect_done(desk, story, run)


@pytest.mark.parametrize(("task", "agent"), MOMENTS)
def test_run_on_a_disk_that_stays_full_fails_in_words_and_goes_on_when_there_is_room(
    at_desk: Callable[[Obstacle], Desk], disk: Obstacle, task: Task, agent: str
) -> None:
    desk = at_desk(disk)
    disk.lasts = 1_000
    story = ready(desk, task)
    branch = desk.branch(story)
    desk.server.answer = during(agent, disk)

    run = desk.do(story, task)

    assert run.state is RunState.FAILED
    assert is_sentence(run.message.replace("disk I/O error", "")), run.message
    assert "is full" in run.message
    assert "then continue" in run.message
    assert sum(disk.waits) >= LONGEST_ALTOGETHER
    with closing(Store.open(desk.library, Owners("later/1", lambda _: False))) as restarted:
        [kept] = [one for one in restarted.runs.runs(branch) if one.id == run.id]
        assert kept.state in {RunState.INTERRUPTED, RunState.FAILED}

    disk.go()
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    [rested] = [one.run for one in [desk.workbench.runs.progress(branch)] if one]
    expect_done(desk, story, rested)


def test_end_that_cannot_be_written_is_known_at_once_and_written_by_itself(
    at_desk: Callable[[Obstacle], Desk], disk: Obstacle, library: Store
) -> None:
    desk = at_desk(disk)
    disk.lasts = 1_000
    story = ready(desk, Initialize())
    branch = desk.branch(story)
    desk.server.answer = during("ties", disk)
    run = desk.do(story, Initialize())
    assert run.state is RunState.FAILED
    assert library.runs.has_held
    assert library.runs.active(branch) is None
    assert library.runs.latest(branch) == run

    disk.go()

    with closing(Store.open(desk.library)) as other:
        pause = threading.Event()
        for _ in range(SECONDS * 10):
            if other.runs.run(run.id).state is RunState.FAILED:
                break
            pause.wait(0.1)
        assert other.runs.run(run.id) == run
    assert not library.runs.has_held


def test_run_that_waits_for_room_can_be_stopped(
    at_desk: Callable[[Obstacle], Desk], disk: Obstacle
) -> None:
    desk = at_desk(disk)
    story = ready(desk, PlotChapters())
    branch = desk.branch(story)
    desk.server.answer = during("goals", disk)
    disk.lasts = 1_000
    seen: list[Activity] = []

    class Stopping(list[float]):
        def append(self, seconds: float) -> None:
            super().append(seconds)
            progress = desk.workbench.runs.progress(branch)
            assert progress is not None
            assert progress.run.state is RunState.RUNNING
            seen.extend(progress.activities)
            desk.workbench.runs.stop(branch)

    disk.waits = Stopping()
    run = desk.do(story, PlotChapters())

    assert run.state is RunState.STOPPED
    assert len(disk.waits) == 1
    assert "goes on by itself" in seen[0].trouble
    disk.go()
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    assert repeated(desk.server.history) == []


def test_nothing_is_begun_while_the_disk_is_full(
    at_desk: Callable[[Obstacle], Desk], disk: Obstacle
) -> None:
    desk = at_desk(disk)
    story = ready(desk, PlotChapters())
    asked = len(desk.server.history)
    disk.arise()

    with pytest.raises(LibraryUnavailable, match="is full"):
        desk.workbench.runs.start(desk.branch(story), PlotChapters())

    assert len(desk.server.history) == asked
    disk.go()
    assert desk.do(story, PlotChapters()).state is RunState.DONE
    with pytest.raises(NothingToContinue):
        desk.workbench.runs.resume(desk.branch(story))


# Checkpoints


@pytest.fixture
def read_only(saver: SqliteSaver) -> Obstacle:
    """A file of checkpoints that cannot be written; it can be again after three waits."""

    def set_to(value: str) -> None:
        with saver.lock:
            saver.conn.execute(f"PRAGMA query_only = {value}")

    return Obstacle(lambda: set_to("ON"), lambda: set_to("OFF"))


@pytest.mark.parametrize(("task", "agent"), MOMENTS)
def test_checkpoints_that_cannot_be_written_for_a_moment_cost_nothing(
    at_desk: Callable[[Obstacle], Desk], read_only: Obstacle, task: Task, agent: str
) -> None:
    desk = at_desk(read_only)
    story = ready(desk, task)
    desk.server.answer = during(agent, read_only)

    run = desk.do(story, task)

    assert len(read_only.waits) >= read_only.lasts, "it was noticed"
    expect_done(desk, story, run)


@pytest.mark.parametrize(
    ("task", "agent"), [(PlotChapters(), "role"), (WriteChapter(chapter=1), "plan")]
)
def test_run_whose_checkpoints_stay_locked_fails_in_words_and_can_be_continued(
    at_desk: Callable[[Obstacle], Desk], library_path: Path, task: Task, agent: str
) -> None:
    other = sqlite3.connect(
        checkpoints_of(library_path), isolation_level=None, check_same_thread=False
    )
    lock = Obstacle(lambda: other.execute("BEGIN EXCLUSIVE"), lambda: other.execute("ROLLBACK"))
    lock.lasts = 1_000
    desk = at_desk(lock)
    story = ready(desk, task)
    desk.server.answer = during(agent, lock)

    run = desk.do(story, task)

    assert run.state is RunState.FAILED
    assert is_sentence(run.message), run.message
    assert "Another window or program" in run.message
    lock.go()
    other.close()
    expect_done(desk, story, desk.settle(desk.workbench.runs.resume(desk.branch(story))))


@pytest.mark.parametrize(
    ("pragma", "undo", "words"),
    [
        ("max_page_count = 1", "max_page_count = 1000000", "no room left on the disk"),
        ("query_only = ON", "query_only = OFF", "read-only"),
    ],
)
def test_checkpoint_is_kept_as_a_whole_or_not_at_all(
    saver: SqliteSaver, pragma: str, undo: str, words: str
) -> None:
    """SQLite itself says what is wrong; what was begun is not in the way of what comes after."""
    thread: RunnableConfig = {
        "configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "1"}
    }
    saver.conn.execute(f"PRAGMA {pragma}")
    small, large = ("small", "x"), ("large", "x" * 1_000_000)

    with pytest.raises(LibraryUnavailable, match=words):
        saver.put_writes(thread, [small, large], "task")

    assert not saver.conn.in_transaction
    assert saver.conn.execute("SELECT count(*) FROM writes").fetchone() == (0,)
    saver.conn.execute(f"PRAGMA {undo}")
    saver.put_writes(thread, [small, large], "task")
    assert saver.conn.execute("SELECT count(*) FROM writes").fetchone() == (2,)


def test_app_that_cannot_open_its_files_says_why(library_path: Path, disk: Obstacle) -> None:
    disk.arise()
    with pytest.raises(LibraryUnavailable, match="the disk is full"):
        open_checkpoints(library_path)
    with pytest.raises(LibraryUnavailable, match="the disk is full"):
        Store.open(library_path)

    disk.go()
    open_checkpoints(library_path).conn.close()
    Store.open(library_path).close()
    checkpoints_of(library_path).unlink()
    checkpoints_of(library_path).mkdir()
    with pytest.raises(LibraryUnavailable):
        open_checkpoints(library_path)
