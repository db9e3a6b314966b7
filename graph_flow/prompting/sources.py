"""What went into a prompt, in a writer's words: each source, how long it is, what was left out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graph_flow.cognition.memory import Chosen
from graph_flow.llm.request import Message
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.prompt import Variables
from store.models.run import PromptSource

INSTRUCTIONS = "What the agent is for"
EXAMPLE = "A worked example"

SOURCE_WORDS: Mapping[str, str] = {
    "action": "The task",
    "background": "The world",
    "beat": "The plan of the scene",
    "before": "The text so far",
    "candidates": "The candidates",
    "chapter": "The task",
    "condition": "Who they are",
    "count": "The task",
    "events": "What happened before",
    "eyes": "The plan of the scene",
    "facts": "People, places and ties of the scene",
    "first": "The task",
    "form": "The task",
    "found": "What was noticed in the outline",
    "goal": "The goal",
    "happens": "What happens",
    "has_moved": "The task",
    "history": "What happened before",
    "language": "The task",
    "last": "The draft before",
    "later": "What happens later",
    "line": "The storyline",
    "links": "What joins the events",
    "long_term_goal": "How the story ends",
    "memories": "What they remember",
    "most": "The task",
    "motivation": "Who they are",
    "name": "Who they are",
    "named": "Names in the premise",
    "note": "Your note",
    "now": "What happens",
    "others": "Whom they may meet",
    "outline": "The outline so far",
    "part": "Who they are",
    "parts": "What the outline has for the chapter",
    "past": "What happened before",
    "people": "The people",
    "personality": "Who they are",
    "placed": "What is placed already",
    "places": "Places",
    "plan": "What the outline has for the chapter",
    "premise": "The premise",
    "recall": "What to recall",
    "remarks": "What the reviewer said",
    "rules": "The scoring rules",
    "scenes": "The scenes",
    "secret": "Who they are",
    "stretch": "The task",
    "taken": "Ways thought of already",
    "threads": "Open threads",
    "ties": "Their ties",
    "title": "The task",
    "tone": "The tone",
    "traits": "Who they are",
    "who": "Who they are",
    "wishes": "What you asked for",
    "with_reasons": "The task",
    "words": "The task",
}
"""What a writer calls each variable of a prompt."""


def sources_of(messages: Sequence[Message], variables: Variables) -> tuple[PromptSource, ...]:
    """Return the sources of a prompt, the longest first; what the prompt says by itself comes last.

    `messages` are those of a prompt that was filled with the variables.

    Tokens are estimates. Of a text that is one piece, a line is the whole of it.

    Raises:
        KeyError: if a variable has no name among `SOURCE_WORDS`.
    """
    merged: dict[str, PromptSource] = {}
    for source in _variable_sources(variables):
        known = merged.get(source.name)
        merged[source.name] = _sum(known, source) if known else source
    told = sorted(merged.values(), key=lambda source: -source.tokens)
    given = sum(source.tokens for source in told)
    instructions, *example, request = (estimate_tokens(one.content) for one in messages)
    return (
        *told,
        PromptSource(name=INSTRUCTIONS, tokens=max(0, instructions + request - given), lines=1),
        PromptSource(name=EXAMPLE, tokens=sum(example), lines=1),
    )


def _variable_sources(variables: Variables) -> Iterator[PromptSource]:
    for name, value in variables.items():
        lines = [str(value)] if isinstance(value, str | int) else [str(line) for line in value]
        lines = [line for line in lines if line]
        left_out = value.left_out if isinstance(value, Chosen) else 0
        if lines or left_out:
            yield PromptSource(
                name=SOURCE_WORDS[name],
                tokens=sum(estimate_tokens(line) for line in lines),
                lines=len(lines),
                left_out=left_out,
            )


def _sum(one: PromptSource, other: PromptSource) -> PromptSource:
    return PromptSource(
        name=one.name,
        tokens=one.tokens + other.tokens,
        lines=one.lines + other.lines,
        left_out=one.left_out + other.left_out,
    )
