"""What judges of consistency found in texts: each chapter is kept when it is read."""

from __future__ import annotations

from store.database.database import Database
from store.database.records import Records
from store.models.desk.consistency import CheckedChapter

_OF_JUDGE = "evaluation = :evaluation AND key = :key"


class ConsistencyChecks:
    """Keeps what was found in each chapter of an evaluation. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._checked = Records(database, CheckedChapter, "checked_chapters", "This check is gone.")

    def add(self, chapter: CheckedChapter) -> CheckedChapter:
        """Keep what was found in a chapter."""
        return self._checked.save(chapter)

    def of(self, evaluation_id: str, key: str) -> list[CheckedChapter]:
        """Return what one judge found, by its key, in the order of the chapters."""
        return self._checked.all(
            f"{_OF_JUDGE} ORDER BY place", {"evaluation": evaluation_id, "key": key}
        )

    def places(self, evaluation_id: str, key: str) -> set[int]:
        """Return the places of the chapters that one judge has read."""
        sql = f"SELECT place FROM checked_chapters WHERE {_OF_JUDGE}"
        values = {"evaluation": evaluation_id, "key": key}
        return {int(place) for [place] in self._database.tuples(sql, values)}

    def newest_key(self, evaluation_id: str) -> str | None:
        """Return the key of the judge that has read a chapter last; None if none has."""
        newest = self._checked.first(
            "evaluation = :evaluation ORDER BY created DESC", {"evaluation": evaluation_id}
        )
        return newest.key if newest is not None else None
