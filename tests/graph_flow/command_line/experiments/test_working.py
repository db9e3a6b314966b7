"""A worker on a story: what it leaves is found by the next, and nothing is paid for twice."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from graph_flow.command_line.experiments.records import Outcome, StoryScores
from graph_flow.command_line.experiments.shared.files import SCRATCH
from graph_flow.command_line.experiments.shared.results import HALT, Results
from graph_flow.command_line.experiments.working import work_on
from tests.desk import going_on
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, refuse
from tests.graph_flow.command_line.experiments.laboratory import (
    RELAYS,
    as_left_by_the_dead,
    begun,
    made_again,
    silence_all,
)

STORY = "lamp.full.scripted.1"


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SCRATCH, str(tmp_path / "scratch"))
    return tmp_path / "scratch"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "results"


class At:
    """Do something when the model is asked for the n-th time."""

    def __init__(self, number: int, do: Callable[[], None]) -> None:
        self._number, self._do = number, do
        self._lock = threading.Lock()
        self._asked = 0

    def __call__(self, sent: Sent) -> Reply | None:
        with self._lock:
            self._asked += 1
            if self._asked == self._number:
                self._do()
        return going_on(sent)


def test_story_is_made_measured_and_left_alone_after_that(
    server: ScriptedServer, place: Path, scratch: Path
) -> None:
    begun(place, server.url)

    ended = work_on(str(place), STORY, judge=lambda _: StoryScores(judge="me", s_q=7.0))
    asked = len(server.history)

    assert (ended.outcome, ended.message) == (Outcome.DONE, "")
    report = Results.open(str(place)).report(STORY)
    assert report is not None
    assert (report.chapters, report.calls, report.workers) == (1, asked, 1)
    assert report.words > 0
    assert report.cost > 0
    assert report.measures["people"] > 0
    assert report.scores is not None
    assert report.scores.s_q == 7.0
    assert (place / report.library).read_bytes().startswith(b"SQLite")
    assert {sent.body["seed"] for sent in server.history} == {1}
    assert list(scratch.rglob("*.db")) == []

    assert work_on(str(place), STORY).outcome is Outcome.DONE
    assert len(server.history) == asked


@pytest.mark.parametrize(
    ("moment", "on_its_way"),
    [(5, 1), (12, RELAYS), (17, 1)],
    ids=["founding", "plotting", "writing"],
)
def test_worker_that_is_lost_with_its_disk_costs_only_what_was_on_its_way(
    server: ScriptedServer, place: Path, tmp_path: Path, moment: int, on_its_way: int
) -> None:
    found: list[int] = []

    def fail() -> None:
        found.append(len(server.history))
        as_left_by_the_dead(place, tmp_path / "found")

    server.answer = At(moment, fail)
    begun(place, server.url)
    work_on(str(place), STORY)
    whole = len(server.history)
    [before] = found
    server.answer = going_on

    assert work_on(str(tmp_path / "found"), STORY).outcome is Outcome.DONE

    again = made_again(server.history[:before], server.history[whole:])
    assert len(again) <= on_its_way
    report = Results.open(str(tmp_path / "found")).report(STORY)
    assert report is not None
    assert (report.calls_repeated, report.workers, report.chapters) == (0, 2, 1)


def test_story_in_the_hands_of_another_is_left_alone(server: ScriptedServer, place: Path) -> None:
    others: list[Outcome] = []
    server.answer = At(2, lambda: others.append(work_on(str(place), STORY).outcome))
    begun(place, server.url)

    assert work_on(str(place), STORY).outcome is Outcome.DONE

    assert others == [Outcome.BUSY]


def test_worker_that_is_to_stop_puts_what_there_is_in_safety(
    server: ScriptedServer, place: Path, scratch: Path
) -> None:
    stop = threading.Event()
    server.latency = 0.05
    server.answer = At(6, stop.set)
    begun(place, server.url)

    assert work_on(str(place), STORY, stop).outcome is Outcome.STOPPED
    assert list(scratch.rglob("*.db")) == []
    before = len(server.history)
    server.answer = going_on
    assert work_on(str(place), STORY).outcome is Outcome.DONE
    assert len(made_again(server.history[:before], server.history[before:])) <= 1


def test_everybody_stops_when_told_among_the_results(server: ScriptedServer, place: Path) -> None:
    results = Results.open(str(place))
    halted = threading.Event()
    server.latency = 0.02

    def answer(sent: Sent) -> Reply | None:
        if not halted.is_set():
            results.put(HALT, b"")
            halted.set()
        return going_on(sent)

    server.answer = answer
    begun(place, server.url, chapters=3)

    assert work_on(str(place), STORY).outcome is Outcome.STOPPED


def test_worker_of_another_version_refuses_and_says_so(server: ScriptedServer, place: Path) -> None:
    begun(place, server.url, version="0.0.1+before")

    ended = work_on(str(place), STORY)

    assert ended.outcome is Outcome.REFUSED
    assert "0.0.1+before" in ended.message
    assert server.history == []


def test_model_that_fails_is_told_and_what_was_paid_for_is_kept(
    server: ScriptedServer, place: Path, pauses: list[float]
) -> None:
    begun(place, server.url)
    server.answer = lambda _: refuse(401, "no such key")
    failed = work_on(str(place), STORY)
    server.answer = going_on

    assert failed.outcome is Outcome.FAILED
    assert "key" in failed.message
    assert work_on(str(place), STORY).outcome is Outcome.DONE
    assert pauses == []


def test_share_of_the_limits_is_kept(server: ScriptedServer, place: Path) -> None:
    begun(place, server.url, limits={"calls": 5})

    ended = work_on(str(place), STORY)

    assert ended.outcome is Outcome.FAILED
    assert "5 calls" in ended.message
    assert len(server.history) == 5


def test_results_that_go_away_are_told_and_nothing_that_was_paid_for_is_lost(
    server: ScriptedServer, place: Path, scratch: Path
) -> None:
    aside = place.with_name("aside")

    def unplug() -> None:
        place.rename(aside)
        while not place.is_file():  # A worker may make the folder anew in between.
            shutil.rmtree(place, ignore_errors=True)
            with suppress(FileExistsError):
                place.touch(exist_ok=False)

    begun(place, server.url)
    server.answer = At(8, unplug)
    failed = work_on(str(place), STORY)
    before = len(server.history)
    place.unlink()
    aside.rename(place)
    silence_all(place)
    server.answer = going_on

    assert failed.outcome is Outcome.FAILED
    assert "cannot be read or written" in failed.message
    assert str(scratch) in failed.message
    assert work_on(str(place), STORY).outcome is Outcome.DONE
    assert made_again(server.history[:before], server.history[before:]) == []


class _Refusing(BaseHTTPRequestHandler):
    """A bucket that says no to everything."""

    def answer(self) -> None:
        self.send_response(403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = answer  # noqa: N815 - http.server calls them so

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket that refuses."""
    server = HTTPServer(("127.0.0.1", 0), _Refusing)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    variables = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_address[1]}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "here",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    yield "s3://stories/experiment"
    server.shutdown()
    server.server_close()
    thread.join()


def test_bucket_that_refuses_is_told_before_anything_is_asked(
    server: ScriptedServer, bucket: str
) -> None:
    ended = work_on(bucket, STORY)

    assert ended.outcome is Outcome.FAILED
    assert bucket in ended.message
    assert "cannot be read or written" in ended.message
    assert server.history == []
