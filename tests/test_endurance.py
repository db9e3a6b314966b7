"""A long run through a faulty model, short: no gap, no double, no lost call."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Container
from pathlib import Path

import pytest

from graph_flow.machine.checkpoints import KEPT, PRUNED_EVERY
from store.models.run import Initialize, PlotChapters
from store.models.story import StorySettings
from tests.benchmarks.measures.endurance.command import as_table, main
from tests.benchmarks.measures.endurance.enduring import endure, enduring
from tests.benchmarks.measures.endurance.faulty_model import FAULTS, FaultyModel
from tests.benchmarks.measures.endurance.memory import objects_by_type
from tests.fakes.scripted_server import Sent

STRETCH = 12
"""Chapters between two counts of everything in memory."""
AT_ONCE = ("refused answer", "broken JSON", "500", "429")
"""Faults after which nothing hangs about."""
BOUNDED = {"sqlite3.Statement", "weakref.ReferenceType"}
"""What each connection keeps of statements, and classes of others, up to a bound that is far away."""
SENT = Sent("/v1/chat/completions", {}, {"messages": []})


def test_run_through_faults_comes_to_its_end_with_everything_in_its_place(tmp_path: Path) -> None:
    notices: list[str] = []

    endured = endure(tmp_path, 8, StorySettings(goals=2, roles=2), notices.append)

    assert endured.problems == ()
    assert endured.calls == endured.requests
    assert set(endured.faults) <= set(FAULTS)
    assert sum(endured.faults.values()) > 3
    assert endured.failed >= sum(endured.faults.values()) - sum(
        endured.faults.get(answered, 0) for answered in ("broken JSON", "refused answer")
    )
    assert 0 < endured.most_checkpoints <= KEPT + PRUNED_EVERY
    assert len([words for words in notices if words.startswith("paused")]) == endured.pauses
    assert "| chapters | 8 |" in as_table(endured)


def test_run_through_refused_answers_keeps_none_of_them(tmp_path: Path) -> None:
    endured = endure(tmp_path, 8, StorySettings(goals=2, roles=2), lambda _words: None)

    assert endured.faults["refused answer"] > 2
    assert endured.refusals_left == 0
    assert len(endured.megabytes) > 1
    assert endured.megabytes.keys() == endured.blocks.keys()
    assert f"{max(endured.megabytes.values()):,.0f} at " in as_table(endured)


def rest(before: Container[threading.Thread]) -> None:
    """Wait until nothing is at work any more that was not there before, but for the model's server."""
    for thread in threading.enumerate():
        if thread not in before and thread.name != "scripted server":
            thread.join(60)


def test_no_kind_of_object_becomes_more_with_the_chapters(tmp_path: Path) -> None:
    counted: list[Counter[str]] = []
    others = set(threading.enumerate())
    settings = StorySettings(goals=1, roles=2, chapter_cap=2 * STRETCH)

    with enduring(tmp_path, settings, faults=AT_ONCE) as player:
        player.play(Initialize(is_autopilot=True))
        for _ in range(2):
            player.play(PlotChapters(chapters=STRETCH, is_autopilot=True))
            rest(others)
            counted.append(objects_by_type())

    assert player.model.given["refused answer"] > 2
    before, after = counted
    grown = {kind: after[kind] - before[kind] for kind in after if kind not in BOUNDED}
    assert {kind: more for kind, more in grown.items() if more > STRETCH // 2} == {}


def test_figures_can_be_read_by_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--chapters", "3", "--goals", "1", "--roles", "1", "--json"]) == 0

    printed = capsys.readouterr()
    figures = json.loads(printed.out)
    assert figures["chapters"] == 3
    assert figures["megabytes"].keys() == figures["blocks"].keys()
    assert "| chapters | 3 |" in printed.err


def test_every_fault_comes_about_as_often_as_the_others() -> None:
    model = FaultyModel()
    for _ in range(2_000):
        model(SENT)

    assert set(model.given) == set(FAULTS)
    assert all(60 < times < 150 for times in model.given.values())


def test_run_of_no_chapter_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--chapters", "0"])

    assert "1 chapter at least" in capsys.readouterr().err
