"""The plan of a story before it begins, as its author reads it."""

from __future__ import annotations

from graph_flow.cognition.memory import relationship_line
from graph_flow.cognition.omniscient import author_line, past_lines
from graph_flow.founding.agents import CAST
from graph_flow.founding.book_premise import book_text, ends_of, room_for_book
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.length import Breadth, breadth_of, length_words, scope_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import StoryContext
from store.models.endpoint import ModelStrength
from store.models.plot import Foundation
from store.models.proposals import Configuration
from store.models.prototype import Snapshot


def book_begun(context: StoryContext) -> Variables:
    """Return the text of a book that its writer has begun, or its ends, as variables of a prompt.

    Both are empty for a story that begins with its premise.
    """
    text = book_text(context.store, context.branch)
    opening, newest = ends_of(text, room_for_book(context, CAST)) if text else ("", "")
    return {"book": opening, "book_end": newest}


def what_is_settled(context: StoryContext, foundation: Foundation) -> Variables:
    """Return what is decided of a story before it has people, as variables of a prompt."""
    brief = context.brief
    return {
        "premise": brief.premise,
        "wishes": brief.wishes,
        "length": length_words(context.settings, context.unit),
        "scope": scope_words(context.settings),
        "breadth": breadth_of(context.settings),
        "background": foundation.background,
        "idea": foundation.idea,
        "truth": foundation.truth,
        "goal": foundation.long_term_goal,
        "themes": foundation.themes,
        "tone": foundation.tone,
        **book_begun(context),
    }


def sketch_beside(configuration: Configuration, foundation: Foundation) -> str:
    """Return the sketch for whoever is told the story in short, which says where it goes, as it was decided."""
    found = configuration.sketch_of(configuration.idea)
    return found.text if found and foundation.idea else configuration.sketch


def answer_tokens(context: StoryContext, agent: Agent) -> int:
    """Return how many tokens an able model's answer may have in which a story is planned.

    The plan of a novel has twice the people, secrets and turns that its prompt is meant for.
    """
    usual = agent.prompt(ModelStrength.ABLE).max_tokens
    return usual * 2 if breadth_of(context.settings) is Breadth.NOVEL else usual


def plan_so_far(context: StoryContext, proposed: Snapshot) -> Variables:
    """Return all that is decided so far of a proposed story, as variables of a prompt."""
    return {
        **what_is_settled(context, proposed.foundation),
        "people": [author_line(person) for person in proposed.characters],
        "ties": [relationship_line(proposed, one) for one in proposed.relationships],
        "past": list(past_lines(proposed).values()),
        "places": [scene.name for scene in proposed.scenes],
    }
