"""The plan of a story before it begins, as its author reads it."""

from __future__ import annotations

from graph_flow.cognition.memory import relationship_line
from graph_flow.cognition.omniscient import author_line, past_lines
from graph_flow.prompting.length import length_words, scope_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import StoryContext
from store.models.plot import Foundation
from store.models.prototype import Snapshot


def what_is_settled(context: StoryContext, foundation: Foundation) -> Variables:
    """Return what is decided of a story before it has people, as variables of a prompt."""
    brief = context.brief
    return {
        "premise": brief.premise,
        "wishes": brief.wishes,
        "length": length_words(context.settings),
        "scope": scope_words(context.settings),
        "background": foundation.background,
        "truth": foundation.truth,
        "goal": foundation.long_term_goal,
        "themes": foundation.themes,
        "tone": foundation.tone,
    }


def plan_so_far(context: StoryContext, proposed: Snapshot) -> Variables:
    """Return all that is decided so far of a proposed story, as variables of a prompt."""
    return {
        **what_is_settled(context, proposed.foundation),
        "people": [author_line(person) for person in proposed.characters],
        "ties": [relationship_line(proposed, one) for one in proposed.relationships],
        "past": list(past_lines(proposed).values()),
        "places": [scene.name for scene in proposed.scenes],
    }
