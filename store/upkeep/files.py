"""Files that are whole or not there: written under another name, synced, and then renamed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from store.errors import LibraryDamaged

PAGES = 512
"""Pages that are copied at a time: two megabytes."""
PAUSE = 0.01
"""Seconds between two times, in which others use the disk."""

_BESIDE = ("", "-wal", "-shm")

PART = ".part"
"""The end of the name of a file that is being written."""

_STAMP = "%Y-%m-%d %H.%M.%S"

OnPages = Callable[[int, int], None]
"""Is told how many pages are copied, of how many."""


def stamped(name: str, moment: datetime) -> str:
    """Return a name with a moment, in UTC, in its middle: "library 2026-11-23 09.12.03.db"."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem or name} {moment.astimezone(UTC).strftime(_STAMP)}{dot}{suffix if dot else ''}"


def moment_of(path: Path, name: str) -> datetime | None:
    """Return the moment in the name of a file that `stamped` named; None if it is another file."""
    stem, _, suffix = name.rpartition(".")
    if path.suffix != f".{suffix}" or not path.stem.startswith(f"{stem} "):
        return None
    try:
        return datetime.strptime(path.stem.removeprefix(f"{stem} "), _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def copy_database(source: Path, target: Path, on_pages: OnPages) -> None:
    """Copy a database as it is at this moment, while others go on writing to it.

    Raises:
        OSError, sqlite3.Error: if it cannot be read, or the copy cannot be written.
    """
    uri = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as reading:
        # Read within one transaction: otherwise the copy begins anew whenever somebody writes.
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with closing(sqlite3.connect(target)) as writing:
            reading.backup(
                writing,
                pages=PAGES,
                sleep=PAUSE,
                progress=lambda _status, left, whole: on_pages(whole - left, whole),
            )
            # One file that needs no other beside it.
            writing.execute("PRAGMA journal_mode = DELETE")
    sync(target)


def check_database(path: Path) -> None:
    """Check that every page and index of a database is sound.

    Raises:
        LibraryDamaged: if one is not.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as reading:
            found = reading.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.Error as error:
        raise LibraryDamaged(f"The file {path.name} is damaged ({error}).") from error
    if found != [("ok",)]:
        raise LibraryDamaged(f"The file {path.name} is damaged ({found[0][0]}).")


def files_of(path: Path) -> list[Path]:
    """Return the files that a database consists of while it is in use, itself the first."""
    return [path.with_name(f"{path.name}{ending}") for ending in _BESIDE]


def without_log(path: Path) -> None:
    """Make of a database that nobody has open one file on the disk that needs no other beside it.

    Raises:
        OSError, sqlite3.Error: if it cannot be written.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    sync(path)


def sync(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is on the disk."""
    try:
        descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    except OSError:
        if path.is_file():
            raise
        return  # a folder that cannot be opened, on Windows
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def put_in_place(written: Path, path: Path) -> None:
    """Give a written file its name, in place of the file of that name, if there is one."""
    written.replace(path)
    sync(path.parent)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is whole or not there, in place of the file of that name, if there is one.

    Raises:
        OSError: if it cannot be written; the file of that name is as it was.
    """
    written = path.with_name(f"{path.name}{PART}")
    try:
        written.write_bytes(content)
        sync(written)
        put_in_place(written, path)
    except OSError:
        remove_if_there(written)
        raise


def remove_if_there(*paths: Path) -> None:
    """Remove files of our own, which may not be there."""
    for path in paths:
        with suppress(OSError):
            path.unlink()
