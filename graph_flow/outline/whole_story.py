"""What an able model is told of a story when it outlines it, and how it reads an earlier outline."""

from __future__ import annotations

from graph_flow.cognition.memory import (
    BudgetedLines,
    cast_lines,
    relationship_line,
    retrieve,
    within,
)
from graph_flow.cognition.omniscient import aim_lines, author_line, past_lines, spine_lines
from graph_flow.founding.following import sketch_of
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.outline.current import span_of
from graph_flow.outline.entities import labelled, link_line, whole_line
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.length import breadth_of, length_words, scope_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.outline import Outline
from store.prototype.excerpts import Query

_OF_PEOPLE, _OF_TIES, _OF_PAST, _OF_HISTORY = 0.15, 0.05, 0.1, 0.2
"""The most of a model's window that each of them takes; before anything is told, people take the share of that too."""
_OF_OPENING = 0.25
"""The most of a model's window that the opening of a story takes."""
_PEOPLE, _LINES = 20, 60
"""The most people, and lines of anything else, that a prompt holds."""


def whole_story(context: StoryContext, state: StoryState, agent: Agent) -> Variables:
    """Return all that is decided of a story and has happened in it, as variables of a prompt.

    Of a long story it is as much as the agent's model has room for.
    """
    excerpts, brief, note = context.store.excerpts, context.brief, context.note(state)
    foundation = excerpts.foundation(context.branch).foundation
    about = f"{foundation.long_term_goal} {note}"
    circle = excerpts.of_circle(context.branch, None, about)
    is_begun = span_of(context.store, context.branch).told > 0
    share = _OF_PEOPLE if is_begun else _OF_PEOPLE + _OF_HISTORY
    room = context.memory_budget(agent, share, _PEOPLE)
    people = cast_lines(circle, about, room, line=author_line)
    if people.left_out:
        people = aim_lines(lambda line: cast_lines(circle, about, room, line=line), room.tokens)
    query = Query(text=about, people=tuple(person.id for person in circle.characters))
    history = context.memory_budget(agent, _OF_HISTORY, _LINES)
    told = retrieve(context.store, context.branch, None, query, history)
    ties = (relationship_line(circle, one) for one in circle.relationships)
    past = past_lines(excerpts.of_chapter(context.branch, 0)).values()
    return {
        "premise": brief.premise,
        "wishes": brief.wishes,
        "length": length_words(context.settings, context.unit),
        "scope": scope_words(context.settings),
        "breadth": breadth_of(context.settings),
        "background": foundation.background,
        "truth": foundation.truth,
        "long_term_goal": foundation.long_term_goal,
        "themes": foundation.themes,
        "tone": foundation.tone,
        "spine": list(spine_lines(circle.spine).values()),
        "opening": _opening(context, agent, is_begun=is_begun),
        "people": people,
        "ties": within(ties, context.memory_budget(agent, _OF_TIES, _LINES)),
        "past": within(past, context.memory_budget(agent, _OF_PAST, _LINES)),
        "history": BudgetedLines(
            (
                line
                for event, line in zip(told.events, told.lines, strict=True)
                if told.snapshot.first_chapter_of(event.id) > 0
            ),
            told.lines.left_out,
        ),
        "note": note,
    }


def _opening(context: StoryContext, agent: Agent, *, is_begun: bool) -> str:
    """Return the first chapters of a longer story as its sketch tells them, if none of them is plotted yet."""
    sketch = sketch_of(context.store, context.branch)
    if is_begun or sketch is None or sketch.is_whole:
        return ""
    room = context.window(agent) * _OF_OPENING
    return sketch.text if estimate_tokens(sketch.text) <= room else ""


def chapters_words(chapters: range) -> str:
    """Return which chapters are meant, in words."""
    first, last = chapters[0], chapters[-1]
    return f"chapter {first}" if first == last else f"chapters {first} to {last}"


def whole_lines(outline: Outline) -> list[str]:
    """Return the events of an outline with all that is planned of them, each under its label."""
    return [whole_line(label, event) for label, event in labelled(outline.events).items()]


def link_lines(outline: Outline) -> list[str]:
    """Return what joins the events of an outline, by their labels."""
    labels = {event.id: label for label, event in labelled(outline.events).items()}
    return [link_line(link, labels) for link in outline.links]
