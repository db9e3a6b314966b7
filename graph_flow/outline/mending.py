"""Mending an outline with what an able model says should change in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph_flow.outline.answers import MendedOutline
from graph_flow.outline.entities import events_from, labelled, links_from, meant, outline_from
from store.models.outline import Outline, OutlineEvent, OutlineLink
from store.text import name_key

_KEPT = 0.5
"""The share of the events of an outline that a mended one has at least."""
_IS_NEW = re.compile(r"N\d+")
"""The label of a new event."""


def mended(
    outline: Outline, answer: MendedOutline
) -> tuple[tuple[OutlineEvent, ...], tuple[OutlineLink, ...]]:
    """Return the events and links of an outline as an answer mends it.

    An event that replaces another stays the same one. If the order holds less than half of the events, what
    it leaves out stays; an answer that has neither an order nor labels, and as much, is an outline of its own.
    """
    old = labelled(outline.events)
    replaced, added = _changed(answer, old)
    if not answer.order and not replaced and len(added) >= _KEPT * len(old):
        return outline_from(answer)
    known = old | replaced | added
    order = list(dict.fromkeys(filter(None, (_named(label, known) for label in answer.order))))
    if sum(label in old for label in order) < _KEPT * len(old):
        order = _in_place([label for label in order if label in old], list(old))
    order += [label for label in added if label not in order]
    events = tuple(known[label] for label in order)
    left = {event.id for event in events}
    standing = [one for one in outline.links if {one.source, one.target} <= left]
    new = links_from(answer.links, {label: known[label] for label in order})
    return events, tuple(dict.fromkeys((*standing, *new)))


def _changed(
    answer: MendedOutline, old: Mapping[str, OutlineEvent]
) -> tuple[dict[str, OutlineEvent], dict[str, OutlineEvent]]:
    """Return the events that replace others, and the new ones, by their labels."""
    replaced: dict[str, OutlineEvent] = {}
    added: dict[str, OutlineEvent] = {}
    for one in answer.events:
        label = _named(one.event, old) if one.event else _titled(one.title, old)
        others = [event for name, event in {**old, **replaced, **added}.items() if name != label]
        for event in events_from([one], others):
            if label is None:
                added[one.event or f"N{len(added) + 1}"] = event
            else:
                replaced[label] = event.model_copy(update={"id": old[label].id})
    return replaced, added


def _named(said: str, events: Mapping[str, OutlineEvent]) -> str | None:
    """Return the label of the event that is meant; a label of a new event means no other."""
    return None if _IS_NEW.fullmatch(said) and said not in events else meant(said, events)


def _titled(title: str, events: Mapping[str, OutlineEvent]) -> str | None:
    """Return the label of the event of a title."""
    alike = (label for label, one in events.items() if name_key(one.title) == name_key(title))
    return next(alike, None)


def _in_place(order: list[str], all_labels: list[str]) -> list[str]:
    """Return an order with what it leaves out after what came before that."""
    whole = list(order)
    for at, label in enumerate(all_labels):
        if label not in whole:
            before = next((one for one in reversed(all_labels[:at]) if one in whole), None)
            whole.insert(0 if before is None else whole.index(before) + 1, label)
    return whole
