"""A long run on autopilot through a faulty model, and what must be so at its end."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.proposals import CandidateState
from store.models.run import Initialize, Outcome, PlotChapters, RunState, Task
from store.models.story import Brief, StorySettings
from store.open import Store
from tests.benchmarks.measures.endurance.faulty_model import FAULTS, FaultyModel
from tests.benchmarks.measures.endurance.memory import Memory, refusals
from tests.desk import PREMISE
from tests.fakes.scripted_server import ScriptedServer

TIMEOUT = 3.0
"""Seconds after which a call that hangs is given up: on a busy machine, no request takes as long to arrive."""
LOOK_EVERY = 0.5
"""Seconds between two looks at the checkpoints."""
LOOKS = 10
"""How often the memory is looked at in a short run, at most."""
MEMORY_EVERY = 50
"""Chapters between two looks at the memory."""
EVERY_CALL = 10_000_000

Notice = Callable[[str], None]


class Unending(Exception):
    """The run paused more often than could be by chance."""


@dataclass(frozen=True)
class Endured:
    """What a run took, and what is wrong at its end: nothing, that is."""

    chapters: int
    pauses: int
    requests: int
    calls: int
    failed: int
    repeated: int
    faults: dict[str, int]
    most_checkpoints: int
    most_writes: int
    checkpoint_bytes: int
    library_bytes: int
    seconds: float
    megabytes: dict[int, float]
    """The resident memory, model and all, by chapter."""
    blocks: dict[int, int]
    """The pieces of memory that Python's objects have, by chapter."""
    refusals_left: int
    """Errors about refused answers that are still in memory at the end."""
    problems: tuple[str, ...]


def endure(folder: Path, chapters: int, settings: StorySettings, notice: Notice) -> Endured:
    """Plot chapters on a faulty model, going on whenever the run pauses."""
    library = folder / "library.db"
    began, before = time.monotonic(), refusals()
    with enduring(folder, settings.model_copy(update={"chapter_cap": chapters}), notice) as player:
        player.play(Initialize(is_autopilot=True))
        player.play(PlotChapters(chapters=chapters, is_autopilot=True))
        requests, branch = player.server.asked, player.branch
    with closing(Store.open(library)) as store:
        spending = store.ledger.of_line(branch).total
        problems = [*_wrong_with_chapters(store, branch, chapters), *player.doubled]
    if spending.calls != requests:
        problems.append(
            f"the model was asked {requests} times, and the ledger knows of {spending.calls} calls"
        )
    return Endured(
        chapters=chapters,
        pauses=player.pauses,
        requests=requests,
        calls=spending.calls,
        failed=spending.failed,
        repeated=spending.repeated,
        faults=dict(player.model.given),
        most_checkpoints=player.most["checkpoints"],
        most_writes=player.most["writes"],
        checkpoint_bytes=_checkpoints(library).stat().st_size,
        library_bytes=library.stat().st_size,
        seconds=time.monotonic() - began,
        megabytes=player.memory.megabytes,
        blocks=player.memory.blocks,
        refusals_left=refusals() - before,
        problems=tuple(problems),
    )


@contextmanager
def enduring(
    folder: Path,
    settings: StorySettings,
    notice: Notice = lambda _words: None,
    faults: Sequence[str] = FAULTS,
    strength: ModelStrength = ModelStrength.SMALL,
) -> Iterator[Player]:
    """Begin a story, of as many chapters as its settings allow, on a model with these faults."""
    library, model = folder / "library.db", FaultyModel(faults=faults)
    with (
        ScriptedServer(answer=model, remembers=False) as server,
        closing(_workbench(library, server, strength)) as workbench,
    ):
        yield Player(workbench, library, settings, notice, server, model)


def _workbench(library: Path, server: ScriptedServer, strength: ModelStrength) -> Workbench:
    """Return a workbench that waits for nothing but hanging calls."""
    workbench = assemble(
        library, Terms(OwnModels(lambda _name: None)), lambda _seconds, _stop: None
    )
    endpoint = Endpoint(
        base_url=server.url,
        model="scripted",
        timeout=TIMEOUT,
        concurrency=6,
        strength=strength,
    )
    workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    return workbench


def _checkpoints(library: Path) -> Path:
    return library.with_name(f"{library.stem}.checkpoints.db")


class Player:
    """Does tasks to their end, as a patient writer would who presses Continue."""

    def __init__(
        self,
        workbench: Workbench,
        library: Path,
        settings: StorySettings,
        notice: Notice,
        server: ScriptedServer,
        model: FaultyModel,
    ) -> None:
        self.server = server
        self.model = model
        story = workbench.library.create_story(Brief(premise=PREMISE))
        workbench.library.change_settings(story.id, lambda _: settings)
        chapters = settings.chapter_cap
        self.branch = workbench.library.main_branch(story.id).id
        self.pauses = 0
        self.doubled: set[str] = set()
        """What is wrong with calls: that one was made again though it had ended well."""
        self.most: Counter[str] = Counter()
        self.memory = Memory(every=max(1, min(MEMORY_EVERY, chapters // LOOKS)))
        self._workbench = workbench
        self._library = library
        self._patience = 20 + chapters
        self._notice = notice

    def play(self, task: Task) -> None:
        """Do a task to its end.

        Raises:
            Unending: if it pauses again and again.
        """
        run = self._workbench.runs.start(self.branch, task)
        with _looking(self._look):
            while True:
                self._workbench.runs.wait(run)
                self.doubled.update(self._finished_twice())
                progress = self._workbench.runs.progress(self.branch)
                if progress is None or progress.run.state is RunState.DONE:
                    return
                self.pauses += 1
                self._notice(f"paused: {progress.run.message}")
                if self.pauses > self._patience:
                    raise Unending(progress.run.message)
                run = self._workbench.runs.resume(self.branch)

    def _finished_twice(self) -> Iterator[str]:
        """Yield what is wrong with the calls that are still kept, when a run has come to rest."""
        with closing(Store.open(self._library)) as store:
            calls = store.calls.newest(self.branch, EVERY_CALL)
        finished = Counter(
            (call.step, call.prompt_hash) for call in calls if call.outcome is Outcome.OK
        )
        for (step, _), times in finished.items():
            if times > 1:
                yield f"{step} was finished {times} times"

    def _look(self) -> None:
        """See how much there is of checkpoints at this moment."""
        with closing(sqlite3.connect(_checkpoints(self._library))) as kept:
            for table in ("checkpoints", "writes"):
                [count] = kept.execute(f"SELECT count(*) FROM {table}").fetchone()
                self.most[table] = max(self.most[table], count)
        plotted = self._workbench.branches.status(self.branch).plotted
        self.memory.look(plotted)
        self._notice(f"{plotted} chapters")


@contextmanager
def _looking(look: Callable[[], None]) -> Iterator[None]:
    """Look again and again, in a thread of its own, for the length of a block."""
    ended = threading.Event()

    def watch() -> None:
        look()
        while not ended.wait(LOOK_EVERY):
            look()

    watching = threading.Thread(target=watch, name="looking at the checkpoints")
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _wrong_with_chapters(store: Store, branch: str, chapters: int) -> Iterator[str]:
    """Yield what is wrong with the chapters: gaps, doubles, choices that are none."""
    told = [commit.chapter for commit in store.prototype.commits(branch)]
    if told != list(range(chapters + 1)):
        yield f"the chapters are {told}, not one of each up to {chapters}"
    store.prototype.verify(branch)
    for chapter in range(1, chapters + 1):
        candidates = store.proposals.candidates(branch, chapter)
        chosen = [one for one in candidates if one.state is CandidateState.CHOSEN]
        if len(chosen) != 1:
            yield f"{len(chosen)} candidates of chapter {chapter} are chosen"
    closed = [verdict.chapter for verdict in store.proposals.verdicts(branch)]
    if len(closed) != len(set(closed)):
        yield "a chapter was closed twice"
