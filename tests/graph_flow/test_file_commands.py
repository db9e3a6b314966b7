"""`tellwright import` and `tellwright export`: what they read and write, what they say, and how they end."""

from __future__ import annotations

import json
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from graph_flow.command_line import main
from store.formats.exports import DOCUMENTS, FORMATS, INTERACTIVE
from store.models.form import Form
from store.models.story import Brief
from store.open import Store
from tests.graph_flow.telling.mystery.mill import in_library
from tests.store.builders import LAMP_ROOM, LOCKED, adding, begin, go_on


@pytest.fixture
def library(library_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a library with a story of one typed chapter and a what if, which the commands find."""
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(library_path))
    store = Store.open(library_path)
    story = store.library.create_story(Brief(premise="A keeper.", language="English"), "The Lamp")
    branch = store.library.main_branch(story.id).id
    begin(store, branch)
    go_on(store, store.library.fork(branch, 0, "What if").id, adding(LAMP_ROOM, LOCKED))
    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    store.manuscript.save_text(branch, 1, "The lamp was out & nobody came.")
    store.close()
    return library_path


def export(form: str, out: Path, story: str = "The Lamp") -> int:
    return main(["export", story, "--format", form, "--out", str(out), "--json"])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.usefixtures("library")
def test_every_format_is_written(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "book.file"

    assert export(form, out) == 0

    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report == {
        **{"story": report["story"], "format": form},
        **{"file": str(out), "size": out.stat().st_size},
    }
    assert report["size"] > 100 or form in {"txt", "fountain"}


def test_story_without_text_has_no_book_but_its_data(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(library)
    story = store.library.create_story(Brief(premise="Another."), "Empty").id
    store.close()
    for form in DOCUMENTS:
        assert export(form.key, tmp_path / "x", story) == 2
        assert "nothing to export" in capsys.readouterr().err
    for interactive in INTERACTIVE:
        assert export(interactive.key, tmp_path / "x", story) == 2
        assert "no way not taken" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
    assert export("json", tmp_path / "x", story) == 0


def test_mystery_is_written_if_there_is_one(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.zip"
    assert export("mystery", out) == 2
    assert "There is no crime yet" in capsys.readouterr().err
    assert not out.exists()
    with closing(Store.open(library)) as store:
        story = store.library.create_story(Brief(premise="A mill."), "The mill").id
        in_library(store, store.library.main_branch(story).id)

    assert export("mystery", out, story) == 0

    with zipfile.ZipFile(out) as archive:
        assert [name[:2] for name in archive.namelist()] == ["00", "01", "02", "03", "04", "05"]


@pytest.mark.usefixtures("library")
def test_unknown_story_and_unwritable_file_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export("txt", tmp_path / "x", "No such story") == 2
    assert "Traceback" not in capsys.readouterr().err
    assert export("txt", tmp_path / "none" / "x") == 3
    assert "cannot be written" in capsys.readouterr().err
    with pytest.raises(SystemExit) as wrong:
        export("doc", tmp_path / "x")
    assert wrong.value.code == 2


def test_title_of_several_stories_names_none(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(library)
    store.library.create_story(Brief(premise="Another."), "The Lamp")
    store.close()

    assert export("txt", tmp_path / "x") == 2

    assert "give an id" in capsys.readouterr().err


def bring(*paths: Path) -> int:
    return main(["import", *map(str, paths), "--json"])


def test_folder_is_imported_as_a_book_and_listed(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "The Ship"
    folder.mkdir()
    for number in range(1, 8):
        (folder / f"{number}.md").write_text(f"# Night {number}\n\nThe *lamp* was out.")
    (folder / "README.md").write_text("Notes on the folder.")
    (folder / "cover.png").write_bytes(b"\x89PNG")

    assert bring(folder) == 0

    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (report["title"], report["chapters"], report["words"]) == ("The Ship", 7, 28)
    store = Store.open(library)
    [card] = [one for one in store.library.stories() if one.story.id == report["story"]]
    branch = store.library.main_branch(card.story.id).id
    texts = [one.draft.text for one in store.contents.texts(branch)]
    assert texts == ["The *lamp* was out."] * 7
    assert card.story.settings.chapter_cap == 14, "it is taken for half of a book"
    store.close()


def test_what_cannot_be_imported_leaves_the_library_as_it_was(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "b.docx"
    broken.write_bytes(b"no zip")
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (broken, tmp_path / "missing.txt", empty):
        assert bring(path) == 2
    told = capsys.readouterr()
    assert "“b.docx” cannot be read" in told.err
    assert "missing.txt cannot be read" in told.err
    assert not told.out
    store = Store.open(library)
    assert [one.story.title for one in store.library.stories()] == ["The Lamp"]
    store.close()
