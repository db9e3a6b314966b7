"""What an edit made stale: events, plans and texts that rely on what has changed."""

from __future__ import annotations

from typing import Literal

from store.models.base import Id, Line, Record

TargetKind = Literal["event", "plan", "draft"]


class StaleMark(Record):
    """An event, plan or text that depends on what a commit changed.

    `target` is the event's id or, for a plan or a text, its chapter number. `reason` says what
    changed, in a sentence. A mark is settled when somebody has dealt with it.
    """

    id: Id
    branch: Id
    commit_id: int
    target_kind: TargetKind
    target: Id
    chapter: int
    reason: Line
    events: tuple[Id, ...] = ()
    """Of a text: the events in it that have changed, or depend on what has; none: not known which."""
    is_settled: bool = False
