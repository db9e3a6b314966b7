"""Turn answers of the outline agents into outlines, and outlines into prompt lines. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_flow.founding.cast import is_same_person
from graph_flow.llm.schema import NOTHING
from graph_flow.outline.answers import (
    MOST_PARTS,
    EventsAnswer,
    LinksAnswer,
    PartsAnswer,
    ReviewAnswer,
    StorylinesAnswer,
    chapter_label,
)
from graph_flow.outline.structure import are_the_same, is_repeated
from graph_flow.prompting.text import end_whole, name_of_a_person
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent, OutlineLink, Remark, SubEvent
from store.text import name_key

DRAFTS = 3
"""The most drafts of an outline before the writer decides."""

AT_ONCE = 4
"""Events asked for in one call."""

SPLIT_AT_ONCE = 3
"""Events split in one call."""

_FEWEST_EVENTS, _MOST_EVENTS = 3, 24
_LINES_FROM = (4, 9, 16)
"""The numbers of events from which there is one more storyline."""
_TITLE_WORDS, _TITLE_LENGTH = 6, 48
_NOBODY = frozenset({NOTHING, "nobody", "none", "no one", "noone"})


def event_count(chapters: int) -> int:
    """Return how many events an outline of so many chapters gets."""
    return max(_FEWEST_EVENTS, min(chapters, _MOST_EVENTS))


def line_count(events: int) -> int:
    """Return how many storylines so many events are spread over."""
    return 1 + sum(events >= least for least in _LINES_FROM)


def shares(count: int, lines: int) -> list[int]:
    """Return how many of `count` events each storyline gets."""
    return [count * (at + 1) // lines - count * at // lines for at in range(lines)]


def part_count(events: int, chapters: int) -> int:
    """Return how many parts an event is split into, for about two parts in each chapter."""
    return min(MOST_PARTS, max(1, -(-2 * chapters // max(1, events))))


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
    answer: EventsAnswer, line: str, before: Sequence[OutlineEvent]
) -> list[OutlineEvent]:
    """Return the events of an answer, without repeats of each other or of those `before`.

    An event that shares only its title with another gets a title from what happens in it.
    """
    events: list[OutlineEvent] = []
    for one in answer.events:
        titles = {name_key(other.title) for other in (*before, *events)}
        event = OutlineEvent(
            id=new_id(),
            title=_title_of(one.action) if name_key(one.title) in titles else one.title,
            line=line,
            setting=one.setting,
            characters=tuple(name for name in dict.fromkeys(one.who) if name != NOTHING),
            action=one.action,
            conflict=one.conflict,
            twist=one.twist,
        )
        if not any(is_repeated(event, other) for other in (*before, *events)):
            events.append(event)
    return events


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


def links_from(answer: LinksAnswer, events: Mapping[str, OutlineEvent]) -> tuple[OutlineLink, ...]:
    """Return the links of an answer, each once, without those from an event to itself."""
    named = {(link.source, link.target, link.link): None for link in answer.links}
    return tuple(
        OutlineLink(source=events[source].id, target=events[target].id, link=link)
        for source, target, link in named
        if source != target and {source, target} <= events.keys()
    )


def remarks_from(answer: ReviewAnswer, events: Mapping[str, OutlineEvent]) -> tuple[Remark, ...]:
    """Return what a review objects to; not naming an event that ends the story counts as well."""
    weak = {weak.remark: events[weak.event].id for weak in answer.weak if weak.event in events}
    remarks = [Remark(event=event, text=text) for text, event in weak.items()]
    if answer.goal_reached_in not in events:
        last = next(iter(list(events.values())[::-1]), None)
        text = "No event shows how the story's end is reached."
        remarks.append(Remark(event=last.id if last else None, text=text))
    return tuple(remarks)


def review_line(
    answer: ReviewAnswer, remarks: Sequence[Remark], events: Mapping[str, OutlineEvent]
) -> str:
    """Return the outcome of a review in one line."""
    if remarks:
        points = "one point" if len(remarks) == 1 else f"{len(remarks)} points"
        return f"The reviewer objects to {points}."
    if not answer.holds:
        return "The reviewer doubts that the outline works, but does not say why."
    end = events[answer.goal_reached_in].title
    return f"The reviewer finds that the outline works; the story reaches its end in “{end}”."


def parts_from(
    answer: PartsAnswer, events: Mapping[str, OutlineEvent], placed: Sequence[SubEvent]
) -> list[SubEvent]:
    """Return the parts of an answer: a few of each event, none twice, and none already `placed`."""
    known = [part.text for part in placed]
    kept: dict[str, list[SubEvent]] = {label: [] for label in events}
    for part in answer.parts:
        beside = kept.get(part.event)
        if beside is None or len(beside) == MOST_PARTS:
            continue
        text = _without_label(part.happens, part.event)
        if any(are_the_same(text, other) for other in known):
            continue
        known.append(text)
        event = events[part.event].id
        chapter = _chapter(part.chapter)
        beside.append(SubEvent(id=new_id(), event=event, text=text, chapter=chapter))
    return [part for beside in kept.values() for part in beside]


def _without_label(text: str, label: str) -> str:
    """Return a text without the label that small models put before it."""
    head, _, rest = text.partition(" ")
    return rest if rest and head.rstrip(".:") == label else text


def _chapter(label: str) -> int | None:
    digits = label.removeprefix(chapter_label(0).rstrip("0"))
    return int(digits) if digits.isascii() and digits.isdigit() and int(digits) else None


def whole_part(event: OutlineEvent) -> SubEvent:
    """Return an event that was not split as one part."""
    return SubEvent(id=new_id(), event=event.id, text=(event.action or event.title)[:400])


def short_line(event: OutlineEvent) -> str:
    """Return the short prompt line of an event: its title and what happens."""
    return f"{event.title}: {event.action}" if event.action else event.title


def full_line(label: str, event: OutlineEvent) -> str:
    """Return the full prompt line of an event, with its storyline, people and conflict."""
    people = ", ".join(event.characters) or "nobody"
    against = f" Against it: {event.conflict}" if event.conflict else ""
    return f"{label}. {event.title} [{event.line}] {people}: {event.action}{against}"


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
