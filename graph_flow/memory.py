"""Budgeted context: what of a story goes into a prompt, and what is left out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from graph_flow.knowledge import Knowledge
from graph_flow.llm.tokens import estimate_tokens
from store.models.cast import Character, Relationship
from store.models.plot import Event, Participation
from store.models.prototype import Snapshot

T = TypeVar("T")


def within(lines: Iterable[str], budget: int) -> list[str]:
    """Return the first lines that fit into a budget of tokens."""
    kept: list[str] = []
    for line in lines:
        budget -= estimate_tokens(line)
        if budget < 0:
            break
        kept.append(line)
    return kept


def most_recent(lines: Sequence[str], budget: int) -> list[str]:
    """Return the last lines that fit into a budget of tokens, in their order."""
    return within(reversed(lines), budget)[::-1]


def best_within(
    items: Sequence[T], *, score: Callable[[T], float], line: Callable[[T], str], budget: int
) -> list[str]:
    """Return the lines of the highest-scored items that fit, in the order of `items`."""
    ranked = sorted(range(len(items)), key=lambda at: score(items[at]), reverse=True)
    kept: list[int] = []
    for at in ranked:
        cost = estimate_tokens(line(items[at]))
        if cost <= budget:
            budget -= cost
            kept.append(at)
    return [line(items[at]) for at in sorted(kept)]


def event_line(snapshot: Snapshot, event: Event) -> str:
    """Tell an event in one line: chapter, what happens, what comes of it."""
    outcome = f" ({event.consequences})" if event.consequences else ""
    return f"Chapter {snapshot.told_in(event.id)}: {event.summary}{outcome}"


def story_so_far(snapshot: Snapshot, people: Iterable[str], budget: int) -> list[str]:
    """Return the events that matter most now, in order, within a budget of tokens.

    An event counts for more the later it is told, and the more of `people` (ids) have a part in it.
    """
    events = snapshot.events
    present = set(people)
    shared = Counter(part.event for part in snapshot.of(Participation) if part.character in present)
    latest = max(snapshot.chapter, 1)
    return best_within(
        events,
        score=lambda event: snapshot.told_in(event.id) / latest + shared[event.id] / 2,
        line=lambda event: event_line(snapshot, event),
        budget=budget,
    )


def cast_lines(snapshot: Snapshot, budget: int) -> list[str]:
    """Return a line a person, as an author sees them, within a budget of tokens."""
    return within((person_line(person) for person in snapshot.characters), budget)


def person_line(person: Character) -> str:
    """Tell who a person is and what they want."""
    facts = [person.occupation, person.personality]
    if person.status:
        facts.append(person.status)
    wants = f"; wants: {person.motivation}" if person.motivation else ""
    return f"{person.name}: {', '.join(fact for fact in facts if fact)}{wants}"


def tie_line(snapshot: Snapshot, tie: Relationship, *, with_reason: bool = True) -> str:
    """Tell a relationship in one line; its reason is for whoever holds it, and for the author."""
    source, target = snapshot.get(Character, tie.source), snapshot.get(Character, tie.target)
    reason = f" ({tie.reason})" if tie.reason and with_reason else ""
    return f"{source.name} feels {tie.tie.value} toward {target.name}, {tie.strength} of 10{reason}"


def remembered_lines(known: Knowledge, budget: int) -> list[str]:
    """Return what a character remembers, the latest first to be kept, within a budget of tokens."""
    lines = [
        f"Chapter {memory.chapter}: {memory.event.summary}"
        + (f" You felt {memory.part.emotion}." if memory.part.emotion else "")
        for memory in known.memories
    ]
    return most_recent(lines, budget)
