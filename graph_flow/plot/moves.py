"""What somebody who acts may name, and what a beat adds to a draft. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import NamedTuple

from graph_flow.cognition.knowledge import Knowledge, Memory
from graph_flow.founding.cast import find_person
from graph_flow.plot.answers import CHANGEABLE, SOMEBODY_NEW
from graph_flow.plot.beats import Beat, Feeling, Presence
from graph_flow.plot.casting import living
from graph_flow.prompting.text import cut, end_whole, name_of_a_person
from graph_flow.prompting.whole import LINE, NAME, PARAGRAPH
from store.database.word_index import names_of, terms_of
from store.deltas.delta import apply
from store.deltas.locks import without_locked
from store.models.base import new_id
from store.models.cast import Awareness, Character, Relationship
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import AnyEntity, Snapshot
from store.text import capital, name_key

_NOT_SAID = frozenset({"", "nothing", "none", "no", "nobody", "no one", SOMEBODY_NEW})
_LONGEST_NAME = 4
_LEAST_KEPT = 60
"""Characters of what somebody was that are worth keeping beside what is added."""
"""The most words in a new person's name."""
_SENTENCE_MARK = re.compile(r"[!?,;:…。！？，、]")
_SENTENCE_BREAK = re.compile(r"(?<=[.!?…。！？])\s*")
_ENDS = '.!?…。！？”"'
_LEADING = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_LABEL = re.compile(r"[A-Z]\d+")
_ALIKE = 0.72
"""Two titles that match to this degree count as the same."""
_APPENDED = frozenset({"motivation", "personality", "status"})
"""The fields of a person to which a change is added; the others are replaced by it."""
_SPEAKS_OF = 0.5
"""The share of a thread's words at which an event of its first chapter counts as mentioning it."""


@dataclass(frozen=True)
class Choices:
    """What a move may name: the words that an answer can choose, each with its id.

    `others` are people one can meet, `toward` people one can have feelings for: the dead too.
    """

    others: Mapping[str, str]
    toward: Mapping[str, str]
    scenes: Mapping[str, str]
    events: Mapping[str, str]
    threads: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    def scene(self, name: str) -> str | None:
        """Return the id of the place that a name means, with or without its article."""
        scenes = {_place_key(one): id_ for one, id_ in self.scenes.items()}
        return self.scenes.get(name) or scenes.get(_place_key(name))

    def event(self, label: str) -> str | None:
        """Return the id of the event that a label means."""
        return self.events.get(_label_in(label))

    def part(self, label: str) -> str | None:
        """Return the id of the part of the outline that a label means."""
        return self.parts.get(_label_in(label))

    @property
    def questions(self) -> list[str]:
        """The titles of the threads, each with its label."""
        return [f"T{at} {title}" for at, title in enumerate(self.threads, start=1)]

    def thread(self, said: str) -> str | None:
        """Return the id of the thread that a label means, or a title, exactly or nearly."""
        labels = {f"T{at}": id_ for at, id_ in enumerate(self.threads.values(), start=1)}
        alike = (id_ for title, id_ in self.threads.items() if are_alike(title, said))
        known = self.threads.get(said) or labels.get(_label_in(said))
        return known or (next(alike, None) if said else None)


def are_alike(one: str, other: str) -> bool:
    """Return whether two titles of threads say the same thing in nearly the same words."""
    match = SequenceMatcher(None, one.casefold(), other.casefold())
    # Each ratio is an upper bound of the next, at a fraction of its cost.
    return (
        match.real_quick_ratio() >= _ALIKE
        and match.quick_ratio() >= _ALIKE
        and match.ratio() >= _ALIKE
    )


def _place_key(name: str) -> str:
    return _LEADING.sub("", name_key(name))


def _label_in(text: str) -> str:
    found = _LABEL.search(text)
    return found.group() if found else ""


class BeatResult(NamedTuple):
    """A draft after a beat, its event, and a sentence for each locked thing it tried to change."""

    draft: Snapshot
    event: str
    refused: tuple[str, ...]


def choices_for(
    snapshot: Snapshot,
    known: Knowledge,
    company: Sequence[Character],
    remembered: Sequence[Memory] | None = None,
) -> Choices:
    """Return what a role may name: people it knows or meets here, places and events it knows.

    `remembered` are the events that it is reminded of; None means all it knows.
    """
    met = {person.id for person in known.people} | {person.id for person in company}
    met.discard(known.character.id)
    people = [person for person in snapshot.characters if person.id in met]
    lived = {memory.scene.id for memory in known.memories if memory.scene}
    memories = known.memories if remembered is None else remembered
    return Choices(
        others={person.name: person.id for person in living(people)},
        toward={person.name: person.id for person in people},
        scenes={
            scene.name: scene.id
            for scene in snapshot.scenes
            if scene.id in lived or snapshot.first_chapter_of(scene.id) == 0
        },
        events={f"E{at}": memory.event.id for at, memory in enumerate(memories, start=1)},
    )


def add_beat(draft: Snapshot, role: Character, beat: Beat, choices: Choices) -> BeatResult:
    """Return the draft with what one beat adds: its event, who is in it, and what that changes.

    `draft.chapter` is the chapter that is being woven. What the writer has locked stays as it is.
    """
    event = _event(draft, role, beat)
    company = _company(draft, role, beat, choices)
    newcomers = [person for _, person in company if person.id not in draft.entities]
    additions: list[AnyEntity] = [event, *newcomers, *_placing(draft, role, event, beat, choices)]
    additions += _parts(event, role, beat, company)
    additions += _links(draft, event, beat, choices)
    additions += _opened(draft, beat)
    changed: list[AnyEntity] = [
        _grown(draft.get(Character, role.id), beat),
        *_closed(draft, beat, choices),
        *_tied(draft, role, beat, _Circle(choices, frozenset(person.id for _, person in company))),
    ]
    delta, refused = without_locked(_delta(draft, additions, changed), draft)
    return BeatResult(apply(draft, delta, draft.chapter), event.id, refused)


def with_find(beats: Sequence[Beat], role: Character, finds: str) -> list[Beat]:
    """Return what somebody does who comes upon something in it, as what they learn in the first beat."""
    if not finds:
        return list(beats)
    first, *others = beats
    said = [one for one in first.present if is_namesake(one.name, role)]
    words = " ".join([finds, *(one.learns for one in said)])
    found = Presence(name=role.name, part=Part.ACTS).model_copy(
        update={"learns": end_whole(words[:PARAGRAPH], PARAGRAPH)}
    )
    rest = (one for one in first.present if one not in said)
    return [first.model_copy(update={"present": (found, *rest)}), *others]


def _event(draft: Snapshot, role: Character, beat: Beat) -> Event:
    spoken = f"{role.name}: {beat.said}" if beat.said else ""
    return Event(
        id=new_id(),
        title=beat.title or end_whole(beat.observed[:NAME], NAME),
        summary=beat.observed,
        consequences=beat.outcome,
        spoken=end_whole(spoken[:PARAGRAPH], PARAGRAPH),
        position=len(draft.events_of(draft.chapter)),
    )


def _says_nothing(text: str) -> bool:
    return text.casefold().strip(" .") in _NOT_SAID


def _delta(draft: Snapshot, additions: Sequence[AnyEntity], changed: Sequence[AnyEntity]) -> Delta:
    changes = [
        *(Change(after=entity) for entity in additions),
        *(Change(before=draft.entities.get(entity.id), after=entity) for entity in changed),
    ]
    return Delta(changes=tuple(change for change in changes if change.before != change.after))


def resolved(draft: Snapshot, name: str, ids: Mapping[str, str]) -> Character | None:
    """Return whom a name means among some people, given by name: exactly, or in short."""
    people = [one for id_ in ids.values() if isinstance(one := draft.entities.get(id_), Character)]
    return find_person(people, name)


def _company(
    draft: Snapshot, role: Character, beat: Beat, choices: Choices
) -> list[tuple[Presence, Character]]:
    """Return who else is in a beat, or told of it, with what it says of them.

    A name that means nobody the role can meet is left out, unless it is somebody new's.
    """
    company: list[tuple[Presence, Character]] = []
    for one in beat.present:
        person = (
            _newcomer(draft, one) if one.newcomer else resolved(draft, one.name, choices.others)
        )
        there = {role.id, *(other.id for _, other in company)}
        is_twin = any(is_namesake(one.name, other) for _, other in company)
        if person is not None and person.id not in there and not (one.newcomer and is_twin):
            company.append((one, person))
    return company


def _newcomer(draft: Snapshot, one: Presence) -> Character | None:
    """Return the new person that a beat brings in, if any: never one who already exists.

    The draft must hold everybody who may have that name. The dead count: nobody is brought back.
    """
    name = _name_in(one.name)
    if not name or any(is_namesake(name, person) for person in draft.characters):
        return None
    return Character(
        id=new_id(),
        name=name,
        occupation="" if name_key(one.newcomer) in _NOT_SAID else one.newcomer,
        invented=("name", "occupation"),
    )


def _name_in(answer: str) -> str:
    """Return the name that an answer gives a new person; empty if it is not a name.

    A small model answers with a sentence, whose words would count as names from then on.
    """
    is_name = name_key(answer) not in _NOT_SAID and len(answer.split()) <= _LONGEST_NAME
    try:
        return name_of_a_person(answer) if is_name and not _SENTENCE_MARK.search(answer) else ""
    except ValueError:
        return ""


def is_namesake(name: str, person: Character) -> bool:
    """Return whether a name is one of a person's names, or a single word of one."""
    said = name_key(name)
    return any(said == name_key(one) or said in name_key(one).split() for one in names_of(person))


def _placing(
    draft: Snapshot, role: Character, event: Event, beat: Beat, choices: Choices
) -> list[AnyEntity]:
    """Return where an event takes place: a known place, a new one, or where the role was last."""
    here = choices.scene(beat.place) if beat.place else _last_place(draft, role)
    if here is None and beat.place:
        wanted = name_key(beat.place)
        here = next((one.id for one in draft.scenes if name_key(one.name) == wanted), None)
    if here is not None:
        return [Occurrence(id=new_id(), event=event.id, scene=here)]
    if not beat.place:
        return []
    scene = Scene(id=new_id(), name=beat.place, invented=("name",))
    return [scene, Occurrence(id=new_id(), event=event.id, scene=scene.id)]


def _last_place(draft: Snapshot, role: Character) -> str | None:
    """Return the id of the place where somebody was last in the chapter, if they were in it."""
    there = {
        part.event
        for part in draft.of(Participation)
        if part.character == role.id and part.part is not Part.IS_TOLD
    }
    for event in reversed(draft.events_of(draft.chapter)):
        if event.id in there and (scene := draft.scene_of(event.id)) is not None:
            return scene.id
    return None


def _parts(
    event: Event, role: Character, beat: Beat, company: Sequence[tuple[Presence, Character]]
) -> list[AnyEntity]:
    own = Participation(
        id=new_id(),
        character=role.id,
        event=event.id,
        part=Part.ACTS,
        emotion=beat.emotion,
        impact=beat.consequence,
        inner=beat.inner,
        learned=next((one.learns for one in beat.present if is_namesake(one.name, role)), ""),
    )
    others = [
        Participation(
            id=new_id(),
            character=person.id,
            event=event.id,
            part=said.part,
            learned=said.learns,
        )
        for said, person in company
    ]
    return [own, *others]


def _opened(draft: Snapshot, beat: Beat) -> list[AnyEntity]:
    asked = beat.plants.strip()
    if _says_nothing(asked):
        return []
    title = cut(asked, NAME)
    if any(are_alike(title, thread.title) for thread in draft.threads):
        return []
    planted = Thread(
        id=new_id(),
        title=title,
        description=asked if asked != title else "",
        state=ThreadState.PLANTED,
        planted_in=draft.chapter,
    )
    return [planted]


def _closed(draft: Snapshot, beat: Beat, choices: Choices) -> list[AnyEntity]:
    thread = _answered(draft, beat, choices)
    if thread is None or thread.state is not ThreadState.PLANTED:
        return []
    values = {"state": ThreadState.PAID_OFF, "paid_off_in": draft.chapter}
    invented = tuple(sorted({*thread.invented, *values}))
    return [thread.model_copy(update={**values, "invented": invented})]


def _answered(draft: Snapshot, beat: Beat, choices: Choices) -> Thread | None:
    """Return the thread that a beat pays off, if any."""
    id_ = choices.thread(beat.pays_off)
    return draft.get(Thread, id_) if id_ else None


def _links(draft: Snapshot, event: Event, beat: Beat, choices: Choices) -> list[AnyEntity]:
    """Return the links to what caused a beat, and to what it pays off."""
    cause = choices.event(beat.because_of)
    causes = [cause] if cause else []
    thread = _answered(draft, beat, choices)
    prepared = planting_events(draft, thread, causes) if thread is not None else []
    return [
        *(
            EventLink(id=new_id(), source=one, target=event.id, link=LinkKind.CAUSES)
            for one in causes
        ),
        *(
            EventLink(id=new_id(), source=event.id, target=one, link=LinkKind.PAYS_OFF)
            for one in prepared
        ),
    ]


def planting_events(draft: Snapshot, thread: Thread, causes: Collection[str] = ()) -> list[str]:
    """Return the events in the draft that planted a thread.

    A thread does not name these events: they are those of its first chapter that mention it, or
    that are why somebody pays it off now.
    """
    if thread.planted_in is None:
        return []
    wanted = set(terms_of(thread.title))
    return [
        event.id
        for event in draft.events_of(thread.planted_in)
        if event.id in causes or _shared(wanted, event) >= _SPEAKS_OF
    ]


def _shared(wanted: set[str], event: Event) -> float:
    said = terms_of(f"{event.title} {event.summary} {event.consequences}")
    return len(wanted.intersection(said)) / len(wanted) if wanted else 0.0


def _grown(person: Character, beat: Beat) -> Character:
    """Return a person after a beat: what changes in them is added to what they were."""
    values: dict[str, str] = {}
    for change in beat.changes:
        if change.life is not None:
            values["life"] = change.life
        elif change.field in CHANGEABLE and not _says_nothing(change.value):
            before = values.get(change.field, getattr(person, change.field))
            is_added = change.field in _APPENDED
            values[change.field] = appended(before, change.value) if is_added else change.value
    invented = tuple(sorted({*person.invented, *values}))
    return person.model_copy(update={**values, "invented": invented}) if values else person


def appended(before: str, more: str) -> str:
    """Return a text with something added to it.

    It gets no longer than a line, or than it was: what is oldest in it falls away, and of a single long
    sentence its end.
    """
    if name_key(more) in name_key(before):
        return before
    sentences = [one for one in _SENTENCE_BREAK.split(before.strip()) if one]
    most = max(LINE, len(before))
    while len(sentences) > 1 and len(_joined(sentences, more)) > most:
        sentences.pop(0)
    room = most - len(more) - len("; ")
    if sentences and len(_joined(sentences, more)) > most:
        sentences = [cut(sentences[0], room)] if room >= _LEAST_KEPT else []
    return _joined(sentences, more)


def _joined(sentences: Sequence[str], more: str) -> str:
    before = " ".join(sentences)
    if not before:
        return more
    return f"{before} {capital(more)}" if before[-1] in _ENDS else f"{before}; {more}"


class _Circle(NamedTuple):
    """Whom a beat may be about, and the ids of those who meet in it."""

    choices: Choices
    met: frozenset[str]


def _tied(draft: Snapshot, role: Character, beat: Beat, circle: _Circle) -> list[Relationship]:
    """Return the relationships that a beat changes or begins; the last word on each counts."""
    found: dict[tuple[str, str], Relationship] = {}
    for feeling in beat.feelings:
        person = resolved(draft, feeling.toward, circle.choices.toward)
        if person is not None and person.id != role.id:
            found[person.id, feeling.tie] = _felt(draft, role, feeling, person.id, circle)
    return list(found.values())


def _felt(
    draft: Snapshot, role: Character, feeling: Feeling, toward: str, circle: _Circle
) -> Relationship:
    key = (role.id, toward, feeling.tie)
    for one in draft.relationships:
        if (one.source, one.target, one.tie) == key:
            invented = tuple(sorted({*one.invented, "reason", "strength"}))
            reason = appended(one.reason, feeling.reason) if feeling.reason else one.reason
            told = {"strength": feeling.strength, "reason": reason, "invented": invented}
            return one.model_copy(update=told)
    return Relationship(
        id=new_id(),
        source=role.id,
        target=toward,
        tie=feeling.tie,
        strength=feeling.strength,
        awareness=Awareness.MUTUAL if toward in circle.met else Awareness.ONE_SIDED,
        reason=feeling.reason,
        invented=("reason", "strength", "tie"),
    )
