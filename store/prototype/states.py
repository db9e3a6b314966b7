"""Queries of the prototype as of a chapter, the newest version of each id, and its history."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from store.database.database import Database
from store.database.model_tables import TABLES
from store.database.rows import from_row, from_rows, kept_record
from store.models.base import Record
from store.models.cast import Character
from store.models.prototype import ENTITY_TYPES, REFERENCES, AnyEntity, EntityKind, Snapshot
from store.prototype.lineage import LINE, bounds

_VERSIONS = """
    SELECT {columns} FROM line CROSS JOIN {table} AS e
      ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
     AND e.commit_id <= line.last_commit
"""
_SOME_VERSIONS = """
    SELECT {columns} FROM (
        SELECT ({newest}) AS place FROM json_each(:{ids}) AS wanted CROSS JOIN line
        UNION
        SELECT ({oldest}) FROM json_each(:{ids}) AS wanted CROSS JOIN line
    ) AS found JOIN {table} AS e ON e.rowid = found.place
"""
_SOME_NEWEST = """
    SELECT {columns} FROM json_each(:{ids}) AS wanted CROSS JOIN line
    JOIN {table} AS e ON e.rowid = ({newest})
"""
_END = """
    SELECT own.rowid FROM {table} AS own
    WHERE own.branch_id = line.branch_id AND own.id = wanted.value
      AND own.chapter <= line.last_chapter AND own.commit_id <= line.last_commit
    ORDER BY own.chapter {direction}, own.commit_id {direction} LIMIT 1
"""


COLUMNS: Mapping[EntityKind, tuple[str, ...]] = {
    kind: (
        *("chapter", "commit_id", "ordinal", "removed", "id"),
        *(name for name in model.model_fields if name not in {"id", "kind"}),
    )
    for kind, model in ENTITY_TYPES.items()
}
"""The columns of a version, in an order that sorts versions as they were made."""

_CHAPTER, _REMOVED, _ID = 0, 3, 4
"""The positions of these columns in a version."""

_Version = tuple[Any, ...]
Kinds = tuple[EntityKind, ...]


def _state_query(kind: EntityKind) -> str:
    """Return the query for everything: it reads every version once.

    The newest of each id is found in Python, since a window over all versions costs more.
    """
    return LINE + _VERSIONS.format(columns=_listed(kind), table=TABLES[kind])


@cache
def partial_query(kinds: Kinds) -> str:
    """Return the query for a few ids: it reads two versions of each, however many there are."""
    return compound_query(_SOME_VERSIONS, kinds)


@cache
def newest_query(kinds: Kinds) -> str:
    """Return the query for a few ids as they are: it reads one version of each."""
    return compound_query(_SOME_NEWEST, kinds)


def compound_query(part: str, kinds: Kinds) -> str:
    """Return one query for versions of several kinds; the ids of each are its parameter `<kind>_ids`.

    A row begins with its kind and ends with NULL for each column that its kind lacks: one query
    costs a fraction of one for each kind. `rows_by_kind` separates the rows.
    """
    width = max(len(COLUMNS[kind]) for kind in kinds)
    parts = (
        part.format(
            columns=f"'{kind}', {_listed(kind)}{', NULL' * (width - len(COLUMNS[kind]))}",
            ids=f"{kind}_ids",
            table=TABLES[kind],
            newest=_END.format(table=TABLES[kind], direction="DESC"),
            oldest=_END.format(table=TABLES[kind], direction="ASC"),
        )
        for kind in kinds
    )
    return LINE + " UNION ALL ".join(parts)


def rows_by_kind(
    rows: Iterable[tuple[Any, ...]], kinds: Kinds
) -> Iterator[tuple[EntityKind, list[_Version]]]:
    """Yield the versions of each kind among the rows of a compound query."""
    found: dict[EntityKind, list[_Version]] = {kind: [] for kind in kinds}
    ends = {kind: 1 + len(COLUMNS[kind]) for kind in kinds}
    for row in rows:
        found[row[0]].append(row[1 : ends[row[0]]])
    yield from found.items()


def _listed(kind: EntityKind) -> str:
    return ", ".join(f"e.{name}" for name in COLUMNS[kind])


STATE_QUERIES: Mapping[EntityKind, str] = {kind: _state_query(kind) for kind in TABLES}

_ALL: Kinds = tuple(TABLES)


def read_state(
    database: Database,
    branch_id: str,
    chapter: int,
    ids: Collection[str] | None = None,
    commit: int | None = None,
) -> Snapshot:
    """Return the prototype at the end of a chapter; with `ids`, only these entities of it.

    With `commit`, as it was when that was the newest commit.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    parameters = bounds(branch_id, chapter, commit)
    if ids is not None:
        some = database.tuples(partial_query(_ALL), parameters | _ids_of_all(ids))
        return _snapshot(chapter, rows_by_kind(some, _ALL))
    rows = ((kind, database.tuples(query, parameters)) for kind, query in STATE_QUERIES.items())
    return _snapshot(chapter, rows, _all_read)


def _ids_of_all(ids: Collection[str]) -> dict[str, str]:
    """Return the parameters of a compound query where the kinds of some ids are not known."""
    return dict.fromkeys((f"{kind}_ids" for kind in _ALL), json.dumps(sorted(ids)))


def read_people(database: Database, branch_id: str, chapter: int) -> list[Character]:
    """Return the characters at the end of a chapter, in order of appearance.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    rows = database.tuples(STATE_QUERIES["character"], bounds(branch_id, chapter))
    return _snapshot(chapter, [("character", rows)], _all_read).characters


def read_part(
    database: Database,
    branch_id: str,
    chapter: int,
    ids: Mapping[EntityKind, Collection[str]],
) -> Snapshot:
    """Return only some entities of the prototype at the end of a chapter, given by kind.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    wanted = {kind: sorted(ids[kind]) for kind in _ALL if ids.get(kind)}
    if not wanted:
        return _snapshot(chapter, ())
    parameters = bounds(branch_id, chapter)
    parameters |= {f"{kind}_ids": json.dumps(some) for kind, some in wanted.items()}
    rows = database.tuples(partial_query(tuple(wanted)), parameters)
    return _snapshot(chapter, rows_by_kind(rows, tuple(wanted)))


def read_standing(
    database: Database, branch_id: str, chapter: int, ids: Collection[str]
) -> Snapshot:
    """Return some entities as they are at the end of a chapter, at half the cost.

    `first_chapter` is the last chapter that changed them, not the one in which they first appeared;
    what was removed has one too.

    Raises:
        LibraryDamaged: if a row cannot be read.
    """
    rows = database.tuples(newest_query(_ALL), bounds(branch_id, chapter) | _ids_of_all(ids))
    return _snapshot(chapter, rows_by_kind(rows, _ALL))


def _each_read(kind: EntityKind, versions: Sequence[_Version]) -> list[AnyEntity]:
    """Return a few versions as entities, cached if they were read recently."""
    model, columns = ENTITY_TYPES[kind], COLUMNS[kind]
    return [kept_record(model, columns, version) for version in versions]


def _all_read(kind: EntityKind, versions: Sequence[_Version]) -> list[AnyEntity]:
    """Return many versions as entities."""
    return from_rows(ENTITY_TYPES[kind], COLUMNS[kind], versions)


def _snapshot(
    chapter: int,
    found: Iterable[tuple[EntityKind, list[_Version]]],
    read: Callable[[EntityKind, Sequence[_Version]], list[AnyEntity]] = _each_read,
) -> Snapshot:
    """Return a snapshot of the newest of some versions."""
    entities: dict[str, AnyEntity] = {}
    births: list[_Version] = []
    for kind, versions in found:
        newest, oldest = _ends(versions)
        births += oldest.values()
        standing = [version for version in newest.values() if not version[_REMOVED]]
        entities |= {entity.id: entity for entity in read(kind, standing)}
    births.sort()
    # Each entity was validated above; validating all of them again would double the cost.
    return Snapshot.model_construct(
        chapter=chapter,
        entities={born[_ID]: entities[born[_ID]] for born in births if born[_ID] in entities},
        first_chapter={born[_ID]: born[_CHAPTER] for born in births},
    )


def _ends(versions: Iterable[_Version]) -> tuple[dict[str, _Version], dict[str, _Version]]:
    """Return the newest and the oldest version of each id."""
    newest: dict[str, _Version] = {}
    oldest: dict[str, _Version] = {}
    for version in versions:
        id_ = version[_ID]
        known = newest.get(id_)
        if known is None:
            newest[id_] = oldest[id_] = version
        elif version > known:
            newest[id_] = version
        elif version < oldest[id_]:
            oldest[id_] = version
    return newest, oldest


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


class Version(Record):
    """An entity as it is at the end of a chapter that changes it; None if it is not there."""

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


def _timelines_query(table: str) -> str:
    """Return the query for the last version of every id in each chapter."""
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
        """Return each entity of some kinds as it was at the end of every chapter that changed it.

        The versions are by id, each in order, up to the end of `chapter` (None: the newest). Every
        version of these kinds is read once.

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
