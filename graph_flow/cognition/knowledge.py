"""Limited cognition: what a character can know at a given moment (CreAgentive, PlotWeave). Pure.

A moment is a chapter and, in the chapter being plotted, a position: only what comes before it in
the draft has happened. A character knows itself; its relationships to others, and theirs to it
unless they are hidden; the events it took part in; and of the people it has met only what anybody
can see. A character that only hears of an event knows what it was told, which may be false, or else
what happened, but not where it was, who else was there, what was said, what came of it, or what
anybody felt. What somebody thinks or comes to believe in an event, nobody else knows. Where the
story goes, and how it changes its people, none of them knows.

A goal is the author's, and may mention what a character cannot know. A role is shown only those
sentences of it that name nobody of whom it has not heard and whom it will not meet, and quote
nothing it cannot know (`shown_to`). They may still mention where the story is going, its places
and its threads.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from store.database.word_index import lines_of, names_of, word_sequence
from store.models.base import Record
from store.models.cast import Awareness, Character, Relationship
from store.models.fields import shown_fields
from store.models.plot import Event, Foundation, Occurrence, Part, Participation, Scene, Spine
from store.models.prototype import AnyEntity, Snapshot
from store.text import fold, is_unspaced, own_names, sentences_of

_QUOTE, _QUOTE_OF_AIM = 6, 8
"""Words in a row that make a quotation rather than a common phrase; in an aim, which tells of the same
things as the story's secrets do and often shares six words with them by chance, it takes more."""
_TELLING = 8
"""Letters that make a shorter text a quotation as a whole. Dense scripts count twice."""
_ARTICLE = 3
"""Letters of the longest article in a language that capitalizes names."""


class Outward(Record):
    """What anybody can see of a person."""

    id: str
    name: str
    gender: str
    age: str
    occupation: str


class Memory(Record):
    """An event as one person knows it. `scene` is None if they do not know where it happened.

    `name` is that of the person, if they did it.
    """

    event: Event
    part: Participation
    scene: Scene | None
    chapter: int
    name: str = ""

    @property
    def is_lived(self) -> bool:
        """Whether the person was there, and did not only hear of it."""
        return self.part.part is not Part.IS_TOLD


class Knowledge(Record):
    """Everything that one character can know: what a role agent's prompt may contain."""

    character: Character
    toward: tuple[Relationship, ...]
    """The character's own relationships."""
    known_of_others: tuple[Relationship, ...]
    """Relationships of others to the character that it knows of, without the reasons for them."""
    memories: tuple[Memory, ...]
    """In the order of the chapters."""
    people: tuple[Outward, ...]
    world: str = ""
    """The story's world, as everybody in it knows it."""


def knowledge_of(snapshot: Snapshot, character_id: str, position: int | None = None) -> Knowledge:
    """Return what a character can know in a snapshot, or in an excerpt of one.

    `position` is a position in the snapshot's newest chapter while it is being plotted: what comes
    at or after it has not happened yet. None means that the chapter is over.

    Raises:
        KeyError: if there is no such character.
    """
    character = snapshot.get(Character, character_id)
    toward = tuple(
        relationship
        for relationship in snapshot.of(Relationship)
        if relationship.source == character_id
    )
    of_others = tuple(
        relationship.model_copy(update={"reason": ""})
        for relationship in snapshot.of(Relationship)
        if relationship.target == character_id
        and (relationship.is_mutual or relationship.awareness is Awareness.MUTUAL)
    )
    memories = tuple(_memories(snapshot, character_id, position))
    met = {relationship.target for relationship in toward} | {
        relationship.source for relationship in of_others
    }
    met |= _company(snapshot, {memory.event.id for memory in memories if memory.is_lived})
    people = tuple(
        _outward(person) for person in snapshot.of(Character) if person.id in met - {character_id}
    )
    return Knowledge(
        character=character,
        toward=toward,
        known_of_others=of_others,
        memories=memories,
        people=people,
        world=snapshot.foundation.background,
    )


def _memories(snapshot: Snapshot, character_id: str, position: int | None) -> Iterator[Memory]:
    parts = {
        part.event: part for part in snapshot.of(Participation) if part.character == character_id
    }
    scenes = {
        occurrence.event: snapshot.entities.get(occurrence.scene)
        for occurrence in snapshot.of(Occurrence)
        if occurrence.event in parts
    }
    for event in snapshot.events:
        if event.id in parts and _has_happened(event, snapshot, position):
            yield _memory(snapshot, event, parts[event.id], scenes.get(event.id))


def _memory(
    snapshot: Snapshot, event: Event, part: Participation, scene: AnyEntity | None
) -> Memory:
    chapter = snapshot.first_chapter_of(event.id)
    if part.part is Part.IS_TOLD:
        told = {"summary": part.learned or event.summary, "consequences": "", "spoken": ""}
        heard = event.model_copy(update=told)
        return Memory(event=heard, part=part, scene=None, chapter=chapter)
    place = scene if isinstance(scene, Scene) else None
    name = snapshot.get(Character, part.character).name if part.part is Part.ACTS else ""
    return Memory(event=event, part=part, scene=place, chapter=chapter, name=name)


def _has_happened(event: Event, snapshot: Snapshot, position: int | None) -> bool:
    """Return whether an event is past: told before the position, and not a flash-forward."""
    is_ahead = event.story_order is not None and event.story_order >= snapshot.chapter + 1
    is_of_draft = position is not None and snapshot.first_chapter_of(event.id) == snapshot.chapter
    return not is_ahead and not (is_of_draft and event.position >= (position or 0))


def _company(snapshot: Snapshot, events: Collection[str]) -> set[str]:
    """Return who can be seen in some events, leaving out people who only heard of them."""
    return {
        part.character
        for part in snapshot.of(Participation)
        if part.event in events and part.part is not Part.IS_TOLD
    }


def _outward(person: Character) -> Outward:
    return Outward(
        id=person.id,
        name=person.name,
        gender=person.gender,
        age=person.age,
        occupation=person.occupation,
    )


class Quotes:
    """Finds the sentences of some texts that quote others: several words in a row, or all of a short one."""

    def __init__(self, texts: Iterable[str], words: int = _QUOTE) -> None:
        self.sentences = frozenset(chain.from_iterable(map(_sentences, texts)))
        self._length = words
        said = {sentence: word_sequence(sentence) for sentence in self.sentences}
        self._by_words = _by_run(said, range(1, words))
        self._by_quotation = _by_run(said, [words])
        self._quotations = frozenset(self._by_quotation)

    def of(self, texts: Iterable[str], known: Iterable[str] = ()) -> set[str]:
        """Return the sentences that quote any of these texts in words that none of `known` has."""
        found: set[str] = set()
        known = tuple(filter(None, known))
        unsaid = self._quotations
        if known:
            unsaid = unsaid.difference(*(_quotations(text, self._length) for text in known))
        for text in filter(None, texts):
            terms = word_sequence(text)
            if len(terms) >= self._length:
                for run in unsaid & _quotations(text, self._length):
                    found |= self._by_quotation[run]
            elif terms in self._by_words and _is_telling(terms) and not _is_in(terms, known):
                found |= self._by_words[terms]
        return found


@dataclass(frozen=True)
class Mentionable:
    """What an author's texts may mention of a part of the story: its people, and what they quote.

    `quotes` tells which of the sentences quote what, and `quoted` is what any of them quotes,
    whoever may know it.
    """

    quotes: Quotes
    people: Mapping[str, Character]
    quoted: Mapping[str, AnyEntity]

    def after(self, earlier: Snapshot, later: Snapshot) -> Mentionable:
        """Return the same of a later state of the part, examining only what has changed since."""
        changed = {
            id_: entity
            for id_, entity in later.entities.items()
            if earlier.entities.get(id_) is not entity
        }
        unchanged = later.entities.keys() - changed.keys()
        kept = {id_: entity for id_, entity in self.quoted.items() if id_ in unchanged}
        return Mentionable(self.quotes, _people(later), kept | _quoted(self.quotes, changed))


def mentionable(quotes: Quotes, snapshot: Snapshot) -> Mentionable:
    """Return what an author's texts may mention of a snapshot."""
    return Mentionable(quotes, _people(snapshot), _quoted(quotes, snapshot.entities))


def _people(snapshot: Snapshot) -> dict[str, Character]:
    return {person.id: person for person in snapshot.of(Character)}


def _quoted(quotes: Quotes, entities: Mapping[str, AnyEntity]) -> dict[str, AnyEntity]:
    return {id_: entity for id_, entity in entities.items() if quotes.of(_secrets_of(entity))}


def aim_shown_to(known: Knowledge, aim: str, company: Collection[str], *parts: Mentionable) -> str:
    """Return the sentences that a role may be shown of its own aim.

    An aim is part of where the story goes, put for the eyes of this one person: it may say the same as
    the spine. What others hide, think and have lived through is held back as in `shown_to`, but a
    quotation is longer. What the author calls an event is no secret of it to whoever was told of it in
    the same words.
    """
    plans = {"spine", "foundation"}
    heard = {memory.event.id for memory in known.memories if _is_titled_as_told(memory)}
    of_people = [
        replace(
            part,
            quoted={
                id_: _untitled(one) if id_ in heard else one
                for id_, one in part.quoted.items()
                if one.kind not in plans
            },
        )
        for part in parts
    ]
    return _shown(known, aim, company, of_people, _QUOTE_OF_AIM)


def _is_titled_as_told(memory: Memory) -> bool:
    """Return whether all that the author calls an event was told to somebody, but for its short words."""
    told = set(word_sequence(memory.event.summary))
    return all(len(word) <= _ARTICLE or word in told for word in word_sequence(memory.event.title))


def _untitled(entity: AnyEntity) -> AnyEntity:
    return entity.model_copy(update={"title": ""}) if isinstance(entity, Event) else entity


def shown_to(known: Knowledge, text: str, company: Collection[str], *parts: Mentionable) -> str:
    """Return the sentences of an author's text that a role may be shown.

    `company` holds the ids of the people it may meet in the chapter, known to it or not. A sentence
    is left out if it names anybody else of whom it has not heard, or if it contains several words
    in a row (or the whole) of anything in these parts of the story that the character cannot know,
    and that nothing it knows says as well. So is one that the parts were not searched for.
    """
    return _shown(known, text, company, parts, _QUOTE)


def _shown(
    known: Knowledge, text: str, company: Collection[str], parts: Sequence[Mentionable], words: int
) -> str:
    pieces = sentences_of(text.strip())
    held_back = _held_back(known, _sentences(text), company, parts, words)
    return "".join(piece for piece in pieces if piece.strip() not in held_back).strip()


def wholly_shown_to(
    known: Knowledge, texts: Iterable[str], company: Collection[str], *parts: Mentionable
) -> list[str]:
    """Return those of an author's texts that a role may be shown in full."""
    sentences = {text: set(_sentences(text)) for text in texts}
    every = list(set().union(*sentences.values()))
    held_back = _held_back(known, every, company, parts)
    return [text for text, said in sentences.items() if said.isdisjoint(held_back)]


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the quotation mark that closes it."""
    return [piece.strip() for piece in sentences_of(text) if piece.strip()]


def _held_back(
    known: Knowledge,
    sentences: Sequence[str],
    company: Collection[str],
    parts: Sequence[Mentionable],
    words: int = _QUOTE,
) -> set[str]:
    """Return which of an author's sentences a role may not be shown; see `shown_to`.

    So many `words` in a row, at least `_QUOTE`, make a quotation.
    """
    everybody = {id_: person for part in parts for id_, person in part.people.items()}.values()
    near = {known.character.id, *company, *(person.id for person in known.people)}
    named = {sentence: named_in(sentence, everybody) for sentence in sentences}
    held_back = {
        sentence
        for sentence in sentences
        if not parts or any(sentence not in part.quotes.sentences for part in parts)
    }
    own = list(known_texts(known))
    if not set().union(*named.values()) <= near:
        near |= named_in("\n".join(own), everybody)
    for part in parts:
        texts = list(unknown_texts(known, part.quoted.values())), own
        quoting = part.quotes.of(*texts)
        held_back |= quoting if words == _QUOTE else Quotes(quoting, words).of(*texts)
    return held_back | {sentence for sentence, names in named.items() if not names <= near}


def unknown_texts(known: Knowledge, entities: Iterable[AnyEntity]) -> Iterator[str]:
    """Yield the texts of some entities that a character cannot know, except what anybody can see.

    The story's world and goal, its threads and its places are no secrets: an author may mention
    them. What is really the case, the spine and everybody's arc are.
    """
    memories = {memory.event.id: memory for memory in known.memories}
    own = {memory.part.id for memory in known.memories}
    for entity in entities:
        match entity:
            case Character() if entity.id != known.character.id:
                outward = {entity.name, entity.occupation}
                yield from (line for line in lines_of(entity) if line not in outward)
                yield from (trait.value for trait in entity.traits)
            case Character():
                yield entity.arc
            case Spine() | Foundation():
                yield from _secrets_of(entity)
            case Relationship() if entity.source != known.character.id:
                yield from _secrets_of(entity)
            case Participation() if entity.id not in own:
                yield from _secrets_of(entity)
            case Event():
                yield from _unknown_of(entity, memories.get(entity.id))


def known_texts(known: Knowledge) -> Iterator[str]:
    """Yield what a character knows: of the world, of itself, and of what it remembers."""
    me = known.character
    yield from (line for line in lines_of(me) if line != me.arc)
    yield from (known.world, *(tie.reason for tie in known.toward))
    for memory in known.memories:
        event, own = memory.event, memory.part
        yield from (event.summary, event.consequences, event.spoken)
        yield from (event.title,) if memory.is_lived else ()
        yield from (own.emotion, own.impact, own.inner, own.learned)


def _secrets_of(entity: AnyEntity) -> Iterable[str]:
    """Return the texts of an entity that not everybody in the story knows."""
    match entity.kind:
        case "character":
            return (*lines_of(entity), *(trait.value for trait in entity.traits))
        case "relationship":
            return (entity.reason,)
        case "participation":
            return (entity.emotion, entity.impact, entity.inner, entity.learned)
        case "event":
            told = (entity.title, entity.summary, entity.story_date)
            return (*told, entity.consequences, entity.spoken)
        case "foundation":
            return (entity.idea, entity.truth)
        case "spine":
            return tuple(str(getattr(entity, name)) for name in shown_fields(Spine))
        case _:
            return ()


def _unknown_of(event: Event, memory: Memory | None) -> Iterator[str]:
    if memory is None:
        yield event.story_date
    if memory is None or memory.event.summary != event.summary:
        yield from (event.title, event.summary)
    if memory is None or not memory.is_lived:
        yield from (event.consequences, event.spoken)


def named_in(text: str, people: Iterable[Character]) -> set[str]:
    """Return the ids of the people named in a text: by a name, an alias, or a part of the name.

    A part counts if only one of them has it and it is written as in the name, but not if it is
    short and begins a sentence, where it may be an article.
    """
    folded = fold(text)
    named: set[str] = set()
    by_part: dict[str, list[str]] = {}
    for person in people:
        if any(_is_said(fold(name), folded) for name in names_of(person)):
            named.add(person.id)
        for part in set(own_names(person.name)):
            if part in text:
                by_part.setdefault(part, []).append(person.id)
    return named.union(
        *(who for part, who in by_part.items() if len(who) == 1 and _is_part_said(part, text))
    )


def _is_said(name: str, said: str) -> bool:
    return name in said and re.search(_as_word(name), said) is not None


def _is_part_said(part: str, text: str) -> bool:
    if len(part) < _ARTICLE:
        return False
    found = (match.start() for match in re.finditer(_as_word(part), text))
    return any(len(part) > _ARTICLE or text[:at].rstrip()[-1:].isalnum() for at in found)


def _as_word(name: str) -> str:
    """Return a pattern for a name as a whole word; scripts without spaces have no word boundaries."""
    pattern = re.escape(name)
    return pattern if any(map(is_unspaced, name)) else rf"(?<!\w){pattern}(?!\w)"


def _by_run(
    said: Mapping[str, tuple[str, ...]], lengths: Iterable[int]
) -> dict[tuple[str, ...], set[str]]:
    """Return the sentences by all of their words in a row of some lengths."""
    found: dict[tuple[str, ...], set[str]] = {}
    for length in lengths:
        for sentence, terms in said.items():
            for run in _runs(terms, length):
                found.setdefault(run, set()).add(sentence)
    return found


def _runs(terms: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    """Yield every run of this many words."""
    return (terms[at : at + length] for at in range(len(terms) - length + 1))


@lru_cache(maxsize=2_048)
def _quotations(text: str, words: int) -> frozenset[tuple[str, ...]]:
    """Return every run of so many words in a text.

    Cached, because every role of a chapter is held to the same texts.
    """
    return frozenset(_runs(word_sequence(text), words))


def _is_in(run: tuple[str, ...], texts: Iterable[str]) -> bool:
    """Return whether some words stand in a row in one of some texts."""
    # Hardly any text has the first of the words, so most need no closer look.
    said = map(word_sequence, texts)
    return any(run[0] in terms and run in _runs(terms, len(run)) for terms in said)


def _is_telling(terms: Sequence[str]) -> bool:
    """Return whether a text of few words is long enough to be a quotation as a whole."""
    whole = "".join(terms)
    return len(whole) + sum(map(is_unspaced, whole)) >= _TELLING
