"""Whole files on a disk without room: what was there stays, nothing is left behind, and words say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.database.database import Database
from store.errors import LibraryUnavailable
from store.formats.bundle import export_bundle, import_bundle
from store.models.story import Branch, Story
from store.open import Store
from store.upkeep.backups import backups_in, make_backup
from store.upkeep.files import write_whole
from store.upkeep.restoring import restore
from tests.fakes.full_disk import ROOM, full_disk
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on


@pytest.fixture
def told(store: Store, branch: Branch) -> Branch:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    return branch


def names(folder: Path) -> list[str]:
    """Return what is in a folder but for what SQLite keeps beside an open database."""
    return sorted(
        one.name for one in folder.iterdir() if not one.name.endswith(("-wal", "-shm", "-journal"))
    )


def test_backup_that_does_not_fit_leaves_nothing(store: Store, told: Branch) -> None:
    earlier = make_backup(store)
    before = names(earlier.path.parent)

    with full_disk(), pytest.raises(LibraryUnavailable, match="No backup could be made"):
        make_backup(store)

    assert names(earlier.path.parent) == before
    assert backups_in(store) == [earlier]
    assert make_backup(store).path.is_file()
    assert store.prototype.head(told.id) is not None


def test_backup_that_cannot_be_restored_for_want_of_room_leaves_the_library(
    store: Store, told: Branch, library_path: Path
) -> None:
    backup = make_backup(store)
    go_on(store, told.id, adding(), "Later")
    store.close()
    before = names(library_path.parent)

    with full_disk(), pytest.raises(LibraryUnavailable, match="Nothing was lost"):
        restore(library_path, backup.path)

    assert names(library_path.parent) == before
    again = Store.open(library_path)
    head = again.prototype.head(told.id)
    again.close()
    assert head is not None
    assert head.chapter == 2
    assert restore(library_path, backup.path) is not None


def test_import_that_does_not_fit_changes_nothing_and_works_once_there_is_room(
    store: Store, told: Branch, story: Story, library_path: Path
) -> None:
    file = export_bundle(store, story.id)
    before = names(library_path.parent)

    with full_disk(), pytest.raises(LibraryUnavailable, match="the disk is full"):
        import_bundle(store, file)

    assert names(library_path.parent) == before
    assert [one.story.id for one in store.library.stories()] == [story.id]
    copy = import_bundle(store, file)
    assert {one.story.id for one in store.library.stories()} == {story.id, copy.id}
    assert store.prototype.head(told.id) is not None


def test_import_that_finds_no_room_for_its_folder_says_so(
    store: Store, told: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = export_bundle(store, told.story)
    monkeypatch.setattr("os.mkdir", _no_space)

    with pytest.raises(LibraryUnavailable, match="no room left on the disk"):
        import_bundle(store, file)


def _no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_file_that_does_not_fit_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "story.md"
    write_whole(path, b"The lamp burned.")

    with full_disk(), pytest.raises(OSError, match="too large"):
        write_whole(path, b"x" * (ROOM + 1))

    assert path.read_bytes() == b"The lamp burned."
    assert names(tmp_path) == ["story.md"]
    write_whole(path, b"The lamp went out.")
    assert path.read_bytes() == b"The lamp went out."


@pytest.mark.parametrize(
    ("pragma", "undo", "words"),
    [
        ("max_page_count = 1", "max_page_count = 1000000", "no room left on the disk"),
        ("query_only = ON", "query_only = OFF", "read-only"),
    ],
)
def test_write_within_a_write_says_what_is_wrong_with_the_disk(
    new_path: Path, pragma: str, undo: str, words: str
) -> None:
    database = Database(new_path)

    def keep() -> None:
        with database.write(), database.write() as inner:
            rows = ({"key": f"{at}", "value": "x" * 10_000} for at in range(100))
            inner.table("settings").insert_all(rows)

    database.read().conn.execute(f"PRAGMA {pragma}")
    with pytest.raises(LibraryUnavailable, match=words) as raised:
        keep()

    assert raised.value.is_passing
    assert not database.read().conn.in_transaction
    assert database.rows("SELECT * FROM settings") == []
    database.read().conn.execute(f"PRAGMA {undo}")
    keep()
    assert len(database.rows("SELECT * FROM settings")) == 100
    database.close()
