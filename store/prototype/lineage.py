"""The commits that a branch is made of, its own and its ancestors', and its undoable steps."""

from __future__ import annotations

from typing import NamedTuple

from store.database.database import Database
from store.database.rows import from_row
from store.models.story import Commit

UNBOUNDED = 2**62

LINE = """
WITH RECURSIVE line (branch_id, last_chapter, last_commit) AS (
    SELECT :branch, :chapter, :commit
    UNION
    SELECT branches.parent, min(line.last_chapter, branches.fork_chapter),
           min(line.last_commit, branches.fork_commit)
    FROM line JOIN branches ON branches.id = line.branch_id
    WHERE branches.parent IS NOT NULL
)
"""
"""Yields each branch of the line with the last chapter and commit of it that count.

`UNION` drops repeated rows, so not even a damaged library can make it run forever.
"""

COMMIT_COLUMNS = (
    "c.id, c.branch, c.chapter, c.kind, c.title, c.origin, c.parent_hash, c.hash, c.told, c.created"
)

_STRETCHES = f"{LINE} SELECT * FROM line"
_NEWEST = f"""{LINE}
SELECT {COMMIT_COLUMNS}, CASE c.branch WHEN :branch THEN c.told ELSE (
    SELECT fork_chapter FROM branches WHERE id = :branch
) END AS newest_chapter
FROM line JOIN commits AS c ON c.id = (
    SELECT own.id FROM commits AS own
    WHERE own.branch = line.branch_id AND own.chapter <= line.last_chapter
      AND own.id <= line.last_commit
    ORDER BY own.id DESC LIMIT 1
)
ORDER BY c.id DESC LIMIT 1
"""
"""A branch's newest commit is found at once; an earlier chapter's, behind the later ones."""

_KINDS = f"""{LINE}
SELECT c.id, c.kind, c.branch FROM line JOIN commits AS c
  ON c.branch = line.branch_id AND c.id <= line.last_commit ORDER BY c.id
"""


class Head(NamedTuple):
    """A state of a branch, now or earlier: a chapter, and the newest commit that counts for it.

    The commit may be an edit of an earlier chapter. Its hash and the chapter together identify one
    state of the story, because the hash covers everything that was committed before.
    """

    commit: Commit
    chapter: int


class Stretch(NamedTuple):
    """A branch of a line, up to the last chapter and commit of it that count."""

    branch: str
    last_chapter: int
    last_commit: int


def bounds(
    branch_id: str, chapter: int | None = None, commit: int | None = None
) -> dict[str, object]:
    """Return the parameters of `LINE` up to a chapter and a commit; None: the newest."""
    return {
        "branch": branch_id,
        "chapter": UNBOUNDED if chapter is None else chapter,
        "commit": UNBOUNDED if commit is None else commit,
    }


def line_of(database: Database, branch_id: str, chapter: int | None = None) -> list[Stretch]:
    """Return the stretches of a branch's line up to a chapter, the branch itself first."""
    rows = database.rows(_STRETCHES, bounds(branch_id, chapter))
    return [Stretch(row["branch_id"], row["last_chapter"], row["last_commit"]) for row in rows]


def head_at(database: Database, branch_id: str, chapter: int | None = None) -> Head | None:
    """Return the head of a branch's line at the end of a chapter, or now.

    A chapter that is not plotted yet counts as the newest one. None: nothing was committed.
    """
    row = database.row(_NEWEST, bounds(branch_id))
    if row is None:
        return None
    newest = Head(from_row(Commit, row), row["newest_chapter"])
    if chapter is None or chapter >= newest.chapter:
        return newest
    commit = newest_commit(database, branch_id, chapter)
    return None if commit is None else Head(commit, chapter)


def newest_chapter(database: Database, branch_id: str) -> int:
    """Return the newest chapter of a branch's line; 0 if nothing was committed."""
    row = database.row(_NEWEST, bounds(branch_id))
    return int(row["newest_chapter"]) if row else 0


def newest_commit(database: Database, branch_id: str, chapter: int) -> Commit | None:
    """Return the newest commit of a branch's line to a chapter or any before it."""
    row = database.row(_NEWEST, bounds(branch_id, chapter))
    return None if row is None else from_row(Commit, row)


def cancelled(database: Database, branch_id: str) -> frozenset[int]:
    """Return the ids of the commits along a line that were undone, and of those that undid them.

    What they changed does not count, even if an earlier chapter is edited later on.
    """
    ended: set[int] = set()
    done: dict[str, list[int]] = {}
    for row in database.rows(_KINDS, bounds(branch_id)):
        stack = done.setdefault(row["branch"], [])
        if row["kind"] in {"undo", "untell"}:
            ended |= {row["id"], stack.pop()} if stack else {row["id"]}
        else:
            stack.append(row["id"])
    return frozenset(ended)


_OWN = f"SELECT {COMMIT_COLUMNS} FROM commits AS c WHERE c.branch = :branch ORDER BY c.id"


class Steps(NamedTuple):
    """A branch's own commits, done and undone. The last of each is next."""

    done: list[Commit]
    undone: list[Commit]


def own_steps(database: Database, branch: str) -> Steps:
    """Return the steps of a branch, without its beginning and what it shares with its parent."""
    done: list[Commit] = []
    undone: list[Commit] = []
    for row in database.rows(_OWN, {"branch": branch}):
        commit = from_row(Commit, row)
        if commit.kind in {"undo", "untell"}:
            undone += done[-1:]
            del done[-1:]
            continue
        if commit.kind in {"redo", "retell"}:
            del undone[-1:]
        else:
            undone.clear()
        if commit.kind != "configuration":
            done.append(commit)
    return Steps(done, undone)
