"""The part of a story that a Delta touches, at a cost that depends on the Delta, not the story.

`neighbourhood` is what is needed to judge one Delta; a `Vicinity` is what is needed to see what
several would break: the newest events, and the newest versions of each person, relationship and
thread.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from store.database.database import Database
from store.database.model_tables import TABLES
from store.database.rows import from_rows
from store.deltas.checks import ORDERING_LINKS, names_given, ordering_links
from store.deltas.names import references
from store.models.base import Record
from store.models.delta import Delta
from store.models.plot import EventLink, LinkKind
from store.models.prototype import ENTITY_TYPES, REFERENCES, EntityKind, Snapshot
from store.prototype.lineage import UNBOUNDED, bounds, newest_chapter
from store.prototype.lookups import Pools
from store.prototype.states import (
    COLUMNS,
    Version,
    compound_query,
    links_touching,
    namesakes,
    read_part,
    read_standing,
    referrers,
    rows_by_kind,
)
from store.text import name_key


def neighbourhood(
    database: Database, branch: str, deltas: Sequence[Delta], chapter: int = UNBOUNDED
) -> Snapshot:
    """Return the part of a branch's snapshot that decides whether each Delta fits at a chapter's end.

    It includes the former state of what they change, and what that refers to. It does not show
    when anything first appeared.
    """
    ids = {id_ for delta in deltas for id_ in _named_by(delta)}
    ids |= _referrers_of_removed(database, branch, deltas)
    given = (person for delta in deltas for person in names_given(delta))
    ids |= namesakes(database, branch, {name_key(one.name) for one in given})
    ids |= _links_on_circles(database, branch, deltas)
    return read_standing(database, branch, chapter, ids)


def _named_by(delta: Delta) -> set[str]:
    ids = {change.id for change in delta.changes}
    for change in delta.changes:
        for end in (change.before, change.after):
            if end is not None:
                ids.update(references(end).values())
    return ids


def _referrers_of_removed(database: Database, branch: str, deltas: Iterable[Delta]) -> set[str]:
    changes = (change for delta in deltas for change in delta.changes)
    return referrers(database, branch, {one.id for one in changes if one.operation == "remove"})


def _links_on_circles(database: Database, branch: str, deltas: Iterable[Delta]) -> set[str]:
    """Return the ids of the links that could close a circle with the new ones.

    The search goes onward from the new links' targets and backward from their sources, a step of
    each in turn, and ends when either has nothing left: a circle would be in both. New links mostly
    lead to new events, which lead nowhere yet, so one of them ends at once.
    """
    new = [link for delta in deltas for link in ordering_links(delta)]
    onward = _Walk(database, branch, ("source", "target"))
    backward = _Walk(database, branch, ("target", "source"))
    for link in new:
        onward.follow(link.target)
        backward.follow(link.source)
    while onward.is_open and backward.is_open:
        onward.step()
        if onward.is_open:
            backward.step()
    return onward.links | backward.links


class _Walk:
    """A walk over ordering links, from their `fields[0]` end to their `fields[1]` end."""

    def __init__(self, database: Database, branch: str, fields: tuple[str, str]) -> None:
        self._database = database
        self._branch = branch
        self._near, self._far = fields
        self._seen: set[str] = set()
        self._frontier: set[str] = set()
        self.links: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether there is anywhere left to go."""
        return bool(self._frontier)

    def follow(self, event: str) -> None:
        """Go on from an event, once."""
        if event not in self._seen:
            self._seen.add(event)
            self._frontier.add(event)

    def step(self) -> None:
        """Follow every link from the frontier."""
        ids = links_touching(self._database, self._branch, self._near, self._frontier) - self.links
        self._frontier = set()
        found = read_part(self._database, self._branch, UNBOUNDED, {"event_link": ids})
        for link in found.of(EventLink):
            if link.link in ORDERING_LINKS:
                self.links.add(link.id)
                self.follow(getattr(link, self._far))


Ids = dict[EntityKind, set[str]]

_RECENT = 48
"""The newest events, in which to look for how word of one could have reached another."""
_PEOPLE_IN = 12
"""People read per event, on average."""
_TIES = 48
"""The most versions of relationships read between two people when one of theirs changes."""
_VERSIONS = 8
"""The newest versions read of each person, relationship or thread that a Delta touches."""

_TIMED: tuple[EntityKind, ...] = ("character", "relationship", "thread")
_LEADS_TO = frozenset({LinkKind.CAUSES, LinkKind.ENABLES})


class Vicinity(Record):
    """A part of a branch's newest snapshot, with the history of people, relationships and threads.

    If a Delta says that one event leads to another, it holds every event from chapter `whole_from`
    on, with its people and its place. Older events are there only if a Delta refers to them.
    """

    snapshot: Snapshot
    timelines: Mapping[str, tuple[Version, ...]]
    whole_from: int


class Vicinities:
    """Reads what surrounds Deltas for a branch's next chapter."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, branch: str, deltas: Collection[Delta], chapter: int | None = None) -> Vicinity:
        """Return what surrounds some Deltas, each of them for the next chapter.

        `chapter` is the branch's newest one, where it is known already.

        Raises:
            LibraryDamaged: if a row cannot be read.
        """
        if chapter is None:
            chapter = newest_chapter(self._database, branch)
        pools = Pools(self._database, branch, chapter)
        ids = _named_in(deltas)
        ids["relationship"] |= _ties_back(pools, deltas)
        lines = self._timelines(branch, {kind: ids[kind] for kind in _TIMED if ids[kind]})
        recent = pools.newest_events(_RECENT) if _have_causes(deltas) else []
        _add_scenery(pools, ids, recent)
        snapshot = read_part(self._database, branch, chapter, ids)
        # Some events of the oldest one's chapter may not be among the newest.
        oldest = min(
            (snapshot.first_chapter_of(one) for one in recent if one in snapshot.entities),
            default=0,
        )
        is_all = len(recent) < _RECENT
        return Vicinity.model_construct(
            snapshot=snapshot, timelines=lines, whole_from=0 if is_all else oldest + 1
        )

    def _timelines(self, branch: str, ids: Ids) -> dict[str, tuple[Version, ...]]:
        lines: dict[str, dict[int, Version]] = {}
        for id_, version in self._versions(branch, ids):
            # The last version in a chapter counts, and it comes last.
            lines.setdefault(id_, {})[version.chapter] = version
        return {id_: tuple(line.values()) for id_, line in lines.items()}

    def _versions(self, branch: str, ids: Ids) -> Iterator[tuple[str, Version]]:
        """Yield the newest versions of some ids, the older first."""
        if not ids:
            return
        kinds = tuple(ids)
        parameters = bounds(branch) | {"most": _VERSIONS}
        parameters |= {f"{kind}_ids": json.dumps(sorted(some)) for kind, some in ids.items()}
        found = self._database.tuples(compound_query(_SOME_VERSIONS, kinds), parameters)
        for kind, versions in rows_by_kind(found, kinds):
            rows = sorted(versions)
            entities = from_rows(ENTITY_TYPES[kind], COLUMNS[kind], rows)
            for entity, (chapter, _, _, is_removed, *_) in zip(entities, rows, strict=True):
                standing = None if is_removed else entity
                yield entity.id, Version.model_construct(chapter=chapter, entity=standing)


_SOME_VERSIONS = """
    SELECT {columns}
    FROM json_each(:{ids}) AS wanted CROSS JOIN line JOIN {table} AS e ON e.rowid IN (
        SELECT own.rowid FROM {table} AS own
        WHERE own.branch_id = line.branch_id AND own.id = wanted.value
          AND own.chapter <= line.last_chapter AND own.commit_id <= line.last_commit
        ORDER BY own.chapter DESC, own.commit_id DESC LIMIT :most
    )
"""
"""The newest versions of some ids."""


def _named_in(deltas: Iterable[Delta]) -> Ids:
    """Return the ids of what Deltas change and of all that it refers to."""
    ids: Ids = {kind: set() for kind in TABLES}
    for delta in deltas:
        for change in delta.changes:
            ids[change.kind].add(change.id)
            for end in (change.before, change.after):
                if end is not None:
                    for field, kind in REFERENCES.get(end.kind, {}).items():
                        ids[kind].add(getattr(end, field))
    return ids


def _have_causes(deltas: Iterable[Delta]) -> bool:
    return any(
        isinstance(change.after, EventLink) and change.after.link in _LEADS_TO
        for delta in deltas
        for change in delta.changes
    )


def _add_scenery(pools: Pools, ids: Ids, recent: Sequence[str]) -> None:
    """Add some events, with the people and places of these and of the events already there."""
    events = ids["event"] | set(recent)
    parts = pools.parts_in(events, len(events) * _PEOPLE_IN)
    places = pools.places_of(events, len(events) * 2)
    ids["event"] = events
    ids["participation"] |= {part.id for part in parts}
    ids["character"] |= {part.character for part in parts}
    ids["occurrence"] |= {place.id for place in places}
    ids["scene"] |= {place.scene for place in places}


def _ties_back(pools: Pools, deltas: Iterable[Delta]) -> set[str]:
    """Return the relationships, either way, between those whose relationship changes."""
    pairs = {
        (change.after.source, change.after.target)
        for delta in deltas
        for change in delta.changes
        if change.after is not None and change.after.kind == "relationship"
    }
    both_ways = pairs | {(target, source) for source, target in pairs}
    return {
        relationship.id for relationship in pools.relationships_between(sorted(both_ways), _TIES)
    }
