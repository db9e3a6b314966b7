"""The steps of a branch that can be undone and redone."""

from __future__ import annotations

from typing import NamedTuple

from store.database import Database
from store.lines import COMMIT_COLUMNS
from store.models.story import Commit
from store.rows import from_row

_OWN = f"SELECT {COMMIT_COLUMNS} FROM commits AS c WHERE c.branch = :branch ORDER BY c.id"


class Steps(NamedTuple):
    """A branch's own commits: what stands, and what was undone. The last of each is next."""

    done: list[Commit]
    undone: list[Commit]


def own_steps(database: Database, branch: str) -> Steps:
    """Return the steps of a branch. Its beginning, and what it shares with its parent, stay."""
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
