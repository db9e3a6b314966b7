"""Backups of the library: made, listed, and due."""

from __future__ import annotations

from pathlib import Path

from store.open import Store
from store.upkeep.backups import (
    Backup,
    back_up_if_due,
    backups_in,
    choose_folder,
    folder_of,
    is_due,
    make_backup,
)
from store.upkeep.files import OnPages


class BackupService:
    """Backups of the library. One is restored by `graph_flow.workbench.assembly.restore_library`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def folder(self) -> Path:
        """Where backups are made."""
        return folder_of(self._store)

    def choose_folder(self, folder: Path | None) -> None:
        """Keep where backups are to be made from now on; None: beside the library.

        Raises:
            StoreError: if there can be no such folder.
        """
        choose_folder(self._store, folder)

    def all(self) -> list[Backup]:
        """Return the backups in the folder, the newest first."""
        return backups_in(self._store)

    def make(self, on_pages: OnPages = lambda _part, _whole: None) -> Backup:
        """Make a backup now, check it, and thin out the old ones; runs go on meanwhile.

        Raises:
            LibraryDamaged: if the library is damaged; older backups are left alone then.
            LibraryUnavailable: if the backup cannot be written.
        """
        return make_backup(self._store, on_pages=on_pages)

    def is_due(self) -> bool:
        """Return whether the newest backup is older than a day and something was done since."""
        return is_due(self._store)

    def make_if_due(self) -> Backup | None:
        """Make a backup if one is due; for the app to call when nobody waits for it.

        Raises:
            LibraryDamaged: as `make`.
            LibraryUnavailable: as `make`.
        """
        return back_up_if_due(self._store)
