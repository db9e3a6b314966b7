"""What a question about the story needs of it, within a budget; each thing with a label."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_flow.cognition.knowledge import named_in
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    event_line,
    relationship_line,
    retrieve,
    within,
)
from graph_flow.cognition.omniscient import author_line, past_lines, spine_lines
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.labels import Labels
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from store.models.cast import Character
from store.models.desk.talk import TalkTurn
from store.models.plot import Event
from store.models.prototype import AnyEntity, Snapshot
from store.prototype.excerpts import OPEN_THREADS, Query

_PAST, _PEOPLE, _SAID = 0.2, 0.18, 0.12
"""Shares of the model's window for past events, for people and ties, and for what was said before."""
_MOST_EVENTS, _MOST_PEOPLE, _MOST_TIES, _MOST_SAID = 24, 14, 14, 12
_MOST_THREADS, _MOST_PAST = 10, 10
_WORLD, _SPINE = 1_200, 500
"""Characters."""


@dataclass(frozen=True)
class Material:
    """What a prompt is given, and what its labels mean."""

    variables: Variables
    named: Mapping[str, AnyEntity]
    """Entities by label: "E3", "P1"."""
    plotted: int
    """The newest chapter."""


def said_lines(turns: Sequence[TalkTurn], answerer: str, budget: PromptBudget) -> BudgetedLines:
    """Return what was said before, the oldest first, as much of the newest as fits."""
    lines = [
        line
        for turn in reversed(turns)
        if turn.answer
        for line in (f"{answerer}: {turn.answer}", f"The writer: {turn.question}")
    ]
    kept = within((" ".join(line.split()) for line in lines), budget)
    return BudgetedLines(tuple(kept)[::-1], kept.left_out)


def material_for(
    context: StoryContext, agent: Agent, turn: TalkTurn, before: Sequence[TalkTurn]
) -> Material:
    """Return what a question about the story needs of it."""
    excerpts, branch = context.store.excerpts, context.branch
    said = said_lines(before, "You", context.memory_budget(agent, _SAID, _MOST_SAID))
    text = " ".join([*said[-2:], turn.question])
    circle = excerpts.of_circle(branch, None, text)
    people = named_in(text, circle.characters)
    past = retrieve(
        context.store,
        branch,
        None,
        Query(text=text, people=tuple(sorted(people))),
        context.memory_budget(agent, _PAST, _MOST_EVENTS),
    )
    now = excerpts.of_chapter(branch, turn.chapter)
    told = _told(past.snapshot, past.events, now)
    labels = Labels()
    ground = circle.foundation
    variables: Variables = {
        "question": turn.question,
        "said": said,
        "place": _place(circle.chapter, turn.chapter),
        "background": cut(ground.background, _WORLD),
        "truth": cut(ground.truth, _WORLD),
        "long_term_goal": ground.long_term_goal,
        "spine": [cut(line, _SPINE) for line in spine_lines(circle.spine).values()],
        "past": list(past_lines(excerpts.of_chapter(branch, 0)).values())[:_MOST_PAST],
        "people": within(
            labels.of("P", _first(circle.characters, people), author_line),
            context.memory_budget(agent, _PEOPLE, _MOST_PEOPLE),
        ),
        "ties": labels.of(
            "R",
            circle.relationships[:_MOST_TIES],
            lambda tie: relationship_line(circle, tie),
        ),
        "threads": labels.of(
            "T",
            [one for one in circle.threads if one.state in OPEN_THREADS][:_MOST_THREADS],
            lambda thread: f"{thread.title} {thread.description}".strip(),
        ),
        "scenes": labels.of("S", now.scenes, lambda scene: scene.name),
        "events": BudgetedLines(
            labels.of("E", told, lambda event: told[event]), past.lines.left_out
        ),
    }
    return Material(variables, labels.named, circle.chapter)


def _told(past: Snapshot, events: Iterable[Event], now: Snapshot) -> dict[Event, str]:
    """Return past events with those of the chapter that is looked at, each with its line, in order."""
    lines = {event.id: (event, past) for event in events}
    lines |= {event.id: (event, now) for event in now.events_of(now.chapter)}
    order = sorted(
        lines.values(), key=lambda one: (one[1].first_chapter_of(one[0].id), one[0].position)
    )
    return {event: event_line(of, event, with_spoken=of is now) for event, of in order}


def _first(people: Sequence[Character], named: Collection[str]) -> list[Character]:
    return sorted(people, key=lambda person: person.id not in named)


def _place(plotted: int, asked: int) -> str:
    if not plotted:
        return "No chapter is plotted yet."
    return (
        f"{plotted} chapter{'s are' if plotted > 1 else ' is'} plotted. "
        f"The writer is looking at chapter {asked}."
    )
