"""How all entities of a kind became what they are, chapter by chapter, read in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from store.database import Database
from store.lines import LINE, bounds
from store.models.prototype import ENTITY_TYPES, EntityKind
from store.rows import from_row
from store.states import TABLES
from store.versions import Version


def _timelines_query(table: str) -> str:
    """Return the query of the last version in each chapter of every id."""
    return f"""{LINE}
    SELECT * FROM (
        SELECT e.*, lead(e.chapter) OVER (
            PARTITION BY e.id ORDER BY e.chapter, e.commit_id
        ) IS NOT e.chapter AS is_last
        FROM line CROSS JOIN {table} AS e
          ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
         AND e.commit_id <= line.last_commit
    ) WHERE is_last ORDER BY id, chapter
    """


TIMELINE_QUERIES: Mapping[EntityKind, str] = {
    kind: _timelines_query(table) for kind, table in TABLES.items()
}


class Timelines:
    """Reads the timelines of a branch."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(
        self, branch: str, chapter: int | None, kinds: Iterable[EntityKind]
    ) -> dict[str, tuple[Version, ...]]:
        """Return how each entity of some kinds was at the end of every chapter that changed it.

        Up to the end of `chapter` (None: the newest); by id, each in order. It reads every version
        of these kinds once.

        Raises:
            LibraryDamaged: if a row cannot be read.
        """
        lines: dict[str, list[Version]] = {}
        for kind in kinds:
            for row in self._database.rows(TIMELINE_QUERIES[kind], bounds(branch, chapter)):
                entity = None if row["removed"] else from_row(ENTITY_TYPES[kind], row)
                version = Version(chapter=row["chapter"], entity=entity)
                lines.setdefault(row["id"], []).append(version)
        return {id_: tuple(line) for id_, line in lines.items()}
