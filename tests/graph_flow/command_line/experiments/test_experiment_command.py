"""`tellwright experiment`: what it says before it begins, how it ends, and that it can be run again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graph_flow.command_line.experiments.command import run
from graph_flow.command_line.experiments.shared.files import SCRATCH
from graph_flow.command_line.experiments.shared.results import PLAN, Results
from tests.fakes.scripted_server import ScriptedServer, refuse
from tests.graph_flow.command_line.experiments.laboratory import write_plan
from tests.graph_flow.processes import until
from tests.graph_flow.scripting import saying

SECONDS = 300


class Ended(NamedTuple):
    """How a command came out: its exit code, its last line of JSON, and what it said beside."""

    code: int
    report: dict[str, Any]
    said: str


Command = Callable[..., Ended]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Run the command in this process; its workers are processes of their own."""
    monkeypatch.setenv(SCRATCH, str(tmp_path / "scratch"))

    def ended(plan: Path, *options: str) -> Ended:
        code = run(["experiment", str(plan), "--json", *options])
        printed = capsys.readouterr()
        lines = printed.out.splitlines()
        return Ended(code, json.loads(lines[-1]) if lines else {}, printed.err)

    return ended


def test_killed_worker_is_made_up_for_and_a_second_run_asks_nothing(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    server.latency = 0.05
    plan = write_plan(tmp_path, server.url, ways=["full", "direct"], seeds=[1, 2], workers=2)
    results = Results.open(str(tmp_path / "plan-results"))

    with ThreadPoolExecutor(1) as other:
        driver = other.submit(command, plan, "--yes")
        until(lambda: len(results.list("calls")) >= 4)
        claim = next(one for one in results.list("claims") if "full" in one.key and one.size)
        owner = (results.get(claim.key) or b"").decode()
        os.kill(int(owner.rpartition("/")[2]), signal.SIGKILL)
        code, report, said = driver.result(SECONDS)

    assert code == 0, said
    assert (report["status"], report["done"], report["chapters"]) == ("done", 4, 4)
    assert report["calls_repeated"] == 0
    assert "| scripted | full | 2 |" in said
    assert json.loads(results.get("table.json") or b"")["rows"][1]["way"] == "direct"
    asked = len(server.history)

    code, again, _ = command(plan, "--yes")

    assert (code, again["done"], again["calls"]) == (0, 4, report["calls"])
    assert len(server.history) == asked


def test_story_that_fails_is_told_the_others_go_on_and_another_run_finishes_it(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path, server.url, ways=["full", "direct"])
    server.answer = saying(goals=refuse(401, "no such key"))

    code, report, said = command(plan, "--yes")

    assert (code, report["status"]) == (3, "failed")
    assert (report["done"], report["failed"]) == (1, 1)
    assert "lamp.full.scripted.1: " in said
    server.answer = saying()
    code, report, _ = command(plan, "--yes")
    assert (code, report["done"], report["failed"]) == (0, 2, 0)


def test_estimate_is_said_and_nothing_is_begun(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path, server.url, chapters=2, seeds=[1, 2])

    code, report, said = command(plan, "--estimate")

    assert code == 0
    assert report["stories"] == 2
    assert report["calls"] > 2 * report["most_calls"] - 1 > 0
    assert report["cost"] > 0
    assert "calls" in said
    assert server.history == []
    assert Results.open(str(tmp_path / "plan-results")).experiment() is None


def test_without_a_yes_nothing_is_begun(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    code, _, said = command(write_plan(tmp_path, server.url))

    assert code == 2
    assert "--yes" in said
    assert server.history == []


def test_limits_that_are_likely_too_narrow_are_said_before(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path, server.url, limits={"calls": 3})

    _, _, said = command(plan, "--estimate")

    assert "Limit on calls: 3 for each story, and one may need about" in said


def test_plan_that_is_wrong_is_told_with_its_line(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    code, _, said = command(write_plan(tmp_path, server.url, chaptres=4), "--yes")

    assert code == 2
    assert "line 7: chaptres: there is no such setting" in said


def test_key_that_was_typed_for_a_model_is_refused_and_kept_nowhere(
    command: Command, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-0123456789abcdef0123456789abcdef"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    plan = write_plan(tmp_path, server.url)
    plan.write_text(plan.read_text().replace('model = "scripted"', f'model = "{key}"'))

    code, _, said = command(plan, "--yes")

    assert code == 2
    assert key not in said
    assert not (tmp_path / "plan-results" / PLAN).exists()


def test_results_of_another_version_or_of_other_stories_are_left_alone(
    command: Command, server: ScriptedServer, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path, server.url, ways=["direct"])
    command(plan, "--yes")
    results = Results.open(str(tmp_path / "plan-results"))

    code, _, said = command(write_plan(tmp_path, server.url, ways=["direct"], chapters=2), "--yes")
    assert code == 2
    assert "lamp.direct.scripted.1" in said

    begun = results.experiment()
    assert begun is not None
    results.put(PLAN, begun.model_copy(update={"version": "0.0.1"}).model_dump_json().encode())
    code, _, said = command(write_plan(tmp_path, server.url, ways=["direct"]), "--yes")
    assert code == 2
    assert "0.0.1" in said


def test_plan_can_grow(command: Command, server: ScriptedServer, tmp_path: Path) -> None:
    command(write_plan(tmp_path, server.url, ways=["direct"]), "--yes")
    asked = len(server.history)

    code, report, _ = command(
        write_plan(tmp_path, server.url, ways=["direct"], seeds=[1, 2]), "--yes"
    )

    assert (code, report["done"]) == (0, 2)
    assert len(server.history) == 2 * asked
