"""The murder mystery that is made of a branch's story, beside its book."""

from __future__ import annotations

from collections.abc import Callable

from store.database.database import Database
from store.database.records import Records
from store.database.rows import now
from store.models.base import new_id
from store.models.desk.mystery import Mystery


class Mysteries:
    """Keeps at most one mystery of each branch. A branch does not share that of its parent."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mysteries = Records(database, Mystery, "mysteries", "This mystery is gone.")

    def of(self, branch: str) -> Mystery | None:
        """Return what is kept of a branch's mystery; None if nothing is."""
        return self._mysteries.first("branch = :branch ORDER BY created, rowid", {"branch": branch})

    def own(self, branch: str) -> list[Mystery]:
        """Return all that is kept for a branch: one mystery, or none."""
        kept = self.of(branch)
        return [kept] if kept else []

    def change(self, branch: str, change: Callable[[Mystery], Mystery]) -> Mystery:
        """Change the mystery of a branch as it is kept now; the first change begins it.

        Raises:
            ValidationError: if what it would become is none; nothing is changed then.
        """
        with self._database.write():
            kept = self.of(branch) or Mystery(id=new_id(), branch=branch, created=now())
            changed = Mystery.model_validate(change(kept).model_dump())
            return self._mysteries.save(changed)

    def import_mystery(self, mystery: Mystery) -> Mystery:
        """Keep the mystery of an imported story."""
        return self._mysteries.save(mystery)
