"""What the writer has seen of a story that is drafted again, and what they say of it."""

from __future__ import annotations

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply
from store.models.proposals import Configuration
from store.models.prototype import Snapshot


def idea_taken(context: StoryContext, state: StoryState, earlier: Configuration) -> int:
    """Return which of the earlier ideas the writer wants to have drafted, from 1; 0 if none."""
    decision = context.decision(state)
    choice = decision.choice if decision else None
    place = int(choice) if choice and choice.isdecimal() else 0
    return place if place <= len(earlier.ideas) else 0


def stories_turned_down(context: StoryContext, state: StoryState) -> list[str]:
    """Return the stories that the writer has seen and wants none of, in short.

    There are none if the writer takes one of them or says what is to be different, and none for whoever
    begins anew.
    """
    earlier = _before(context, state)
    decision = context.decision(state)
    if earlier is None or decision is None or decision.note:
        return []
    if idea_taken(context, state, earlier):
        return []
    return list(filter(None, earlier.ideas or [_in_short(earlier)]))


def story_to_change(context: StoryContext, state: StoryState) -> str:
    """Return the story that the writer wants changed, in short; empty if there is none."""
    earlier = _before(context, state)
    return _in_short(earlier) if earlier is not None and context.note(state) else ""


def _before(context: StoryContext, state: StoryState) -> Configuration | None:
    """Return the configuration of the round before."""
    found = context.store.proposals.configurations(context.branch)
    return next((one for one in reversed(found) if one.round < state["round"]), None)


def _in_short(configuration: Configuration) -> str:
    return apply(Snapshot(), configuration.delta, 0).foundation.idea
