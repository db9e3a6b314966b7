"""What the reader of a telling knows at each point, and what the people in it know. Pure.

The reader is a role as the people are: they know what they have been shown. Where they know more than
the people before them, there is dramatic irony and suspense; where they know less, there is a mystery.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from store.models.desk.telling import ToldChapter, ToldPart
from store.models.plot import Participation
from store.models.prototype import Snapshot


class KnowledgePoint(NamedTuple):
    """What is known at the end of a chapter of a telling: counts of events.

    `ahead` are those that the reader has been shown and that nobody there knows of, at that time of the
    story; `behind` are those that somebody there knows of, and the reader was never shown.
    """

    place: int
    """Of the chapter, from 1."""
    as_of: int
    """The chapter of the story in which its last part happens."""
    known: int
    ahead: int
    behind: int


class FirstKnown(NamedTuple):
    """When the reader and the people come to know of an event: a place in the telling, or None: never.

    For a person it is the first chapter of the telling at whose time of the story they know of it.
    """

    event: str
    reader: int | None
    people: dict[str, int | None]


class _Known:
    """Who knows of which events, at which chapter of the story: those in it, and those told of it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._since: dict[str, dict[str, int]] = {}
        self._there: dict[str, set[str]] = {}
        for part in snapshot.of(Participation):
            self._there.setdefault(part.event, set()).add(part.character)
            known = self._since.setdefault(part.character, {})
            known[part.event] = snapshot.first_chapter_of(part.event)

    def by(self, person: str, chapter: int) -> set[str]:
        """Return the events that somebody knows of at the end of a chapter of the story."""
        known = self._since.get(person, {})
        return {event for event, since in known.items() if since <= chapter}

    def since(self, person: str, event: str) -> int | None:
        """Return the chapter of the story in which somebody comes to know of an event, if they do."""
        return self._since.get(person, {}).get(event)

    def people_in(self, part: ToldPart) -> set[str]:
        """Return who is in a part of a telling."""
        return set[str]().union(*(self._there.get(event, ()) for event in part.events))


def knowledge_curve(chapters: Sequence[ToldChapter], snapshot: Snapshot) -> list[KnowledgePoint]:
    """Return what the reader of a telling knows at the end of each of its chapters."""
    known = _Known(snapshot)
    shown: set[str] = set()
    points: list[KnowledgePoint] = []
    for place, one in enumerate(chapters, start=1):
        shown |= set(one.events)
        last = one.parts[-1] if one.parts else None
        theirs = set[str]()
        if last is not None:
            theirs = set().union(
                *(known.by(person, last.chapter) for person in known.people_in(last))
            )
        points.append(
            KnowledgePoint(
                place,
                last.chapter if last else 0,
                len(shown),
                len(shown - theirs),
                len(theirs - shown),
            )
        )
    return points


def first_known(chapters: Sequence[ToldChapter], snapshot: Snapshot) -> list[FirstKnown]:
    """Return who comes to know of each event when, in the order in which the telling shows them.

    Events that it does not show come last, in the order of the story.
    """
    known = _Known(snapshot)
    shown: dict[str, int] = {}
    for place, one in enumerate(chapters, start=1):
        for event in one.events:
            shown.setdefault(event, place)
    people = [person.id for person in snapshot.characters]
    order = [*shown, *(event.id for event in snapshot.events if event.id not in shown)]
    reached = _reached(chapters, snapshot.chapter)
    found: list[FirstKnown] = []
    for event in order:
        since = {person: known.since(person, event) for person in people}
        theirs = {who: None if at is None else reached[at] for who, at in since.items()}
        found.append(FirstKnown(event, shown.get(event), theirs))
    return found


def _reached(chapters: Sequence[ToldChapter], last: int) -> list[int | None]:
    """Return the first chapter of a telling that shows a chapter of the story or a later one, by that."""
    reached: list[int | None] = [None] * (last + 1)
    for place in range(len(chapters), 0, -1):
        latest = max((part.chapter for part in chapters[place - 1].parts), default=0)
        for at in range(min(latest, last) + 1):
            reached[at] = place
    return reached
