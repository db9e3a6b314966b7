"""The state of the prototype as a query: of all versions along a branch's line, the newest of each id."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from store.database import Database, Row
from store.lines import LINE, bounds
from store.models.prototype import ENTITY_TYPES, REFERENCES, AnyEntity, EntityKind, Snapshot
from store.rows import from_row

TABLES: Mapping[EntityKind, str] = {kind: f"{kind}s" for kind in ENTITY_TYPES}
"""The table that holds each kind of entity."""

_HISTORY = """
    SELECT e.*,
           first_value({first}.chapter) OVER history AS born_chapter,
           first_value({first}.commit_id) OVER history AS born_commit,
           first_value({first}.ordinal) OVER history AS born_ordinal,
           lead(e.id) OVER history IS NULL AS is_newest
    FROM {versions}
    WINDOW history AS (PARTITION BY e.id ORDER BY e.chapter, e.commit_id)
"""
_ALL_VERSIONS = """line CROSS JOIN {table} AS e
    ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
   AND e.commit_id <= line.last_commit"""
_ENDS_OF_SOME = """ends JOIN {table} AS e ON e.rowid = ends.newest
    JOIN {table} AS o ON o.rowid = ends.oldest"""
_ENDS = """, ends (newest, oldest) AS (
    SELECT ({newest}), ({oldest}) FROM json_each(:ids) AS wanted CROSS JOIN line
)
"""
_END = """
    SELECT own.rowid FROM {table} AS own
    WHERE own.branch_id = line.branch_id AND own.id = wanted.value
      AND own.chapter <= line.last_chapter AND own.commit_id <= line.last_commit
    ORDER BY own.chapter {direction}, own.commit_id {direction} LIMIT 1
"""


def _state_query(table: str) -> str:
    """Return the query of everything: it reads every version once."""
    history = _HISTORY.format(first="e", versions=_ALL_VERSIONS.format(table=table))
    return f"{LINE} SELECT * FROM ({history}) WHERE is_newest"


def _partial_query(table: str) -> str:
    """Return the query of a few ids: it reads two versions of each, however many there are."""
    ends = _ENDS.format(
        newest=_END.format(table=table, direction="DESC"),
        oldest=_END.format(table=table, direction="ASC"),
    )
    history = _HISTORY.format(first="o", versions=_ENDS_OF_SOME.format(table=table))
    return f"{LINE}{ends} SELECT * FROM ({history}) WHERE is_newest"


STATE_QUERIES: Mapping[EntityKind, str] = {
    kind: _state_query(table) for kind, table in TABLES.items()
}
PARTIAL_QUERIES: Mapping[EntityKind, str] = {
    kind: _partial_query(table) for kind, table in TABLES.items()
}


def read_state(
    database: Database,
    branch_id: str,
    chapter: int,
    ids: Collection[str] | None = None,
    commit: int | None = None,
) -> Snapshot:
    """Return the prototype at the end of a chapter; with `ids` only these entities of it.

    With `commit` as it was when that was the newest commit.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    queries = STATE_QUERIES if ids is None else PARTIAL_QUERIES
    parameters = bounds(branch_id, chapter, commit)
    if ids is not None:
        parameters["ids"] = json.dumps(sorted(ids))
    found = [
        (kind, row) for kind, query in queries.items() for row in database.rows(query, parameters)
    ]
    found.sort(key=lambda pair: _birth(pair[1]))
    return _snapshot(chapter, found)


def read_part(
    database: Database,
    branch_id: str,
    chapter: int,
    ids: Mapping[EntityKind, Collection[str]],
) -> Snapshot:
    """Return only these entities of the prototype at the end of a chapter, their kinds being known.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    found = [
        (kind, row)
        for kind, wanted in ids.items()
        if wanted
        for row in database.rows(
            PARTIAL_QUERIES[kind],
            bounds(branch_id, chapter) | {"ids": json.dumps(sorted(wanted))},
        )
    ]
    found.sort(key=lambda pair: _birth(pair[1]))
    return _snapshot(chapter, found)


def _birth(row: Row) -> tuple[int, int, int]:
    return row["born_chapter"], row["born_commit"], row["born_ordinal"]


def _snapshot(chapter: int, rows: Iterable[tuple[EntityKind, Row]]) -> Snapshot:
    entities: dict[str, AnyEntity] = {}
    first_chapter: dict[str, int] = {}
    for kind, row in rows:
        first_chapter.setdefault(row["id"], row["born_chapter"])
        if not row["removed"]:
            entities[row["id"]] = from_row(ENTITY_TYPES[kind], row)
    # Each entity was validated above; validating all of them again would double the cost.
    return Snapshot.model_construct(chapter=chapter, entities=entities, first_chapter=first_chapter)


def referrers(database: Database, branch_id: str, ids: Collection[str]) -> set[str]:
    """Return the ids of all that refers, or once referred, to some entities."""
    found: set[str] = set()
    for kind, fields in REFERENCES.items():
        for field in fields:
            found |= _ids_where(database, branch_id, (TABLES[kind], field), ids)
    return found


def namesakes(database: Database, branch_id: str, keys: Collection[str]) -> set[str]:
    """Return the ids of the characters that have, or once had, one of some names."""
    return _ids_where(database, branch_id, ("characters", "name_key"), keys)


def links_touching(
    database: Database, branch_id: str, field: str, events: Collection[str]
) -> set[str]:
    """Return the ids of event links whose `field` (source or target) is one of some events."""
    return _ids_where(database, branch_id, ("event_links", field), events)


def _ids_where(
    database: Database, branch_id: str, place: tuple[str, str], values: Collection[str]
) -> set[str]:
    if not values:
        return set()
    parameters = bounds(branch_id) | {"values": json.dumps(sorted(values))}
    return {row["id"] for row in database.rows(WHERE_QUERIES[place], parameters)}


def _where_query(table: str, field: str) -> str:
    return f"""{LINE}
    SELECT DISTINCT e.id FROM line CROSS JOIN {table} AS e
      ON e.branch_id = line.branch_id AND e.commit_id <= line.last_commit
     AND e.{field} IN (SELECT value FROM json_each(:values))
    """


WHERE_QUERIES: Mapping[tuple[str, str], str] = {
    ("characters", "name_key"): _where_query("characters", "name_key"),
    **{
        (TABLES[kind], field): _where_query(TABLES[kind], field)
        for kind, fields in REFERENCES.items()
        for field in fields
    },
}
