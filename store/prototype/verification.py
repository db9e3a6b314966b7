"""Check that a library still holds what was once written: the hash chain, and the tables."""

from __future__ import annotations

from store.database.database import Database, Row
from store.database.model_tables import TABLES
from store.database.rows import from_row
from store.deltas.canonical import NO_PARENT, chain_hash, parse_delta
from store.deltas.delta import replay
from store.errors import LibraryDamaged
from store.models.delta import Delta
from store.models.prototype import AnyEntity, Snapshot
from store.prototype.commit_steps import Entry
from store.prototype.lineage import LINE, bounds, cancelled, head_at
from store.prototype.states import read_state

_CHAIN = "SELECT * FROM commits WHERE branch = :branch AND id <= :last ORDER BY id"
_FORKS = f"""{LINE} SELECT line.branch_id, line.last_commit, (
    SELECT hash FROM commits JOIN branches ON commits.id = branches.fork_commit
    WHERE branches.id = line.branch_id
) AS fork_hash FROM line"""
_DELTAS = f"""{LINE} SELECT c.id, c.chapter, c.delta FROM line JOIN commits AS c
  ON c.branch = line.branch_id AND c.chapter <= line.last_chapter AND c.id <= line.last_commit
ORDER BY c.chapter, c.id"""

_OWN = "SELECT * FROM commits WHERE branch = :branch ORDER BY id DESC LIMIT :most"
_FORK = """
SELECT commits.hash, branches.fork_chapter AS told FROM branches JOIN commits ON commits.id = branches.fork_commit
WHERE branches.id = :branch
"""
_VERSION = """
SELECT * FROM {table}
WHERE branch_id = :branch AND id = :id AND chapter = :chapter AND commit_id = :commit
"""


def verify_line(database: Database, branch: str) -> None:
    """Check the hash chains along a branch's line, and that the tables agree with them.

    Raises:
        LibraryDamaged: if they do not; it names the chapter.
    """
    for fork in database.rows(_FORKS, bounds(branch)):
        parent_hash = fork["fork_hash"] or NO_PARENT
        last = {"branch": fork["branch_id"], "last": fork["last_commit"]}
        for row in database.rows(_CHAIN, last):
            _check_link(row, parent_hash)
            parent_hash = row["hash"]
    head = head_at(database, branch)
    if head is not None:
        stored = read_state(database, branch, head.chapter)
        _check_same(stored, _fold(database, branch, head.chapter))


def verify_commits(database: Database, branch: str, newest: int | None = None) -> None:
    """Check a branch's own links of the chain, and every version of an entity that each wrote.

    `newest` is how many commits are checked at most, the newest ones; None: all.

    Raises:
        LibraryDamaged: if one is not as it was written; it names the chapter.
    """
    most = -1 if newest is None else newest + 1
    rows = database.rows(_OWN, {"branch": branch, "most": most})
    start = database.row(_FORK, {"branch": branch}) or {"hash": NO_PARENT, "told": 0}
    if not rows:
        return
    for row, parent in list(zip(rows, [*rows[1:], start], strict=True))[:newest]:
        _check_link(row, parent["hash"])
        _check_told(row, parent["told"])
        _check_versions(database, row)


def _check_told(commit: Row, told_before: int) -> None:
    """Check how far the story has come after a commit, which its hash does not cover."""
    told = Entry(commit["branch"], commit["chapter"], commit["kind"], "", "").told
    if commit["told"] != (told_before if told is None else told):
        raise _damaged(commit["chapter"])


def _check_versions(database: Database, commit: Row) -> None:
    key = {"branch": commit["branch"], "chapter": commit["chapter"], "commit": commit["id"]}
    for change in stored_delta(commit).changes:
        sql = _VERSION.format(table=TABLES[change.kind])
        row = database.row(sql, {**key, "id": change.id})
        is_removal = change.operation == "remove"
        if row is None or bool(row["removed"]) is not is_removal:
            raise _damaged(commit["chapter"])
        if from_row(type(change.entity), row | {"kind": change.kind}) != change.entity:
            raise _damaged(commit["chapter"])


def stored_delta(row: Row) -> Delta:
    """Return the Delta that a row of the chain holds.

    Raises:
        LibraryDamaged: if it holds none; it names the chapter.
    """
    try:
        return parse_delta(row["delta"])
    except ValueError as error:
        raise _damaged(row["chapter"]) from error


def _fold(database: Database, branch: str, chapter: int) -> Snapshot:
    ended = cancelled(database, branch)
    snapshot = Snapshot()
    for row in database.rows(_DELTAS, bounds(branch, chapter)):
        if row["id"] not in ended:
            snapshot = replay(snapshot, stored_delta(row), row["chapter"])
    return snapshot


def _check_link(row: Row, parent_hash: str) -> None:
    content = (row["chapter"], row["kind"], row["title"])
    try:
        wanted = chain_hash(parent_hash, content, row["delta"])
    except ValueError as error:
        raise _damaged(row["chapter"]) from error
    if row["parent_hash"] != parent_hash or row["hash"] != wanted:
        raise _damaged(row["chapter"])


def _check_same(stored: Snapshot, told: Snapshot) -> None:
    """Raise if the tables and the fold of the chain differ.

    Marks of what is invented do not count: libraries of before let them go their own way where a
    later chapter had changed the same field as an edit.
    """
    for id_ in {**stored.entities, **told.entities}:
        if _unmarked(stored.entities.get(id_)) != _unmarked(told.entities.get(id_)):
            raise _damaged(
                told.first_chapter_of(id_)
                if id_ in told.first_chapter
                else stored.first_chapter_of(id_)
            )


def _unmarked(entity: AnyEntity | None) -> AnyEntity | None:
    return None if entity is None else entity.model_copy(update={"invented": ()})


def _damaged(chapter: int) -> LibraryDamaged:
    return LibraryDamaged(
        f"Chapter {chapter} of this story is not as it was saved; the library is damaged.",
        chapter,
    )
