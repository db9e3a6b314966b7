"""The library file: nothing is lost, nothing is rewritten, and what is not ours is left alone."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest

from store.database.database import Database
from store.database.migrations import MIGRATIONS
from store.database.model_tables import TABLES
from store.errors import LibraryDamaged, LibraryTooNew, LibraryUnavailable, StoreError
from store.models.prototype import ENTITY_TYPES
from tests.statements import recorded

WRITERS = 8
ROUNDS = 25
WINDOWS = 40


def test_opening_makes_the_folder_and_all_tables(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "library.db"
    database = Database(path)
    applied = [row["number"] for row in database.rows("SELECT number FROM migrations")]
    assert applied == list(range(1, len(MIGRATIONS) + 1))
    assert database.row("PRAGMA journal_mode") == {"journal_mode": "wal"}
    assert database.row("PRAGMA foreign_keys") == {"foreign_keys": 1}
    database.close()


def test_commit_is_on_the_disk_before_it_counts_as_done(new_path: Path) -> None:
    """With a log, only 2 (full) syncs it at each commit; 1 (normal) may lose the last ones."""
    database = Database(new_path)
    with database.write() as writing:
        assert writing.conn.execute("PRAGMA synchronous").fetchone() == (2,)
        assert writing.conn.execute("PRAGMA fullfsync").fetchone() == (1,)
        assert writing.conn.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(database.row, "PRAGMA synchronous").result() == {"synchronous": 2}
    database.close()


def test_tables_have_a_column_for_every_field(new_path: Path) -> None:
    """A field that a model gains gets one by itself if it has a default, and else by a migration."""
    database = Database(new_path)
    for kind, model in ENTITY_TYPES.items():
        columns = {row["name"] for row in database.rows(f"PRAGMA table_info({TABLES[kind]})")}
        assert set(model.model_fields) - {"kind"} <= columns
    database.close()


def test_opening_again_changes_nothing(new_path: Path) -> None:
    database = Database(new_path)
    with database.write() as writing:
        writing.table("settings").insert({"key": "a", "value": "1"})
    database.close()
    before = new_path.read_bytes()
    database = Database(new_path)
    assert database.rows("SELECT * FROM settings") == [{"key": "a", "value": "1"}]
    database.close()
    assert new_path.read_bytes() == before


def test_a_new_library_is_the_same_where_no_file_can_be_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> None:
        raise OSError("no links here")

    linked, migrated = tmp_path / "linked.db", tmp_path / "migrated.db"
    Database(linked).close()
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    Database(migrated).close()

    assert whole(linked) == whole(migrated)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["linked.db", "migrated.db"]


def whole(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all that is in a library, but for the moments of its migrations."""
    tables = "SELECT * FROM sqlite_schema ORDER BY name"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE migrations SET applied = ''")
        made = [one[:3] + one[4:] for one in connection.execute(tables)]
        rows = {
            name: connection.execute(f"SELECT * FROM {name}").fetchall()
            for _, name, _, sql in made
            if sql and sql.startswith("CREATE TABLE")
        }
    return {"schema": made, **rows}


@pytest.mark.parametrize("is_there", [False, True])
def test_many_openers_of_a_new_library_migrate_it_once(new_path: Path, *, is_there: bool) -> None:
    if is_there:
        new_path.touch()
    barrier = threading.Barrier(WRITERS)

    def open_it() -> None:
        barrier.wait()
        Database(new_path).close()

    with ThreadPoolExecutor(WRITERS) as pool:
        for opened in [pool.submit(open_it) for _ in range(WRITERS)]:
            opened.result()
    database = Database(new_path)
    assert len(database.rows("SELECT * FROM migrations")) == len(MIGRATIONS)
    database.close()


def test_a_newer_library_is_refused_and_left_alone(new_path: Path) -> None:
    database = Database(new_path)
    with database.write() as writing:
        row = {"number": 999, "name": "m999_later", "applied": ""}
        writing.table("migrations").insert(row)
    database.close()
    before = new_path.read_bytes()
    with pytest.raises(LibraryTooNew, match="newer version"):
        Database(new_path)
    assert new_path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary, " * 400, b"\x00\xff" * 4096])
def test_a_file_that_is_no_library_is_refused_and_left_alone(
    new_path: Path, content: bytes
) -> None:
    new_path.write_bytes(content)
    with pytest.raises(LibraryDamaged, match="not a Tellwright library"):
        Database(new_path)
    assert new_path.read_bytes() == content


def test_the_database_of_another_program_is_refused_and_left_alone(new_path: Path) -> None:
    connection = sqlite3.connect(new_path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = new_path.read_bytes()
    with pytest.raises(LibraryDamaged, match="another program"):
        Database(new_path)
    assert new_path.read_bytes() == before


def test_a_folder_is_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryUnavailable):
        Database(tmp_path)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LibraryUnavailable, match="cannot be opened"):
        Database(tmp_path / "file" / "library.db")


def test_a_failed_write_leaves_nothing(new_path: Path) -> None:
    database = Database(new_path)

    def write_and_fail() -> None:
        with database.write() as writing:
            writing.table("settings").insert_all(
                {"key": str(n), "value": "1"} for n in range(1_000)
            )
            writing.table("settings").upsert({"key": "0", "value": "2"}, pk="key")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert database.rows("SELECT * FROM settings") == []
    database.close()


def test_a_write_within_a_write_is_kept_or_dropped_with_it(new_path: Path) -> None:
    database = Database(new_path)

    def inner(key: str, *, fails: bool) -> None:
        with database.write() as writing:
            writing.table("settings").insert({"key": key, "value": "1"})
            if fails:
                raise KeyError(key)

    with database.write():
        inner("kept", fails=False)
        with pytest.raises(KeyError):
            inner("dropped", fails=True)
    assert [row["key"] for row in database.rows("SELECT key FROM settings")] == ["kept"]
    database.close()


def test_eight_writers_lose_nothing(new_path: Path) -> None:
    """Each adds one to the same number: a lost or a stale write would show in the sum."""
    database = Database(new_path)
    with database.write() as writing:
        writing.table("settings").insert({"key": "count", "value": "0"})
    barrier = threading.Barrier(WRITERS)

    def add() -> None:
        barrier.wait()
        for _ in range(ROUNDS):
            with database.write() as writing:
                row = database.row("SELECT value FROM settings WHERE key = 'count'")
                assert row is not None
                writing.table("settings").update("count", {"value": str(int(row["value"]) + 1)})

    _in_threads(add)
    row = database.row("SELECT value FROM settings WHERE key = 'count'")
    assert row == {"value": str(WRITERS * ROUNDS)}
    database.close()


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold the lock as another program does that writes more than it keeps in memory."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    finally:
        connection.close()


PATIENCE = 0.2


def test_writer_waits_for_as_long_as_another_is_at_work(new_path: Path) -> None:
    """The other one takes many times as long as a writer waits for one that does nothing."""
    database = Database(new_path, PATIENCE)
    is_done = threading.Event()
    pause = threading.Event()

    with writing(new_path) as other:

        def work() -> None:
            for number in range(40):
                other.execute("INSERT INTO settings VALUES (?, ?)", (str(number), "x" * 50_000))
                pause.wait(PATIENCE / 8)
            other.execute("COMMIT")
            is_done.set()

        worker = threading.Thread(target=work)
        worker.start()
        with database.write() as mine:
            assert is_done.wait(60)
            mine.table("settings").insert({"key": "mine", "value": "1"})
        worker.join()
    assert len(database.rows("SELECT key FROM settings")) == 41
    database.close()


def test_writer_that_waits_in_vain_says_so_in_plain_words(new_path: Path) -> None:
    database = Database(new_path, PATIENCE)
    with writing(new_path):
        with pytest.raises(LibraryUnavailable, match="Another window or program") as raised:
            database.write().__enter__()
        assert "locked" not in str(raised.value)
    with database.write() as mine:
        mine.table("settings").insert({"key": "mine", "value": "1"})
    database.close()


def test_a_reader_does_not_see_what_is_not_yet_written(new_path: Path) -> None:
    database = Database(new_path)
    with database.write() as writing:
        writing.table("settings").insert({"key": "a", "value": "1"})
        with ThreadPoolExecutor(1) as pool:
            seen = pool.submit(database.rows, "SELECT * FROM settings").result()
    assert seen == []
    assert len(database.rows("SELECT * FROM settings")) == 1
    database.close()


def test_threads_take_over_the_connections_of_dead_threads(new_path: Path) -> None:
    database = Database(new_path)
    for _ in range(20):
        reader = threading.Thread(target=database.rows, args=("SELECT 1",))
        reader.start()
        reader.join()
    assert database.connection_count == 2
    database.close()
    assert database.connection_count == 0


def test_what_a_dead_thread_left_half_written_is_not_taken_over(new_path: Path) -> None:
    database = Database(new_path)

    def begin() -> None:
        database.read().conn.execute("BEGIN IMMEDIATE")
        database.read().table("settings").insert({"key": "a", "value": "1"})

    writer = threading.Thread(target=begin)
    writer.start()
    writer.join()
    with database.write() as writing:
        writing.table("settings").insert({"key": "b", "value": "2"})
    assert [row["key"] for row in database.rows("SELECT * FROM settings")] == ["b"]
    assert database.connection_count == 1
    database.close()


def test_no_connection_outlives_a_closed_library(new_path: Path) -> None:
    database = Database(new_path)
    has_read, may_end = threading.Event(), threading.Event()
    found: list[sqlite3.Connection] = []

    def read() -> None:
        found.append(database.read().conn)
        has_read.set()
        may_end.wait()

    reader = threading.Thread(target=read)
    reader.start()
    has_read.wait()
    database.close()
    may_end.set()
    reader.join()
    assert database.connection_count == 0
    with pytest.raises(sqlite3.ProgrammingError):
        found[0].execute("SELECT 1")


def test_a_released_connection_is_opened_again_on_need(new_path: Path) -> None:
    database = Database(new_path)
    database.release()
    assert database.connection_count == 0
    assert database.rows("SELECT 1 AS one") == [{"one": 1}]
    database.close()


def test_writing_the_same_again_takes_no_new_statements(
    new_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that is new each time pushes out one that is prepared already."""
    asked = recorded(monkeypatch)
    database = Database(new_path)

    def fail() -> None:
        with database.write() as inner:
            inner.table("settings").update("a", {"value": "never"})
            raise ZeroDivisionError

    def write(number: int) -> None:
        with database.write() as outer, database.write():
            outer.table("settings").upsert({"key": "a", "value": str(number)}, pk="key")
            with pytest.raises(ZeroDivisionError):
                fail()

    write(0)
    asked.clear()
    for number in range(1, 6):
        write(number)

    assert database.rows("SELECT value FROM settings") == [{"value": "5"}]
    # What is bound to a statement is traced with it.
    shapes = {re.sub(r"'[^']*'", "?", statement) for statement in asked}
    assert len(shapes) < len(asked) / 4
    assert not [shape for shape in shapes if re.search(r"\bSAVEPOINT \w*_\w{8}", shape)]
    database.close()


def test_handles_of_many_threads_at_once_are_given_back(new_path: Path) -> None:
    database = Database(new_path)
    database.rows("SELECT count(*) FROM stories")
    begun = handles_of(new_path)
    everybody = threading.Barrier(WINDOWS)

    def read() -> None:
        database.rows("SELECT 1")
        everybody.wait()

    for _ in range(3):
        readers = [threading.Thread(target=read) for _ in range(WINDOWS)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    del readers

    assert handles_of(new_path) > begun + WINDOWS // 2
    database.rest()
    assert handles_of(new_path) == 0
    assert database.rows("SELECT count(*) AS stories FROM stories") == [{"stories": 0}]
    assert handles_of(new_path) <= begun
    database.close()


def handles_of(library: Path) -> int:
    """Return how many handles this process has of a library and of what SQLite keeps beside it."""
    opened = psutil.Process().open_files()
    return sum(Path(file.path).name.startswith(library.name) for file in opened)


def test_a_closed_library_says_so(new_path: Path) -> None:
    database = Database(new_path)
    database.close()
    with pytest.raises(StoreError, match="closed"):
        database.read()


def _in_threads(work: Callable[[], None]) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        for done in [pool.submit(work) for _ in range(WRITERS)]:
            done.result()


def test_a_library_with_a_broken_page_says_so(new_path: Path) -> None:
    database = Database(new_path)
    with database.write() as writing:
        writing.table("settings").insert_all({"key": str(n), "value": "x" * 99} for n in range(999))
    database.close()
    page = 4096
    content = new_path.read_bytes()
    new_path.write_bytes(content[:page] + b"\xff" * (len(content) - page))
    with pytest.raises(LibraryDamaged):
        Database(new_path).rows("SELECT * FROM settings")
