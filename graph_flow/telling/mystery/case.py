"""The case: which event is the crime, whose deed it is, who plays, and in which rounds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from store.models.cast import Character, Life
from store.models.desk.mystery import Mystery
from store.models.plot import Event, Part, Participation, moment
from store.models.prototype import Snapshot

FEWEST_OTHERS = 3
"""People who play besides whoever did it: with fewer, there is nobody to suspect."""


@dataclass(frozen=True)
class Case:
    """A story as it is played as a mystery.

    `story` is all of it that is played, `beginning` how it is when the evening begins, and `rounds`
    how it is at the end of each round. What has nobody yet is None or empty: see `lacks`.
    """

    story: Snapshot
    beginning: Snapshot
    rounds: tuple[Snapshot, ...]
    crime: Event | None
    victim: Character | None
    culprits: tuple[Character, ...]
    players: tuple[Character, ...]
    """In order of appearance, as they are when the evening begins."""

    @property
    def states(self) -> tuple[Snapshot, ...]:
        """The story as of each part of a booklet: its beginning, then its rounds."""
        return (self.beginning, *self.rounds)

    @property
    def culprit_ids(self) -> frozenset[str]:
        """The ids of whoever did it."""
        return frozenset(one.id for one in self.culprits)

    @property
    def suspects(self) -> tuple[Character, ...]:
        """Who plays and did not do it."""
        return tuple(one for one in self.players if one.id not in self.culprit_ids)

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """What is missing before there is anything to play."""
        return tuple(_lacks(self))

    def round_of(self, event_id: str) -> int:
        """Return in which round an event happens, from 1; 0 if it is before the evening."""
        chapter = self.story.first_chapter_of(event_id)
        if chapter <= self.beginning.chapter:
            return 0
        ends = [state.chapter for state in self.rounds]
        return next((at for at, end in enumerate(ends, start=1) if chapter <= end), len(ends))


@dataclass(frozen=True)
class Lack:
    """Something without which there is no mystery, in a writer's words."""

    words: str


_NO_CRIME = Lack(
    "There is no crime yet: an event in which somebody acts and somebody else is affected."
)
_NO_VICTIM = Lack("The crime has no victim: nobody in the event is affected by what others do.")
_NO_CULPRIT = Lack("Nobody did it yet: say who did, or let somebody act in the event.")
_NOT_PLAYED = Lack("Whoever did it is not among the people who are played.")
_TOO_FEW = Lack(
    f"Too few people play: besides whoever did it, there have to be at least {FEWEST_OTHERS}."
)


def _lacks(case: Case) -> Iterator[Lack]:
    if case.crime is None:
        yield _NO_CRIME
        return
    if case.victim is None:
        yield _NO_VICTIM
    if not case.culprits:
        yield _NO_CULPRIT
    elif not case.culprit_ids <= {one.id for one in case.players}:
        yield _NOT_PLAYED
    if len(case.suspects) < FEWEST_OTHERS:
        yield _TOO_FEW


def case_of(read: Callable[[int], Snapshot], newest: int, kept: Mystery | None) -> Case:
    """Return the case of a story: what its writer decided, and otherwise the best guess.

    `read` returns the story as of the end of a chapter, of which `newest` is the last.
    """
    until = newest if kept is None or kept.until is None else min(newest, kept.until)
    story = read(until)
    crime = _event(story, kept.crime if kept else None) or next(iter(crimes(story)), None)
    first = story.first_chapter_of(crime.id) if crime else 0
    beginning = story if first == until else read(first)
    ends = round_ends(first, until, kept.rounds if kept else Mystery.model_fields["rounds"].default)
    return _cast(
        Case(
            story=story,
            beginning=beginning,
            rounds=tuple(story if end == until else read(end) for end in ends),
            crime=crime,
            victim=None,
            culprits=(),
            players=(),
        ),
        kept,
    )


def _cast(case: Case, kept: Mystery | None) -> Case:
    """Return a case with its victim, culprits and players."""
    if case.crime is None:
        return case
    there = {one.id: one for one in case.beginning.characters}
    decided = [there[one] for one in (kept.culprits if kept else ()) if one in there]
    victim = there.get(kept.victim or "") if kept else None
    parts = parts_by_event(case.beginning).get(case.crime.id, [])
    victim = victim or _victim(case.beginning, parts, decided)
    culprits = decided or _culprits(case.beginning, parts, victim)
    left_out = set(kept.left_out if kept else ())
    players = [
        one
        for one in there.values()
        if one.life is not Life.DEAD and one != victim and one.id not in left_out
    ]
    return Case(
        story=case.story,
        beginning=case.beginning,
        rounds=case.rounds,
        crime=case.crime,
        victim=victim,
        culprits=tuple(culprits),
        players=tuple(players),
    )


def crimes(story: Snapshot) -> list[Event]:
    """Return the events that could be the crime, the likeliest first.

    The likeliest is the last in which somebody who is dead was affected by what others did; without
    any dead, the one of the past that the fewest people know of.
    """
    parts = parts_by_event(story)
    with_deed = [event for event in story.events if _has_deed(story, parts.get(event.id, []))]
    return sorted(
        with_deed,
        key=lambda event: _likelihood(story, event, parts.get(event.id, [])),
        reverse=True,
    )


def parts_by_event(story: Snapshot) -> dict[str, list[Participation]]:
    """Return who takes part in each event, by its id; those who are gone are left out."""
    found: dict[str, list[Participation]] = {}
    for part in story.of(Participation):
        if part.character in story.entities:
            found.setdefault(part.event, []).append(part)
    return found


def _has_deed(story: Snapshot, parts: Sequence[Participation]) -> bool:
    victim = _victim(story, parts, ())
    return victim is not None and bool(_culprits(story, parts, victim))


def _likelihood(
    story: Snapshot, event: Event, parts: Sequence[Participation]
) -> tuple[bool, bool, bool, float]:
    dead = [one.part for one in parts if _is_dead(story, one.character)]
    chapter = story.first_chapter_of(event.id)
    is_deadly = Part.IS_AFFECTED in dead or Part.WITNESSES in dead
    when = moment(event, chapter) if is_deadly else -len(parts)
    return is_deadly, Part.IS_AFFECTED in dead, chapter == 0, when


def _victim(
    story: Snapshot, parts: Iterable[Participation], culprits: Sequence[Character]
) -> Character | None:
    """Return whom a crime was done to: a dead person before a living one."""
    did_it = {one.id for one in culprits}
    affected = [
        story.get(Character, one.character)
        for one in parts
        if one.character not in did_it
        and (
            one.part is Part.IS_AFFECTED
            or (one.part is Part.WITNESSES and _is_dead(story, one.character))
        )
    ]
    return min(affected, key=lambda one: one.life is not Life.DEAD, default=None)


def _is_dead(story: Snapshot, person: str) -> bool:
    return story.get(Character, person).life is Life.DEAD


def _culprits(
    story: Snapshot, parts: Iterable[Participation], victim: Character | None
) -> list[Character]:
    spared = victim.id if victim else ""
    return [
        story.get(Character, one.character)
        for one in parts
        if one.part is Part.ACTS and one.character != spared
    ]


def round_ends(first: int, last: int, rounds: int) -> list[int]:
    """Return the last chapter of each round, of as many chapters as there are after `first`.

    With fewer chapters than rounds, the last rounds have only clues.
    """
    count = last - first
    return [first + min(count, -(-count * at // rounds)) for at in range(1, rounds + 1)]


def _event(story: Snapshot, event_id: str | None) -> Event | None:
    found = story.entities.get(event_id or "")
    return found if isinstance(found, Event) else None


def names(people: Iterable[Character]) -> str:
    """Return the names of some people in a row: "Mara, Hale and Jun"."""
    *most, last = [one.name for one in people] or [""]
    return f"{', '.join(most)} and {last}" if most else last
