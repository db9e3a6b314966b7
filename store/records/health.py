"""When each story was last found sound, and what was found damaged."""

from __future__ import annotations

from collections.abc import Sequence

from store.database.database import Database
from store.database.records import put
from store.database.rows import from_row, now, to_row
from store.models.health import Health

_MOST_PROBLEMS = 20


class HealthRecords:
    """Keeps what the last check of each story, and of the library's file, has found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, subject: str) -> Health | None:
        """Return what the last check of a story or of the library found; None: never checked."""
        row = self._database.row("SELECT * FROM health WHERE subject = :id", {"id": subject})
        return None if row is None else from_row(Health, row)

    def all(self) -> dict[str, Health]:
        """Return what is known, by subject."""
        rows = self._database.rows("SELECT * FROM health")
        return {row["subject"]: from_row(Health, row) for row in rows}

    def save(self, subject: str, problems: Sequence[str]) -> Health:
        """Keep what a check has found just now."""
        with self._database.write() as database:
            before = self.of(subject)
            moment = now()
            sound = moment if not problems else before.found_sound if before else None
            found = Health(
                subject=subject,
                checked=moment,
                found_sound=sound,
                problems=tuple(problems[:_MOST_PROBLEMS]),
            )
            put(database, "health", to_row(found), ("subject",))
        return found
