"""What the machine carries from node to node: ids, numbers and short words, never prose."""

from __future__ import annotations

from typing import Literal, TypedDict


class StoryState(TypedDict, total=False):
    """The state of one thread.

    `round` counts how often the present chapter (or configuration, or text) was asked for anew,
    from 1. `asked_by` is the id of the question whose note the next round follows.
    """

    task: Literal["initialize", "outline", "plot", "choose", "write"]
    is_autopilot: bool
    stops_at_goal: bool
    chapter: int
    last_chapter: int
    round: int
    asked_by: str
    goal: str
    choice: str
    is_reached: bool
    is_again: bool
    form: str
