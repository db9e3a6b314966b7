"""Short-term goals without the model: which differ, and what they can move forward. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from graph_flow.cognition.memory import relationship_line
from graph_flow.outline.structure import carried_over
from store.database.word_index import terms_of
from store.models.outline import Outline, SubEvent
from store.models.prototype import Snapshot
from store.prototype.excerpts import OPEN_THREADS

_SAME_WORDS = 0.6
"""Two goals that share this much of their words go the same way, whatever the word order."""
_THREADS, _TIES = 6, 6
"""The most open threads and relationships that a goal can choose from."""
_LATE = 3
"""The most parts of the outline that a chapter takes over from earlier ones."""


class GoalTargets(NamedTuple):
    """What a goal may move forward: the prompt lines, and the id behind each label."""

    threads: tuple[str, ...]
    relationships: tuple[str, ...]
    ids: Mapping[str, str]
    threads_left_out: int


def targets_in(circle: Snapshot) -> GoalTargets:
    """Return the newest open threads and the strongest relationships of a part of the story."""
    waiting = [thread for thread in circle.threads if thread.state in OPEN_THREADS]
    newest = waiting[-_THREADS:]
    strongest = sorted(circle.relationships, key=lambda relationship: -relationship.strength)[
        :_TIES
    ]
    threads = {f"T{at}": thread for at, thread in enumerate(newest, start=1)}
    relationships = {f"R{at}": relationship for at, relationship in enumerate(strongest, start=1)}
    return GoalTargets(
        threads=tuple(f"{label}. {thread.title}" for label, thread in threads.items()),
        relationships=tuple(
            f"{label}. {relationship_line(circle, relationship, with_reason=False)}"
            for label, relationship in relationships.items()
        ),
        ids={label: entity.id for label, entity in (*threads.items(), *relationships.items())},
        threads_left_out=len(waiting) - len(newest),
    )


def go_the_same_way(one: str, other: str) -> bool:
    """Return whether two goals share most of their words, in any order."""
    ours, theirs = set(terms_of(one)), set(terms_of(other))
    if not ours | theirs:
        return one == other
    return len(ours & theirs) / len(ours | theirs) >= _SAME_WORDS


def is_new(goal: str, others: Iterable[str]) -> bool:
    """Return whether a goal goes a different way from all the others."""
    return not any(go_the_same_way(goal, other) for other in others)


def parts_for(outline: Outline, told: Container[str], chapter: int) -> list[SubEvent]:
    """Return an outline's parts for a chapter, after the first that earlier chapters left out."""
    late = carried_over(outline, told, chapter)[:_LATE]
    planned = (part for part in outline.parts_of(chapter) if part.id not in told)
    return [*late, *planned]


def movable_words(circle: Snapshot) -> dict[str, str]:
    """Return the threads and relationships that a goal could move forward, in words, by id."""
    names = {person.id: person.name for person in circle.characters}
    threads = {thread.id: thread.title for thread in circle.threads}
    relationships = {
        relationship.id: f"{names[relationship.source]} toward {names[relationship.target]}: {relationship.tie.value}"
        for relationship in circle.relationships
        if {relationship.source, relationship.target} <= names.keys()
    }
    return threads | relationships
