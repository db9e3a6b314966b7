"""The steps of the one write path: place, fit, hash chain, rows."""

from __future__ import annotations

from typing import NamedTuple

import sqlite_utils

from store.canonical import NO_PARENT, chain_hash, delta_json
from store.errors import DeltaInvalid, StoreError, StoryMoved
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.prototype import Snapshot
from store.models.story import Commit, CommitKind
from store.naming import name_key
from store.rows import Value, column, now, to_row
from store.states import TABLES
from store.validation import stale, validate


class Entry(NamedTuple):
    """What is to be committed, apart from the Delta itself."""

    branch: str
    chapter: int
    kind: CommitKind
    title: str
    origin: str


def check_place(head: Commit | None, entry: Entry) -> None:
    """Raise where an entry does not follow from the head of its branch.

    Raises:
        StoryMoved: if the branch went on meanwhile, or has not come that far.
        StoreError: if an earlier chapter is to be edited.
    """
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


def check_fit(delta: Delta, standing: Snapshot) -> None:
    """Raise where a Delta does not fit what stands.

    Raises:
        StoryMoved: if what it changes is not as it was.
        DeltaInvalid: if it does not hold together.
    """
    moved = stale(delta, standing)
    if moved:
        raise StoryMoved(" ".join(moved))
    problems = validate(delta, standing)
    if problems:
        raise DeltaInvalid(problems)


def append_link(
    database: sqlite_utils.Database, entry: Entry, head: Commit | None, delta: Delta
) -> Commit:
    """Write the next link of the hash chain."""
    text = delta_json(delta)
    parent_hash = head.hash if head else NO_PARENT
    values = entry._asdict() | {
        "parent_hash": parent_hash,
        "hash": chain_hash(parent_hash, (entry.chapter, entry.kind, entry.title), text),
        "told": entry.chapter,
        "created": now(),
    }
    draft = Commit.model_validate({"id": 0, **values})
    row = to_row(draft) | {"id": None, "delta": text}
    table = database.table("commits").insert(row)
    return draft.model_copy(update={"id": table.last_rowid})


def write_versions(database: sqlite_utils.Database, commit: Commit, delta: Delta) -> None:
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


def touch_story(database: sqlite_utils.Database, commit: Commit) -> None:
    """Note that the story of a commit was worked on."""
    database.execute(
        "UPDATE stories SET touched = :touched "
        "WHERE id = (SELECT story FROM branches WHERE id = :branch)",
        {"touched": column(commit.created), "branch": commit.branch},
    )
