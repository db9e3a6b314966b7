"""Turn answers of the outline agents into outlines, and outlines into prompt lines. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_flow.founding.cast import is_same_person
from graph_flow.llm.schema import NOTHING
from graph_flow.outline.answers import (
    MOST_PARTS,
    LinkAnswer,
    MendedOutline,
    StorylinesAnswer,
    WholeEvent,
    WholeLink,
    WholeOutline,
    WholeParts,
    WholeReview,
)
from graph_flow.outline.structure import are_the_same, is_repeated
from graph_flow.prompting.text import cut, end_whole, name_of_a_person
from graph_flow.prompting.whole import PARAGRAPH, number_in
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent, OutlineLink, Remark, SubEvent
from store.text import name_key

DRAFTS, WHOLE_DRAFTS = 3, 2
"""The most drafts of an outline before the writer decides, of a small model and of an able one."""

AT_ONCE = 4
"""Events that a small model is asked for in one call."""

SPLIT_AT_ONCE = 3
"""Events that a small model splits in one call."""

WHOLE_PARTS_AT_ONCE, MOST_WHOLE_PARTS = 90, 12
"""Parts that an able model splits events into in one call, and the most of one of them."""

MAIN_LINE = "The main line"
"""The storyline of a story that has only one."""

_FEWEST_EVENTS, _MOST_EVENTS = 3, 24
_WORDS_PER_EVENT, _MOST_WHOLE_EVENTS = 2_000, 40
_WORDS_PER_PART = 600
"""Words that a part of an event takes to be lived through."""
_LINES_FROM = (4, 9, 16)
"""The numbers of events from which there is one more storyline."""
_TITLE_WORDS, _TITLE_LENGTH = 6, 48
_LABEL = re.compile(r"\bE\d+\b")
_NOBODY = frozenset({NOTHING, "nobody", "none", "no one", "noone"})


def event_count(chapters: int) -> int:
    """Return how many events an outline of so many chapters gets."""
    return max(_FEWEST_EVENTS, min(chapters, _MOST_EVENTS))


def whole_event_count(chapters: int, words: int) -> int:
    """Return how many events an outline gets at least of which an able model makes all at once.

    The more `words` its chapters have together, the more of them.
    """
    return max(event_count(chapters), min(words // _WORDS_PER_EVENT, _MOST_WHOLE_EVENTS))


def line_count(events: int) -> int:
    """Return how many storylines so many events are spread over."""
    return 1 + sum(events >= least for least in _LINES_FROM)


def shares(count: int, lines: int) -> list[int]:
    """Return how many of `count` events each storyline gets."""
    return [count * (at + 1) // lines - count * at // lines for at in range(lines)]


def part_count(events: int, chapters: int) -> int:
    """Return how many parts a small model splits an event into, for about two in each chapter."""
    return min(MOST_PARTS, max(1, -(-2 * chapters // max(1, events))))


def whole_part_count(events: int, words: int) -> int:
    """Return how many parts an able model splits an event into, for as many as so many words have room for."""
    return min(MOST_WHOLE_PARTS, max(1, round(words / _WORDS_PER_PART / max(1, events))))


def most_whole_events(events: int, words: int) -> int:
    """Return how many events an able model may make of a story that is to have some at least."""
    return max(events, min(events + events // 2, words // _WORDS_PER_PART))


@dataclass(frozen=True)
class Storyline:
    """A storyline to be outlined: `lead` is the person it belongs to.

    `newcomer` is the person it brings into the story, if any.
    """

    name: str
    about: str = ""
    lead: str = ""
    newcomer: str | None = None

    @property
    def line(self) -> str:
        """The storyline in a prompt."""
        return f"{self.name}: {self.about}" if self.about else self.name


def storylines_from(answer: StorylinesAnswer, known: Sequence[str]) -> list[Storyline]:
    """Return the storylines of an answer; `known` are the people already there.

    If two have the same name, the second is named after its lead, or after a person without one.
    """
    lines: dict[str, Storyline] = {}
    for line in answer.lines:
        free = (name for name in (line.name, line.lead, *known) if name_key(name) not in lines)
        name = next(free, None)
        if name is not None:
            newcomer = _newcomer(line.newcomer, known)
            lines[name_key(name)] = Storyline(name, line.about, line.lead, newcomer)
    return list(lines.values())


def _newcomer(name: str, known: Sequence[str]) -> str | None:
    if name_key(name) in _NOBODY or any(is_same_person(name, other) for other in known):
        return None
    try:
        return name_of_a_person(name)
    except ValueError:
        return None


def storylines_of(outline: Outline) -> list[Storyline]:
    """Return the storylines of an outline, in the order in which they begin."""
    return [Storyline(name) for name in dict.fromkeys(event.line for event in outline.events)]


def events_from(
    planned: Sequence[WholeEvent], before: Sequence[OutlineEvent]
) -> list[OutlineEvent]:
    """Return the events of an answer, without repeats of each other or of those `before`.

    An event that shares only its title with another gets a title from what happens in it.
    """
    events: list[OutlineEvent] = []
    for one in planned:
        titles = {name_key(other.title) for other in (*before, *events)}
        event = OutlineEvent(
            id=new_id(),
            title=_title_of(one.action) if name_key(one.title) in titles else one.title,
            line=one.line or MAIN_LINE,
            setting=one.setting,
            characters=tuple(name for name in dict.fromkeys(one.who) if name != NOTHING),
            action=one.action,
            conflict=one.conflict,
            twist=one.twist,
        )
        if not any(is_repeated(event, other) for other in (*before, *events)):
            events.append(event)
    return events


def outline_from(
    answer: WholeOutline | MendedOutline,
) -> tuple[tuple[OutlineEvent, ...], tuple[OutlineLink, ...]]:
    """Return the events and links of a whole answer, whose events are numbered as they are listed."""
    events: dict[str, OutlineEvent] = {}
    for number, one in enumerate(answer.events, start=1):
        events |= {f"E{number}": event for event in events_from([one], [*events.values()])}
    return tuple(events.values()), links_from(answer.links, events)


def _title_of(action: str) -> str:
    words = action.split()
    return end_whole(" ".join(words[:_TITLE_WORDS]), _TITLE_LENGTH).rstrip(".,;:")


def event_of(line: Storyline) -> OutlineEvent:
    """Return a storyline as one event, for when no usable events came."""
    who = [name for name in (line.lead, line.newcomer) if name and name != NOTHING]
    return OutlineEvent(
        id=new_id(),
        title=line.name,
        line=line.name,
        characters=tuple(dict.fromkeys(who)),
        action=line.about,
    )


def completed(events: Sequence[OutlineEvent], old: Sequence[OutlineEvent]) -> list[OutlineEvent]:
    """Return the events of a later draft, and those of the earlier one that it does not replace."""
    rest = old[len(events) :]
    return [*events, *(one for one in rest if not any(is_repeated(one, new) for new in events))]


def interwoven(lines: Iterable[Sequence[OutlineEvent]]) -> tuple[OutlineEvent, ...]:
    """Return the events of all storylines in one order in which the storylines take turns."""
    ranked = [
        ((at + 0.5) / len(events), number, event)
        for number, events in enumerate(lines)
        for at, event in enumerate(events)
    ]
    return tuple(event for *_, event in sorted(ranked, key=lambda entry: entry[:2]))


def labelled(events: Iterable[OutlineEvent]) -> dict[str, OutlineEvent]:
    """Return events by their labels in answers."""
    return {f"E{number}": event for number, event in enumerate(events, start=1)}


def links_from(
    said: Iterable[WholeLink | LinkAnswer], events: Mapping[str, OutlineEvent]
) -> tuple[OutlineLink, ...]:
    """Return the links of an answer, each once, without those from an event to itself."""
    named = {
        (meant(link.source, events), meant(link.target, events), link.link): None for link in said
    }
    return tuple(
        OutlineLink(source=events[source].id, target=events[target].id, link=link)
        for source, target, link in named
        if source and target and source != target
    )


def meant(said: str, events: Mapping[str, OutlineEvent]) -> str | None:
    """Return the label of the event that is meant by its label, its title or its number."""
    if said in events:
        return said
    titled = (label for label, one in events.items() if name_key(one.title) == name_key(said))
    number = number_in(said)
    numbered = f"E{int(number)}" if number is not None else ""
    return next(titled, None) or (numbered if numbered in events else None)


def remarks_from(answer: WholeReview, events: Mapping[str, OutlineEvent]) -> tuple[Remark, ...]:
    """Return what a review objects to; not naming an event that ends the story counts as well."""
    weak = {one.remark: meant(one.event, events) for one in answer.weak}
    remarks = [
        Remark(event=events[label].id if label else None, text=_by_titles(text, events))
        for text, label in weak.items()
    ]
    if meant(answer.goal_reached_in, events) is None:
        last = next(iter(list(events.values())[::-1]), None)
        text = "No event shows how the story's end is reached."
        remarks.append(Remark(event=last.id if last else None, text=text))
    return tuple(remarks)


def _by_titles(text: str, events: Mapping[str, OutlineEvent]) -> str:
    """Return a text with the titles of events in place of their labels, which only its agent sees."""

    def titled(label: re.Match[str]) -> str:
        event = events.get(label[0])
        return f"“{event.title}”" if event else label[0]

    return end_whole(_LABEL.sub(titled, text), PARAGRAPH)


def review_line(
    answer: WholeReview, remarks: Sequence[Remark], events: Mapping[str, OutlineEvent]
) -> str:
    """Return the outcome of a review in one line."""
    if remarks:
        points = "one point" if len(remarks) == 1 else f"{len(remarks)} points"
        return f"The reviewer objects to {points}."
    if not answer.holds:
        return "The reviewer doubts that the outline works, but does not say why."
    end = meant(answer.goal_reached_in, events)
    where = f"; the story reaches its end in “{events[end].title}”" if end else ""
    return f"The reviewer finds that the outline works{where}."


def parts_from(
    answer: WholeParts,
    events: Mapping[str, OutlineEvent],
    placed: Sequence[SubEvent],
    most: int = MOST_PARTS,
) -> list[SubEvent]:
    """Return the parts of an answer: up to `most` of each event, none twice, none already `placed`."""
    known = [part.text for part in placed]
    counts: Counter[str] = Counter()
    parts: list[SubEvent] = []
    for part in answer.parts:
        label = meant(part.event, events)
        if label is None or counts[label] == most:
            continue
        text = _without_label(part.happens, label)
        if any(are_the_same(text, other) for other in known):
            continue
        known.append(text)
        counts[label] += 1
        parts.append(SubEvent(id=new_id(), event=events[label].id, text=text, chapter=part.chapter))
    return parts


def _without_label(text: str, label: str) -> str:
    """Return a text without the label that small models put before it."""
    head, _, rest = text.partition(" ")
    return rest if rest and head.rstrip(".:") == label else text


def whole_part(event: OutlineEvent) -> SubEvent:
    """Return an event that was not split as one part."""
    return SubEvent(id=new_id(), event=event.id, text=cut(event.action or event.title, PARAGRAPH))


def short_line(event: OutlineEvent) -> str:
    """Return the short prompt line of an event: its title and what happens."""
    return f"{event.title}: {event.action}" if event.action else event.title


def full_line(label: str, event: OutlineEvent) -> str:
    """Return the full prompt line of an event, with its storyline, people and conflict."""
    against = f" Against it: {event.conflict}" if event.conflict else ""
    return f"{label}. {event.title} [{event.line}] {_people_of(event)}: {event.action}{against}"


def whole_line(label: str, event: OutlineEvent) -> str:
    """Return all that is planned of an event, on one line, for an able model."""
    said = {"where": event.setting, "against it": event.conflict, "turns": event.twist}
    more = "".join(f" | {name}: {text}" for name, text in said.items() if text)
    return f"{label}. {event.title} [{event.line}] {_people_of(event)}: {event.action}{more}"


def _people_of(event: OutlineEvent) -> str:
    return ", ".join(event.characters) or "nobody"


def part_line(part: SubEvent) -> str:
    """Return the prompt line of a part, with its chapter."""
    return f"chapter {part.chapter}: {part.text}" if part.chapter else part.text


def link_line(link: OutlineLink, labels: Mapping[str, str]) -> str:
    """Return the prompt line of a link; `labels` are those of the events, by id."""
    return f"{labels[link.source]} {link.link.value} {labels[link.target]}"


def remark_line(remark: Remark, titles: Mapping[str, str]) -> str:
    """Return the prompt line of a remark; `titles` are those of the events, by id."""
    title = titles.get(remark.event or "")
    return f"“{title}”: {remark.text}" if title else remark.text


def remarks_on(outline: Outline) -> list[str]:
    """Return what the reviewer said of an outline, with the titles of events."""
    titles = {event.id: event.title for event in outline.events}
    return [remark_line(remark, titles) for remark in outline.remarks]
