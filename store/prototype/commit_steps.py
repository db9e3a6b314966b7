"""The steps of the one write path: place, fit, hash chain, rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlite_utils

from store.database.model_tables import TABLES
from store.database.packing import packed_row
from store.database.records import add_all
from store.database.rows import Value, column, now, to_row
from store.deltas.canonical import NO_PARENT, chain_hash, delta_json
from store.deltas.checks import circles, duplicate_names, sentences, stale, validate
from store.deltas.locks import broken_locks
from store.errors import DeltaInvalid, StoryMoved
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.prototype import Snapshot
from store.models.story import Commit, CommitKind
from store.prototype.lineage import Head
from store.text import name_key


class Entry(NamedTuple):
    """What is to be committed, apart from the Delta itself."""

    branch: str
    chapter: int
    kind: CommitKind
    title: str
    origin: str

    @property
    def based_on(self) -> int:
        """The chapter whose end the Delta changes."""
        return self.chapter - 1 if self.kind in _TELLING else self.chapter

    @property
    def told(self) -> int | None:
        """The newest chapter afterwards; None if the entry does not change it."""
        if self.kind in {"configuration", *_TELLING}:
            return self.chapter
        return self.chapter - 1 if self.kind == "untell" else None


_TELLING = frozenset({"chapter", "retell"})


def check_place(head: Head | None, entry: Entry) -> None:
    """Raise if an entry does not follow from the head of its branch.

    Raises:
        StoryMoved: if the branch has moved on, or has not come that far.
    """
    if entry.kind == "configuration":
        if head is not None or entry.chapter != 0:
            raise StoryMoved("This story has already begun; to change its beginning, edit it.")
        return
    if head is None:
        raise StoryMoved("This story has no beginning yet: approve its cast and world first.")
    is_next = entry.chapter == head.chapter + (1 if entry.kind in _TELLING else 0)
    if is_next or (entry.told is None and 0 <= entry.chapter <= head.chapter):
        return
    raise StoryMoved(
        f"The story has reached chapter {head.chapter}, so this cannot become "
        f"chapter {entry.chapter}."
    )


def check_fit(entry: Entry, delta: Delta, standing: Snapshot) -> None:
    """Raise if a Delta does not fit the story as it is.

    The plot of a chapter comes from agents, who may change nothing that the writer has locked.

    Raises:
        StoryMoved: if what it changes is not as it was.
        DeltaInvalid: if it contradicts itself or the story, or breaks a lock.
    """
    moved = sentences(stale(delta, standing))
    if moved:
        raise StoryMoved(" ".join(moved))
    problems = validate(delta, standing)
    if entry.kind == "chapter":
        problems += broken_locks(delta, standing)
    if problems:
        raise DeltaInvalid(problems)


def check_later(delta: Delta, newest: Snapshot) -> None:
    """Raise if an edit of an earlier chapter conflicts with the story as it is now.

    What the edit needs, and what needs it, is checked chapter by chapter in
    `store.prototype.carry_forward`.

    Raises:
        DeltaInvalid: if two people would have one name, or events would run in a circle.
    """
    problems = sentences(duplicate_names(delta, newest), circles(delta, newest))
    if problems:
        raise DeltaInvalid(problems)


def append_link(
    database: sqlite_utils.Database, entry: Entry, head: Head | None, delta: Delta
) -> Commit:
    """Write the next link of the hash chain."""
    text = delta_json(delta)
    parent_hash = head.commit.hash if head else NO_PARENT
    values = entry._asdict() | {
        "parent_hash": parent_hash,
        "hash": chain_hash(parent_hash, (entry.chapter, entry.kind, entry.title), text),
        "told": _told_after(head, entry),
        "created": now(),
    }
    draft = Commit.model_validate({"id": 0, **values})
    row = to_row(draft) | {"id": None, "delta": text}
    table = database.table("commits").insert(dict(packed_row("commits", row)))
    return draft.model_copy(update={"id": table.last_rowid})


def _told_after(head: Head | None, entry: Entry) -> int:
    if entry.told is not None:
        return entry.told
    return head.chapter if head else 0


def write_versions(
    database: sqlite_utils.Database, commit: Commit, places: Iterable[tuple[int, Change]]
) -> None:
    """Write a new row for each entity that a commit touches, under the chapter of the change."""
    rows: dict[str, list[dict[str, Value]]] = {}
    for ordinal, (chapter, change) in enumerate(places):
        version = _version(commit, chapter, change) | {"ordinal": ordinal}
        rows.setdefault(TABLES[change.kind], []).append(version)
    for table, versions in rows.items():
        add_all(database, table, versions)


def _version(commit: Commit, chapter: int, change: Change) -> dict[str, Value]:
    row = to_row(change.entity)
    del row["kind"]
    if isinstance(change.entity, Character):
        row["name_key"] = name_key(change.entity.name)
    return row | {
        "commit_id": commit.id,
        "branch_id": commit.branch,
        "chapter": chapter,
        "removed": int(change.operation == "remove"),
    }


def touch_story(database: sqlite_utils.Database, commit: Commit) -> None:
    """Note that the story of a commit was worked on."""
    database.execute(
        "UPDATE stories SET touched = :touched "
        "WHERE id = (SELECT story FROM branches WHERE id = :branch)",
        {"touched": column(commit.created), "branch": commit.branch},
    )
