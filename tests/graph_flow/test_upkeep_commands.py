"""`tellwright backup`, `restore`, `verify` and `salvage`: what they say, and how they end."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graph_flow.command_line import main
from graph_flow.workbench.assembly import assemble
from store.models.story import Brief
from store.open import Store
from tests.store.builders import begin


@pytest.fixture
def library(library_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library with a story, which the commands find and nobody has open."""
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(library_path))
    store = Store.open(library_path)
    story = store.library.create_story(Brief(premise="A keeper."), "The Lamp Room")
    begin(store, store.library.main_branch(story.id).id)
    store.close()
    return library_path


def damage(library: Path) -> None:
    with closing(sqlite3.connect(library)) as connection, connection:
        connection.execute("UPDATE commits SET title = 'Another'")


def test_backup_is_made_and_restored(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--to", str(tmp_path / "copies")]) == 0
    backup = Path(capsys.readouterr().out.strip())
    assert backup.parent == tmp_path / "copies"
    before = library.read_bytes()
    damage(library)

    assert main(["restore", str(backup)]) == 0

    said = capsys.readouterr().err
    assert "The one before is kept as" in said
    assert main(["verify"]) == 0
    assert len(before) == library.stat().st_size


def test_restore_is_refused_while_the_app_is_open(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--to", str(tmp_path)]) == 0
    backup = capsys.readouterr().out.strip()
    with closing(assemble(library)) as workbench:
        assert main(["restore", backup]) == 2
        assert "nothing was changed" in capsys.readouterr().err
        assert len(workbench.library.stories()) == 1


@pytest.mark.parametrize("is_damaged", [False, True])
def test_verify_says_what_is_sound(
    library: Path, capsys: pytest.CaptureFixture[str], is_damaged: bool
) -> None:
    if is_damaged:
        damage(library)
    code = 3 if is_damaged else 0
    assert main(["verify", "--json"]) == code
    report = json.loads(capsys.readouterr().out)
    assert report["is_sound"] is not is_damaged
    assert [one["title"] for one in report["stories"]] == ["The Lamp Room"]
    assert bool(report["stories"][0]["problems"]) is is_damaged
    assert main(["verify"]) == code
    said = capsys.readouterr().out
    assert ("“The Lamp Room” is damaged" in said) is is_damaged
    assert ("tellwright salvage" in said) is is_damaged


def test_verify_of_a_file_that_cannot_be_opened_says_so(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library.write_bytes(b"\xff" * 20_000)
    assert main(["verify", "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert not report["is_sound"]
    assert report["stories"] == []


def test_salvage_says_what_is_gone(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(library)
    assert main(["salvage", str(library), "--to", str(tmp_path / "new.db")]) == 3
    said = capsys.readouterr().err
    assert "1 stories are saved" in said
    assert "the plot of chapters 0 is gone" in said


@pytest.mark.parametrize("command", ["backup", "verify"])
def test_no_library_is_made_by_looking_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(tmp_path / "none.db"))
    assert main([command]) == 2
    assert list(tmp_path.iterdir()) == []


def test_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(one in said for one in ("run", "backup", "restore", "verify", "salvage"))
