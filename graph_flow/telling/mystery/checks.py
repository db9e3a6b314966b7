"""What is checked of a mystery without any model: that no text leaks, and that the clues suffice. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from graph_flow.cognition.knowledge import (
    Knowledge,
    Outward,
    Quotes,
    known_texts,
    named_in,
    unknown_texts,
)
from graph_flow.telling.mystery.booklets import (
    Booklet,
    knows_own_deed,
    public_people,
    round_title,
)
from graph_flow.telling.mystery.case import Case, names
from graph_flow.telling.mystery.clues import resting
from store.database.word_index import terms_of
from store.models.desk.mystery import Clue, Point
from store.models.plot import Event, Part, Scene
from store.models.prototype import AnyEntity, Snapshot
from store.text import clip

NEEDED = 2
"""Clues that each thing to be found out needs: one can be overlooked, or doubted."""

_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*[”\"'’»)\]]*")
_SHARED = 3
"""Telling words of a text that a sentence has to have to be taken from it; all, of a text with fewer."""
_LEAST_LETTERS, _TELLING_LETTERS = 4, 7
"""Letters of a telling word, and of one that is telling all by itself; two to a sign in dense scripts."""
_SHOWN = 200
_MOST_LEAKS = 40


class LeakKind(StrEnum):
    """What gives away something that a person cannot know."""

    NAME = "name"
    QUOTE = "quote"
    WORDS = "words"


@dataclass(frozen=True)
class Leak:
    """A sentence that holds what its reader cannot know; `words` are those that give it away."""

    kind: LeakKind
    sentence: str
    words: str


def leaks_in(text: str, known: Knowledge, public: Sequence[Outward], story: Snapshot) -> list[Leak]:
    """Return the sentences of a text that hold what a person cannot know.

    That is a name of which they have not heard, several words in a row of what they cannot know, or
    telling words of it that nothing they know has. `story` is all that there is to give away.
    """
    own = [*known_texts(known), *_seen_texts(known, public)]
    secret = list(_hidden(known, story))
    said = list(dict.fromkeys(one.strip() for one in _SENTENCE.findall(text) if one.strip()))
    near = {known.character.id, *(one.id for one in (*known.people, *public))}
    near |= named_in("\n".join(own), story.characters)
    familiar = frozenset(word for one in own for word in terms_of(one))
    telling = [found for one in secret if (found := _telling(one, familiar))]
    return list(_leaks(said, Quotes(said).of(secret, own), telling, near, story))[:_MOST_LEAKS]


def _leaks(
    sentences: Iterable[str],
    quoted: set[str],
    telling: Sequence[frozenset[str]],
    near: set[str],
    story: Snapshot,
) -> Iterator[Leak]:
    by_id = {one.id: one.name for one in story.characters}
    for sentence in sentences:
        shown = clip(sentence, _SHOWN)
        strangers = named_in(sentence, story.characters) - near
        if strangers:
            yield Leak(LeakKind.NAME, shown, ", ".join(by_id[one] for one in sorted(strangers)))
        elif sentence in quoted:
            yield Leak(LeakKind.QUOTE, shown, shown)
        elif found := _shared(sentence, telling):
            yield Leak(LeakKind.WORDS, shown, ", ".join(sorted(found)))


def _shared(sentence: str, telling: Sequence[frozenset[str]]) -> frozenset[str]:
    words = frozenset(terms_of(sentence))
    for one in telling:
        if len(shared := words & one) >= min(_SHARED, len(one)):
            return shared
    return frozenset()


def _hidden(known: Knowledge, story: Snapshot) -> Iterator[str]:
    """Yield what a person cannot know; not dates, and not how people look."""
    entities: Iterable[AnyEntity] = story.entities.values()
    plain = {one.story_date for one in story.of(Event)}
    for one in story.characters:
        plain |= {one.gender, one.age}
    yield from (one for one in unknown_texts(known, entities) if one and one not in plain)


def _seen_texts(known: Knowledge, public: Sequence[Outward]) -> Iterator[str]:
    """Yield what anybody can see of people, and what a person has seen of places."""
    for one in (*known.people, *public):
        yield " ".join((one.name, one.gender, one.age, one.occupation))
    for memory in known.memories:
        yield memory.event.story_date
        if isinstance(memory.scene, Scene):
            scene = memory.scene
            yield " ".join((scene.name, scene.place, scene.time, scene.atmosphere))
    for tie in (*known.toward, *known.known_of_others):
        yield tie.words


def _telling(text: str, familiar: Set[str]) -> frozenset[str]:
    """Return the words of a text that are not familiar; a single short one tells nothing."""
    words = frozenset(
        word for word in terms_of(text) if word not in familiar and _letters(word) >= _LEAST_LETTERS
    )
    if len(words) == 1 and _letters(next(iter(words))) < _TELLING_LETTERS:
        return frozenset()
    return words


def _letters(word: str) -> int:
    return len(word) if word.isascii() else 2 * len(word)


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


def part_leaks(case: Case, knows: Knowledge, text: str) -> list[Leak]:
    """Return what a part of a booklet gives away that its reader cannot know by then."""
    return leaks_in(text, knows, public_people(case), case.story)


def opening_leaks(case: Case, booklets: Iterable[Booklet], text: str) -> list[Leak]:
    """Return what a text that is read to everybody gives away to any of those who did not do it."""
    found = {
        leak.sentence: leak
        for booklet in booklets
        if booklet.person.id not in case.culprit_ids
        for leak in part_leaks(case, booklet.parts[0].knows, text)
    }
    return list(found.values())
