"""Backups of the library: whole copies with the date in their names, fewer of them as they age."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from store.database.rows import now
from store.database.troubles import cause_of
from store.errors import LibraryDamaged, LibraryUnavailable, StoreError
from store.models.base import Record
from store.open import Store
from store.upkeep.files import (
    PART,
    OnPages,
    check_database,
    copy_database,
    moment_of,
    put_in_place,
    remove_if_there,
    stamped,
)
from store.upkeep.thinning import to_keep

FOLDER = "backups"
"""The folder beside the library in which backups are, unless the writer chose another."""

EVERY = timedelta(hours=24)
"""How old the newest backup may be while something is changed."""

_SETTING = "backups"
_LAST_WORK = """
SELECT max(moment) AS moment FROM (
    SELECT max(touched) AS moment FROM stories UNION ALL SELECT max(created) FROM commits
    UNION ALL SELECT max(created) FROM drafts UNION ALL SELECT max(created) FROM calls
    UNION ALL SELECT max(created) FROM outlines UNION ALL SELECT max(created) FROM decisions
    UNION ALL SELECT max(created) FROM margin_notes UNION ALL SELECT max(created) FROM contents
    UNION ALL SELECT max(created) FROM tellings UNION ALL SELECT max(created) FROM mysteries
    UNION ALL SELECT max(created) FROM reader_scores UNION ALL SELECT max(created) FROM pair_trials
)
"""


class BackupSettings(Record):
    """Where backups are made; None: in a folder beside the library."""

    folder: str | None = None


class Backup(NamedTuple):
    """A backup, and when it was made."""

    path: Path
    made: datetime


def folder_of(store: Store) -> Path:
    """Return the folder in which backups of a library are made."""
    chosen = store.library.read_setting(_SETTING, BackupSettings)
    if chosen is not None and chosen.folder:
        return Path(chosen.folder).expanduser()
    return store.database.path.parent / FOLDER


def choose_folder(store: Store, folder: Path | None) -> None:
    """Keep where backups are to be made from now on; None: beside the library.

    Raises:
        StoreError: if there can be no such folder.
    """
    if folder is not None:
        try:
            folder.expanduser().mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"Backups cannot be kept in {folder}: {cause_of(error)}.") from error
    chosen = None if folder is None else str(folder)
    store.library.change_setting(
        _SETTING, BackupSettings(), lambda _: BackupSettings(folder=chosen)
    )


def backups_in(store: Store, folder: Path | None = None) -> list[Backup]:
    """Return the backups of a library in its folder or another, the newest first."""
    name = store.database.path.name
    found = (folder or folder_of(store)).glob("*")
    dated = ((path, moment_of(path, name)) for path in found)
    backups = [Backup(path, made) for path, made in dated if made is not None]
    return sorted(backups, key=lambda one: one.made, reverse=True)


def make_backup(
    store: Store, folder: Path | None = None, on_pages: OnPages = lambda _part, _whole: None
) -> Backup:
    """Copy the library as it is now, check the copy, and thin out the old ones in its folder.

    Others go on writing meanwhile. A copy that is not whole never has the name of a backup.

    Raises:
        LibraryDamaged: if the library is damaged; older backups are left alone then.
        LibraryUnavailable: if the copy cannot be written.
    """
    library, folder = store.database.path, folder or folder_of(store)
    made = _free_moment(store, folder)
    path = folder / stamped(library.name, made)
    written = path.with_name(f"{path.name}{PART}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy_database(library, written, on_pages)
        check_database(written)
        put_in_place(written, path)
    except LibraryDamaged as error:
        raise LibraryDamaged(
            "The library is damaged, so no backup was made of it; the older ones are as they were. "
            f"“tellwright verify” says what is damaged. ({error})"
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnavailable(
            f"No backup could be made in {folder}: {cause_of(error)}. Nothing was changed."
        ) from error
    finally:
        remove_if_there(written)
    _thin_out(backups_in(store, folder), made)
    return Backup(path, made)


def is_due(store: Store, moment: datetime | None = None) -> bool:
    """Return whether the newest backup is older than a day and something was done since."""
    row = store.database.row(_LAST_WORK)
    if row is None or row["moment"] is None:
        return False
    newest = next(iter(backups_in(store)), None)
    if newest is None:
        return True
    is_old = (moment or now()) - newest.made > EVERY
    # The name of a backup has no fractions of a second.
    return is_old and datetime.fromisoformat(row["moment"]) >= newest.made


def back_up_if_due(store: Store, moment: datetime | None = None) -> Backup | None:
    """Make a backup if one is due; for the app to call when nobody waits for it.

    Raises:
        LibraryDamaged: as `make_backup`.
        LibraryUnavailable: as `make_backup`.
    """
    return make_backup(store) if is_due(store, moment) else None


def _free_moment(store: Store, folder: Path) -> datetime:
    """Return the present second, or the next one of which there is no backup yet."""
    moment = now().replace(microsecond=0)
    while (folder / stamped(store.database.path.name, moment)).exists():
        moment += timedelta(seconds=1)
    return moment


def _thin_out(backups: Iterable[Backup], moment: datetime) -> None:
    by_moment = {one.made: one.path for one in backups}
    kept = to_keep(by_moment, moment)
    for made, path in by_moment.items():
        if made not in kept:
            with suppress(OSError):  # it is thinned out the next time
                path.unlink()
