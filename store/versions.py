"""All versions of one entity along a branch's line: how it came to be what it is."""

from __future__ import annotations

from collections.abc import Mapping

from store.database import Database
from store.lines import LINE, bounds
from store.models.base import Record
from store.models.prototype import ENTITY_TYPES, AnyEntity, EntityKind
from store.rows import from_row
from store.states import TABLES


class Version(Record):
    """An entity as it is at the end of a chapter that changes it; None where it is not there."""

    chapter: int
    entity: AnyEntity | None


def _versions_query(table: str) -> str:
    return f"""{LINE}
    SELECT e.* FROM line CROSS JOIN {table} AS e
      ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
     AND e.commit_id <= line.last_commit AND e.id = :id
    ORDER BY e.chapter, e.commit_id
    """


VERSION_QUERIES: Mapping[EntityKind, str] = {
    kind: _versions_query(table) for kind, table in TABLES.items()
}


def read_versions(
    database: Database, branch_id: str, chapter: int | None, kind: EntityKind, entity_id: str
) -> list[Version]:
    """Return an entity at the end of each chapter that changes it, up to one (None: all), in order.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    parameters = bounds(branch_id, chapter) | {"id": entity_id}
    last = {row["chapter"]: row for row in database.rows(VERSION_QUERIES[kind], parameters)}
    return [
        Version(chapter=place, entity=None if row["removed"] else from_row(ENTITY_TYPES[kind], row))
        for place, row in last.items()
    ]
