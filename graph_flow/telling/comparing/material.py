"""What the agent that compares a text with its story is given: each thing with a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_flow.cognition.knowledge import named_in
from graph_flow.cognition.memory import event_line, relationship_line, within
from graph_flow.cognition.omniscient import author_line
from graph_flow.prompting.labels import Labels
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.comparing.agents import CHANGED_FACTS
from graph_flow.telling.comparing.answers import passage_labels
from graph_flow.telling.material.lines import where_and_who
from graph_flow.telling.scenes import people_in
from store.models.cast import Character
from store.models.edits.comparison import ChangedPassage, TextComparison
from store.models.endpoint import ModelStrength
from store.models.plot import Event, Scene
from store.models.prototype import AnyEntity, Snapshot
from store.prototype.excerpts import OPEN_THREADS

_PEOPLE, _EVENTS = 0.15, 0.15
"""Shares of the model's window."""
_MOST_PEOPLE, _MOST_TIES, _MOST_EVENTS, _MOST_SCENES, _MOST_THREADS = 40, 40, 30, 24, 10
_MOST_EARLIER = 60
_SMALL_PEOPLE = 8


@dataclass(frozen=True)
class Material:
    """What a prompt is given, what its labels mean, and whom a small model can name."""

    variables: Variables
    named: Mapping[str, AnyEntity]
    people: Sequence[Character]


def material_for(
    context: StoryContext,
    story: Snapshot,
    comparison: TextComparison,
    passages: Sequence[ChangedPassage],
) -> Material:
    """Return what is needed to compare some passages with the story, as far as it is known by then."""
    events = story.events_of(comparison.chapter)
    text = "\n".join(f"{one.before}\n{one.now}" for one in passages)
    close = named_in(text, story.characters) | {one.id for one in people_in(story, events)}
    people = sorted(story.characters, key=lambda one: one.id not in close)
    if context.strength(CHANGED_FACTS) is ModelStrength.SMALL:
        return _for_small(people[:_SMALL_PEOPLE], passages)
    labels = Labels()
    room = context.memory_budget
    ties = [one for one in story.relationships if {one.source, one.target} & close]
    threads = [one for one in story.threads if one.state in OPEN_THREADS]
    told = {one.id: f"E{at}" for at, one in enumerate(events, start=1)}
    variables: Variables = {
        "place": str(comparison.chapter),
        "is_plot": comparison.is_plot,
        "people": within(
            labels.of("P", people, author_line), room(CHANGED_FACTS, _PEOPLE, _MOST_PEOPLE)
        ),
        "ties": labels.of("R", ties[:_MOST_TIES], lambda one: relationship_line(story, one)),
        "scenes": labels.of("S", _places(story, events), lambda one: one.name),
        "threads": labels.of(
            "T", threads[:_MOST_THREADS], lambda one: f"{one.title} {one.description}".strip()
        ),
        "earlier": _earlier(context, story, comparison),
        "events": within(
            labels.of("E", events, lambda one: _event(story, one)),
            room(CHANGED_FACTS, _EVENTS, _MOST_EVENTS),
        ),
        "passages": [_block(at, one, told) for at, one in enumerate(passages, start=1)],
    }
    return Material(variables, labels.named, people)


def _for_small(people: Sequence[Character], passages: Sequence[ChangedPassage]) -> Material:
    variables: Variables = {
        "people": [f"{one.name}: {one.occupation or 'somebody'}" for one in people],
        "passages": [
            f"{label}. {one.now}"
            for label, one in zip(passage_labels(passages), passages, strict=True)
        ],
    }
    return Material(variables, {f"P{at}": one for at, one in enumerate(people, start=1)}, people)


def _earlier(context: StoryContext, story: Snapshot, comparison: TextComparison) -> list[str]:
    """Return what happened before a chapter that is read whole, the newest as far as there is room."""
    if not comparison.is_plot:
        return []
    told = [one for one in story.events if story.first_chapter_of(one.id) < comparison.chapter]
    lines = [f"{_when(story, one)}, {one.title}: {one.summary}" for one in reversed(told)]
    room = context.memory_budget(CHANGED_FACTS, _EVENTS, _MOST_EARLIER)
    return list(within(lines, room))[::-1]


def _when(story: Snapshot, event: Event) -> str:
    chapter = story.first_chapter_of(event.id)
    return f"Chapter {chapter}" if chapter else "Before the first chapter"


def _event(story: Snapshot, event: Event) -> str:
    """Return all of an event that a text may change: its title, its place and people, what happens."""
    around = where_and_who(story, event)
    head = " ".join(filter(None, (event.title, f"({around})" if around else "")))
    return " – ".join(filter(None, (head, event_line(story, event, with_spoken=True))))


def _places(story: Snapshot, events: Sequence[Event]) -> list[Scene]:
    """Return the places of a chapter, and then those that came into the story last."""
    here = [place for one in events if (place := story.scene_of(one.id)) is not None]
    found = {one.id: one for one in [*here, *reversed(story.scenes)]}
    return list(found.values())[:_MOST_SCENES]


def _block(number: int, passage: ChangedPassage, told: Mapping[str, str]) -> str:
    """Return a passage as it was and as it is, with the labels of the events that it tells."""
    tells = ", ".join(told[event] for event in passage.events if event in told)
    head = f"Passage {number}{f' (tells {tells})' if tells else ''}"
    if not passage.before:
        return f"{head}, new:\n{passage.now}"
    now = passage.now or "(nothing: it was taken out)"
    return f"{head}, as it was:\n{passage.before}\nAs it is now:\n{now}"
