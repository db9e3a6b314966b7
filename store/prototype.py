"""The Story Prototype in the library: snapshots, and the one write path to them."""

from __future__ import annotations

from collections.abc import Collection

from store.canonical import NO_PARENT, chain_hash, parse_delta
from store.committing import Entry, append_link, check_fit, check_place, touch_story, write_versions
from store.database import Database, Row
from store.delta import canonical, replay
from store.errors import LibraryDamaged, NotFound
from store.lines import COMMIT_COLUMNS, LINE, bounds, head_at
from store.models.delta import Delta
from store.models.prototype import EntityKind, Snapshot
from store.models.story import Commit, CommitKind
from store.neighbourhood import neighbourhood
from store.rows import from_row
from store.snapshots import SnapshotCache
from store.states import read_state
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
        entry = Entry(branch, chapter, kind, title.strip(), origin)
        with self._database.write() as database:
            done = self._committed(branch, origin)
            if done is not None:
                return done
            head = self.head(branch)
            if head is None:
                self._require(branch)
            check_place(head, entry)
            delta = canonical(delta)
            check_fit(delta, neighbourhood(self._database, branch, delta))
            commit = append_link(database, entry, head, delta)
            write_versions(database, commit, delta)
            touch_story(database, commit)
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
            f"SELECT {COMMIT_COLUMNS} FROM commits AS c WHERE c.branch = :branch AND c.origin = :origin",
            {"branch": branch, "origin": origin},
        )
        return None if row is None else from_row(Commit, row)


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
