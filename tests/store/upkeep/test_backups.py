"""A backup is whole or not there, holds up nobody, and can take the place of the library."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.database.rows import column, now
from store.errors import LibraryDamaged, LibraryTooNew, LibraryUnavailable, StoreError
from store.models.story import Branch, Story
from store.open import Store
from store.upkeep import files
from store.upkeep.backups import (
    back_up_if_due,
    backups_in,
    choose_folder,
    folder_of,
    is_due,
    make_backup,
)
from store.upkeep.files import moment_of, stamped
from store.upkeep.restoring import LibraryInUse, restore
from tests.store.builders import CHAPTER_ONE, MARA, adding, begin, changing, go_on


@pytest.fixture
def told(store: Store, branch: Branch) -> Branch:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    return branch


def titles(library: Path) -> list[str]:
    store = Store.open(library)
    try:
        return sorted(card.story.title for card in store.library.stories())
    finally:
        store.close()


def test_backup_is_the_library_as_it_was(store: Store, told: Branch) -> None:
    backup = make_backup(store)
    go_on(store, told.id, changing(MARA, status="away"))

    assert backup.path.parent == store.database.path.parent / "backups"
    assert [file.name for file in backup.path.parent.iterdir()] == [backup.path.name]
    assert moment_of(backup.path, store.database.path.name) == backup.made
    assert backups_in(store) == [backup]
    copy = Store.open(backup.path)
    assert len(copy.prototype.commits(told.id)) == 2
    copy.prototype.verify(told.id)
    copy.close()


def test_others_write_while_a_backup_is_made_and_it_does_not_begin_anew(
    store: Store, told: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is of the moment in which it began."""
    monkeypatch.setattr(files, "PAGES", 4)
    other = sqlite3.connect(store.database.path, timeout=0, isolation_level=None)
    left: list[int] = []

    def write(part: int, whole: int) -> None:
        other.execute("INSERT INTO settings VALUES (?, ?)", (str(len(left)), "x" * 20_000))
        left.append(whole - part)

    backup = make_backup(store, on_pages=write)

    other.close()
    assert len(left) > 10
    assert left == sorted(left, reverse=True)
    with closing(sqlite3.connect(backup.path)) as copy:
        assert copy.execute("SELECT count(*) FROM settings").fetchone() == (0,)
    assert len(store.prototype.commits(told.id)) == 2


def test_backups_go_into_the_folder_of_the_writer_s_choice(
    store: Store, tmp_path: Path, told: Branch
) -> None:
    chosen = tmp_path / "on another disk" / "copies"
    choose_folder(store, chosen)
    assert folder_of(store) == chosen
    assert make_backup(store).path.parent == chosen
    once = tmp_path / "once"
    assert make_backup(store, once).path.parent == once
    assert len(backups_in(store)) == len(backups_in(store, once)) == 1
    choose_folder(store, None)
    assert folder_of(store) == store.database.path.parent / "backups"
    assert store.prototype.head(told.id) is not None


def test_folder_that_cannot_be_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be kept"):
        choose_folder(store, tmp_path / "file" / "folder")
    assert folder_of(store).name == "backups"
    with pytest.raises(LibraryUnavailable, match="Nothing was changed"):
        make_backup(store, tmp_path / "file" / "folder")


def test_old_backups_are_thinned_out_and_other_files_left_alone(
    store: Store, tmp_path: Path
) -> None:
    library = store.database.path
    long_ago = datetime(2020, 3, 5, 7, tzinfo=UTC)
    for hours in range(5):
        (tmp_path / "b").mkdir(exist_ok=True)
        name = stamped(library.name, long_ago + timedelta(hours=hours))
        (tmp_path / "b" / name).write_bytes(b"")
    (tmp_path / "b" / "notes.txt").touch()
    (tmp_path / "b" / "other 2020-03-05 07.00.00.db").touch()

    made = make_backup(store, tmp_path / "b")

    assert {file.name for file in (tmp_path / "b").iterdir()} == {
        made.path.name,
        stamped(library.name, long_ago + timedelta(hours=4)),
        "notes.txt",
        "other 2020-03-05 07.00.00.db",
    }


def test_backup_is_due_a_day_after_the_last_if_something_was_done(
    store: Store, story: Story
) -> None:
    assert is_due(store)
    first = back_up_if_due(store)
    assert first is not None
    assert back_up_if_due(store) is None
    tomorrow = now() + timedelta(hours=25)
    with store.database.write() as database:
        before = column(first.made - timedelta(minutes=1))
        database.execute("UPDATE stories SET touched = ?", (before,))
    assert not is_due(store, tomorrow)
    store.library.rename(story.id, "Another")
    assert not is_due(store)
    assert is_due(store, tomorrow)
    assert back_up_if_due(store, tomorrow) is not None
    assert len(backups_in(store)) == 2


def test_empty_library_needs_no_backup(store: Store) -> None:
    assert not is_due(store)


@pytest.mark.usefixtures("told")
def test_no_backup_is_made_of_a_damaged_library(store: Store, tmp_path: Path) -> None:
    broken = tmp_path / "broken" / "library.db"
    broken.parent.mkdir()
    kept = make_backup(store, broken.parent / "backups")
    broken.write_bytes(overwritten(kept.path, "drafts_in_order"))
    damaged = Store.open(broken)
    with pytest.raises(LibraryDamaged, match="no backup was made"):
        make_backup(damaged)
    assert [one.path for one in backups_in(damaged)] == [kept.path]
    assert len(list((broken.parent / "backups").iterdir())) == 1
    damaged.close()


def overwritten(library: Path, name: str, filling: bytes = b"\0") -> bytes:
    """Return a library in which the root page of a table or an index is overwritten."""
    with closing(sqlite3.connect(library)) as copy:
        [[page]] = copy.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,))
        [[size]] = copy.execute("PRAGMA page_size")
    content = bytearray(library.read_bytes())
    content[(page - 1) * size : page * size] = filling * size
    return bytes(content)


@pytest.mark.usefixtures("story")
def test_restored_backup_takes_the_library_s_place(store: Store, library_path: Path) -> None:
    backup = make_backup(store)
    store.library.create_story(title="Later")
    store.close()
    checkpoints = library_path.with_name("library.checkpoints.db")
    assert checkpoints.exists()

    aside = restore(library_path, backup.path, [checkpoints])

    assert aside is not None
    assert titles(library_path) == ["The Lamp Room"]
    assert titles(aside) == ["Later", "The Lamp Room"]
    assert not checkpoints.exists()
    assert len(list(library_path.parent.glob("library.checkpoints.db set aside*"))) == 1
    assert list(library_path.parent.glob("*.restoring*")) == []
    assert backup.path.exists()


@pytest.mark.usefixtures("story")
def test_library_that_was_set_aside_is_not_written_over(
    store: Store, library_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.library.create_story(title="First")
    backup = make_backup(store).path
    store.library.create_story(title="Second")
    store.close()
    moment = now()
    monkeypatch.setattr("store.upkeep.restoring.now", lambda: moment)

    aside = [restore(library_path, backup) for _ in range(3)]

    assert ["Second" in titles(one) for one in aside if one is not None] == [True, False, False]
    assert "Second" not in titles(library_path)


@pytest.mark.usefixtures("story")
def test_library_that_is_open_is_not_replaced(store: Store, library_path: Path) -> None:
    backup = make_backup(store)
    store.library.create_story(title="Later")
    with pytest.raises(LibraryInUse, match="still has the library"):
        restore(library_path, backup.path)
    assert len(store.library.stories()) == 2
    store.library.create_story(title="And later")
    store.close()
    assert len(titles(library_path)) == 3
    assert sorted(path.name for path in library_path.parent.glob("library*")) == [
        "library.checkpoints.db",
        "library.db",
    ]


def test_what_is_no_sound_backup_is_not_restored(store: Store, library_path: Path) -> None:
    store.library.create_story(title="Here")
    backup = make_backup(store)
    store.close()
    before = library_path.read_bytes()
    folder = backup.path.parent
    (folder / "cut.db").write_bytes(backup.path.read_bytes()[:-8_192])
    (folder / "text.db").write_text("Dear diary, " * 900)
    (folder / "broken.db").write_bytes(overwritten(backup.path, "stories"))
    with closing(sqlite3.connect(folder / "newer.db")) as newer:
        newer.executescript("CREATE TABLE migrations (number); INSERT INTO migrations VALUES (999)")
    for name in ("cut.db", "text.db", "broken.db"):
        with pytest.raises(LibraryDamaged):
            restore(library_path, folder / name)
    with pytest.raises(LibraryTooNew):
        restore(library_path, folder / "newer.db")
    with pytest.raises(LibraryUnavailable, match="There is no file"):
        restore(library_path, folder / "none.db")
    assert library_path.read_bytes() == before
    assert sorted(path.name for path in library_path.parent.glob("library*")) == [
        "library.checkpoints.db",
        "library.db",
    ]


@pytest.mark.usefixtures("story")
def test_damaged_library_is_set_aside_for_a_backup(store: Store, library_path: Path) -> None:
    backup = make_backup(store)
    store.close()
    damaged = b"\xff" * 50_000
    library_path.write_bytes(damaged)
    aside = restore(library_path, backup.path)
    assert aside is not None
    assert aside.read_bytes() == damaged
    assert titles(library_path) == ["The Lamp Room"]


@pytest.mark.usefixtures("story")
def test_backup_can_come_where_no_library_is(store: Store, tmp_path: Path) -> None:
    backup = make_backup(store)
    assert restore(tmp_path / "elsewhere" / "library.db", backup.path) is None
    assert titles(tmp_path / "elsewhere" / "library.db") == ["The Lamp Room"]
