"""An experiment on several machines: what dies is made up for, whatever it is."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graph_flow.command_line.experiments.cluster import Cluster
from graph_flow.command_line.experiments.command import run
from graph_flow.command_line.experiments.shared.results import Results
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.command_line.experiments.laboratory import RELAYS, write_plan
from tests.graph_flow.command_line.experiments.machines import machines
from tests.graph_flow.processes import until

SEEDS = [1, 2, 3, 4, 5, 6]
SECONDS = 300


def test_no_death_of_a_worker_or_the_scheduler_loses_or_doubles_a_chapter(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.latency = 0.05
    plan, place = write_plan(tmp_path, server.url, seeds=SEEDS), tmp_path / "results"
    results = Results.open(str(place))
    with machines(tmp_path, workers=3) as cluster, ThreadPoolExecutor(1) as other:
        options = ["--out", str(place), "--scheduler", cluster.address, "--yes", "--json"]
        driver = other.submit(run, ["experiment", str(plan), *options])

        until(lambda: len(results.list("calls")) >= 6)
        cluster.workers[0].kill()
        cluster.begin_worker()
        until(lambda: len(results.done()) >= 1)
        cluster.restart_scheduler()
        for _ in range(2):
            cluster.begin_worker()
        assert driver.result(SECONDS) == 0

    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (report["status"], report["done"], report["chapters"]) == ("done", 6, 6)
    stories = [results.report(f"lamp.full.scripted.{seed}") for seed in SEEDS]
    assert all(one is not None and len(one.hashes) == one.chapters == 1 for one in stories)
    assert sum(one.workers for one in stories if one) > len(SEEDS)
    # Only what was on its way to the worker that was killed had to be asked for again.
    assert report["calls_repeated"] == 0
    assert len(server.history) - report["calls"] <= RELAYS


def test_worker_that_falls_silent_is_made_up_for(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has not died: its connections stay, and nobody is told."""
    monkeypatch.setattr("graph_flow.command_line.experiments.cluster.LOST_AFTER", 2.0)
    server.latency = 0.05
    plan, place = write_plan(tmp_path, server.url, seeds=[1, 2]), tmp_path / "results"
    results = Results.open(str(place))
    with machines(tmp_path, workers=2) as cluster, ThreadPoolExecutor(1) as other:
        options = ["--out", str(place), "--scheduler", cluster.address, "--yes", "--json"]
        driver = other.submit(run, ["experiment", str(plan), *options])

        until(lambda: len(results.list("calls")) >= 2)
        claim = next(one for one in results.list("claims") if one.size)
        owner = (results.get(claim.key) or b"").decode()
        os.kill(int(owner.rpartition("/")[2]), signal.SIGSTOP)

        assert driver.result(SECONDS) == 0

    stories = [results.report(f"lamp.full.scripted.{seed}") for seed in (1, 2)]
    assert all(one is not None and one.chapters == 1 for one in stories)
    assert sum(one.workers for one in stories if one) > len(stories)


def test_connection_to_a_scheduler_that_is_lost_at_once_is_closed_and_another_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[_FakeClient] = []

    def connect(_address: str, **_others: object) -> _FakeClient:
        made.append(_FakeClient(is_lost=not made))
        return made[-1]

    monkeypatch.setattr("distributed.Client", connect)

    Cluster("results", "tcp://127.0.0.1:1").close()

    assert [one.closed for one in made] == [1, 1]


class _FakeClient:
    """A client of Dask's whose scheduler dies before it is told anything, or does not."""

    def __init__(self, *, is_lost: bool) -> None:
        self._is_lost = is_lost
        self.closed = 0

    def run_on_scheduler(self, *_given: object) -> None:
        if self._is_lost:
            raise OSError("the scheduler is gone")

    def close(self, timeout: float) -> None:
        assert timeout > 0
        self.closed += 1
