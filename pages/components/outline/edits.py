"""Edits of an outline as values: events, storylines, links and parts. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from pages.components.fields.editing import free_name, with_fields
from pages.components.outline import strings
from store.models.outline import Outline, OutlineEvent, OutlineLink, SubEvent
from store.models.plot import LinkKind

LONGEST_PART = 400
"""The longest text of a part, in characters."""


def lines_of(outline: Outline) -> tuple[str, ...]:
    """Return the storylines, in the order of their first events."""
    return tuple(dict.fromkeys(event.line for event in outline.events))


def event_of(outline: Outline, event_id: str) -> OutlineEvent | None:
    """Return an event by id; None if it no longer exists."""
    return next((event for event in outline.events if event.id == event_id), None)


def part_of(outline: Outline, part_id: str) -> SubEvent | None:
    """Return a part by id; None if it no longer exists."""
    return next((part for part in outline.sub_events if part.id == part_id), None)


def unparted(outline: Outline) -> tuple[OutlineEvent, ...]:
    """Return the events without parts, which no chapter can tell yet."""
    parted = {part.event for part in outline.sub_events}
    return tuple(event for event in outline.events if event.id not in parted)


def change_event(outline: Outline, event_id: str, **values: object) -> Outline:
    """Return the outline with fields of an event replaced.

    Raises:
        ValidationError: if a value is not one that its field can hold.
    """
    events = [
        with_fields(event, **values) if event.id == event_id else event for event in outline.events
    ]
    return with_fields(outline, events=tuple(events))


def add_event(outline: Outline, event_id: str, line: str | None = None) -> Outline:
    """Return the outline with a new event at the end of a line; None begins a new line."""
    name = line if line is not None else free_name(strings.NEW_LINE, set(lines_of(outline)))
    event = OutlineEvent(id=event_id, title=strings.NEW_EVENT, line=name)
    return with_fields(outline, events=(*outline.events, event))


def remove_events(outline: Outline, event_ids: Iterable[str]) -> Outline:
    """Return the outline without some events and their parts and links."""
    for event_id in event_ids:
        outline = outline.without_event(event_id)
    return outline


def shift_event(outline: Outline, event_id: str, by: int) -> Outline:
    """Return the outline with an event moved earlier (-1) or later (1) within its line."""
    events = list(outline.events)
    moved = event_of(outline, event_id)
    beside = [at for at, event in enumerate(events) if moved and event.line == moved.line]
    place = next((place for place, at in enumerate(beside) if events[at].id == event_id), None)
    if place is None or not 0 <= place + by < len(beside):
        return outline
    one, other = beside[place], beside[place + by]
    events[one], events[other] = events[other], events[one]
    return with_fields(outline, events=tuple(events))


def rename_line(outline: Outline, line: str, name: str) -> Outline:
    """Return the outline with a line renamed; an existing name merges the two lines."""
    events = [
        with_fields(event, line=name) if event.line == line else event for event in outline.events
    ]
    return with_fields(outline, events=tuple(events))


def add_link(outline: Outline, source: str, target: str) -> Outline:
    """Return the outline with one more link between two events."""
    link = OutlineLink(source=source, target=target, link=LinkKind.CAUSES)
    return outline if link in outline.links else with_fields(outline, links=(*outline.links, link))


def change_link(outline: Outline, link: OutlineLink, changed: OutlineLink) -> Outline:
    """Return the outline with a link replaced; duplicates are dropped."""
    links = [changed if one == link else one for one in outline.links]
    return with_fields(outline, links=tuple(dict.fromkeys(links)))


def remove_link(outline: Outline, link: OutlineLink) -> Outline:
    """Return the outline without a link."""
    return with_fields(outline, links=tuple(one for one in outline.links if one != link))


def add_part(outline: Outline, part_id: str, event_id: str, text: str | None = None) -> Outline:
    """Return the outline with a part added to an event, last and in no chapter yet."""
    part = SubEvent(id=part_id, event=event_id, text=strings.NEW_PART if text is None else text)
    parts = list(outline.sub_events)
    last = max((at for at, one in enumerate(parts) if one.event == event_id), default=len(parts))
    parts.insert(last + 1, part)
    return with_fields(outline, sub_events=tuple(parts))


def change_part(outline: Outline, part_id: str, text: str) -> Outline:
    """Return the outline with the text of a part replaced."""
    parts = [
        with_fields(part, text=text) if part.id == part_id else part for part in outline.sub_events
    ]
    return with_fields(outline, sub_events=tuple(parts))


def remove_part(outline: Outline, part_id: str) -> Outline:
    """Return the outline without a part."""
    parts = tuple(part for part in outline.sub_events if part.id != part_id)
    return with_fields(outline, sub_events=parts)
