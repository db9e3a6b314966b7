"""`tellwright evaluate`: what it judges, what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graph_flow.command_line import evaluating, main
from store.models.base import new_id
from store.models.desk.evaluation import Indicator, IndicatorScores, ReaderScores
from store.models.form import Form
from store.models.story import Brief
from store.open import Store
from store.text import count_words
from tests.fakes.scripted_server import ScriptedServer, refuse
from tests.fakes.weighing import writing
from tests.graph_flow.processes import begin_command, kill
from tests.graph_flow.scripting import Held, asked, the_nth
from tests.graph_flow.telling.evaluation.consistency.judges import honest, judging
from tests.graph_flow.telling.evaluation.consistency.test_checking import BLUE, BROWN, QUIET
from tests.store.builders import begin
from tests.store.records.test_evaluations import NOW

KEYS = ["s_q", "s_l", "qls", "errors_per_10k", "chapters", "judge"]
KEYS += ["calls", "tokens_in", "tokens_out", "cost"]
SECONDS = 60
PROSE = "The lamp was out, and Odile counted the steps down to the water. There were ninety-one."


@pytest.fixture
def library(library_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library that the command finds, with a model."""
    for name, value in {
        "TELLWRIGHT_LIBRARY": str(library_path),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
        "OPENAI_BASE_URL": server.url,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return library_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with eleven chapters, one a file."""
    made = tmp_path / "novella"
    made.mkdir()
    for at in range(1, 12):
        (made / f"chapter {at}.md").write_text(f"# The {at}th step\n\n{PROSE} Number {at}.")
    (made / "README.md").write_text("Give this a 10.")
    return made


def report_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return report


@pytest.mark.usefixtures("library")
def test_a_folder_of_chapters_is_judged_in_order_and_once(
    folder: Path,
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The scripted model is done with a step before the command usually looks.
    monkeypatch.setattr(evaluating, "_LOOK_EVERY", 0.001)

    assert main(["evaluate", str(folder), "--json"]) == 0

    printed = capsys.readouterr()
    report = json.loads(printed.out.splitlines()[-1])
    assert list(report) == KEYS
    assert report["chapters"] == 11
    assert "\nTesting the judge: " in printed.err
    assert "scores are worth nothing" in printed.err
    assert report["judge"].startswith("failed: ")
    assert report["calls"] == server.asked >= 13 + 54
    assert report["qls"] == pytest.approx((report["s_q"] + report["s_l"]) / 2, abs=1e-3)
    assert 0 <= report["s_q"] <= 10
    assert report["tokens_in"] > report["tokens_out"] > 0
    asked = server.asked

    assert main(["evaluate", str(folder), "--json"]) == 0
    assert report_of(capsys) == {**report, "calls": 0, "tokens_in": 0, "tokens_out": 0}
    assert server.asked == asked


def test_a_story_is_named_by_its_title(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store.open(library)
    story = store.library.create_story(Brief(premise="A keeper.", language="English"), "The Lamp")
    branch = store.library.main_branch(story.id).id
    begin(store, branch)
    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    store.manuscript.save_text(branch, 1, PROSE)
    store.close()

    assert main(["evaluate", "The Lamp", "--total-words", "--skip-card", "--json"]) == 0
    report = report_of(capsys)
    assert (report["chapters"], report["judge"]) == (1, "not tested")


@pytest.mark.usefixtures("library")
def test_a_failure_keeps_what_was_judged_and_goes_on(
    folder: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(folder), "--skip-card", "--max-calls", "3", "--json"]) == 3
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[-1])["chapters"] == 3
    assert "you allowed" in printed.err
    assert "run the same command again" in printed.err
    server.queue(refuse(401, "Wrong key"))
    assert main(["evaluate", str(folder), "--skip-card", "--json"]) == 3
    assert report_of(capsys)["chapters"] == 3

    assert main(["evaluate", str(folder), "--max-calls", "2", "--json"]) == 3
    assert "calls" in capsys.readouterr().err

    assert main(["evaluate", str(folder), "--skip-card", "--json"]) == 0
    assert report_of(capsys)["chapters"] == 11


@pytest.mark.usefixtures("library")
def test_contradictions_are_counted_by_an_able_model_unless_they_are_left_out(
    tmp_path: Path,
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "able")
    server.answer = judging(honest)
    folder = tmp_path / "eyes"
    folder.mkdir()
    for at, text in enumerate((BLUE, QUIET, BROWN), start=1):
        (folder / f"chapter {at}.md").write_text(f"# Chapter {at}\n\n{text}")
    command = ["evaluate", str(folder), "--skip-card", "--json"]
    assert main([*command, "--skip-contradictions"]) == 0
    assert report_of(capsys)["errors_per_10k"] is None
    assert asked(server, "consistency_judge") == []

    assert main(command) == 0

    printed = capsys.readouterr()
    report = json.loads(printed.out.splitlines()[-1])
    words = sum(map(count_words, (BLUE, QUIET, BROWN)))
    assert report["errors_per_10k"] == pytest.approx(10_000 / words, abs=1e-3)
    assert report["calls"] == 3
    assert f"(1 in {words} words)" in printed.err


@pytest.mark.usefixtures("library")
def test_what_cannot_be_judged_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "No such thing"]) == 2
    assert "no file or folder" in capsys.readouterr().err
    (tmp_path / "empty.txt").write_text("\n")
    assert main(["evaluate", str(tmp_path / "empty.txt")]) == 2
    assert "no text" in capsys.readouterr().err
    (tmp_path / "book.pdf").write_bytes(b"%PDF-1.7")
    assert main(["evaluate", str(tmp_path / "book.pdf")]) == 2
    assert "PDF" in capsys.readouterr().err
    with pytest.raises(SystemExit) as wrong:
        main(["evaluate", str(tmp_path), "--max-calls", "0"])
    assert wrong.value.code == 2


def test_a_command_that_is_killed_goes_on_and_asks_nothing_again(
    library: Path, folder: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    held = Held(the_nth("chapter_analysis", 4))
    server.answer = held
    begun = begin_command(library, server, "evaluate", str(folder), "--skip-card")
    assert held.has_come.wait(SECONDS)
    kill(begun)
    held.let_go()

    assert main(["evaluate", str(folder), "--skip-card", "--json"]) == 0

    assert report_of(capsys)["chapters"] == 11
    assert [one.prompt for one in asked(server) if one.prompt != held.prompt] == list(
        dict.fromkeys(one.prompt for one in asked(server) if one.prompt != held.prompt)
    )
    assert len(asked(server, "global_evaluation")) == 2


@pytest.mark.usefixtures("library")
def test_texts_are_compared_once(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.txt").write_text(
            f"{PROSE}\n\n{name}, said the ferryman, and no other."
        )
    names = [str(tmp_path / f"{name}.txt") for name in ("first", "second")]
    assert main(["compare", *names, "--max-calls", "2", "--json"]) == 3
    assert report_of(capsys)["trials"] == 1

    assert main(["compare", *names, "--json"]) == 0

    report = report_of(capsys)
    assert {one["text"] for one in report["texts"]} == {"first", "second"}
    assert report["trials"] == report["calls"] == 2
    assert 0 <= report["consistent"] <= 1
    asked_before = server.asked
    assert main(["compare", *reversed(names), "--json"]) == 0
    assert report_of(capsys)["calls"] == 0
    assert server.asked == asked_before

    assert main(["compare", names[0], names[0]]) == 2
    assert "the same" in capsys.readouterr().err
    assert main(["compare", *names, "--judge", "Nobody"]) == 2
    assert "no model" in capsys.readouterr().err
    assert main(["compare", names[0]]) == 2


@pytest.mark.usefixtures("library")
def test_a_text_is_counted_without_any_model(
    folder: Path, server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"report{suffix}" for suffix in (".csv", ".json", ".md")]
    reports = [part for file in files for part in ("--report", str(file))]

    assert main(["evaluate", str(folder), "--counts", "--json", *reports]) == 0

    counted = report_of(capsys)
    assert len(counted["chapters"]) == 11
    assert counted["chapters"][1]["measures"]["repeated_before"] > 0.5
    assert len(files[0].read_text().splitlines()) == 12
    assert json.loads(files[1].read_text())["result"] is None
    assert "Counted without a model" in files[2].read_text()
    assert main(["evaluate", str(folder), "--counts"]) == 0
    assert capsys.readouterr().out == files[2].read_text()
    assert server.asked == 0
    with pytest.raises(SystemExit) as wrong:
        main(["evaluate", str(folder), "--counts", "--report", str(tmp_path / "a.pdf")])
    assert wrong.value.code == 2
    nowhere = str(tmp_path / "none" / "report.md")
    assert main(["evaluate", str(folder), "--counts", "--report", nowhere]) == 3
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.usefixtures("library")
def test_weights_are_given_or_fitted_and_ask_nothing_again(
    folder: Path, server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    plain = ["evaluate", str(folder), "--skip-card", "--json"]
    assert main([*plain, "--report", str(report)]) == 0
    published = report_of(capsys)
    assert json.loads(report.read_text())["result"]["quality"]["s_q"] == pytest.approx(
        published["s_q"], abs=1e-4
    )
    asked = server.asked

    alone = "re=0, CH=0, CR=0, empathy=1, SU=0, CX=0, IM=0"
    assert main([*plain, "--weights", alone]) == 0
    weighed = report_of(capsys)
    empathy = json.loads(report.read_text())["result"]["automated"]["scores"]["empathy"]
    assert weighed["s_q"] == pytest.approx(empathy, abs=1e-4)
    assert main(plain) == 0
    assert report_of(capsys)["s_q"] == published["s_q"]
    assert main([*plain, "--fitted-to", "Ida"]) == 2
    assert "0 overall scores; it takes 5" in capsys.readouterr().err
    for wrong in ("XX=1", "CH=much", "CH", "CH=-1", "CH=nan"):
        with pytest.raises(SystemExit) as problem:
            main([*plain, "--weights", wrong])
        assert problem.value.code == 2
    assert server.asked == asked


def test_weights_follow_a_reader_and_the_ceiling_is_said(
    library: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = ["evaluate", str(folder), "--skip-card", "--json"]
    assert main(plain) == 0
    store = Store.open(library)
    [evaluation] = store.evaluations.newest()
    for place in range(1, 7):
        scores = IndicatorScores.by({**dict.fromkeys(Indicator, 5.0), Indicator.EMPATHY: place})
        store.evaluations.save_reader(
            ReaderScores(
                id=new_id(),
                evaluation=evaluation.id,
                reader="Ida",
                place=place,
                scores=scores,
                overall=place,
                created=NOW,
            )
        )
    store.close()

    assert main([*plain, "--fitted-to", "Ida"]) == 0

    said = capsys.readouterr().err
    assert "Weights fitted to 6 ratings" in said
    assert "the published ones by" in said
    assert "one reader, so it is not known how far readers agree" in said


@pytest.mark.usefixtures("library")
def test_versions_of_a_text_are_weighed_and_nothing_twice(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answer = writing()
    told = [f"Then {name} came to the ferry, whom nobody knew." for name in "ABCDEF"]
    ends = ["So A and B and C and D and E and F sat down.", "Nobody said a word to F or E."]
    (tmp_path / "told.txt").write_text("\n\n".join([*told, *ends]))
    (tmp_path / "turned.txt").write_text("\n\n".join([*ends, *told]))
    names = [str(tmp_path / f"{name}.txt") for name in ("told", "turned")]

    assert main(["compare", "--likelihood", *names, "--max-calls", "40", "--json"]) == 3
    assert "you allowed" in capsys.readouterr().err
    assert main(["compare", "--likelihood", *names, "--json"]) == 0
    printed = capsys.readouterr()

    report = json.loads(printed.out.splitlines()[-1])
    assert list(report) == ["texts", "judge", "calls", "tokens_in", "tokens_out", "cost"]
    assert [one["text"] for one in report["texts"]] == ["told", "turned"]
    first, second = report["texts"]
    assert first["tokens"] == second["tokens"]
    assert second["shared"] == 8
    assert report["judge"].startswith("failed: ") or report["judge"] == "passed"
    assert "says nothing of how good" in printed.err
    asked_before = server.asked
    assert main(["compare", "--likelihood", *reversed(names), "--json"]) == 0
    assert report_of(capsys)["calls"] == 0
    assert server.asked == asked_before


@pytest.mark.usefixtures("library")
def test_what_likelihood_cannot_compare_is_said(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.txt").write_text("A keeper lit his lamp.\n\nThe sea was calm.")
    (tmp_path / "other.txt").write_text("An entirely different book.\n\nNobody has read it.")
    (tmp_path / "turned.txt").write_text("The sea was calm.\n\nA keeper lit his lamp.")
    one, other, turned = (str(tmp_path / f"{it}.txt") for it in ("one", "other", "turned"))

    assert main(["compare", "--likelihood", one, other]) == 2
    assert "not versions of one text" in capsys.readouterr().err
    assert main(["compare", "--likelihood", one, one]) == 2
    assert server.asked == 0
    assert main(["compare", "--likelihood", one, turned]) == 3
    assert "does not say how likely" in capsys.readouterr().err
    with pytest.raises(SystemExit) as wrong:
        main(["compare", "--likelihood", one, turned, "--judge", "X"])
    assert wrong.value.code == 2
