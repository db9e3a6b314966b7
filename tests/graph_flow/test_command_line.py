"""`tellwright run`: what it prints, what it writes, how it ends, and that it goes on where it was."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import frontmatter
import pytest

from graph_flow.command_line import main
from graph_flow.command_line.ending import NOTHING_BEGUN
from graph_flow.workbench.runs import RunService
from store.models.run import Run, RunState
from store.open import Store
from tests.desk import PREMISE, Desk, going_on, verdict
from tests.fakes.scripted_server import ScriptedServer, refuse
from tests.graph_flow.founding.test_following import OUT, answering
from tests.graph_flow.processes import begin_command, kill
from tests.graph_flow.scripting import (
    Held,
    agent_of,
    asked,
    expect_none_again,
    finished_prompts,
    saying,
    the_nth,
)
from tests.graph_flow.structure import expect_whole_story, expect_written
from tests.wording import says

KEYS = [
    "story",
    "branch",
    "status",
    "chapters",
    "words",
    "calls",
    "tokens_in",
    "tokens_out",
    "cost",
    "seconds",
]
SECONDS = 120


class Ended(NamedTuple):
    """How a command came out: its exit code, its last line of JSON, and what it said beside."""

    code: int
    report: dict[str, Any]
    said: str


Command = Callable[..., Ended]


@pytest.fixture
def command(
    library_path: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Command:
    """Run the command line in this process."""
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(library_path))
    monkeypatch.setenv("TELLWRIGHT_MODEL", "scripted")
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def run(*arguments: str) -> Ended:
        code = main(["run", *arguments, "--json"])
        printed = capsys.readouterr()
        lines = printed.out.splitlines()
        return Ended(code, json.loads(lines[-1]) if lines else {}, printed.err)

    return run


def test_premise_becomes_a_written_story_and_two_files(
    command: Command, desk: Desk, store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "new" / "folder"

    code, report, _ = command("--premise", PREMISE, "--chapters", "2", "--write", "--out", str(out))

    assert code == 0
    assert list(report) == KEYS
    assert (report["status"], report["chapters"]) == ("done", 2)
    assert report["calls"] == len(desk.server.history)
    assert min(report[key] for key in ("words", "tokens_in", "tokens_out", "seconds")) > 0
    expect_whole_story(desk.workbench, store, report["branch"], chapters=2)
    for chapter in (1, 2):
        expect_written(desk.workbench, report["branch"], chapter)
    written = frontmatter.loads((out / "story.md").read_text(encoding="utf-8"))
    assert written.metadata["title"] == desk.workbench.library.story(report["story"]).title
    imported = desk.workbench.files.import_bundle((out / "story.json").read_text(encoding="utf-8"))
    copy = store.prototype.commits(desk.branch(imported))
    assert [one.hash for one in copy] == [
        one.hash for one in store.prototype.commits(report["branch"])
    ]


@pytest.mark.parametrize("is_sketched", [True, False])
def test_story_of_an_able_model_is_read_as_a_whole_unless_it_stands_as_it_was_chosen(
    command: Command, desk: Desk, monkeypatch: pytest.MonkeyPatch, *, is_sketched: bool
) -> None:
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "able")
    desk.server.answer = answering()
    whole = ("--premise", PREMISE, "--chapters", "2", "--words", "150", "--write")

    code, report, _ = command(*whole, *([] if is_sketched else ["--no-sketches"]))

    assert code == 0
    agents = {agent_of(sent) for sent in desk.server.history}
    assert ("first_reader" in agents) is not is_sketched
    text = desk.workbench.manuscript.draft(report["branch"], 1)
    assert text is not None
    assert (text.text == OUT) is is_sketched


def test_run_again_makes_no_call_again(command: Command, desk: Desk) -> None:
    _, first, _ = command("--premise", PREMISE, "--chapters", "1")
    before = len(desk.server.history)

    code, again, _ = command("--story", first["story"], "--chapters", "1")

    assert code == 0
    assert len(desk.server.history) == before
    assert (again["calls"], again["tokens_in"], again["chapters"]) == (0, 0, 1)


def test_run_again_does_only_what_is_missing(command: Command, desk: Desk, store: Store) -> None:
    _, first, _ = command("--premise", PREMISE, "--chapters", "1")
    finished = finished_prompts(store, first["branch"])

    code, report, _ = command("--story", first["story"], "--chapters", "2", "--write")

    assert code == 0
    assert report["chapters"] == 2
    assert first["calls"] + report["calls"] == len(desk.server.history)
    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, first["branch"], chapters=2)


def test_screenplay_is_written_as_one(command: Command, desk: Desk) -> None:
    code, report, _ = command(
        "--premise", PREMISE, "--chapters", "1", "--write", "--form", "screenplay"
    )

    assert code == 0
    assert asked(desk.server, "writer_screenplay")
    assert not asked(desk.server, "writer_novel")
    expect_written(desk.workbench, report["branch"], 1)


def test_story_goes_on_beyond_its_own_cap(command: Command, desk: Desk) -> None:
    story = desk.founded({"chapter_cap": 1, "goals": 1, "roles": 1})

    code, report, _ = command("--story", story.id, "--chapters", "2")

    assert (code, report["chapters"]) == (0, 2)


def test_new_story_is_planned_as_long_as_it_is_asked_for(command: Command, desk: Desk) -> None:
    _, report, _ = command("--premise", PREMISE, "--chapters", "1", "--words", "150")
    new = desk.workbench.library.story(report["story"]).settings
    command("--story", report["story"], "--chapters", "1", "--words", "5000")
    later = desk.workbench.library.story(report["story"]).settings

    assert (new.planned, new.words) == (1, 150)
    assert (later.planned, later.words) == (1, 5_000)


def test_fewer_chapters_than_there_are_is_said_and_loses_nothing(
    command: Command, desk: Desk
) -> None:
    story = desk.founded({"chapter_cap": 12, "goals": 1, "roles": 1})
    command("--story", story.id, "--chapters", "2")

    code, report, said = command("--story", story.id, "--chapters", "1")

    assert (code, report["chapters"]) == (0, 2)
    assert says(said, 2, "chapters", "kept")
    assert desk.workbench.library.story(story.id).settings.planned == 12


def test_direct_story_is_made_with_one_prompt_a_chapter(
    command: Command, desk: Desk, tmp_path: Path
) -> None:
    premise = ["--premise", PREMISE, "--chapters", "2", "--words", "150"]

    code, report, _ = command(*premise, "--direct", "--write", "--out", str(tmp_path))

    assert code == 0
    assert list(report) == KEYS
    assert (report["chapters"], report["calls"]) == (2, 2)
    assert len(asked(desk.server, "direct")) == 2
    assert report["words"] > 0
    assert frontmatter.loads((tmp_path / "story.md").read_text("utf-8")).metadata["chapters"] == 2
    code, again, _ = command("--story", report["story"], "--chapters", "3")
    assert (code, again["chapters"], again["calls"]) == (0, 3, 1)


def test_until_goal_ends_at_the_goal_and_stays_there(command: Command, desk: Desk) -> None:
    desk.server.answer = saying(exit=verdict(is_reached=True))

    code, report, _ = command("--premise", PREMISE, "--chapters", "3", "--until-goal")
    assert (code, report["chapters"], report["status"]) == (0, 1, "done")

    code, again, _ = command(
        "--story", report["story"], "--chapters", "3", "--until-goal", "--write"
    )
    assert (code, again["chapters"]) == (0, 1)
    expect_written(desk.workbench, report["branch"], 1)


@pytest.mark.parametrize("limit", ["calls", "tokens"])
def test_limit_holds_for_the_whole_command_and_it_goes_on_later(
    command: Command, desk: Desk, store: Store, limit: str
) -> None:
    most = {"calls": 14, "tokens": 9_000}[limit]

    ended = command("--premise", PREMISE, "--chapters", "2", f"--max-{limit}", str(most))

    report = ended.report
    assert ended.code == 3
    assert f"--max-{limit} {most}" in ended.said, "the command that goes on is told"
    used = {"calls": report["calls"], "tokens": report["tokens_in"] + report["tokens_out"]}
    assert 0 < used[limit] <= most
    finished = finished_prompts(store, report["branch"])
    code, report, _ = command("--story", report["story"], "--chapters", "1")
    while code == 3:
        code, report, _ = command("--story", report["story"], "--chapters", "1")
    assert report["chapters"] >= 1
    expect_none_again(desk.server, finished)


def test_command_that_used_its_limit_begins_nothing_more(command: Command, desk: Desk) -> None:
    story = desk.founded({"goals": 1, "roles": 1})
    before = len(desk.server.history)

    ended = command("--story", story.id, "--chapters", "1", "--write", "--max-calls", "4")

    assert ended.code == 3
    assert says(ended.said, "allowed")
    assert ended.report["chapters"] == 1
    assert len(desk.server.history) - before == 4


NEW = ["--premise", PREMISE, "--chapters", "1"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--chapters"),
        (["--premise", PREMISE], "--chapters"),
        (["--chapters", "1"], "--premise"),
        (["--premise", "", "--chapters", "1"], "--premise is empty"),
        (["--premise", " \t\n ", "--chapters", "1"], "--premise is empty"),
        (["--premise", "lighthouse " * 20_000, "--chapters", "1"], "220,000"),
        (["--premise", "caf\udce9 on the rock", "--chapters", "1"], "not text in UTF-8"),
        (["--story", "caf\udce9", "--chapters", "1"], "not text in UTF-8"),
        (["--story", "", "--chapters", "1"], "--story is empty"),
        (["--premise", PREMISE, "--chapters", "0"], "from 1 to 5,000"),
        (["--premise", PREMISE, "--chapters", "-3"], "from 1 to 5,000"),
        (["--premise", PREMISE, "--chapters", "many"], "from 1 to 5,000"),
        (["--premise", PREMISE, "--chapters", "2.5"], "from 1 to 5,000"),
        (["--premise", PREMISE, "--chapters", "9" * 5_000], "from 1 to 5,000"),
        (["--premise", PREMISE, "--chapters", "5001"], "from 1 to 5,000"),
        ([*NEW, "--max-calls", "0"], "of 1 or more"),
        ([*NEW, "--max-tokens", "some"], "of 1 or more"),
        ([*NEW, "--max-cost", "nan"], "more than 0"),
        ([*NEW, "--max-cost", "little"], "more than 0"),
        ([*NEW, "--form", "opera"], "novel or short_story"),
        ([*NEW, "--words", "149"], "from 150 to 5,000"),
        ([*NEW, "--words", "5001"], "from 150 to 5,000"),
        ([*NEW, "--words", "many"], "from 150 to 5,000"),
        ([*NEW, "--out", ""], "--out is empty"),
        ([*NEW, "--sing"], "--sing"),
    ],
)
def test_wrong_command_ends_with_2_and_a_sentence(
    command: Command,
    server: ScriptedServer,
    store: Store,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    with pytest.raises(SystemExit) as ended:
        command(*arguments)

    assert ended.value.code == 2
    [said] = capsys.readouterr().err.splitlines()
    assert told in said
    assert said.endswith(".")
    assert server.history == []
    assert store.library.stories() == []


@pytest.mark.parametrize("place", ["taken", "taken/story"])
def test_folder_that_cannot_be_made_is_told_before_the_work(
    command: Command,
    server: ScriptedServer,
    store: Store,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    place: str,
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("kept", "utf-8")

    with pytest.raises(SystemExit) as ended:
        command(*NEW, "--out", str(tmp_path / place))

    assert ended.value.code == 2
    [said] = capsys.readouterr().err.splitlines()
    assert says(said, "--out", "folder", f"{taken} is a file")
    assert taken.read_text("utf-8") == "kept"
    assert server.history == []
    assert store.library.stories() == []


def test_folder_that_fails_at_the_end_is_told_and_the_story_is_kept(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "story.md").mkdir()

    ended = command(*NEW, "--out", str(tmp_path))

    assert (ended.code, ended.report["status"], ended.report["chapters"]) == (3, "failed", 1)
    assert says(ended.said, "finished", "could not be written", f"--story {ended.report['story']}")
    (tmp_path / "story.md").rmdir()
    again = command("--story", ended.report["story"], "--chapters", "1", "--out", str(tmp_path))
    assert (again.code, again.report["calls"]) == (0, 0)
    assert (tmp_path / "story.md").is_file()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--story", "there-is-none", "--chapters", "1"],
        ["--premise", "lighthouse " * 9_091, "--chapters", "1"],
    ],
)
def test_what_cannot_be_played_ends_with_2_and_a_sentence_and_leaves_no_story(
    command: Command, server: ScriptedServer, store: Store, arguments: list[str]
) -> None:
    ended = command(*arguments)

    assert ended.code == 2
    assert len(ended.said.splitlines()) == 1
    assert store.library.stories() == []
    assert ended.said.strip().endswith(".")
    assert "Traceback" not in ended.said
    assert server.history == []


def test_failed_run_ends_with_3_and_goes_on_later(
    command: Command, desk: Desk, store: Store
) -> None:
    desk.server.answer = saying(scorer=refuse(401, "no such key"))

    code, report, _ = command("--premise", PREMISE, "--chapters", "1")

    assert code == 3
    assert list(report) == KEYS
    assert (report["status"], report["chapters"]) == ("failed", 0)
    finished = finished_prompts(store, report["branch"])
    desk.server.answer = going_on
    code, report, _ = command("--story", report["story"], "--chapters", "1")
    assert (code, report["status"], report["chapters"]) == (0, "done", 1)
    expect_none_again(desk.server, finished)


def test_failed_run_writes_no_files(command: Command, desk: Desk, tmp_path: Path) -> None:
    desk.server.answer = saying(scorer=refuse(401, "no such key"))

    code, _, _ = command("--premise", PREMISE, "--chapters", "1", "--out", str(tmp_path / "out"))

    assert code == 3
    assert not (tmp_path / "out").exists()


def test_question_that_waits_in_the_app_is_left_to_the_writer(command: Command, desk: Desk) -> None:
    story = desk.drafted()

    ended = command("--story", story.id, "--chapters", "1")

    assert ended.code == 2
    assert "waits for your answer" in ended.said
    assert len(desk.workbench.runs.pending(desk.branch(story))) == 1


def test_interrupt_before_anything_was_begun_leaves_no_story(
    command: Command, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> Run:
        raise KeyboardInterrupt

    monkeypatch.setattr(RunService, "start", interrupt)

    ended = command(*NEW)

    assert ended.code == 130
    assert ended.said.splitlines() == [NOTHING_BEGUN]
    assert store.library.stories() == []


# As a process


def test_premise_in_broken_utf_8_is_refused_in_a_sentence(
    server: ScriptedServer, tmp_path: Path
) -> None:
    library = tmp_path / "new" / "library.db"
    process = begin_command(
        library, server, "run", "--premise", "caf\udce9 on the rock", "--chapters", "1"
    )
    try:
        printed, said = process.communicate(timeout=SECONDS)
    finally:
        kill(process)

    assert (process.returncode, printed) == (2, "")
    assert said == "--premise cannot be read: it is not text in UTF-8.\n"
    assert not library.parent.exists()


@pytest.mark.parametrize("imported", ["store.models.base", "langchain_core.messages", "playing"])
def test_interrupt_while_it_starts_ends_with_130_and_leaves_nothing(
    server: ScriptedServer, tmp_path: Path, imported: str
) -> None:
    """The last module is followed by the opening of the library, and then by the first run."""
    library, out = tmp_path / "new" / "library.db", tmp_path / "out"
    held = Held(lambda _: True)
    server.answer = held
    process = begin_command(
        library, server, "run", *NEW, "--out", str(out), "--json", tells_imports=True
    )
    try:
        assert process.stderr is not None
        name = re.compile(rf"\b{re.escape(imported)}$")
        assert any(name.search(line) for line in process.stderr)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=SECONDS)
    finally:
        kill(process)
        held.let_go()

    told = [line for line in said.splitlines() if not line.startswith("import time:")]
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert not out.exists()
    if imported != "playing":
        assert (printed, told) == ("", [NOTHING_BEGUN])
        assert not library.parent.exists()
    elif library.exists():
        with closing(Store.open(library)) as store:
            for left in store.library.stories():
                assert f"--story {left.story.id}" in said, "what is left can be gone on with"


def test_command_in_the_background_is_not_ended_by_ctrl_c(
    command: Command,
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert command(*NEW).code == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_interrupted_command_ends_with_130_and_goes_on_later(
    command: Command, desk: Desk, store: Store, library_path: Path
) -> None:
    story = desk.founded()
    branch = desk.branch(story)
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    process = begin_command(
        library_path, desk.server, "run", "--story", story.id, "--chapters", "1", "--json"
    )
    try:
        assert held.has_come.wait(SECONDS)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=SECONDS)
    finally:
        kill(process)
        held.let_go()

    assert process.returncode == 130, said
    assert "Traceback" not in said
    report = json.loads(printed.splitlines()[-1])
    assert list(report) == KEYS
    assert report["status"] == "interrupted"
    assert story.id in said, "it says how to go on"
    progress = desk.workbench.runs.progress(branch)
    assert progress is not None
    assert progress.run.state is RunState.STOPPED
    finished = finished_prompts(store, branch)
    assert command("--story", story.id, "--chapters", "1")[0] == 0
    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def test_command_prints_nothing_but_json_and_tells_progress_aside(
    desk: Desk, library_path: Path
) -> None:
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    process = begin_command(
        library_path, desk.server, "run", "--premise", PREMISE, "--chapters", "1", "--json"
    )
    try:
        assert process.stderr is not None
        assert any("Plotting chapter 1" in line for line in process.stderr)
        held.let_go()
        printed, said = process.communicate(timeout=SECONDS)
    finally:
        kill(process)
        held.let_go()

    assert process.returncode == 0, said
    [line] = printed.splitlines()
    assert json.loads(line)["chapters"] == 1
    assert "Plotting chapter 1" not in said, "a log names each step once"


class Terminal(StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_terminal_has_a_progress_bar(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    assert command("--premise", PREMISE, "--chapters", "1")[0] == 0

    assert "\r" in terminal.getvalue()
    assert "call" in terminal.getvalue()
