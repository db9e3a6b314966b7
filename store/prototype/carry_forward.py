"""Edits of earlier chapters: how a change at one chapter carries forward into the later ones.

A later chapter's Delta changes fields, not whole entities. So an edit of chapter 3 holds in
chapter 7 too, except for the fields that a chapter in between changed. The tables hold whole
entities; if the edit changes a later version, that version is written again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from store.database.database import Database, Row
from store.database.model_tables import TABLES
from store.deltas.delta import patched
from store.deltas.names import Names, references
from store.errors import DeltaInvalid
from store.models.delta import Change, Delta
from store.models.prototype import AnyEntity, EntityKind
from store.prototype.lineage import LINE, UNBOUNDED, bounds, cancelled
from store.prototype.states import Version, read_state, read_versions, referrers

_LATER = """{line} SELECT DISTINCT c.id, c.chapter, c.delta
FROM line CROSS JOIN {table} AS e
  ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
 AND e.commit_id <= line.last_commit AND e.id IN (SELECT value FROM json_each(:ids))
JOIN commits AS c ON c.id = e.commit_id AND c.chapter = e.chapter
WHERE e.chapter > :from_chapter"""
LATER_QUERIES: Mapping[EntityKind, str] = {
    kind: _LATER.format(line=LINE, table=table) for kind, table in TABLES.items()
}


class Carried(NamedTuple):
    """A version that an edit makes in a later chapter; `entity` is None if it is not there."""

    chapter: int
    before: AnyEntity | None
    entity: AnyEntity | None

    @property
    def change(self) -> Change:
        """What the edit changes in this chapter."""
        return Change(before=self.before, after=self.entity)


Timeline = list[tuple[int, AnyEntity | None]]
"""The states of an entity, each from a chapter on, in order."""


def carry(database: Database, branch: str, chapter: int, delta: Delta) -> list[Carried]:
    """Return the versions that a Delta at an earlier chapter makes in the later ones.

    The cost depends on the number of later chapters that touch the same entities.

    Raises:
        DeltaInvalid: if a later chapter needs what the Delta removes, or removes what it needs; the
        sentence names the chapter.
    """
    ids = {change.id for change in delta.changes}
    old = {
        change.id: [
            (chapter, change.before),
            *_timeline(read_versions(database, branch, None, change.kind, change.id), chapter),
        ]
        for change in delta.changes
    }
    new = _new_timelines(delta, chapter, _later_changes(database, branch, chapter, delta))
    for entity in ids:
        # An undone chapter leaves versions behind, which must hold the state before it.
        places = {place for place, _ in (*old[entity], *new[entity]) if place > chapter}
        new[entity] = [(place, _at(new[entity], place)) for place in (chapter, *sorted(places))]
    _check(database, branch, (chapter, delta), new)
    carried = [
        Carried(place, _at(old[entity], place), version)
        for entity in (change.id for change in delta.changes)
        for place, version in new[entity]
        if place > chapter and version != _at(old[entity], place)
    ]
    return sorted(carried, key=lambda one: one.chapter)


def _ids_of(delta: Delta, kind: EntityKind) -> list[str]:
    return [change.id for change in delta.changes if change.kind == kind]


def _timeline(versions: list[Version], chapter: int) -> Timeline:
    return [(one.chapter, one.entity) for one in versions if one.chapter > chapter]


def _at(timeline: Timeline, chapter: int) -> AnyEntity | None:
    return next((entity for place, entity in reversed(timeline) if place <= chapter), None)


def _later_changes(
    database: Database, branch: str, chapter: int, delta: Delta
) -> list[tuple[int, Change]]:
    """Return what later chapters change in the same entities, in order, undone commits left out."""
    rows: dict[int, Row] = {}
    for kind, query in LATER_QUERIES.items():
        ids = _ids_of(delta, kind)
        if ids:
            parameters = bounds(branch) | {"ids": json.dumps(ids), "from_chapter": chapter}
            rows |= {row["id"]: row for row in database.rows(query, parameters)}
    ended = cancelled(database, branch) if rows else frozenset()
    touched = {change.id for change in delta.changes}
    return [
        (row["chapter"], change)
        for row in sorted(rows.values(), key=lambda row: (row["chapter"], row["id"]))
        if row["id"] not in ended
        for change in _changes_of(row["delta"], touched)
    ]


def _changes_of(delta: str, ids: Collection[str]) -> Iterator[Change]:
    """Yield the changes of some entities in a stored Delta, without reading all the others."""
    for change in json.loads(delta)["changes"]:
        if (change["after"] or change["before"])["id"] in ids:
            yield Change.model_validate(change)


def _new_timelines(
    delta: Delta, chapter: int, later: list[tuple[int, Change]]
) -> dict[str, Timeline]:
    timelines: dict[str, Timeline] = {
        change.id: [(chapter, change.after)] for change in delta.changes
    }
    for place, change in later:
        timeline = timelines[change.id]
        timeline.append((place, _checked(patched(timeline[-1][1], change), place)))
    return timelines


def _checked(entity: AnyEntity | None, chapter: int) -> AnyEntity | None:
    if entity is None:
        return None
    try:
        return type(entity).model_validate(dict(entity))
    except ValidationError as error:
        raise DeltaInvalid(
            [f"It conflicts with what chapter {chapter} changes in the same place."]
        ) from error


def _check(
    database: Database, branch: str, edit: tuple[int, Delta], new: dict[str, Timeline]
) -> None:
    """Raise if something in a later chapter would refer to something missing."""
    chapter, delta = edit
    removed = {change.id for change in delta.changes if change.after is None}
    needed = {
        id_
        for change in delta.changes
        if change.after is not None
        for id_ in references(change.after).values()
    }
    others = (needed | referrers(database, branch, removed)) - new.keys()
    known = read_state(database, branch, chapter, others)
    kinds = _kinds(database, branch, others)
    timelines = dict(new)
    for id_, kind in kinds.items():
        versions = read_versions(database, branch, None, kind, id_)
        timelines[id_] = [(chapter, known.entities.get(id_)), *_timeline(versions, chapter)]
    gaps = [
        gap
        for place in sorted({place for line in timelines.values() for place, _ in line})
        for gap in _gaps_at(place, timelines)
    ]
    if gaps:
        raise DeltaInvalid(_told(gaps, database, branch))


def _kinds(database: Database, branch: str, ids: Collection[str]) -> dict[str, EntityKind]:
    """Return the kinds of some entities, whether or not they still exist."""
    found: dict[str, EntityKind] = {}
    wanted = json.dumps(sorted(ids))
    for kind, table in TABLES.items():
        rows = database.rows(
            f"{LINE} SELECT DISTINCT e.id FROM line CROSS JOIN {table} AS e "
            "ON e.branch_id = line.branch_id AND e.id IN (SELECT value FROM json_each(:ids))",
            bounds(branch) | {"ids": wanted},
        )
        found |= {row["id"]: kind for row in rows}
    return found


class _Gap(NamedTuple):
    """A reference, in a chapter, to something missing."""

    chapter: int
    entity: AnyEntity
    target: str


def _gaps_at(chapter: int, timelines: Mapping[str, Timeline]) -> Iterator[_Gap]:
    standing = {
        id_: entity for id_, line in timelines.items() if (entity := _at(line, chapter)) is not None
    }
    for entity in standing.values():
        for target in references(entity).values():
            if target in timelines and target not in standing:
                yield _Gap(chapter, entity, target)


def _told(gaps: list[_Gap], database: Database, branch: str) -> list[str]:
    """Return a sentence for each entity with a gap, about the first chapter that has it."""
    first = {gap.entity.id: gap for gap in reversed(gaps)}
    ids = {id_ for gap in gaps for id_ in (gap.target, *references(gap.entity).values())}
    names = Names(read_state(database, branch, UNBOUNDED, ids), Delta())
    return [
        f"In chapter {gap.chapter}, {names.label(gap.entity)} still needs {names.of(gap.target)}, "
        "which would be gone."
        for gap in reversed(first.values())
    ]
