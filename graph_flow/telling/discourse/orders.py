"""The orders in which a story can be told, made from what happens in it. Pure.

Each order shows every event of the story; only what opens a flash-forward or a frame is shown twice.
The writer changes what was made as they like. Source: Genette's anachronies (analepsis, prolepsis),
and the structures that the method names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from store.models.desk.telling import Arrangement, ToldPart
from store.models.manuscript import PartTime
from store.models.plot import Event, Part, Participation
from store.models.prototype import Snapshot
from store.texts.tellings import NewChapter

_INTO_THE_MIDDLE = 0.6
"""How far into the story one begins that begins in the middle of things."""
_LIVED = frozenset({Part.ACTS, Part.IS_AFFECTED})


class StoryChapter(NamedTuple):
    """A chapter of the story with what happens in it, in order: the ids of events."""

    number: int
    events: tuple[str, ...]

    def part(self, time: PartTime = PartTime.PRESENT) -> ToldPart:
        """Return all of it, as a part of a telling."""
        return ToldPart(chapter=self.number, events=self.events, time=time)

    def only(self, events: Sequence[str], time: PartTime = PartTime.PRESENT) -> ToldPart:
        """Return some of it, as a part of a telling."""
        return ToldPart(chapter=self.number, events=tuple(events), time=time)


class ToldStory(NamedTuple):
    """What there is to tell: what happens before the story, and in each of its chapters."""

    before: StoryChapter
    chapters: tuple[StoryChapter, ...]
    lines: Mapping[str, int]
    """The line of the story, 0 or 1, to which an event belongs: see `_lines`."""


def told_story(snapshot: Snapshot) -> ToldStory:
    """Return what there is to tell of a story; chapters in which nothing happens are left out."""
    found: dict[int, list[Event]] = {}
    for event in snapshot.events:
        found.setdefault(snapshot.first_chapter_of(event.id), []).append(event)
    past = sorted(found.pop(0, []), key=lambda event: (event.story_order or 0, event.position))
    there = tuple(_chapter(number, events) for number, events in found.items())
    return ToldStory(_chapter(0, past), there, _lines(snapshot, there))


def arranged(story: ToldStory, arrangement: Arrangement) -> list[NewChapter]:
    """Return the chapters of a telling; a story that has too little for an order is told linearly."""
    if len(story.chapters) < _FEWEST.get(arrangement, 1):
        arrangement = Arrangement.LINEAR
    return [NewChapter(tuple(parts)) for parts in _ORDERS[arrangement](story)]


def left_out(story: ToldStory, shown: frozenset[str]) -> list[NewChapter]:
    """Return chapters for what a telling does not show, in the order of the story.

    What happened before the story is not meant: a telling need not show it.
    """
    found: list[NewChapter] = []
    for one in story.chapters:
        rest = [event for event in one.events if event not in shown]
        if rest:
            found.append(NewChapter((one.only(rest),)))
    return found


def is_possible(story: ToldStory, arrangement: Arrangement) -> bool:
    """Return whether there is enough of a story to tell it in an order of its own."""
    if len(story.chapters) < _FEWEST.get(arrangement, 1):
        return False
    return arrangement is not Arrangement.PARALLEL or len(set(story.lines.values())) > 1


def _linear(story: ToldStory) -> Iterator[list[ToldPart]]:
    for one in story.chapters:
        yield [one.part()]


def _in_medias_res(story: ToldStory) -> Iterator[list[ToldPart]]:
    """Begin where it is most dangerous; then tell how it came to that, and go on from there."""
    at = max(1, round(len(story.chapters) * _INTO_THE_MIDDLE) - 1)
    yield [story.chapters[at].part()]
    for one in story.chapters[:at]:
        yield [one.part(PartTime.FLASHBACK)]
    for one in story.chapters[at + 1 :]:
        yield [one.part()]


def _flashbacks(story: ToldStory) -> Iterator[list[ToldPart]]:
    """Show what came before while the story goes on, a piece in each chapter but the last.

    Where nothing is known of before, the story begins with its second chapter, and looks back.
    """
    chapters = story.chapters
    past = [story.before.only([event], PartTime.FLASHBACK) for event in story.before.events]
    if not past:
        past = [
            chapters[0].only([event], PartTime.FLASHBACK) for event in reversed(chapters[0].events)
        ]
        chapters = chapters[1:]
    places = max(1, len(chapters) - 1)
    for place, one in enumerate(chapters):
        first, last = (len(past) * at // places for at in (place, place + 1))
        yield [one.part(), *past[first:last]]


def _flash_forward(story: ToldStory) -> Iterator[list[ToldPart]]:
    """Open with a glimpse of how it will end, which is told in full at its own place."""
    last = story.chapters[-1]
    glimpse = last.only(last.events[-1:], PartTime.FLASH_FORWARD)
    first, *rest = _linear(story)
    yield [glimpse, *first]
    yield from rest


def _frame(story: ToldStory) -> Iterator[list[ToldPart]]:
    """Let somebody look back from the end: it opens there, and closes there."""
    last = story.chapters[-1]
    frame = last.only(last.events[-1:], PartTime.FRAME)
    first, *between = [one.part(PartTime.FLASHBACK) for one in story.chapters[:-1]]
    yield [frame, first]
    for part in between:
        yield [part]
    rest = last.events[:-1]
    yield [*([last.only(rest, PartTime.FLASHBACK)] if rest else []), frame]


def _parallel(story: ToldStory) -> Iterator[list[ToldPart]]:
    """Tell two lines by turns, a chapter each."""
    for one in story.chapters:
        for line in (0, 1):
            events = [event for event in one.events if story.lines[event] == line]
            if events:
                yield [one.only(events)]


_ORDERS: Mapping[Arrangement, Callable[[ToldStory], Iterator[list[ToldPart]]]] = {
    Arrangement.LINEAR: _linear,
    Arrangement.IN_MEDIAS_RES: _in_medias_res,
    Arrangement.FLASHBACKS: _flashbacks,
    Arrangement.FLASH_FORWARD: _flash_forward,
    Arrangement.FRAME: _frame,
    Arrangement.PARALLEL: _parallel,
}
_FEWEST: Mapping[Arrangement, int] = {
    Arrangement.IN_MEDIAS_RES: 3,
    Arrangement.FLASHBACKS: 2,
    Arrangement.FLASH_FORWARD: 2,
    Arrangement.FRAME: 2,
}
"""How many chapters a story has at least that is told in an order."""


def _chapter(number: int, events: Sequence[Event]) -> StoryChapter:
    return StoryChapter(number, tuple(event.id for event in events))


def _lines(snapshot: Snapshot, chapters: Sequence[StoryChapter]) -> dict[str, int]:
    """Return which events belong to which of two lines of a story.

    The first is that of whoever acts most. The second is that of whoever is in most of the events in
    which they are not; an event with neither belongs to the line of the event before it.
    """
    people: dict[str, set[str]] = {event: set() for one in chapters for event in one.events}
    for part in snapshot.of(Participation):
        if part.event in people and part.part in _LIVED:
            people[part.event].add(part.character)
    first = _most(people.values())
    second = _most(those for those in people.values() if first not in those)
    found: dict[str, int] = {}
    line = 0
    for event, those in people.items():
        line = 0 if first in those else 1 if second in those else line
        found[event] = line
    return found


def _most(groups: Iterable[set[str]]) -> str:
    """Return who is in most of some groups; nobody if all are empty."""
    counted = Counter(person for those in groups for person in sorted(those))
    return max(counted, key=lambda person: counted[person], default="")
