"""Whether the clues of a mystery suffice, and whose part its story spoils: checked without any model. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph_flow.cognition.knowledge import (
    named_in,
)
from graph_flow.telling.mystery.booklets import (
    Booklet,
    knows_own_deed,
    round_title,
)
from graph_flow.telling.mystery.case import Case, names
from graph_flow.telling.mystery.clues import resting
from store.models.desk.mystery import Clue, Point
from store.models.plot import Event, Part

NEEDED = 2
"""Clues that each thing to be found out needs: one can be overlooked, or doubted."""


@dataclass(frozen=True)
class Sufficiency:
    """Which clues support what is to be found out, and which speak for each of the others.

    `lacking` says, in a writer's words, what is not enough and what to add.
    """

    points: Mapping[Point, tuple[Clue, ...]]
    cleared: Mapping[str, tuple[Clue, ...]]
    lacking: tuple[str, ...]

    @property
    def suffices(self) -> bool:
        """Whether the clues are enough."""
        return not self.lacking


def sufficiency(case: Case, clues: Iterable[Clue]) -> Sufficiency:
    """Return whether clues are enough: two for each point, and two that rule each suspect out.

    A clue counts if it comes to light in one of the rounds, and rests on what happens in the story.
    """
    counted = [one for one in clues if one.round <= len(case.rounds) and resting(one, case.story)]
    points = {point: tuple(one for one in counted if point in one.supports) for point in Point}
    cleared = {
        person.id: tuple(one for one in counted if person.id in one.clears)
        for person in case.suspects
    }
    return Sufficiency(points, cleared, tuple(_lacking(case, points, cleared)))


_ADD: Mapping[Point, str] = {
    Point.CULPRIT: "what {culprit} did afterwards, or somebody who saw or heard it",
    Point.MEANS: "the thing that it was done with, or a trace of how it was done",
    Point.MOTIVE: "something that happened between {culprit} and {victim} before",
    Point.OPPORTUNITY: "somebody who saw {culprit} near the place at the time",
}
POINT_WORDS: Mapping[Point, str] = {
    Point.CULPRIT: "who did it",
    Point.MEANS: "how it was done",
    Point.MOTIVE: "why it was done",
    Point.OPPORTUNITY: "that there was a chance to do it",
}


def _lacking(
    case: Case,
    points: Mapping[Point, Sequence[Clue]],
    cleared: Mapping[str, Sequence[Clue]],
) -> Iterator[str]:
    words = {
        "culprit": names(case.culprits) or "whoever did it",
        "victim": case.victim.name if case.victim else "the victim",
    }
    for point, found in points.items():
        if len(found) < NEEDED:
            add = _ADD[point].format(**words)
            yield f"{_count(len(found))} {POINT_WORDS[point]}. Add a clue: {add}."
    for person in case.suspects:
        found = cleared[person.id]
        if len(found) < NEEDED:
            yield (
                f"{_speaks(len(found))} {person.name}. Add a clue that shows {person.name} elsewhere at "
                "the time, or without a reason to do it."
            )


def _count(found: int) -> str:
    return "Only one clue shows" if found else "No clue shows"


def _speaks(found: int) -> str:
    return "Only one clue speaks for" if found else "Nothing speaks for"


def spoilt(case: Case, booklets: Iterable[Booklet]) -> list[str]:
    """Return, in a writer's words, whose part the story itself spoils: who knows the answer, or too little."""
    return [words for booklet in booklets for words in _spoilt(case, booklet)]


def _spoilt(case: Case, booklet: Booklet) -> Iterator[str]:
    person, crime = booklet.person, case.crime
    if crime is None:
        return
    if person.id in case.culprit_ids:
        if not knows_own_deed(case, booklet.parts[0].knows):
            yield (
                f"{person.name} is to have done it, and remembers nothing of it: let {person.name} act in "
                f"“{crime.title}”."
            )
        return
    knowing = [
        number
        for number, part in enumerate(booklet.parts)
        for one in part.knows.memories
        if one.event.id == crime.id and _tells(one.event, one.part.part, case)
    ]
    if knowing:
        when = f"from {round_title(knowing[0])} on" if knowing[0] else "from the beginning"
        yield (
            f"{person.name} knows {when} who did it, because {person.name} was there or was told. "
            f"Leave {person.name} out, or let {person.name} be told something else."
        )


def _tells(event: Event, part: Part, case: Case) -> bool:
    """Return whether an event, as somebody knows it, tells who did it: they saw it, or were told."""
    if part is not Part.IS_TOLD:
        return True
    named = named_in(event.summary or event.title, case.story.characters)
    return bool(named & case.culprit_ids)
