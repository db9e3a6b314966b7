"""A story of any length, made up from a seed: what the benchmarks measure with.

It begins as an able model founds a story: with a truth and a spine, with people who have a past, a
voice and an arc, and with events before its first chapter; each text is as long as those of a story
that was really founded. Every ten chapters have the same number of changes, so that one stretch of the story can be held
against another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, cycle, islice, product
from random import Random

from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
    Spine,
    Thread,
    ThreadState,
)
from store.models.prototype import FOUNDATION_ID, SPINE_ID, AnyEntity

PERIOD = 10
"""Chapters after which the kinds of changes come again."""

EVENTS = 3
"""Events of a chapter."""

_BEGUN = 1_790_000_000_000
"""When the story was begun, in milliseconds; a chapter comes every minute."""

_COMPANY = 4
"""People who have a part in a chapter."""

_NEW_PLACES = 3
"""Places that came in last; a chapter happens in one of them, or in those it began with."""

_FOUNDED = 8
"""People with whom the story was founded: of them most is known."""

_PAST = 5
"""Events before the story."""

_PLANNED = 24
"""Threads that the writer has in mind when the story begins."""

_FIRST = "Mara Hale Ida Tobin Ansel Brida Corin Della Edric Fenna Garrow Hester Ivo Junia Kester Lio Nela Osric Petra Quin".split()
_LAST = "Lenz Okafor Vance Marsh Quill Thorne Abara Weir Sayer Holm Pike Rowan Strand Vey Calloway Drust Ember Foss Gant Hurd".split()
_DEEDS = "finds hides burns steals mends forgets guards sells follows opens buries denies trades breaks returns watches".split()
_THINGS = "ledger key letter bell chart lamp boat ring map coat mirror bridge oath seal lantern debt".split()
_MANNERS = (
    "drowned borrowed copper silent forged winter broken hidden eastern last crooked gilded".split()
)
_PLACES = "quay tower cellar chapel market reef archive ferry garden mill bridge gallery".split()
_MOODS = "fear relief anger pity envy hope shame pride grief wonder doubt resolve".split()
_TRADES = "keeper inspector skipper apprentice notary smith healer courier clerk diver".split()
_SYLLABLES = "ka lo mir ten vas ur eld ish mon dra fel goth ren sil bar ny".split()
_AWARENESS = (Awareness.MUTUAL, Awareness.MUTUAL, Awareness.ONE_SIDED, Awareness.HIDDEN)
_BEARINGS = (LinkKind.ENABLES, LinkKind.FORESHADOWS, LinkKind.PAYS_OFF, LinkKind.PARALLELS)


class Epic:
    """Tells a story chapter by chapter; each Delta fits what the ones before it made.

    `people` is the size of the cast, all of whom stand at the beginning. Some are in nearly every
    chapter and most are seldom there, as in real stories.
    """

    def __init__(self, people: int, seed: int = 7) -> None:
        self._dice = Random(seed)
        self._chapter = 0
        self._people = [self._person(name, at) for at, name in enumerate(_names(people))]
        self._weights = list(accumulate(rank**-1.5 for rank in range(1, people + 1)))
        self._relationships = [self._relationship() for _ in range(people * 3 // 2)]
        self._scenes = [self._scene(place) for place in _PLACES]
        self._threads = [self._thread(ThreadState.PLANNED) for _ in range(_PLANNED)]
        self._events: list[str] = []
        self._company: list[int] = []
        self._past = list(self._before())

    @property
    def leads(self) -> list[Character]:
        """The three who are there most often, as they are now: whom a relay is made of."""
        return self._people[:3]

    def beginning(self) -> Delta:
        """Return chapter 0: ground and spine, the cast with its ties and its past, places, threads."""
        ground = Foundation(
            id=FOUNDATION_ID,
            background="A harbour town that lives by its lights, and what they do not show. "
            + self._said(90),
            truth=self._said(110),
            long_term_goal="It ends when the town knows who put out the great lamp. "
            + self._said(25),
            themes="guilt, what a town owes its dead, the price of keeping quiet",
            tone="dry and warm, in the past tense, close to one person at a time. "
            + self._said(40),
        )
        spine = Spine(
            id=SPINE_ID,
            inciting=self._said(150),
            holds=self._said(70),
            turns=self._said(300),
            crisis=self._said(110),
            ending=self._said(240),
            cost=self._said(100),
            last_image=self._said(40),
        )
        entities: list[AnyEntity] = [ground, spine, *self._people, *self._relationships]
        return _adding([*entities, *self._scenes, *self._threads, *self._past])

    def _before(self) -> Iterator[AnyEntity]:
        """Yield what happened before the story: each event with who did it and who saw it."""
        for position in range(_PAST):
            actor, other, third = self._dice.sample(self._people[:_FOUNDED], 3)
            event = Event(
                id=self._id(),
                title=f"{actor.name} {self._pick(_DEEDS)} the {self._pick(_THINGS)}",
                summary=self._said(85),
                story_order=-float(3 * _PAST - 3 * position),
                position=position,
            )
            yield event
            yield self._participation(event, actor, Part.ACTS)
            yield self._participation(event, other, Part.WITNESSES)
            told = self._participation(event, third, Part.IS_TOLD)
            yield told.model_copy(update={"learned": self._said(15)})

    def next_chapter(self) -> tuple[str, Delta]:
        """Return the title of the next chapter and what it tells: some ten changes."""
        self._chapter += 1
        self._company = self._lots(_COMPANY)
        title = f"The {self._pick(_MANNERS)} {self._pick(_THINGS)}"
        changes = [self._changed_tie(), self._changed_person(), *self._thread_changes()]
        changes += [Change(after=entity) for entity in self._told()]
        return title, Delta(changes=tuple(changes))

    def _told(self) -> Iterator[AnyEntity]:
        if self._chapter % PERIOD == 3:
            scene = self._scene(self._coined())
            self._scenes.append(scene)
            yield scene
        if self._chapter % 2:
            relationship = self._relationship()
            self._relationships.append(relationship)
            yield relationship
        for position in range(EVENTS):
            yield from self._event(position)

    def _event(self, position: int) -> Iterator[AnyEntity]:
        actor, other = (self._people[at] for at in self._dice.sample(self._company, 2))
        scene = self._dice.choice([*self._scenes[: len(_PLACES)], *self._scenes[-_NEW_PLACES:]])
        event = Event(
            id=self._id(),
            title=f"{actor.name} {self._pick(_DEEDS)} the {self._pick(_THINGS)}",
            summary=self._summary(actor, other, scene),
            consequences=f"{other.name} cannot trust the {self._pick(_THINGS)} any more.",
            position=position,
        )
        yield event
        yield Occurrence(id=self._id(), event=event.id, scene=scene.id)
        yield self._participation(event, actor, Part.ACTS)
        yield self._participation(event, other, self._dice.choice(list(Part)))
        if position:
            yield self._link(self._events[-1], event.id, LinkKind.CAUSES)
        elif self._events:
            earlier = self._dice.choice(self._events)
            yield self._link(earlier, event.id, self._dice.choice(_BEARINGS))
        self._events.append(event.id)

    def _thread_changes(self) -> Iterator[Change]:
        """Plant three threads in ten chapters, and pay as many off, some of them much later."""
        if self._chapter % PERIOD in {1, 4, 7}:
            self._threads.append(self._thread(ThreadState.PLANTED, self._chapter))
            yield Change(after=self._threads[-1])
        if self._chapter % PERIOD in {3, 6, 9}:
            thread = self._threads.pop(self._dice.randrange(len(self._threads)))
            paid = {"state": ThreadState.PAID_OFF, "paid_off_in": self._chapter}
            yield Change(before=thread, after=thread.model_copy(update=paid))

    def _changed_tie(self) -> Change:
        at = self._dice.randrange(len(self._relationships))
        old = self._relationships[at]
        new = {
            "strength": old.strength % 10 + 1,
            "reason": self._reason(),
        }
        self._relationships[at] = old.model_copy(update=new)
        return Change(before=old, after=self._relationships[at])

    def _changed_person(self) -> Change:
        at = self._lot()
        old = self._people[at]
        self._people[at] = old.model_copy(update={"status": self._status()})
        return Change(before=old, after=self._people[at])

    def _person(self, name: str, at: int) -> Character:
        found = Character(
            id=self._id(),
            name=name,
            occupation=self._pick(_TRADES),
            personality=f"{self._pick(_MANNERS)} in all things, quick to {self._pick(_MOODS)}",
            motivation=f"to get back the {self._pick(_MANNERS)} {self._pick(_THINGS)}",
            secrets=f"once {self._pick(_DEEDS)} the {self._pick(_THINGS)} of {self._coined()}",
            status=self._status(),
        )
        if at >= _FOUNDED:
            return found
        whole = {
            "gender": "woman" if at % 2 else "man",
            "age": str(self._dice.randint(19, 80)),
            "history": self._said(100),
            "voice": self._said(40),
            "fear": self._said(20),
            "misbelief": self._said(25),
            "arc": self._said(60),
            "motivation": f"{found.motivation}: {self._said(25)}",
            "secrets": f"{found.secrets}: {self._said(35)}",
        }
        return found.model_copy(update=whole)

    def _said(self, words: int) -> str:
        """Return about so many words about what people did."""
        said: list[str] = []
        while sum(len(one.split()) for one in said) < words:
            who, when = self._pick(_FIRST), self._pick(_TRADES)
            said.append(
                f"{who} {self._pick(_DEEDS)} the {self._pick(_MANNERS)} {self._pick(_THINGS)} while the {when} "
                f"{self._pick(_DEEDS)} what was left at the {self._pick(_PLACES)}."
            )
        return " ".join(" ".join(said).split()[:words])

    def _relationship(self) -> Relationship:
        source, target = (self._people[at] for at in self._lots(2))
        return Relationship(
            id=self._id(),
            source=source.id,
            target=target.id,
            tie=self._dice.choice(list(RelationshipKind)),
            strength=self._dice.randint(1, 10),
            is_mutual=self._dice.random() < 0.3,
            awareness=self._dice.choice(_AWARENESS),
            reason=self._reason(),
        )

    def _scene(self, place: str) -> Scene:
        return Scene(
            id=self._id(),
            name=f"The {place}",
            place=f"by the {self._pick(_MANNERS)} {place}",
            atmosphere=self._pick(_MOODS),
        )

    def _thread(self, state: ThreadState, planted_in: int | None = None) -> Thread:
        return Thread(
            id=self._id(),
            title=f"The {self._pick(_MANNERS)} {self._pick(_THINGS)} of {self._coined()}",
            description=f"Who {self._pick(_DEEDS)} it, and why nobody speaks of it.",
            state=state,
            planted_in=planted_in,
        )

    def _participation(self, event: Event, person: Character, part: Part) -> Participation:
        return Participation(
            id=self._id(),
            character=person.id,
            event=event.id,
            part=part,
            emotion=self._pick(_MOODS),
            impact=f"{person.name} must answer for the {self._pick(_THINGS)}.",
        )

    def _link(self, source: str, target: str, kind: LinkKind) -> EventLink:
        return EventLink(id=self._id(), source=source, target=target, link=kind)

    def _summary(self, actor: Character, other: Character, scene: Scene) -> str:
        return (
            f"{actor.name} {self._pick(_DEEDS)} the {self._pick(_MANNERS)} {self._pick(_THINGS)} "
            f"at {scene.name}, while {other.name} {self._pick(_DEEDS)} a {self._pick(_THINGS)} "
            f"from {self._coined()}; neither says what the {self._pick(_THINGS)} was for."
        )

    def _reason(self) -> str:
        return f"the {self._pick(_MANNERS)} {self._pick(_THINGS)} at the {self._pick(_PLACES)}"

    def _status(self) -> str:
        return f"haunted by the {self._pick(_MANNERS)} {self._pick(_THINGS)}"

    def _lots(self, count: int) -> list[int]:
        """Draw the places of some different people."""
        drawn: dict[int, None] = {}
        while len(drawn) < count:
            drawn[self._lot()] = None
        return list(drawn)

    def _lot(self) -> int:
        """Draw the place of a person: the first are drawn far more often than the last."""
        places: Sequence[int] = range(len(self._people))
        return self._dice.choices(places, cum_weights=self._weights)[0]

    def _pick(self, words: Sequence[str]) -> str:
        return self._dice.choice(words)

    def _coined(self) -> str:
        """Return a name that hardly ever comes twice, as stories are full of them."""
        return "".join(self._pick(_SYLLABLES) for _ in range(4)).capitalize()

    def _id(self) -> str:
        """Return an id like those of the store, of an entity made at its chapter's minute."""
        minute = _BEGUN + self._chapter * 60_000
        return f"{minute:012x}{self._dice.getrandbits(40):010x}"


def _names(count: int) -> Iterator[str]:
    """Yield different names: each pair of names once, then the same with a number."""
    pairs = cycle(f"{first} {last}" for last, first in product(_LAST, _FIRST))
    for at, name in enumerate(islice(pairs, count)):
        again = at // (len(_FIRST) * len(_LAST))
        yield f"{name} {again + 1}" if again else name


def _adding(entities: Sequence[AnyEntity]) -> Delta:
    return Delta(changes=tuple(Change(after=entity) for entity in entities))
