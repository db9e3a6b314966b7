"""Which paragraphs of a text tell the events that were found in it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_flow.telling.revising import places_of
from store.models.edits.comparison import FoundLine
from store.models.manuscript import PARAGRAPH_BREAK, TextParagraph
from store.models.plot import Event


def events_told(
    text: str, known: Sequence[TextParagraph], lines: Iterable[FoundLine]
) -> list[tuple[str, ...]]:
    """Return the ids of the events that each paragraph tells: those it told, and those found in it."""
    told = [list(one.events) for one in known]
    for at, event in _found(text, lines):
        if at < len(told) and event not in told[at]:
            told[at].append(event)
    return [tuple(events) for events in told]


def events_in_order(text: str, count: int, lines: Iterable[FoundLine]) -> list[tuple[str, ...]]:
    """Return the events of each paragraph of a text of which nothing was known.

    A paragraph in which none was found goes on with that of the one before it.
    """
    told: list[list[str]] = [[] for _ in range(count)]
    for at, event in _found(text, lines):
        if at < count:
            told[at].append(event)
    going_on: list[str] = next((events for events in told if events), [])
    for at, events in enumerate(told):
        going_on = events or going_on
        told[at] = going_on
    return [tuple(events) for events in told]


def _found(text: str, lines: Iterable[FoundLine]) -> Iterable[tuple[int, str]]:
    """Yield the place of the paragraph in which each new event was found, with the event's id."""
    for line in lines:
        places = places_of(line.quote, text)
        for event in line.delta.additions():
            if isinstance(event, Event) and places:
                yield text.count(PARAGRAPH_BREAK, 0, places[0][0]), event.id
