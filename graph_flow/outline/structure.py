"""The rules an outline must keep, where its parts are placed, and what is wrong with it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from graph_flow.outline.arrangement import Arrangement, OutlinePart, arrange
from graph_flow.outline.placement import place
from store.deltas.checks import Order
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent, OutlineLink, Remark, SubEvent
from store.models.plot import EventLink, LinkKind
from store.models.proposals import Telling
from store.text import name_key

_FORWARD = {LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.FORESHADOWS, LinkKind.BEFORE}
"""Links whose source comes before their target; with *pays off*, it comes after."""
_BINDING = {LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.PAYS_OFF, LinkKind.FORESHADOWS}
_ALIKE = 0.85
_MOST = 10
"""The most remarks of one kind."""


def are_the_same(one: str, other: str) -> bool:
    """Return whether two texts say the same thing in nearly the same words."""
    matcher = SequenceMatcher(None, one.casefold(), other.casefold())
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def in_order(link: OutlineLink) -> tuple[str, str] | None:
    """Return the two events of a link, the earlier one first; None if the link sets no order."""
    if link.link in _FORWARD:
        return link.source, link.target
    return (link.target, link.source) if link.link is LinkKind.PAYS_OFF else None


def closing_links(links: Iterable[OutlineLink]) -> list[OutlineLink]:
    """Return the links that close a circle with earlier ones, so that an event precedes itself."""
    order = Order()
    return [link for link in links if (pair := in_order(link)) and not order.add(*pair)]


def earlier_events(outline: Outline) -> dict[str, set[str]]:
    """Return the events that must come before each event, ignoring links that close a circle."""
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
    """Return where the links of an outline cannot all be true."""
    titles = {event.id: event.title for event in outline.events}
    circles = [
        Remark(
            event=link.target,
            text=f"“{titles[link.source]}” {link.link.value} “{titles[link.target]}”, but other "
            "links put them the other way round.",
        )
        for link in closing_links(outline.links)
    ]
    bound = {_pair(link): link for link in outline.links if link.link in _BINDING}
    contradictions = [
        Remark(
            event=link.target,
            text=f"“{titles[link.source]}” cannot both contradict “{titles[link.target]}” and lead "
            "to it.",
        )
        for link in outline.links
        if link.link is LinkKind.CONTRADICTS and _pair(link) in bound
    ]
    return [*circles[:_MOST], *contradictions[:_MOST]]


def _pair(link: OutlineLink) -> frozenset[str]:
    return frozenset((link.source, link.target))


def event_problems(outline: Outline) -> list[Remark]:
    """Return the events with nobody in them, repeated ones, and those alone on their storyline."""
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
            remarks.append(Remark(event=event.id, text=f"It repeats “{same.title}”."))
    return remarks


def is_repeated(event: OutlineEvent, earlier: OutlineEvent) -> bool:
    """Return whether an event repeats an earlier one."""
    if name_key(event.title) == name_key(earlier.title):
        return True
    return bool(event.action) and are_the_same(event.action, earlier.action)


def _alone(events: Sequence[OutlineEvent]) -> list[Remark]:
    lines: dict[str, list[OutlineEvent]] = defaultdict(list)
    for event in events:
        lines[event.line].append(event)
    if len(lines) == len(events) == 1:
        return []
    return [
        Remark(
            event=found[0].id, text=f"The storyline “{line}” has no other event, so it has no end."
        )
        for line, found in lines.items()
        if len(found) == 1
    ]


_NAMED = 5
"""The most parts or events that a message names."""


@dataclass(frozen=True)
class Span:
    """The chapters in which an outline may still place parts: after `told`, up to `cap`."""

    told: int
    cap: int

    @property
    def chapters(self) -> range:
        """The chapters that are left."""
        return range(self.told + 1, self.cap + 1)


def parts_left(outline: Outline, told: Container[str]) -> tuple[SubEvent, ...]:
    """Return the parts that no chapter has told yet, in the outline's order."""
    return tuple(part for part in outline.sub_events if part.id not in told)


def carried_over(outline: Outline, told: Container[str], chapter: int) -> tuple[SubEvent, ...]:
    """Return the parts that earlier chapters should have told but did not, the earliest first."""
    late = (
        part
        for part in parts_left(outline, told)
        if part.chapter is not None and part.chapter < chapter
    )
    return tuple(sorted(late, key=lambda part: part.chapter or 0))


def outline_links(
    outline: Outline, told: Mapping[str, str], tells: Sequence[Telling]
) -> list[EventLink]:
    """Return the outline's links that a chapter completes, as links between events of the story.

    `told` gives the event for each part told in earlier chapters; `tells` is what the present
    chapter tells. Links that earlier chapters completed already exist.
    """
    now = {**told, **{telling.part: telling.event for telling in tells}}
    links: dict[tuple[str, str, str], EventLink] = {}
    for link in outline.links:
        before = [_told_by(outline, end, told) for end in (link.source, link.target)]
        source = _told_by(outline, link.source, now)
        target = _told_by(outline, link.target, now)
        if all(before) or not source or not target or source[-1] == target[0]:
            continue
        key = (source[-1], target[0], link.link.value)
        links[key] = EventLink(id=new_id(), source=key[0], target=key[1], link=link.link)
    return list(links.values())


def _told_by(outline: Outline, event: str, told: Mapping[str, str]) -> list[str]:
    """Return the events of the story that tell an event of the outline, in the outline's order."""
    parts = (part.id for part in outline.sub_events if part.event == event)
    return [told[part] for part in parts if part in told]


def misplaced(outline: Outline, told: Container[str], span: Span) -> list[str]:
    """Return what keeps an outline from being used, in one sentence each.

    Every event needs a part, and every part not told yet must be in a chapter still to be plotted.
    """
    if not outline.events:
        return ["The outline has no events yet."]
    left = parts_left(outline, told)
    with_parts = {part.event for part in outline.sub_events}
    bare = [event.title for event in outline.events if event.id not in with_parts]
    problems = [
        (bare, "These events have no part for a chapter to tell"),
        (_texts(part for part in left if part.chapter is None), "These parts have no chapter yet"),
        (
            _texts(part for part in left if part.chapter and part.chapter <= span.told),
            f"These parts are in a chapter already plotted (up to chapter {span.told})",
        ),
        (
            _texts(part for part in left if part.chapter and part.chapter > span.cap),
            f"These parts come after the story’s last chapter, which is {span.cap}",
        ),
    ]
    return [f"{words}: {_named(texts)}." for texts, words in problems if texts]


def _texts(parts: Iterable[SubEvent]) -> list[str]:
    return [part.text or "a part without words" for part in parts]


def _named(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return ", ".join(f"“{text}”" for text in texts[:_NAMED]) + more


def moved(outline: Outline, part_id: str, chapter: int | None, before: str | None) -> Outline:
    """Return an outline with a part moved to a chapter, before another part there or at its end.

    Raises:
        KeyError: if the outline has no such part.
    """
    part = {one.id: one for one in outline.sub_events}[part_id]
    others = [one for one in outline.sub_events if one.id != part_id]
    there = [at for at, one in enumerate(others) if one.id == before and one.chapter == chapter]
    last = [at + 1 for at, one in enumerate(others) if one.chapter == chapter]
    place = there[0] if there else last[-1] if last else len(others)
    others.insert(place, part.model_copy(update={"chapter": chapter}))
    return outline.model_copy(update={"sub_events": tuple(others)})


def spread(outline: Outline, chapters: range) -> Outline:
    """Return an outline with each of its parts in one of the chapters, so that storylines take turns.

    The parts of an event keep their order, and come after those of the events that lead to it.

    Raises:
        ValueError: if there are parts but no chapters.
    """
    return _with_parts(outline, arrange(_pieces(outline), chapters))


def placed_as_proposed(outline: Outline, chapters: range) -> Outline:
    """Return an outline with its parts in the chapters proposed for them, as far as they can be kept.

    Raises:
        ValueError: if there are parts but no chapters.
    """
    return _with_parts(outline, place(_pieces(outline), chapters))


def _with_parts(outline: Outline, placed: Arrangement) -> Outline:
    parts = {part.id: part for part in outline.sub_events}
    return outline.model_copy(
        update={
            "sub_events": tuple(
                parts[id_].model_copy(update={"chapter": chapter}) for id_, chapter in placed
            )
        }
    )


def _pieces(outline: Outline) -> list[OutlinePart]:
    lines = {event.id: event.line for event in outline.events}
    parts: dict[str, list[str]] = {event.id: [] for event in outline.events}
    for part in outline.sub_events:
        parts[part.event].append(part.id)
    earlier = earlier_events(outline)
    return [
        OutlinePart(
            part.id,
            lines[part.event],
            part.chapter,
            frozenset(_told_before(part, parts, earlier)),
        )
        for part in outline.sub_events
    ]


def _told_before(
    part: SubEvent, parts: Mapping[str, list[str]], earlier: Mapping[str, set[str]]
) -> Iterator[str]:
    """Yield the parts that must come before one: from its own event and the events leading to it.

    An event without parts passes on what must come before it.
    """
    at = parts[part.event].index(part.id)
    if at:
        yield parts[part.event][at - 1]
        return
    waiting, seen = sorted(earlier[part.event]), set(earlier[part.event])
    while waiting:
        event = waiting.pop()
        if parts[event]:
            yield parts[event][-1]
        else:
            waiting += sorted(earlier[event] - seen)
            seen |= earlier[event]
