"""The benchmarks run, and print what they promise: shapes and counts, never seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from store.delta import apply
from store.models.prototype import Snapshot
from tests.benchmarks.clock import in_turns, medians
from tests.benchmarks.command import main
from tests.benchmarks.epic import EVENTS, PERIOD, Epic
from tests.benchmarks.graphs_page import page_times
from tests.benchmarks.milestones import build, opened

ROOT = Path(__file__).parents[1]
SCRIPT = Path("tests", "benchmarks", "prototype.py")
OF_CHAPTERS = {
    "commit_ms",
    "knowledge_ms",
    "retrieval_ms",
    "snapshot_ms",
    "search_ms",
    "diff_ms",
    "bytes_per_chapter",
}
OF_NODES = {"graph_page_s", "graph_page_cold_s"}


def test_script_prints_one_object_with_the_figures_of_every_chapter() -> None:
    finished = subprocess.run(
        [sys.executable, str(SCRIPT), "--json", "--chapters", "4", "8", "--nodes"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    [line] = finished.stdout.splitlines()
    figures = json.loads(line)
    assert figures.keys() == OF_CHAPTERS | OF_NODES
    for name in OF_CHAPTERS:
        assert figures[name].keys() == {"4", "8"}, name
        assert all(value > 0 for value in figures[name].values()), name
    assert all(figures[name] == {} for name in OF_NODES)
    assert "| at chapter | 4 | 8 |" in finished.stderr


@pytest.mark.parametrize("chapters", [["1"], ["8", "4"], ["4", "5"]])
def test_chapters_that_cannot_be_measured_are_refused(
    chapters: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--nodes", "--chapters", *chapters])

    assert "chapters go up" in capsys.readouterr().err


@pytest.mark.browser
def test_page_is_opened_first_and_again_at_every_size(tmp_path: Path) -> None:
    notices: list[str] = []

    times = page_times(tmp_path / "app", [6, 9], 1, notices.append)

    assert times.cold.keys() == times.warm.keys() == {6, 9}
    assert len(notices) == 2


def test_every_ten_chapters_have_the_same_changes() -> None:
    epic = Epic(30)
    snapshot = apply(Snapshot(), epic.beginning(), 0)
    counted: list[Counter[tuple[str, str]]] = []
    for chapter in range(1, 3 * PERIOD + 1):
        _, delta = epic.next_chapter()
        snapshot = apply(snapshot, delta, chapter)
        counted.append(Counter((change.kind, change.operation) for change in delta.changes))

    assert len(snapshot.characters) == 30
    assert len(snapshot.events) == EVENTS * 3 * PERIOD
    told = iter(counted)
    next(told)  # Nothing comes before the first chapter that it could be linked to.
    assert list(islice(told, PERIOD)) == list(islice(told, PERIOD))


def test_a_milestone_is_a_story_that_comes_to_its_chapter(tmp_path: Path) -> None:
    first, second = build(tmp_path, [4, 18], lambda _: None)

    assert (first.first, second.first) == (1, 8)
    for milestone in (first, second):
        copy = tmp_path / "copy.db"
        milestone.copy_to(copy)
        with opened(copy) as store:
            for at in range(len(milestone.coming)):
                milestone.tell(store, at)
            head = store.prototype.head(milestone.branch)
        assert head is not None
        assert head.chapter == milestone.chapter


def test_tasks_are_done_in_turns_and_each_round_begins_with_another() -> None:
    done: list[int] = []
    tasks = {20: lambda: done.append(20), 200: lambda: done.append(200)}

    assert in_turns(tasks, 2).keys() == {20, 200}
    assert done == [20, 200, 20, 200, 200, 20]
    assert medians([]) == {}
