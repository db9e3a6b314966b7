"""An experiment on this machine: against the time that its calls alone would take, and with a worker killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from graph_flow.command_line.experiments.plan import Way
from graph_flow.command_line.experiments.shared.files import SCRATCH
from graph_flow.command_line.experiments.shared.results import Results
from store.open import Store
from tests.desk import going_on
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.command_line.experiments.laboratory import write_plan
from tests.graph_flow.processes import ROOT

_MOST_CALLS = 100_000
_SLOTS = 64
USUAL_BEAT, SHORT_BEAT = 5.0, 1.0
"""Seconds between two beats of a worker: as a plan has them, and so that a death is soon noticed."""


class Size(NamedTuple):
    """How much is made: so many stories of so many chapters by so many workers."""

    stories: int
    chapters: int
    workers: int


class Ratio(NamedTuple):
    """How long an experiment took, and how long its calls alone would have; in seconds."""

    seconds: float
    ideal: float

    @property
    def ratio(self) -> float:
        """How many times as long it took."""
        return self.seconds / self.ideal


def experiment_ratio(folder: Path, size: Size, latency: float) -> Ratio:
    """Return how long an experiment takes whose calls take `latency` seconds each.

    The ideal is the time in which any call of its stories is under way, told by their ledgers, shared out
    among the workers: what could not be faster if all our own work took no time.
    The seconds are those that the command reports, from when it has been loaded.
    """
    with _server(latency) as server:
        report = _carried_out(folder, server, size)
    if report["done"] != size.stories:
        raise RuntimeError(f"{report['failed']} stories failed")
    results = Results.open(str(folder / "plan-results"))
    asking = [_seconds_of_calls(folder, results, name) for name in sorted(results.done())]
    return Ratio(report["seconds"], sum(asking) / size.workers)


def wait_until(is_so: Callable[[], bool], has_ended: Callable[[], bool]) -> None:
    """Wait for something that another process does, for as long as that has not ended.

    Raises:
        RuntimeError: if it has.
    """
    while not is_so():
        if has_ended():
            raise RuntimeError("it ended before it could be killed")
        time.sleep(0.02)


def calls_repeated_after_kill(folder: Path, size: Size, latency: float) -> int:
    """Return how many more calls were made than the stories have, after a worker was killed in a chapter.

    These are the ones that were on their way, and answers that turned out to be of no use.
    """
    results = Results.open(str(folder / "plan-results"))
    with _server(latency) as server, ThreadPoolExecutor(1) as other:
        driver = other.submit(_carried_out, folder, server, size, SHORT_BEAT)
        wait_until(lambda: server.asked >= size.workers * 12, driver.done)
        _kill_one(results)
        report = driver.result()
    if report["done"] != size.stories:
        raise RuntimeError(f"{report['failed']} stories failed")
    return int(server.asked - report["calls"])


def _kill_one(results: Results) -> None:
    """Kill the process of one of the claims that are held."""
    held = [one for one in results.list("claims") if one.size]
    owner = (results.get(held[0].key) or b"").decode()
    os.kill(int(owner.rpartition("/")[2]), signal.SIGKILL)


@contextmanager
def _server(latency: float) -> Iterator[ScriptedServer]:
    with ScriptedServer(latency=latency, answer=going_on, remembers=False) as server:
        yield server


def _carried_out(
    folder: Path, server: ScriptedServer, size: Size, beat: float = USUAL_BEAT
) -> dict[str, Any]:
    """Carry an experiment out, and return its report."""
    plan = write_plan(
        folder,
        server.url,
        chapters=size.chapters,
        ways=[Way.FULL.value],
        seeds=list(range(size.stories)),
        workers=size.workers,
        goals=3,
        roles=3,
        beat=beat,
    )
    slots = f"concurrency = {_SLOTS}"
    plan.write_text(plan.read_text("utf-8").replace("concurrency = 4", slots), encoding="utf-8")
    environment = os.environ | {SCRATCH: str(folder / "scratch"), "PYTHONPATH": str(ROOT)}
    command = ["-m", "graph_flow.command_line", "experiment", str(plan), "--yes", "--json"]
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _seconds_of_calls(folder: Path, results: Results, name: str) -> float:
    """Return how long any call of a story was under way."""
    report = results.report(name)
    content = results.get(report.library) if report else None
    path = folder / "looked-into.db"
    path.write_bytes(content or b"")
    with closing(Store.open(path)) as store:
        branch = store.library.main_branch(store.library.story_ids()[0]).id
        calls = store.calls.newest(branch, _MOST_CALLS)
    ends = [(one.created.timestamp(), one.milliseconds / 1_000) for one in calls]
    return _together([(end - seconds, end) for end, seconds in ends])


def _together(spans: Sequence[tuple[float, float]]) -> float:
    """Return how long spans of time are together, what they share counted once."""
    total, reached = 0.0, float("-inf")
    for began, ended in sorted(spans):
        total += max(0.0, ended - max(began, reached))
        reached = max(reached, ended)
    return total
