"""What the machine carries from node to node: ids, numbers and short words, never prose."""

from __future__ import annotations

from typing import Literal, TypedDict


class StoryState(TypedDict, total=False):
    """The state of one thread.

    `round` counts how often the present chapter (or configuration, or text) was asked for anew,
    from 1. `asked_by` is the id of the question whose note the next round follows. `closing` is the
    chapter that was plotted just before in the same run, while nothing is said of its end; 0: none.
    `draft` counts the drafts of an outline within their round, from 1.
    """

    task: Literal["initialize", "outline", "plot", "choose", "write"]
    is_autopilot: bool
    stops_at_goal: bool
    chapter: int
    last_chapter: int
    closing: int
    round: int
    draft: int
    asked_by: str
    goal: str
    choice: str
    is_reached: bool
    is_again: bool
    form: str


def is_over(state: StoryState) -> bool:
    """Return whether the run ends because the story has reached its goal."""
    return state.get("is_reached", False) and state.get("stops_at_goal", False)
