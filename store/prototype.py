"""The Story Prototype in the library: snapshots, and the one write path to them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlite_utils

from store.canonical import NO_PARENT, chain_hash, delta_json, parse_delta
from store.database import Database, Row
from store.delta import canonical, replay, validate
from store.errors import DeltaInvalid, LibraryDamaged, NotFound, StoreError, StoryMoved
from store.lines import COMMIT_COLUMNS, LINE, bounds, head_at
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.prototype import EntityKind, Snapshot
from store.models.story import Commit, CommitKind
from store.naming import name_key
from store.neighbourhood import neighbourhood
from store.rows import Value, column, from_row, now, to_row
from store.snapshots import SnapshotCache
from store.states import TABLES, read_state
from store.validation import stale
from store.versions import Version, read_versions

_ON_LINE = """
FROM line JOIN commits AS c
  ON c.branch = line.branch_id AND c.chapter <= line.last_chapter AND c.id <= line.last_commit
"""
_COMMITS = f"{LINE} SELECT {COMMIT_COLUMNS} {_ON_LINE} ORDER BY c.chapter, c.id"
_LINKS = f"""{LINE} SELECT {COMMIT_COLUMNS}, c.delta {_ON_LINE} AND c.id > :after
ORDER BY c.chapter, c.id"""
_TITLE = f"""{LINE} SELECT c.title {_ON_LINE}
  AND c.chapter = :of AND c.kind IN ('configuration', 'chapter')"""

_NEAR = 50
"""How many commits are replayed on a kept snapshot before reading everything is quicker."""


class PrototypeStore:
    """Reads snapshots of a branch and commits Deltas to it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache = SnapshotCache()

    def head(self, branch: str) -> Commit | None:
        """Return the newest commit of the newest chapter, or None on an empty branch."""
        return head_at(self._database, branch)

    def chapters(self, branch: str) -> list[Commit]:
        """Return the commits that told the configuration and each chapter, in order."""
        return [c for c in self.commits(branch) if c.kind in {"configuration", "chapter"}]

    def title_of(self, branch: str, chapter: int) -> str:
        """Return the title of a chapter; empty if it has none or is not told yet."""
        row = self._database.row(_TITLE, bounds(branch) | {"of": chapter})
        return row["title"] if row else ""

    def commits(self, branch: str) -> list[Commit]:
        """Return all commits along the branch's line, in order."""
        rows = self._database.rows(_COMMITS, bounds(branch))
        return [from_row(Commit, row) for row in rows]

    def snapshot(self, branch: str, chapter: int | None = None) -> Snapshot:
        """Return the prototype as it stood at the end of a chapter.

        None is the newest chapter; a chapter that is not told yet is as the newest one.
        """
        last = head_at(self._database, branch, chapter)
        if last is None:
            self._require(branch)
            return Snapshot()
        snapshot = self._cache.get(last) or self._read(branch, last)
        self._cache.put(last, snapshot)
        return snapshot

    def partial(self, branch: str, chapter: int | None, ids: Collection[str]) -> Snapshot:
        """Return a snapshot that holds only the entities with these ids, at a cost of only these."""
        last = head_at(self._database, branch, chapter)
        if last is None:
            self._require(branch)
            return Snapshot()
        return read_state(self._database, branch, last.chapter, ids)

    def versions(
        self, branch: str, chapter: int | None, kind: EntityKind, entity_id: str
    ) -> list[Version]:
        """Return how an entity came to be what it is at the end of a chapter, the oldest first."""
        return read_versions(self._database, branch, chapter, kind, entity_id)

    def delta_of(self, commit_id: int) -> Delta:
        """Return what a commit changed.

        Raises:
            NotFound: if there is no such commit.
        """
        row = self._database.row(
            "SELECT delta, chapter FROM commits WHERE id = :id", {"id": commit_id}
        )
        if row is None:
            raise NotFound("This change is not in the library.")
        return _stored_delta(row)

    def commit(  # noqa: PLR0913 - what a commit is made of, each named where it is called
        self,
        branch: str,
        delta: Delta,
        *,
        chapter: int,
        kind: CommitKind,
        origin: str,
        title: str = "",
    ) -> Commit:
        """Validate a Delta and write it as the newest commit of a branch, all of it or nothing.

        What was already committed from this `origin` on the branch is returned, and nothing is done.

        Raises:
            DeltaInvalid: if the Delta does not fit the story.
            StoryMoved: if the story changed since the Delta was made.
            StoreError: if an earlier chapter is to be edited.
            NotFound: if there is no such branch.
        """
        entry = _Entry(branch, chapter, kind, title.strip(), origin)
        with self._database.write() as database:
            done = self._committed(branch, origin)
            if done is not None:
                return done
            head = self.head(branch)
            if head is None:
                self._require(branch)
            _check_place(head, entry)
            delta = canonical(delta)
            _check_fit(delta, neighbourhood(self._database, branch, delta))
            commit = _append(database, entry, head, delta)
            _write_versions(database, commit, delta)
            _touch(database, commit)
        return commit

    def verify(self, branch: str) -> None:
        """Check the hash chain of a branch, and that its tables hold what the chain tells.

        Raises:
            LibraryDamaged: if they do not; it names the chapter.
        """
        parent_hash = NO_PARENT
        snapshot = Snapshot()
        for row in self._database.rows(_LINKS, bounds(branch) | {"after": 0}):
            _check_link(row, parent_hash)
            parent_hash = row["hash"]
            snapshot = replay(snapshot, _stored_delta(row), row["chapter"])
        _check_same(read_state(self._database, branch, snapshot.chapter), snapshot)

    def _read(self, branch: str, last: Commit) -> Snapshot:
        """Return the snapshot that ends with a commit: a kept one and what came after, or all."""
        base = self._cache.before(last)
        if base is None or last.id - base[0].id > _NEAR:
            return read_state(self._database, branch, last.chapter)
        commit, snapshot = base
        links = self._database.rows(_LINKS, bounds(branch, last.chapter) | {"after": commit.id})
        if not links or links[0]["parent_hash"] != commit.hash:
            return read_state(self._database, branch, last.chapter)
        for link in links:
            snapshot = replay(snapshot, _stored_delta(link), link["chapter"])
        return snapshot

    def _require(self, branch: str) -> None:
        if not self._database.row("SELECT id FROM branches WHERE id = :id", {"id": branch}):
            raise NotFound("This line of the story is not in the library.")

    def _committed(self, branch: str, origin: str) -> Commit | None:
        row = self._database.row(
            f"SELECT {COMMIT_COLUMNS} FROM commits AS c WHERE c.branch = :branch AND c.origin = :origin",  # noqa: S608
            {"branch": branch, "origin": origin},
        )
        return None if row is None else from_row(Commit, row)


class _Entry(NamedTuple):
    branch: str
    chapter: int
    kind: CommitKind
    title: str
    origin: str


def _check_place(head: Commit | None, entry: _Entry) -> None:
    if entry.kind == "configuration":
        if head is not None or entry.chapter != 0:
            raise StoryMoved(
                "This story has begun already; its beginning is changed by editing it."
            )
        return
    if head is None:
        raise StoryMoved("This story has no beginning yet: approve its cast and world first.")
    wanted = head.chapter + 1 if entry.kind == "chapter" else head.chapter
    if entry.chapter == wanted:
        return
    if entry.kind != "chapter" and entry.chapter < wanted:
        raise StoreError(
            f"The story has reached chapter {head.chapter}; changing what earlier chapters tell is "
            "not possible yet. Change it as it is now instead."
        )
    raise StoryMoved(
        f"The story has reached chapter {head.chapter} meanwhile, so this cannot become "
        f"chapter {entry.chapter}."
    )


def _check_fit(delta: Delta, standing: Snapshot) -> None:
    moved = stale(delta, standing)
    if moved:
        raise StoryMoved(" ".join(moved))
    problems = validate(delta, standing)
    if problems:
        raise DeltaInvalid(problems)


def _append(
    database: sqlite_utils.Database, entry: _Entry, head: Commit | None, delta: Delta
) -> Commit:
    """Write the next link of the hash chain."""
    text = delta_json(delta)
    parent_hash = head.hash if head else NO_PARENT
    values = entry._asdict() | {
        "parent_hash": parent_hash,
        "hash": chain_hash(parent_hash, (entry.chapter, entry.kind, entry.title), text),
        "created": now(),
    }
    draft = Commit.model_validate({"id": 0, **values})
    row = to_row(draft) | {"id": None, "delta": text}
    table = database.table("commits").insert(row)
    return draft.model_copy(update={"id": table.last_rowid})


def _write_versions(database: sqlite_utils.Database, commit: Commit, delta: Delta) -> None:
    """Write one new row for each entity that the Delta touches."""
    rows: dict[str, list[dict[str, Value]]] = {}
    for ordinal, change in enumerate(delta.changes):
        rows.setdefault(TABLES[change.kind], []).append(_version(commit, ordinal, change))
    for table, versions in rows.items():
        database.table(table).insert_all(versions)


def _version(commit: Commit, ordinal: int, change: Change) -> dict[str, Value]:
    row = to_row(change.entity)
    del row["kind"]
    if isinstance(change.entity, Character):
        row["name_key"] = name_key(change.entity.name)
    return row | {
        "commit_id": commit.id,
        "branch_id": commit.branch,
        "chapter": commit.chapter,
        "ordinal": ordinal,
        "removed": int(change.operation == "remove"),
    }


def _touch(database: sqlite_utils.Database, commit: Commit) -> None:
    database.execute(
        "UPDATE stories SET touched = :touched "
        "WHERE id = (SELECT story FROM branches WHERE id = :branch)",
        {"touched": column(commit.created), "branch": commit.branch},
    )


def _stored_delta(row: Row) -> Delta:
    try:
        return parse_delta(row["delta"])
    except ValueError as error:
        raise _damaged(row["chapter"]) from error


def _check_link(row: Row, parent_hash: str) -> None:
    content = (row["chapter"], row["kind"], row["title"])
    try:
        wanted = chain_hash(parent_hash, content, row["delta"])
    except ValueError as error:
        raise _damaged(row["chapter"]) from error
    if row["parent_hash"] != parent_hash or row["hash"] != wanted:
        raise _damaged(row["chapter"])


def _check_same(stored: Snapshot, told: Snapshot) -> None:
    """Raise if the tables and the fold of the chain differ."""
    for id_ in {**stored.entities, **told.entities}:
        if stored.entities.get(id_) != told.entities.get(id_):
            raise _damaged(told.told_in(id_) if id_ in told.first_chapter else stored.told_in(id_))


def _damaged(chapter: int) -> LibraryDamaged:
    return LibraryDamaged(
        f"Chapter {chapter} of this story is not what was once written; the library is damaged.",
        chapter,
    )
