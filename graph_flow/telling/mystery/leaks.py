"""What a text gives away that its reader cannot know: found without any model. Pure.

A sentence leaks if it names somebody of whom its reader has not heard, if it has several words in a
row of what they cannot know, or telling words of it that nothing they know has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from graph_flow.cognition.knowledge import (
    Knowledge,
    Quotes,
    known_texts,
    named_in,
    unknown_texts,
)
from graph_flow.telling.mystery.booklets import Booklet, public_people
from graph_flow.telling.mystery.case import Case
from store.database.word_index import terms_of, word_sequence
from store.models.plot import Event
from store.models.prototype import AnyEntity
from store.text import clip, is_unspaced

_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*[”\"'’»)\]]*")
_QUOTE = 6
"""Words in a row that make a quotation, as in `graph_flow.cognition.knowledge`."""
_SHARED, _SHARE = 3, 0.4
"""Telling words of a sentence, and the share of them, that another has to have to be taken from it: all,
of a sentence with fewer."""
_LEAST_LETTERS, _TELLING_LETTERS = 4, 7
"""Letters of a telling word, and of one that is telling all by itself; two to a sign in dense scripts."""
_SHOWN = 200
_MOST_LEAKS = 40

Run = tuple[str, ...]


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


class LeakCheck:
    """Looks for what texts give away of a case; it reads the story once, and each text once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._story = case.story
        self._public = public_people(case)
        self._plain = {one.story_date for one in self._story.of(Event)}
        for person in self._story.characters:
            self._plain |= {person.gender, person.age}
        self._by_word: dict[str, set[str]] = {}
        self._by_run: dict[Run, set[str]] = {}
        for entity in self._story.entities.values():
            self._read(entity)
        self._found: dict[tuple[str, str], list[Leak]] = {}

    def of(self, key: str, known: Knowledge, text: str) -> list[Leak]:
        """Return the sentences of a text that hold what a person cannot know.

        `key` is whose text it is, and of when.
        """
        if (key, text) not in self._found:
            self._found[key, text] = list(self._leaks(known, text))[:_MOST_LEAKS]
        return self._found[key, text]

    def of_everybody(self, booklets: Iterable[Booklet], text: str) -> list[Leak]:
        """Return what a text that is read to all gives away to any of those who did not do it."""
        found = {
            leak.sentence: leak
            for booklet in booklets
            if booklet.person.id not in self._case.culprit_ids
            for leak in self.of(f"all/{booklet.person.id}", booklet.parts[0].knows, text)
        }
        return list(found.values())

    def _leaks(self, known: Knowledge, text: str) -> Iterator[Leak]:
        own = [*known_texts(known), *self._seen_texts(known)]
        familiar = frozenset(word for one in own for word in terms_of(one))
        people = self._story.characters
        near = {known.character.id, *(one.id for one in (*known.people, *self._public))}
        near |= named_in("\n".join(own), people)
        by_id = {one.id: one.name for one in people}
        secret = list(self._hidden(known, text, familiar))
        pieces = dict.fromkeys(piece for one in secret for piece in _sentences(one))
        telling = [found for one in pieces if (found := _telling(one, familiar))]
        said = _sentences(text)
        quoted = Quotes(said).of(secret, own)
        for sentence in said:
            shown = clip(sentence, _SHOWN)
            strangers = named_in(sentence, people) - near
            if strangers:
                who = ", ".join(by_id[one] for one in sorted(strangers))
                yield Leak(LeakKind.NAME, shown, who)
            elif sentence in quoted:
                yield Leak(LeakKind.QUOTE, shown, shown)
            elif found := _shared(sentence, telling):
                yield Leak(LeakKind.WORDS, shown, ", ".join(sorted(found)))

    def _read(self, entity: AnyEntity) -> None:
        """Note the words of an entity, so that only those are looked at that a text could be taken from."""
        for text in _texts_of(entity):
            terms = word_sequence(text)
            for word in terms:
                self._by_word.setdefault(word, set()).add(entity.id)
            for run in _runs(terms):
                self._by_run.setdefault(run, set()).add(entity.id)

    def _hidden(self, known: Knowledge, text: str, familiar: Set[str]) -> Iterator[str]:
        """Yield what a person cannot know and a text may be taken from; not dates, nor how people look."""
        nothing: frozenset[str] = frozenset()
        near: set[str] = set()
        for word in frozenset(terms_of(text)) - familiar:
            near |= self._by_word.get(word, nothing)
        terms = word_sequence(text)
        for length in range(1, _QUOTE + 1):
            for at in range(len(terms) - length + 1):
                near |= self._by_run.get(terms[at : at + length], nothing)
        found = [self._story.entities[one] for one in sorted(near) if one in self._story.entities]
        yield from (one for one in unknown_texts(known, found) if one and one not in self._plain)

    def _seen_texts(self, known: Knowledge) -> Iterator[str]:
        """Yield what anybody can see of people, and what a person has seen of places."""
        for one in (*known.people, *self._public):
            yield " ".join((one.name, one.gender, one.age, one.occupation))
        for memory in known.memories:
            yield memory.event.story_date
            if memory.scene is not None:
                scene = memory.scene
                yield " ".join((scene.name, scene.place, scene.time, scene.atmosphere))
        for tie in (*known.toward, *known.known_of_others):
            yield tie.words


def _texts_of(entity: AnyEntity) -> Iterator[str]:
    """Yield all texts of an entity."""
    for value in dict(entity).values():
        match value:
            case str():
                yield value
            case tuple():
                yield from (
                    one if isinstance(one, str) else getattr(one, "value", "") for one in value
                )


def _runs(terms: Run) -> Iterator[Run]:
    """Yield every quotation of some words; of fewer words than that, all of them."""
    if len(terms) < _QUOTE:
        yield terms
        return
    yield from (terms[at : at + _QUOTE] for at in range(len(terms) - _QUOTE + 1))


def _sentences(text: str) -> list[str]:
    return list(dict.fromkeys(one.strip() for one in _SENTENCE.findall(text) if one.strip()))


def _shared(sentence: str, telling: Sequence[frozenset[str]]) -> frozenset[str]:
    words = frozenset(terms_of(sentence))
    for one in telling:
        if len(shared := words & one) >= max(min(_SHARED, len(one)), _SHARE * len(one)):
            return shared
    return frozenset()


def _telling(text: str, familiar: Set[str]) -> frozenset[str]:
    """Return the words of a text that are not familiar; a single short one tells nothing."""
    words = frozenset(
        word for word in terms_of(text) if word not in familiar and _letters(word) >= _LEAST_LETTERS
    )
    if len(words) == 1 and _letters(next(iter(words))) < _TELLING_LETTERS:
        return frozenset()
    return words


def _letters(word: str) -> int:
    return len(word) + sum(map(is_unspaced, word))
