"""The benchmarks run, and print what they promise: shapes and counts, never seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from store.deltas.delta import apply
from store.formats.exports import FORMATS, BookFormat
from store.models.prototype import Snapshot
from tests.benchmarks.clock import in_turns, medians
from tests.benchmarks.epic import EVENTS, PERIOD, Epic
from tests.benchmarks.measures.embedded.report import EmbeddedFigures
from tests.benchmarks.measures.embedded.stories import AgentCalls, ToldStory
from tests.benchmarks.measures.generation.plotting import longest_chain
from tests.benchmarks.measures.generation.timed_server import ServedCall, running
from tests.benchmarks.measures.prototype.command import main
from tests.benchmarks.measures.prototype.graphs_page import page_times
from tests.benchmarks.measures.trust import updates
from tests.benchmarks.measures.trust.kills.killing import trials
from tests.benchmarks.measures.trust.kills.moments import Moment
from tests.benchmarks.measures.trust.load.measuring import Prepared, measure
from tests.benchmarks.measures.trust.load.visiting import prepare
from tests.benchmarks.measures.trust.report import Found, figures, tables, wrong
from tests.benchmarks.milestones import build, opened

Figures = dict[str, Any]

ROOT = Path(__file__).parents[1]
PROTOTYPE = "tests.benchmarks.prototype"
GENERATION = "tests.benchmarks.generation"
BOOKS = "tests.benchmarks.books"
EVALUATION = "tests.benchmarks.evaluation"
MOST_MEGABYTES = 1_000
WRITING = "tests.benchmarks.writing"
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
OF_PLOTTED_CHAPTERS = {
    "calls_per_chapter",
    "input_tokens_per_chapter",
    "output_tokens_per_chapter",
    "peak_prompt_tokens",
    "own_ms_per_chapter",
}
OF_CHAPTERS_JUDGED = {"peak_prompt_tokens", "own_ms_per_chapter"}
OF_EXPERIMENTS = {"experiment_ratio", "calls_repeated_after_kill"}
MOST_REPEATED = 1 + 4
"""Calls on their way when an evaluation is killed, and when a worker is that has four at once."""
OF_TRUST = {
    *("kills", "lost", "doubled", "paid_twice", "stop_s", "p95_page_s", "lost_updates"),
    *("rss_mb", "bytes_per_chapter"),
}
OF_WRITING = {
    *("words", "keystroke_ms", "keystroke_p95_ms", "save_ms", "save_p95_ms"),
    *("open_s", "suggestion_s"),
}
OF_THE_RUN = {"plot_seconds_at_1s", "longest_chain", "checkpoint_bytes"}
GOALS, ROLES = 3, 3
CHAIN = 1 + ROLES + 1
"""Goals, the roles of a relay in turn, and the scorer: what a chapter's plot has to wait for."""
MOST_TOKENS = 22_000
"""Of all prompts of a chapter: half of what the authors' own program takes."""
MOST_TOKENS_WITH_TEXT = 40_000
"""Of all prompts of a chapter's plot and text, with an able model."""
MOST_BYTES = 2_000_000
"""Of the file of checkpoints."""
CALLS = 1 + GOALS * ROLES + 1 + 1
"""The same with all relays, and whether the story is over."""


def figures_of(module: str, *arguments: str) -> tuple[Figures, str]:
    """Run a benchmark; return its one object, and its table."""
    finished = subprocess.run(
        [sys.executable, "-m", module, "--json", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    [line] = finished.stdout.splitlines()
    return json.loads(line), finished.stderr


def test_script_prints_one_object_with_the_figures_of_every_chapter() -> None:
    figures, table = figures_of(PROTOTYPE, "--quick", "--chapters", "4", "8", "--nodes")

    assert figures.keys() == OF_CHAPTERS | OF_NODES
    for name in OF_CHAPTERS:
        assert figures[name].keys() == {"4", "8"}, name
        assert all(value > 0 for value in figures[name].values()), name
    assert all(figures[name] == {} for name in OF_NODES)
    assert "| at chapter | 4 | 8 |" in table


def test_plot_of_a_chapter_waits_for_as_many_calls_as_it_has_to() -> None:
    figures, table = figures_of(GENERATION, "--quick", "--chapters", "2", "4")

    able, told = figures.pop("able"), figures.pop("told")
    for found, calls, chain, most_tokens in (
        (figures, CALLS, CHAIN, MOST_TOKENS),
        (able, CALLS + 1, CHAIN, MOST_TOKENS_WITH_TEXT),  # An able model looks at the spine again.
        # Two chapters are told, then read, and scored; the one before is closed by two calls meanwhile.
        (told, 7, 3, MOST_TOKENS_WITH_TEXT),
    ):
        assert found.keys() == OF_PLOTTED_CHAPTERS | OF_THE_RUN
        for name in OF_PLOTTED_CHAPTERS:
            assert found[name].keys() == {"2", "4"}, name
            assert all(value > 0 for value in found[name].values()), name
        assert found["longest_chain"] == chain
        assert found["calls_per_chapter"] == {"2": calls, "4": calls}
        assert max(found["input_tokens_per_chapter"].values()) < most_tokens
        assert 0 < found["checkpoint_bytes"] < MOST_BYTES
    assert table.count("| at chapter | 2 | 4 |") == 3


def test_judging_takes_no_more_at_a_later_chapter_and_a_kill_repeats_what_was_on_its_way() -> None:
    figures, table = figures_of(EVALUATION, "--quick", "--chapters", "20", "40")

    assert figures.keys() == OF_CHAPTERS_JUDGED | OF_EXPERIMENTS
    assert all(figures[name].keys() == {"20", "40"} for name in OF_CHAPTERS_JUDGED)
    first, later = figures["peak_prompt_tokens"].values()
    assert later <= 1.1 * first
    assert min(figures["own_ms_per_chapter"].values()) > 0
    assert figures["experiment_ratio"] > 1
    assert 0 <= figures["calls_repeated_after_kill"] <= MOST_REPEATED
    assert "| at chapter | 20 | 40 |" in table
    assert "| an evaluation in the middle of a chapter | 1 |" in table


def test_every_kind_of_book_is_written_and_one_is_brought() -> None:
    figures, table = figures_of(BOOKS, "--quick")

    books = {key for key, form in FORMATS.items() if isinstance(form, BookFormat)}
    assert figures.keys() == {"export_s", "export_mb", "import_s"}
    assert figures["export_s"].keys() == figures["export_mb"].keys() == books
    assert max(figures["export_mb"].values()) < MOST_MEGABYTES
    assert "| export epub |" in table
    assert "| import docx |" in table


@pytest.mark.parametrize(
    ("times", "length"),
    [
        ([], 0),
        ([(0, 1)], 1),
        ([(0, 1), (0, 1), (0.5, 1.5)], 1),
        ([(0, 1), (1, 2), (1, 2), (2, 3)], 3),
        ([(0, 9), (0, 1), (1, 2), (2, 3)], 3),
    ],
)
def test_longest_chain_is_of_calls_that_waited_for_each_other(
    times: list[tuple[float, float]], length: int
) -> None:
    calls = [ServedCall("role", began, ended, "What now?", "Nothing.") for began, ended in times]

    assert longest_chain(calls) == length


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


@pytest.mark.browser
def test_editor_is_measured_from_keys_to_suggestions() -> None:
    figures, table = figures_of(WRITING, "--quick")

    assert figures.keys() == OF_WRITING
    assert all(value > 0 for value in figures.values())
    assert "| 4,000 words | median |" in table


def test_every_ten_chapters_have_the_same_changes() -> None:
    epic = Epic(30)
    snapshot = apply(Snapshot(), epic.beginning(), 0)
    counted: list[Counter[tuple[str, str]]] = []
    for chapter in range(1, 3 * PERIOD + 1):
        _, delta = epic.next_chapter()
        snapshot = apply(snapshot, delta, chapter)
        counted.append(Counter((change.kind, change.operation) for change in delta.changes))

    assert len(snapshot.characters) == 30
    told_since = [one for one in snapshot.events if snapshot.first_chapter_of(one.id) > 0]
    assert len(told_since) == EVENTS * 3 * PERIOD
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


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A library with a story of one written chapter."""
    folder = tmp_path_factory.mktemp("prepared")
    with running(folder / "asked.jsonl", 0.0) as model:
        story = prepare(folder / "library.db", model.url, 1)
    return Prepared(folder / "library.db", story, 1)


def test_measures_of_trust_have_their_names() -> None:
    assert figures(Found()).keys() == OF_TRUST
    assert list(wrong(Found())) == []


@pytest.mark.parametrize("name", ["files of a story", "restore"])
def test_kill_at_any_boundary_leaves_everything_whole(
    prepared: Prepared, tmp_path: Path, name: str
) -> None:
    make = trials(Random(1), prepared.library, prepared.story, prepared.chapters)[name]
    with closing(make(tmp_path)) as trial:
        boundaries = int(trial.rehearse()["file"])
        # The benchmark itself takes any of them.
        some = {1, *range(2, boundaries + 1, 3), boundaries}
        killed = [trial.kill(Moment("file", number)) for number in sorted(some)]

    assert boundaries > 5
    assert all(was_killed for was_killed, _ in killed)
    assert [words for _, found in killed for words in found.all] == []


@pytest.mark.parametrize("name", ["import", "salvage", "migration"])
def test_kill_between_two_commits_loses_and_doubles_nothing(
    prepared: Prepared, tmp_path: Path, name: str
) -> None:
    make = trials(Random(1), prepared.library, prepared.story, prepared.chapters)[name]
    with closing(make(tmp_path)) as trial:
        commits = int(trial.rehearse()["commit"])
        killed = [trial.kill(Moment("commit", number)) for number in (1, commits // 2)]

    assert all(was_killed for was_killed, _ in killed)
    assert [words for _, found in killed for words in found.all] == []


def test_programs_that_change_one_library_lose_nothing(prepared: Prepared, tmp_path: Path) -> None:
    found = updates.measure(tmp_path, prepared.library, times=4)

    assert found.made + found.refused == 4 * len(updates.CHANGES)
    assert found.lost == ()


def test_writers_at_one_site_find_what_they_saved(prepared: Prepared, tmp_path: Path) -> None:
    load = measure(tmp_path, prepared, writers=2, seconds=6.0, latency=0.1)

    assert load.writers == 2
    assert load.seconds.keys() >= {"opened first"}
    assert (load.lost, load.troubles) == (0, ())
    assert [line for line in tables(Found(load=load)) if "| **all** |" in line]


def test_answers_of_the_embedded_model_are_summed_up_by_agent() -> None:
    stories = [
        ToldStory(200.0, 1_500, (AgentCalls("goals", 4, 1), AgentCalls("role", 30, 1))),
        ToldStory(310.0, 1_700, (AgentCalls("role", 26, 4),)),
    ]
    figures = EmbeddedFigures.of(stories, 3)

    assert figures.agents == (AgentCalls("goals", 4, 1), AgentCalls("role", 56, 5))
    assert figures.unusable_share == 0.1
    table = figures.as_table()
    assert "| all | 60 | 6 | 10.0% |" in table
    assert "| median | 255 | 1,600 |" in table
    assert json.loads(figures.as_json())["seconds"] == [200.0, 310.0]
