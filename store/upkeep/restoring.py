"""Put a backup in the place of a library, which is set aside and never deleted."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from store.database.database import Database
from store.database.rows import now
from store.database.troubles import cause_of, is_busy
from store.errors import LibraryUnavailable, StoreError
from store.upkeep.files import (
    check_database,
    copy_database,
    files_of,
    put_in_place,
    remove_if_there,
    stamped,
    sync,
    without_log,
)


class LibraryInUse(StoreError):
    """A library cannot be replaced, because a program has it open."""


def restore(library: Path, backup: Path, disposable: Sequence[Path] = ()) -> Path | None:
    """Put a backup in the place of a library; return where the present one is set aside.

    Nobody may have the library open. `disposable` are files beside it that belong to it, such as
    checkpoints; they are set aside too. None: there was no library.

    Raises:
        LibraryInUse: if a program has the library open. Nothing is changed then.
        LibraryDamaged: if the backup is damaged or no library. Nothing is changed then.
        LibraryTooNew: if a newer version made the backup. Nothing is changed then.
        LibraryUnavailable: if files cannot be read or written. The library is there, old or new.
    """
    coming = library.with_name(f"{library.name}.restoring")
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        remove_if_there(*files_of(coming))
        _copy_checked(backup, coming)
        _close_for_good(library)
        aside = _set_aside(library, disposable)
        put_in_place(coming, library)
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnavailable(
            f"The backup {backup.name} could not be restored: {cause_of(error)}. Nothing was lost."
        ) from error
    finally:
        remove_if_there(*files_of(coming))
    return aside


def _copy_checked(backup: Path, coming: Path) -> None:
    """Copy a backup and bring the copy to the present version."""
    if not backup.is_file():
        raise LibraryUnavailable(f"There is no file {backup}. Nothing was changed.")
    check_database(backup)
    copy_database(backup, coming, lambda _part, _whole: None)
    Database(coming).close()
    without_log(coming)


def _close_for_good(library: Path) -> None:
    """Write what is still in the log of a library into its file.

    Raises:
        LibraryInUse: if a program has it open: only the last to close it can do without a log.
    """
    if not library.exists():
        return
    try:
        with closing(sqlite3.connect(library, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise LibraryInUse(
                f"A window or program still has the library {library.name} open, perhaps with a "
                "run at work. Please close it and try again; nothing was changed."
            ) from error
    except sqlite3.DatabaseError:
        return  # it is damaged, which is why a backup comes in its place


def _set_aside(library: Path, disposable: Sequence[Path]) -> Path | None:
    """Give the present files names with the date; the library keeps its own until it is replaced."""
    moment = now()
    for path in disposable:
        for file in files_of(path):
            if file.exists():
                file.replace(_aside(file, moment.isoformat()))
    if not library.exists():
        return None
    aside = _free_name(library, moment)
    for file, other in zip(files_of(library)[1:], files_of(aside)[1:], strict=True):
        if file.exists():
            file.replace(other)
    try:
        os.link(library, aside)
    except OSError:  # a disk without a second name for a file
        library.replace(aside)
    sync(library.parent)
    return aside


def _free_name(library: Path, moment: datetime) -> Path:
    """Return a name with the date for a library that is set aside: one that no other has."""
    while True:
        aside = library.with_name(stamped(f"{library.stem} set aside{library.suffix}", moment))
        if not any(file.exists() for file in files_of(aside)):
            return aside
        moment += timedelta(seconds=1)


def _aside(file: Path, moment: str) -> Path:
    return file.with_name(f"{file.name} set aside {moment.replace(':', '.')}")
