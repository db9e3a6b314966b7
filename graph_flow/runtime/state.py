"""What the machine carries from node to node: ids, numbers and short words, never prose."""

from __future__ import annotations

from typing import Literal, TypedDict


class StoryState(TypedDict, total=False):
    """The state of one thread.

    `round` counts how often the current chapter (or configuration, or text) was asked for, from 1.
    `asked_by` is the id of the question whose note applies to the next round, `asked_at` its gate. `closing` is the
    chapter plotted just before in the same run, until it has been checked for the end of the story;
    0 means none. Of several chapters to write, `last_chapter` is the last; once none of them is left, `chapter`
    is beyond it. `draft` counts the drafts of an outline within a round, from 1;
    `reviews` counts how often the text of a round has been reviewed.
    `to_sketch` are the places of the sketches that are to be told, of the story or of the chapter, and `sketch`
    is one of them; `to_compare`
    are the pairs of them that are to be read side by side, and `pair` is one of these.
    `goes_on` says that the checkpoints of the run are gone: it takes up what is in the library, and
    `is_drafted` that there is a whole configuration among it.
    """

    task: Literal["initialize", "outline", "plot", "choose", "write", "read", "book"]
    is_autopilot: bool
    stops_at_goal: bool
    chapter: int
    last_chapter: int
    closing: int
    round: int
    draft: int
    reviews: int
    asked_by: str
    asked_at: str
    goal: str
    sketch: int
    to_sketch: list[int]
    pair: list[int]
    to_compare: list[list[int]]
    choice: str
    is_reached: bool
    is_again: bool
    goes_on: bool
    is_drafted: bool
    form: str


def is_over(state: StoryState) -> bool:
    """Return whether the run ends because the story has reached its goal."""
    return state.get("is_reached", False) and state.get("stops_at_goal", False)
