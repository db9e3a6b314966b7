"""The clues that a story holds by itself: what it shows, outside the crime, of who did it, how and why. Pure.

A clue rests on events. It never tells the crime itself: of that only the place, what came of it, and
what somebody was told or believes of it come to light.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from graph_flow.cognition.knowledge import named_in
from graph_flow.cognition.memory import relationship_line
from graph_flow.telling.mystery.case import Case, names, parts_by_event
from store.database.word_index import terms_of
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.desk.mystery import CLUE_LIMIT, Clue, ClueKind, Point
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Thread,
    moment,
)
from store.models.prototype import Snapshot
from store.text import clip

_TITLE, _DEDUCTION = 80, 1_000
_ENOUGH, _FALSE_TRAILS = 3, 6
"""Clues for each thing that is to be found out, after which more only tire; and those that lead astray."""
_HOSTILE = frozenset(
    {
        *(RelationshipKind.ENMITY, RelationshipKind.RIVALRY, RelationshipKind.DISTRUST),
        *(RelationshipKind.DEBT, RelationshipKind.ROMANCE, RelationshipKind.MARRIAGE),
    }
)
"""Ties that are a reason for a crime more often than others."""
_SHARED = 2
"""Words that a thread has to share with an event to be about it."""


@dataclass(frozen=True)
class _Found:
    """A clue before it is known in which round it comes to light; 0: any."""

    title: str
    text: str
    kind: ClueKind
    events: tuple[str, ...]
    supports: tuple[Point, ...] = ()
    clears: tuple[str, ...] = ()
    finder: str | None = None
    round: int = 0


def clues_of(case: Case) -> tuple[Clue, ...]:
    """Return the clues of a case, by round; none if it has no crime or nobody did it."""
    if case.crime is None or not case.culprits:
        return ()
    found = list(_chosen(_Search(case, case.crime).clues()))
    early = [one for one in found if not one.round]
    # What points to the culprit comes to light last.
    early.sort(key=lambda one: (Point.CULPRIT in one.supports, not one.clears))
    rounds = len(case.rounds)
    placed = [(1 + at * rounds // len(early), one) for at, one in enumerate(early)]
    placed += [(one.round, one) for one in found if one.round]
    placed.sort(key=lambda one: one[0])
    return tuple(
        _clue(case, f"clue-{number}", one, at)
        for number, (at, one) in zip(count(1), placed, strict=False)
    )


def _chosen(found: Iterable[_Found]) -> Iterator[_Found]:
    """Yield as many clues as a table of players can take in: some for each thing to be found out."""
    counts: Counter[str] = Counter()
    for one in found:
        shown = [*one.supports, *one.clears] or [""]
        if any(counts[each] < (_ENOUGH if each else _FALSE_TRAILS) for each in shown):
            counts.update(shown)
            yield one


def deduction_of(case: Case, supports: Collection[Point], clears: Collection[str]) -> str:
    """Return in words what a clue proves."""
    did_it, victim = names(case.culprits), case.victim.name if case.victim else ""
    against = f" against {victim}" if victim else ""
    words: Mapping[Point, str] = {
        Point.CULPRIT: f"It points to {did_it}.",
        Point.MEANS: "It shows how it was done.",
        Point.MOTIVE: f"It shows what {did_it} had{against}.",
        Point.OPPORTUNITY: f"It shows that {did_it} could do it there and then.",
    }
    cleared = [one for one in case.story.characters if one.id in clears]
    said = [words[point] for point in Point if point in supports]
    if cleared:
        said.append(f"It speaks for {names(cleared)}.")
    return " ".join(said) or "It proves nothing, and leads astray."


def _clue(case: Case, id_: str, found: _Found, at_round: int) -> Clue:
    return Clue(
        id=id_,
        round=at_round,
        title=clip(found.title, _TITLE) or "A clue",
        text=clip(found.text, CLUE_LIMIT),
        kind=found.kind,
        finder=found.finder,
        events=found.events,
        supports=found.supports,
        clears=found.clears,
        deduction=clip(deduction_of(case, found.supports, found.clears), _DEDUCTION),
    )


class _Search:
    """Looks through a story for what its crime has left."""

    def __init__(self, case: Case, crime: Event) -> None:
        self._case = case
        self._crime = crime
        self._story = case.story
        self._players = {one.id: one for one in case.players}
        self._parts = parts_by_event(self._story)
        self._events = self._story.events
        self._lived_by: dict[str, set[str]] = {}
        for part in self._story.of(Participation):
            if part.part is not Part.IS_TOLD:
                self._lived_by.setdefault(part.event, set()).add(part.character)
        self._scenes = {one.event: one.scene for one in self._story.of(Occurrence)}
        self._links: dict[str, set[tuple[LinkKind, bool]]] = {}
        for link in self._story.of(EventLink):
            if link.target == crime.id:
                self._links.setdefault(link.source, set()).add((link.link, True))
            if link.source == crime.id:
                self._links.setdefault(link.target, set()).add((link.link, False))
        self._place = self._story.scene_of(crime.id)
        self._when = self._moment(crime)

    def clues(self) -> Iterator[_Found]:
        """Yield what is found: of the crime itself, of other events, of ties and of threads."""
        yield from self._of_crime()
        for event in self._events:
            if event.id != self._crime.id and self._has_happened(event):
                yield from self._of_event(event)
        yield from self._of_ties()
        yield from self._of_threads()

    def _of_crime(self) -> Iterator[_Found]:
        crime = self._crime
        if self._place is not None:
            where = ", ".join(
                filter(
                    None, (self._place.name, self._place.place, self._place.time, crime.story_date)
                )
            )
            yield _Found(
                "Where and when", f"It happened here: {where}.", ClueKind.TRACE, (crime.id,),
                (Point.OPPORTUNITY,),
            )  # fmt: skip
        if crime.consequences:
            yield _Found(
                "What was left behind", crime.consequences, ClueKind.TRACE, (crime.id,),
                (Point.MEANS,),
            )  # fmt: skip
        for part in self._parts.get(crime.id, []):
            yield from self._statement(part)

    def _statement(self, part: Participation) -> Iterator[_Found]:
        """Yield what somebody who is played, and did not do it, believes of the crime."""
        speaker = self._players.get(part.character)
        if speaker is None or speaker.id in self._case.culprit_ids or not part.learned:
            return
        accused = named_in(part.learned, self._story.characters) & self._case.culprit_ids
        supports = (Point.CULPRIT,) if accused else ()
        yield _Found(
            f"What {speaker.name} believes", f"{speaker.name} says: {part.learned}",
            ClueKind.STATEMENT, (self._crime.id,), supports, finder=speaker.id,
        )  # fmt: skip

    def _of_event(self, event: Event) -> Iterator[_Found]:
        supports, clears = tuple(self._supports(event)), tuple(self._clears(event))
        if not supports and not clears:
            return
        witness = self._witness(event, clears)
        told = event.summary or event.title
        yield _Found(
            title=event.title,
            text=f"{witness.name} can tell: {told}" if witness else told,
            kind=ClueKind.TESTIMONY if witness else ClueKind.TRACE,
            events=(event.id,),
            supports=supports,
            clears=clears,
            finder=witness.id if witness else None,
            round=self._case.round_of(event.id),
        )

    def _supports(self, event: Event) -> Iterator[Point]:
        """Yield what an event shows of the crime, by its links, its people, its place and its time."""
        links, is_before = self._links.get(event.id, set()), self._moment(event) < self._when
        lived = self._lived(event)
        acting = {one.character for one in self._parts.get(event.id, []) if one.part is Part.ACTS}
        did_it = self._case.culprit_ids
        victim = self._case.victim.id if self._case.victim else ""
        if not is_before and acting & did_it and self._is_tied(event):
            yield Point.CULPRIT
        if (LinkKind.ENABLES, True) in links:
            yield Point.MEANS
        if (LinkKind.CAUSES, True) in links or (is_before and lived & did_it and victim in lived):
            yield Point.MOTIVE
        if lived & did_it and self._is_there(event) and self._is_near(event):
            yield Point.OPPORTUNITY

    def _clears(self, event: Event) -> Iterator[str]:
        """Yield who was seen elsewhere when it happened: in the same chapter, in another place."""
        place = self._scenes.get(event.id)
        is_elsewhere = place and self._place is not None and place != self._place.id
        if not is_elsewhere or self._chapter(event) != self._chapter(self._crime):
            return
        if self._chapter(event) == 0 and event.story_order != self._crime.story_order:
            return
        at_the_crime = self._lived(self._crime)
        for one in self._case.suspects:
            if one.id in self._lived(event) and one.id not in at_the_crime:
                yield one.id

    def _witness(self, event: Event, clears: Sequence[str]) -> Character | None:
        """Return who of those who are played can tell of an event and gains nothing by it."""
        hidden = self._case.culprit_ids | set(clears)
        there = [one for one in self._case.players if one.id in self._lived(event) - hidden]
        return there[0] if there else None

    def _of_ties(self) -> Iterator[_Found]:
        victim = self._case.victim
        for tie in self._story.of(Relationship):
            if victim is None or tie.target != victim.id or tie.tie not in _HOSTILE:
                continue
            if tie.source not in self._players:
                continue
            is_motive = tie.source in self._case.culprit_ids
            yield _Found(
                title=f"{self._players[tie.source].name} and {victim.name}",
                text=f"It is said: {relationship_line(self._story, tie)}.",
                kind=ClueKind.TIE,
                events=self._shared(tie.source, victim.id),
                supports=(Point.MOTIVE,) if is_motive else (),
            )

    def _of_threads(self) -> Iterator[_Found]:
        said = frozenset(terms_of(f"{self._crime.title} {self._crime.summary}"))
        for thread in self._story.of(Thread):
            shared = said.intersection(terms_of(f"{thread.title} {thread.description}"))
            if len(shared) >= _SHARED:
                yield _Found(
                    thread.title, thread.description or thread.title, ClueKind.OBJECT,
                    (self._crime.id,), (Point.MEANS,),
                )  # fmt: skip

    def _shared(self, one: str, other: str) -> tuple[str, ...]:
        """Return the events in which two people were together, up to three, without the crime."""
        both = [
            event.id
            for event in self._events
            if event.id != self._crime.id and {one, other} <= self._lived(event)
        ]
        return tuple(both[:3])

    def _lived(self, event: Event) -> set[str]:
        return self._lived_by.get(event.id, set())

    def _is_tied(self, event: Event) -> bool:
        return event.id in self._links or self._is_there(event)

    def _is_there(self, event: Event) -> bool:
        return self._place is not None and self._scenes.get(event.id) == self._place.id

    def _is_near(self, event: Event) -> bool:
        return abs(self._moment(event) - self._when) <= 1

    def _has_happened(self, event: Event) -> bool:
        return event.story_order is None or event.story_order < self._story.chapter + 1

    def _chapter(self, event: Event) -> int:
        return self._story.first_chapter_of(event.id)

    def _moment(self, event: Event) -> float:
        return moment(event, self._chapter(event))


def resting(clue: Clue, story: Snapshot) -> bool:
    """Return whether a clue rests on something that happens in the story."""
    return any(isinstance(story.entities.get(one), Event) for one in clue.events)
