"""The line of a branch: its own commits, and its parents' up to where it left them."""

from __future__ import annotations

from store.database import Database
from store.models.story import Commit
from store.rows import from_row

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

`UNION` drops repeated rows, so that even a damaged library cannot make it run for ever.
"""

COMMIT_COLUMNS = (
    "c.id, c.branch, c.chapter, c.kind, c.title, c.origin, c.parent_hash, c.hash, c.told, c.created"
)

_HEAD = f"""{LINE}
SELECT {COMMIT_COLUMNS} FROM line JOIN commits AS c ON c.id = (
    SELECT own.id FROM commits AS own
    WHERE own.branch = line.branch_id AND own.chapter <= line.last_chapter
      AND own.id <= line.last_commit
    ORDER BY own.chapter DESC, own.id DESC LIMIT 1
)
ORDER BY c.chapter DESC, c.id DESC LIMIT 1
"""


def bounds(branch_id: str, chapter: int | None = None) -> dict[str, object]:
    """Return the parameters of `LINE` for a branch up to the end of a chapter; None: the newest."""
    return {
        "branch": branch_id,
        "chapter": UNBOUNDED if chapter is None else chapter,
        "commit": UNBOUNDED,
    }


def head_at(database: Database, branch_id: str, chapter: int | None = None) -> Commit | None:
    """Return the newest commit of a branch's line up to a chapter, or None if there is none."""
    row = database.row(_HEAD, bounds(branch_id, chapter))
    return None if row is None else from_row(Commit, row)
