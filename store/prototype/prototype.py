"""The Story Prototype in the library: snapshots, and the one write path to them."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

import sqlite_utils
from cachetools import LRUCache

from store.database.database import Database, Row
from store.database.rows import from_row
from store.database.word_index import index_words
from store.deltas.delta import canonical, invert, replay
from store.errors import NotFound, StoreError
from store.models.base import new_id
from store.models.cast import Character
from store.models.delta import Delta
from store.models.prototype import EntityKind, Snapshot
from store.models.story import Commit, CommitKind
from store.prototype.carry_forward import Carried, carry
from store.prototype.commit_steps import (
    Entry,
    append_link,
    check_fit,
    check_later,
    check_place,
    touch_story,
    write_versions,
)
from store.prototype.lineage import (
    COMMIT_COLUMNS,
    LINE,
    UNBOUNDED,
    Head,
    Steps,
    bounds,
    head_at,
    own_steps,
)
from store.prototype.neighbourhood import neighbourhood
from store.prototype.states import Version, read_people, read_state, read_versions
from store.prototype.verification import stored_delta, verify_commits, verify_line

_ON_LINE = """
FROM line JOIN commits AS c
  ON c.branch = line.branch_id AND c.chapter <= line.last_chapter AND c.id <= line.last_commit
"""
_COMMITS = f"{LINE} SELECT {COMMIT_COLUMNS} {_ON_LINE} ORDER BY c.chapter, c.id"
_COMMITS_FROM = f"""{LINE} SELECT {COMMIT_COLUMNS} {_ON_LINE} AND c.told >= :told
ORDER BY c.chapter, c.id"""
_SINCE = f"""{LINE} SELECT c.kind, c.chapter, c.delta {_ON_LINE} AND c.chapter >= :since_chapter
  AND (c.id > :since_commit OR c.chapter > :since_chapter)
ORDER BY c.chapter, c.id LIMIT :most"""
_EARLIER_SINCE = f"""{LINE} SELECT c.id {_ON_LINE}
  AND c.id > :since_commit AND c.chapter < :since_chapter LIMIT 1"""
_STANDS = "SELECT id FROM commits WHERE id = :id AND hash = :hash"
_LATER = f"{LINE} SELECT c.id {_ON_LINE} AND c.chapter > :of LIMIT 1"
_TITLE = f"""{LINE} SELECT c.title {_ON_LINE}
  AND c.chapter = :of AND c.kind IN ('configuration', 'chapter', 'retell') ORDER BY c.id DESC"""
_LINE_ROWS = f"{LINE} SELECT * FROM line"

_NEAR = 50
"""How many commits are replayed on a kept snapshot before it is quicker to read everything."""

_STRAIGHT: frozenset[CommitKind] = frozenset(
    {"configuration", "chapter", "edit", "import", "merge"}
)
"""Commits that are replayed on a kept snapshot; after any other, everything is read again."""

_TOLD: frozenset[CommitKind] = frozenset({"configuration", "chapter", "retell"})


class PrototypeStore:
    """Reads snapshots of a branch and commits Deltas to it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache = SnapshotCache()

    def head(self, branch: str) -> Head | None:
        """Return the head of a branch: its newest chapter and its newest commit; None if empty."""
        return head_at(self._database, branch)

    def chapters(self, branch: str, last: int | None = None) -> list[Commit]:
        """Return the commits of the configuration and of each plotted chapter, in order.

        `last` is the branch's newest chapter, if it is known already.
        """
        if last is None:
            head = self.head(branch)
            last = head.chapter if head else 0
        told = [c for c in self.commits(branch) if c.kind in _TOLD]
        newest = {commit.chapter: commit for commit in told}
        return [commit for commit in newest.values() if commit.chapter <= last]

    def title_of(self, branch: str, chapter: int) -> str:
        """Return the title of a chapter; empty if it has none or is not plotted yet."""
        row = self._database.row(_TITLE, bounds(branch) | {"of": chapter})
        return row["title"] if row else ""

    def commits(self, branch: str) -> list[Commit]:
        """Return all commits along the branch's line, in order."""
        rows = self._database.rows(_COMMITS, bounds(branch))
        return [from_row(Commit, row) for row in rows]

    def commits_from(self, branch: str, chapter: int) -> list[Commit]:
        """Return the commits after which a chapter was plotted, its own first among them, in order."""
        rows = self._database.rows(_COMMITS_FROM, bounds(branch) | {"told": chapter})
        return [from_row(Commit, row) for row in rows]

    def snapshot(self, branch: str, chapter: int | None = None) -> Snapshot:
        """Return the prototype as it was at the end of a chapter.

        None is the newest chapter; a chapter that is not plotted yet counts as the newest one.
        """
        head = head_at(self._database, branch, chapter)
        if head is None:
            self._require(branch)
            return Snapshot()
        snapshot = self._cache.get(head) or self._read(branch, head)
        self._cache.put(head, snapshot)
        return snapshot

    def partial(self, branch: str, chapter: int | None, ids: Collection[str]) -> Snapshot:
        """Return a snapshot of only the entities with these ids, at the cost of these alone."""
        last = head_at(self._database, branch, chapter)
        if last is None:
            self._require(branch)
            return Snapshot()
        return read_state(self._database, branch, last.chapter, ids)

    def around(self, branch: str, deltas: Sequence[Delta], chapter: int = UNBOUNDED) -> Snapshot:
        """Return the part of a snapshot, by default the newest, that decides whether Deltas fit.

        The cost depends on the Deltas, not on the length of the story.
        """
        return neighbourhood(self._database, branch, deltas, chapter)

    def cast(self, branch: str, head: Head | None = None) -> list[Character]:
        """Return the people of a branch as they are now, in order of appearance.

        `head` is where the branch stands, where it is known already.
        """
        head = head or self.head(branch)
        return read_people(self._database, branch, head.chapter) if head else []

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
        return stored_delta(row)

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

        An edit of an earlier chapter carries forward into the later ones (see `store.prototype.carry_forward`).
        If this `origin` was committed on the branch already, do nothing and return that commit.

        Raises:
            DeltaInvalid: if the Delta does not fit the story.
            StoryMoved: if the story changed since the Delta was made.
            NotFound: if there is no such branch.
        """
        entry = Entry(branch, chapter, kind, title.strip(), origin)
        with self._database.write() as database:
            done = self._committed(branch, origin)
            if done is not None:
                return done
            return self._append(database, entry, canonical(delta))

    def parting(self, branch: str, other: str) -> Snapshot:
        """Return the story as it was when two branches parted.

        Raises:
            NotFound: if they have nothing in common.
        """
        bounds_of_other = {
            row["branch_id"]: row for row in self._database.rows(_LINE_ROWS, bounds(other))
        }
        for row in self._database.rows(_LINE_ROWS, bounds(branch)):
            same = bounds_of_other.get(row["branch_id"])
            if same is not None:
                chapter = min(row["last_chapter"], same["last_chapter"])
                commit = min(row["last_commit"], same["last_commit"])
                return read_state(self._database, row["branch_id"], chapter, commit=commit)
        raise NotFound("These two branches have nothing in common.")

    def undo(self, branch: str) -> Commit:
        """Take back the newest commit of a branch that is not undone yet, even if it is a chapter.

        Raises:
            StoreError: if the branch has nothing of its own to take back.
        """
        with self._database.write() as database:
            done = own_steps(self._database, branch).done
            if not done:
                raise StoreError("There is nothing to undo on this branch.")
            kind: CommitKind = "untell" if done[-1].kind in _TOLD else "undo"
            return self._reverse(database, done[-1], kind, invert(self.delta_of(done[-1].id)))

    def redo(self, branch: str) -> Commit:
        """Bring back what was undone last.

        Raises:
            StoreError: if nothing was undone, or something was committed since.
        """
        with self._database.write() as database:
            undone = own_steps(self._database, branch).undone
            if not undone:
                raise StoreError("There is nothing to redo on this branch.")
            kind: CommitKind = "retell" if undone[-1].kind in _TOLD else "redo"
            return self._reverse(database, undone[-1], kind, self.delta_of(undone[-1].id))

    def steps(self, branch: str) -> Steps:
        """Return what can be undone and redone on a branch, the next one last in each."""
        return own_steps(self._database, branch)

    def verify(self, branch: str) -> None:
        """Check the hash chain of a branch, and that its tables agree with the chain.

        Raises:
            LibraryDamaged: if they do not; it names the chapter.
        """
        verify_line(self._database, branch)

    def verify_commits(self, branch: str, newest: int | None = None) -> None:
        """Check the commits that a branch has of its own, and every version that they wrote.

        `newest` is how many are checked at most, the newest ones; None: all.

        Raises:
            LibraryDamaged: if one is not as it was written; it names the chapter.
        """
        verify_commits(self._database, branch, newest)

    def _append(self, database: sqlite_utils.Database, entry: Entry, delta: Delta) -> Commit:
        head = self.head(entry.branch)
        if head is None:
            self._require(entry.branch)
        check_place(head, entry)
        standing = neighbourhood(self._database, entry.branch, [delta], entry.based_on)
        check_fit(entry, delta, standing)
        carried: list[Carried] = []
        if self._has_later(entry):
            check_later(delta, neighbourhood(self._database, entry.branch, [delta]))
            carried = carry(self._database, entry.branch, entry.chapter, delta)
        commit = append_link(database, entry, head, delta)
        own = [(entry.chapter, change) for change in delta.changes]
        places = [*own, *((one.chapter, one.change) for one in carried)]
        write_versions(database, commit, places)
        index_words(database, commit, places)
        touch_story(database, commit)
        return commit

    def _reverse(
        self, database: sqlite_utils.Database, step: Commit, kind: CommitKind, delta: Delta
    ) -> Commit:
        entry = Entry(step.branch, step.chapter, kind, step.title, new_id())
        return self._append(database, entry, canonical(delta))

    def _has_later(self, entry: Entry) -> bool:
        """Return whether anything was ever committed to a chapter after an entry's."""
        place = bounds(entry.branch) | {"of": entry.chapter}
        return self._database.row(_LATER, place) is not None

    def _read(self, branch: str, head: Head) -> Snapshot:
        """Return the snapshot of a head, built on a kept one if that is quicker."""
        base = self._cache.before(head)
        links = self._since(branch, head, base[0]) if base else None
        if base is None or links is None:
            return read_state(self._database, branch, head.chapter)
        snapshot = base[1]
        for link in links:
            snapshot = replay(snapshot, stored_delta(link), link["chapter"])
        return snapshot

    def _since(self, branch: str, head: Head, base: Head) -> list[Row] | None:
        """Return the commits from a kept snapshot to a head; None if they cannot be replayed."""
        place = bounds(branch, head.chapter) | {
            "since_chapter": base.chapter,
            "since_commit": base.commit.id,
            "most": _NEAR + 1,
        }
        # A snapshot read inside a transaction that was rolled back is of a commit that never was.
        stands = self._database.row(_STANDS, {"id": base.commit.id, "hash": base.commit.hash})
        if stands is None or self._database.row(_EARLIER_SINCE, place):
            return None
        links = self._database.rows(_SINCE, place)
        is_straight = len(links) <= _NEAR and all(link["kind"] in _STRAIGHT for link in links)
        return links if is_straight else None

    def _require(self, branch: str) -> None:
        if not self._database.row("SELECT id FROM branches WHERE id = :id", {"id": branch}):
            raise NotFound("This branch is not in the library.")

    def _committed(self, branch: str, origin: str) -> Commit | None:
        row = self._database.row(
            f"SELECT {COMMIT_COLUMNS} FROM commits AS c WHERE c.branch = :branch AND c.origin = :origin",
            {"branch": branch, "origin": origin},
        )
        return None if row is None else from_row(Commit, row)


KEPT = 8


class SnapshotCache:
    """Keeps the snapshots used last, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: LRUCache[Head, Snapshot] = LRUCache(KEPT)

    def get(self, head: Head) -> Snapshot | None:
        """Return the snapshot of a head, if it is kept."""
        with self._lock:
            return self._kept.get(head)

    def put(self, head: Head, snapshot: Snapshot) -> None:
        """Keep a snapshot, in place of the least recently used one."""
        with self._lock:
            self._kept[head] = snapshot

    def before(self, head: Head) -> tuple[Head, Snapshot] | None:
        """Return the kept snapshot of the same branch that is closest before a head."""
        with self._lock:
            earlier = (
                kept
                for kept in self._kept
                if kept.commit.branch == head.commit.branch
                and kept.commit.id <= head.commit.id
                and kept.chapter <= head.chapter
            )
            last = max(earlier, key=lambda kept: (kept.chapter, kept.commit.id), default=None)
            return None if last is None else (last, self._kept[last])
