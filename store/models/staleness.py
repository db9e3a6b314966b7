"""What an edit made stale: what was plotted, planned or written on what has changed since."""

from __future__ import annotations

from typing import Literal

from store.models.base import Id, Line, Record

TargetKind = Literal["event", "plan", "draft"]


class StaleMark(Record):
    """An event, plan or text that depends on what a commit changed.

    `target` is the event's id; of a plan or a text it is the number of its chapter. `reason` says
    in a sentence what changed. A settled mark is one that somebody has seen to.
    """

    id: Id
    branch: Id
    commit_id: int
    target_kind: TargetKind
    target: Id
    chapter: int
    reason: Line
    is_settled: bool = False
