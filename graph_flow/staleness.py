"""Mark what depends on a change of what was plotted, planned or written on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise

from graph_flow.dependents import Edit, dependents
from store.models.base import new_id
from store.models.delta import Change, Delta
from store.models.staleness import StaleMark, TargetKind
from store.models.story import Commit
from store.open import Store

_MARKS = frozenset({"invented", "locked"})
"""Fields that say nothing of the story."""


def mark_stale(
    store: Store, commit: Commit, delta: Delta, since: datetime | None = None
) -> list[StaleMark]:
    """Mark the later events, and the plans and texts, that depend on what a commit changed.

    With `since` only texts that were written after that moment: what is older never knew what an
    undo takes back.
    """
    delta = Delta(changes=tuple(one for one in delta.changes if set(one.fields) - _MARKS))
    if delta.is_empty:
        return []
    edit = Edit(commit.chapter, delta, _reach(store, commit, delta))
    found = dependents(store.prototype.snapshot(commit.branch), edit)
    marks = []
    if since is None:
        told_in = store.prototype.snapshot(commit.branch).told_in
        marks = [
            _mark(commit, ("event", event, told_in(event)), reason)
            for event, reason in found.events.items()
        ]
    marks += _tellings(store, commit, found.chapters, since)
    store.staleness.add(commit.branch, marks)
    return marks


def mark_taken_back(store: Store, commit: Commit) -> None:
    """Mark the plan and the text of a chapter whose plot was taken back."""
    reason = f"The plot of chapter {commit.chapter} was taken back after this was written."
    marks = _tellings(store, commit, {commit.chapter: reason}, None)
    store.staleness.add(commit.branch, marks)


def settle_brought_back(store: Store, commit: Commit) -> None:
    """Take the marks from the plan and the text of a chapter whose plot is as it was again."""
    for mark in store.staleness.open_marks(commit.branch):
        if mark.chapter == commit.chapter and mark.reason.endswith("after this was written."):
            store.staleness.settle(mark.id)


def _tellings(
    store: Store, commit: Commit, reasons: Mapping[int, str], since: datetime | None
) -> list[StaleMark]:
    """Return the marks of the plans and texts of some chapters, each with why."""
    planned = store.manuscript.planned_chapters(commit.branch) if since is None else set()
    written = store.manuscript.chapters_written_after(commit.branch, since)
    places: list[tuple[TargetKind, set[int]]] = [("plan", planned), ("draft", written)]
    return [
        _mark(commit, (kind, str(chapter), chapter), reason)
        for chapter, reason in reasons.items()
        for kind, chapters in places
        if chapter in chapters
    ]


def _mark(commit: Commit, target: tuple[TargetKind, str, int], reason: str) -> StaleMark:
    kind, target_id, chapter = target
    return StaleMark(
        id=new_id(),
        branch=commit.branch,
        commit_id=commit.id,
        target_kind=kind,
        target=target_id,
        chapter=chapter,
        reason=reason,
    )


def _reach(store: Store, commit: Commit, delta: Delta) -> dict[str, int]:
    """Return from which chapter on later chapters have changed all of what an edit changes."""
    reach = {}
    for change in delta.changes:
        end = _end(store, commit, change)
        if end is not None:
            reach[change.id] = end
    return reach


def _end(store: Store, commit: Commit, change: Change) -> int | None:
    if change.operation != "change":
        return None
    open_fields = set(change.fields) - _MARKS
    versions = store.prototype.versions(commit.branch, None, change.kind, change.id)
    for earlier, later in pairwise(one for one in versions if one.chapter >= commit.chapter):
        if later.chapter == commit.chapter or earlier.entity is None or later.entity is None:
            continue
        open_fields -= {
            field
            for field in open_fields
            if getattr(earlier.entity, field) != getattr(later.entity, field)
        }
        if not open_fields:
            return later.chapter
    return None
