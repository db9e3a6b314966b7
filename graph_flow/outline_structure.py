"""What can be said of an outline without asking anybody: circles, contradictions, loose ends. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from store.models.outline import Outline, OutlineEvent, OutlineLink, Remark
from store.models.plot import LinkKind

_FORWARD = {LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.FORESHADOWS, LinkKind.BEFORE}
"""Links whose source comes before their target; what pays off comes after."""
_BINDING = {LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.PAYS_OFF, LinkKind.FORESHADOWS}
_ALIKE = 0.85
_MOST = 10
"""Remarks of one kind, at most."""


def are_the_same(one: str, other: str) -> bool:
    """Return whether two texts say the same in nearly the same words."""
    matcher = SequenceMatcher(None, one.casefold(), other.casefold())
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def in_order(link: OutlineLink) -> tuple[str, str] | None:
    """Return the two events of a link, the earlier one first; None where it says nothing of it."""
    if link.link in _FORWARD:
        return link.source, link.target
    return (link.target, link.source) if link.link is LinkKind.PAYS_OFF else None


def closing_links(links: Iterable[OutlineLink]) -> list[OutlineLink]:
    """Return the links that close a circle with those before them, in which each comes before itself."""
    later: dict[str, set[str]] = defaultdict(set)
    closing: list[OutlineLink] = []
    for link in links:
        pair = in_order(link)
        if pair is None:
            continue
        if _leads_to(later, pair[1], pair[0]):
            closing.append(link)
        else:
            later[pair[0]].add(pair[1])
    return closing


def _leads_to(later: Mapping[str, set[str]], first: str, last: str) -> bool:
    seen, waiting = {first}, [first]
    while waiting:
        if last in seen:
            return True
        fresh = later.get(waiting.pop(), set()) - seen
        seen |= fresh
        waiting += fresh
    return last in seen


def earlier_events(outline: Outline) -> dict[str, set[str]]:
    """Return for each event those that must come before it; links that close a circle do not count."""
    closing = set(closing_links(outline.links))
    earlier: dict[str, set[str]] = {event.id: set() for event in outline.events}
    for link in outline.links:
        pair = in_order(link)
        if pair and link not in closing:
            earlier[pair[1]].add(pair[0])
    return earlier


def without_circles(outline: Outline) -> Outline:
    """Return an outline without the links that close a circle."""
    closing = set(closing_links(outline.links))
    return outline.model_copy(
        update={"links": tuple(link for link in outline.links if link not in closing)}
    )


def link_problems(outline: Outline) -> list[Remark]:
    """Return where the links of an outline cannot all hold."""
    titles = {event.id: event.title for event in outline.events}
    circles = [
        Remark(
            event=link.target,
            text=f"“{titles[link.source]}” {link.link.value} “{titles[link.target]}”, but by the "
            "other links it would have to be the other way round.",
        )
        for link in closing_links(outline.links)
    ]
    bound = {_pair(link): link for link in outline.links if link.link in _BINDING}
    contradictions = [
        Remark(
            event=link.target,
            text=f"“{titles[link.source]}” cannot both contradict “{titles[link.target]}” and be "
            "what leads to it.",
        )
        for link in outline.links
        if link.link is LinkKind.CONTRADICTS and _pair(link) in bound
    ]
    return [*circles[:_MOST], *contradictions[:_MOST]]


def _pair(link: OutlineLink) -> frozenset[str]:
    return frozenset((link.source, link.target))


def event_problems(outline: Outline) -> list[Remark]:
    """Return the events that nobody is in, that come twice, or that are a whole storyline alone."""
    empty = [
        Remark(event=event.id, text="Nobody is in it.")
        for event in outline.events
        if not event.characters
    ]
    return [*empty[:_MOST], *_repeated(outline.events)[:_MOST], *_alone(outline.events)[:_MOST]]


def _repeated(events: Sequence[OutlineEvent]) -> list[Remark]:
    remarks = []
    for at, event in enumerate(events):
        same = next((one for one in events[:at] if is_repeated(event, one)), None)
        if same is not None:
            remarks.append(Remark(event=event.id, text=f"It is the same again as “{same.title}”."))
    return remarks


def is_repeated(event: OutlineEvent, earlier: OutlineEvent) -> bool:
    """Return whether an event is another one over again."""
    if event.title.casefold() == earlier.title.casefold():
        return True
    return bool(event.action) and are_the_same(event.action, earlier.action)


def _alone(events: Sequence[OutlineEvent]) -> list[Remark]:
    lines: dict[str, list[OutlineEvent]] = defaultdict(list)
    for event in events:
        lines[event.line].append(event)
    if len(lines) == len(events) == 1:
        return []
    return [
        Remark(event=found[0].id, text=f"The storyline “{line}” has no other event, and so no end.")
        for line, found in lines.items()
        if len(found) == 1
    ]
