"""From what an agent says of a changed text to lines that the writer can take or refuse. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph_flow.founding.cast import find_person
from graph_flow.prompting.changes import field_of, with_value
from graph_flow.prompting.labels import label_said
from graph_flow.prompting.text import end_whole, name_of_a_person
from graph_flow.prompting.whole import NAME, WholeAnswer
from graph_flow.telling.comparing.answers import (
    ChangedFacts,
    EventFact,
    FieldFact,
    GoneFact,
    PersonFact,
    PlaceFact,
    PresentFact,
    TieFact,
)
from graph_flow.telling.comparing.passages import stands_in
from store.deltas.delta import diff, replay, validate
from store.deltas.locks import is_locked
from store.deltas.names import Names, references
from store.errors import StoryMoved
from store.models.base import WHOLE, new_id
from store.models.cast import Character, Life, Relationship
from store.models.delta import Change, Delta
from store.models.edits.comparison import ChangedPassage, FoundLine
from store.models.fields import field_words
from store.models.plot import Event, Occurrence, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot
from store.text import capital, clip, name_key, own_names

_OF_A_WOMAN = re.compile(
    r"(?:Mrs|Miss|Ms|Lady|Madam|Mme|Mlle|Dame|Frau|Señora|Doña)\b", re.IGNORECASE
)
"""A title by which somebody else of a family's name is meant: "Mrs. Utterson" is not Mr. Utterson."""
_SAID, _DOUBT = 300, 400
_LATE = 0.95
"""Where in the time of its chapter an event stands that is told of only later."""


def merged(story: Snapshot, deltas: Iterable[Delta]) -> Delta:
    """Return what several Deltas, each made on the same story, do together.

    Of two that set the same field the later counts.
    """
    after = story
    for delta in deltas:
        after = replay(after, delta, story.chapter)
    return diff(story, after)


def is_unmoved(story: Snapshot, delta: Delta) -> bool:
    """Return whether whatever a Delta changes or removes is still as it expects it."""
    for change in (one for one in delta.changes if one.before is not None):
        standing = story.entities.get(change.id)
        fields = change.fields if change.after is not None else type(change.entity).model_fields
        if standing is None or any(
            getattr(standing, name) != getattr(change.before, name) for name in fields
        ):
            return False
    return True


def refers_within(delta: Delta, known: Collection[str]) -> bool:
    """Return whether all that a Delta changes or refers to is among some ids, or added by itself."""
    there = {*known, *(one.id for one in delta.additions())}
    changed = {one.id for one in delta.changes if one.before is not None}
    wanted = {id_ for one in delta.changes if one.after for id_ in references(one.after).values()}
    return changed | wanted <= there


def expect_unmoved(story: Snapshot, deltas: Iterable[Delta]) -> None:
    """Check that whatever some Deltas change or remove is still as they expect it.

    Raises:
        StoryMoved: if it is not.
    """
    for change in (one for delta in deltas for one in delta.changes):
        if not is_unmoved(story, Delta(changes=(change,))):
            label = capital(Names(story, Delta()).label(change.entity))
            raise StoryMoved(
                f"{label} has been changed since the text was compared. Compare it again."
            )


@dataclass
class Findings:
    """What was found in a text so far, as of a chapter.

    `story` is what it is compared with; in it, a chapter that has no plot is still to come.
    """

    story: Snapshot
    chapter: int
    lines: list[FoundLine] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    unsupported: int = 0
    _doubt: str = ""

    def read(
        self,
        facts: ChangedFacts,
        named: Mapping[str, AnyEntity],
        passages: Sequence[ChangedPassage],
    ) -> None:
        """Add what an agent says of some passages: only what rests on words that stand there."""
        reader = _Reader(self, named, now := [one.now for one in passages])
        gone = [one.before for one in passages]
        ways: list[tuple[Iterable[WholeAnswer], Callable[..., list[Change]], Sequence[str]]] = [
            (facts.people, reader.person, now),
            (facts.places, reader.place, now),
            (facts.changes, reader.field, now),
            (facts.ties, reader.tie, now),
            (facts.events, reader.event, now),
            (facts.gone, reader.gone, gone),
        ]
        for several, changes_of, texts in ways:
            for fact in several:
                self._add(fact, changes_of, texts)

    def _add(
        self, fact: WholeAnswer, changes_of: Callable[..., list[Change]], texts: Sequence[str]
    ) -> None:
        quote = str(getattr(fact, "quote", ""))
        if not stands_in(quote, texts):
            self.unsupported += 1
            return
        changes = changes_of(fact)
        doubt, self._doubt = self._doubt, ""
        self.add(Delta(changes=tuple(changes)), quote, doubt)

    def doubted(self, why: str) -> None:
        """Note why the writer has to decide on what is made a line of next."""
        self._doubt = clip(why, _DOUBT)

    def add(self, delta: Delta, quote: str, doubt: str = "") -> None:
        """Add a line, if what it says is anything, and possible beside the lines before it."""
        deltas = [*(line.delta for line in self.lines), delta]
        if not delta.changes or validate(merged(self.story, deltas), self.story):
            return
        line = FoundLine(delta=delta, quote=quote, needs=self._needs(delta), doubt=doubt)
        sets = _fields_set(delta)
        same = [at for at, one in enumerate(self.lines) if sets and _fields_set(one.delta) == sets]
        if same:
            self.lines[same[0]] = line  # what stands later in the text is how it is in the end
        else:
            self.lines.append(line)

    def _needs(self, delta: Delta) -> tuple[int, ...]:
        """Return the places of the lines that add what a Delta refers to."""
        wanted = {
            id_ for one in delta.changes if one.after for id_ in references(one.after).values()
        }
        return tuple(
            at
            for at, line in enumerate(self.lines)
            if any(one.id in wanted for one in line.delta.additions())
        )

    def added(self) -> list[AnyEntity]:
        """Return what the lines so far would add to the story."""
        return [one for line in self.lines for one in line.delta.additions()]

    def keep(self, entity: AnyEntity, field_: str) -> None:
        """Note that a lock keeps something as it is; `WHOLE` stands for its place in the story."""
        label = Names(self.story, Delta()).label(entity)
        what = label if field_ == WHOLE else f"{label}: {field_words(entity, field_)}"
        self._note(self.kept, capital(what))

    def miss(self, name: str) -> None:
        """Note a name that means nobody and nothing."""
        self._note(self.unknown, name)

    @staticmethod
    def _note(notes: list[str], said: str) -> None:
        words = end_whole(said[:_SAID], _SAID)
        if words not in notes:
            notes.append(words)


def _fields_set(delta: Delta) -> set[tuple[str, str]]:
    """Return which fields of what exists a Delta sets."""
    return {
        (one.id, name) for one in delta.changes if one.operation == "change" for name in one.fields
    }


class _Reader:
    """Makes changes of facts; a list without any means that a fact is of no use."""

    def __init__(
        self, findings: Findings, named: Mapping[str, AnyEntity], texts: Sequence[str]
    ) -> None:
        self._found = findings
        self._story = findings.story
        self._named = named
        self._texts = texts

    def person(self, fact: PersonFact) -> list[Change]:
        """Somebody new; of a name that somebody has already, only if the writer says that they are two."""
        try:
            name = name_of_a_person(fact.name)
        except ValueError:
            return []
        known = self._standing(fact.name) or named_person(self._people(), name)
        if isinstance(known, Character):
            if not _is_somebody_else(fact, known):
                return []
            self._found.doubted(
                f"{known.name} is known already, as {known.occupation}. "
                "Take this only if it is somebody else of that name."
            )
            name = clip(f"{name} ({fact.who})", NAME)
        return [
            Change(
                after=Character(
                    id=new_id(),
                    name=name,
                    aliases=tuple(one for one in fact.also if name_key(one) != name_key(name)),
                    gender=fact.gender,
                    age=fact.age,
                    occupation=fact.who,
                    personality=fact.personality,
                    motivation=fact.wants,
                    secrets=fact.hides,
                    history=fact.history,
                )
            )
        ]

    def place(self, fact: PlaceFact) -> list[Change]:
        """A new place, unless the story has one of that name."""
        if self._place(fact.name) is not None:
            return []
        return [Change(after=Scene(id=new_id(), name=fact.name, place=fact.place, time=fact.time))]

    def field(self, fact: FieldFact) -> list[Change]:
        """A field that is different, unless it is locked."""
        standing = self._standing(fact.of) or self._person(fact.of)
        name = field_of(standing, fact.field) if standing is not None else None
        if standing is None or name is None or standing.id not in self._story.entities:
            return []
        after = with_value(standing, name, fact.value)
        if after is None or after == standing:
            return []
        if is_locked(standing, name):
            self._found.keep(standing, name)
            return []
        if isinstance(standing, Character) and isinstance(after, Character):
            self._doubt_return(standing, after)
        own = tuple(one for one in standing.invented if one != name)
        return [Change(before=standing, after=after.model_copy(update={"invented": own}))]

    def _doubt_return(self, before: Character, after: Character) -> None:
        """Let the writer decide whether somebody comes back from the dead."""
        if before.life is Life.DEAD and after.life is not Life.DEAD:
            self._found.doubted(f"{before.name} is dead by now, and would not be any more.")

    def tie(self, fact: TieFact) -> list[Change]:
        """A new tie, or one that exists and is stronger, weaker or has another reason now."""
        source, target = (self._end_of_tie(said, fact.quote) for said in (fact.source, fact.target))
        if source is None or target is None or source.id == target.id:
            return []
        ends = (source.id, target.id, fact.tie)
        standing = next(
            (one for one in self._story.relationships if (one.source, one.target, one.tie) == ends),
            None,
        )
        values = {"strength": fact.strength, **({"reason": fact.reason} if fact.reason else {})}
        if standing is None:
            new = Relationship(id=new_id(), source=ends[0], target=ends[1], tie=fact.tie)
            return [Change(after=new.model_copy(update=values))]
        open_values = {name: said for name, said in values.items() if not is_locked(standing, name)}
        if len(open_values) < len(values):
            self._found.keep(standing, next(iter(values.keys() - open_values.keys())))
        after = standing.model_copy(update=open_values)
        return [] if after == standing else [Change(before=standing, after=after)]

    def event(self, fact: EventFact) -> list[Change]:
        """An event of the chapter, with who is in it and where; none if it is about nobody who exists."""
        present = self._present(fact.present)
        if fact.present and not present:
            return []
        event = Event(
            id=new_id(),
            title=fact.title or end_whole(fact.summary[:NAME], NAME).rstrip("."),
            summary=fact.summary,
            consequences=fact.consequences,
            position=self._next_position(),
            story_order=self._time_of(fact),
        )
        added: list[AnyEntity] = [event]
        added += [
            Participation(
                id=new_id(), character=id_, event=event.id, part=one.part, learned=one.learns
            )
            for id_, one in present.items()
        ]
        place = self._place(fact.place) if fact.place else None
        if place is not None:
            added.append(Occurrence(id=new_id(), event=event.id, scene=place.id))
        elif fact.place:
            self._found.miss(fact.place)
        return [Change(after=one) for one in added]

    def _time_of(self, fact: EventFact) -> float | None:
        """Return when an event happens that the text only looks back on."""
        if fact.years_before is not None and fact.years_before > 0:
            return -fact.years_before
        is_earlier = fact.chapter is not None and 0 < fact.chapter < self._found.chapter
        # Behind all that the chapter tells itself: it comes to light only now.
        return int(fact.chapter) + _LATE if fact.chapter is not None and is_earlier else None

    def gone(self, fact: GoneFact) -> list[Change]:
        """An event of this chapter or a tie that is no more, or somebody who is no longer in an event."""
        standing = self._standing(fact.of)
        if not isinstance(standing, Event | Relationship) or not self._is_of_chapter(standing):
            return []
        if fact.person and isinstance(standing, Event):
            return self._without_person(standing, fact.person)
        if standing.locked:
            self._found.keep(standing, WHOLE)
            return []
        attached = [
            one for one in self._story.entities.values() if standing.id in references(one).values()
        ]
        return [Change(before=one) for one in [standing, *attached]]

    def _without_person(self, event: Event, name: str) -> list[Change]:
        person = self._known_person(name)
        return [
            Change(before=part)
            for part in self._story.participations_in(event.id)
            if person is not None and part.character == person.id and not part.locked
        ]

    def _is_of_chapter(self, entity: AnyEntity) -> bool:
        is_event = isinstance(entity, Event)
        return not is_event or self._story.first_chapter_of(entity.id) == self._found.chapter

    def _present(self, said: Iterable[PresentFact]) -> dict[str, PresentFact]:
        found: dict[str, PresentFact] = {}
        for one in said:
            person = self._known_person(one.name)
            if person is not None:
                found.setdefault(person.id, one)
        return found

    def _next_position(self) -> int:
        told = [one.position for one in self._story.events_of(self._found.chapter)]
        told += [one.position for one in self._found.added() if isinstance(one, Event)]
        return 1 + max(told, default=-1)

    def _standing(self, label: str) -> AnyEntity | None:
        named = self._named.get(label_said(label))
        if named is None:
            return None
        new = (one for one in self._found.added() if one.id == named.id)
        return self._story.entities.get(named.id) or next(new, None)

    def _people(self) -> list[Character]:
        new = [one for one in self._found.added() if isinstance(one, Character)]
        return [*self._story.characters, *new]

    def _person(self, said: str) -> Character | None:
        """Return whom a label or a name means."""
        standing = self._standing(said)
        if standing is not None:
            return standing if isinstance(standing, Character) else None
        return named_person(self._people(), said)

    def _end_of_tie(self, said: str, quote: str) -> Character | None:
        """Return whom an end of a tie means; somebody of whom only that is known is the writer's to add."""
        known = self._person(said)
        if known is not None:
            return known
        try:
            name = name_of_a_person(said)
        except ValueError:
            name = ""
        if name and stands_in(name, self._texts):
            person = Character(id=new_id(), name=name)
            why = f"Nobody in the story is called {name}, and nothing is said of them but a tie."
            self._found.add(Delta(changes=(Change(after=person),)), quote, why)
        return self._known_person(said)

    def _known_person(self, said: str) -> Character | None:
        """Return whom a label or a name means; one that means nobody is noted."""
        person = self._person(said)
        if person is None:
            self._found.miss(said)
        return person

    def _place(self, said: str) -> Scene | None:
        """Return the place that a label or a name means, among those of the story and the new ones."""
        standing = self._standing(said)
        if isinstance(standing, Scene):
            return standing
        new = [one for one in self._found.added() if isinstance(one, Scene)]
        wanted = _place_key(said)
        every = [*self._story.scenes, *new]
        return next((one for one in every if _place_key(one.name) == wanted), None)


def named_person(people: Sequence[Character], name: str) -> Character | None:
    """Return the person of this name, or of whom it is another name or a short one."""
    key = name_key(name)
    by_other = [one for one in people if key in map(name_key, one.aliases)]
    exact = any(name_key(one.name) == key for one in people)
    if len(by_other) == 1 and not exact:
        return by_other[0]
    found = find_person(people, name)
    untitled = " ".join(own_names(name))
    is_titled = untitled != " ".join(name.split()) and not _OF_A_WOMAN.match(name)
    return found or (find_person(people, untitled) if is_titled else None)


def _is_somebody_else(fact: PersonFact, known: Character) -> bool:
    """Return whether a text seems to bring in another person of a name that is known."""
    told, kept = name_key(fact.who), name_key(known.occupation)
    return bool(told and kept) and told not in kept and kept not in told


def _place_key(name: str) -> str:
    """Return what two names of one place have in common: all but the article."""
    return name_key(name).removeprefix("the ")
