"""What a move may name, and what it adds to a draft. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graph_flow.cognition.knowledge import Knowledge, Memory
from graph_flow.plot.answers import NEW_PLACE, SOMEBODY_NEW, RoleAnswer, named
from graph_flow.plot.casting import are_alike, living
from graph_flow.prompting.text import name_of_a_person
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
from store.text import name_key

_NOT_SAID = frozenset({"", "nothing", "none", "no", "nobody", "no one", SOMEBODY_NEW})
_LONGEST_NAME = 4
"""The most words in a new person's name."""
_SENTENCE_MARK = re.compile(r"[!?,;:…。！？，、]")
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


class MoveResult(NamedTuple):
    """A draft after a move, its event, and a sentence for each locked thing it tried to change."""

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


def add_move(draft: Snapshot, role: Character, answer: RoleAnswer, choices: Choices) -> MoveResult:
    """Return the draft with what one move adds: its event, who is in it, and what that changes.

    `draft.chapter` is the chapter that is being woven. What the writer has locked stays as it is.
    """
    event = Event(
        id=new_id(),
        title=answer.title,
        summary=answer.action,
        consequences=answer.consequence,
        position=len(draft.events_of(draft.chapter)),
    )
    company = _company(role, answer, choices)
    newcomer = _newcomer(draft, answer)
    additions: list[AnyEntity] = [event, *newcomer, *_placing(draft, event, answer, choices)]
    additions += _parts(event, role, answer, [*company, *(one.id for one in newcomer)])
    closed = _closed(draft, answer, choices)
    additions += _links(draft, event, answer, choices)
    additions += _opened(draft, answer)
    changed: list[AnyEntity] = [_grown(draft.get(Character, role.id), answer), *closed]
    toward = named(answer.relationship.toward)
    if toward and choices.toward[toward] != role.id:
        meets = choices.toward[toward]
        changed.append(_tied(draft, role, answer, meets, meets in company))
    delta, refused = without_locked(_delta(draft, additions, changed), draft)
    return MoveResult(apply(draft, delta, draft.chapter), event.id, refused)


def _says_nothing(text: str) -> bool:
    return text.casefold().strip(" .") in _NOT_SAID


def _delta(draft: Snapshot, additions: Sequence[AnyEntity], changed: Sequence[AnyEntity]) -> Delta:
    changes = [
        *(Change(after=entity) for entity in additions),
        *(Change(before=draft.entities.get(entity.id), after=entity) for entity in changed),
    ]
    return Delta(changes=tuple(change for change in changes if change.before != change.after))


def _company(role: Character, answer: RoleAnswer, choices: Choices) -> list[str]:
    """Return the ids of the people that a move brings together with its maker."""
    met = (choices.others[name] for name in answer.together_with if name in choices.others)
    return [person for person in dict.fromkeys(met) if person != role.id]


def _newcomer(draft: Snapshot, answer: RoleAnswer) -> list[Character]:
    """Return the new person that a move brings in, if any: never one who already exists.

    The draft must hold everybody who may have that name. The dead count: nobody is brought back.
    """
    name = _name_in(answer.newcomer) if SOMEBODY_NEW in answer.together_with else ""
    if not name or any(is_namesake(name, person) for person in draft.characters):
        return []
    return [
        Character(
            id=new_id(),
            name=name,
            occupation="" if name_key(answer.newcomer_is) in _NOT_SAID else answer.newcomer_is,
            invented=("name", "occupation"),
        )
    ]


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
    draft: Snapshot, event: Event, answer: RoleAnswer, choices: Choices
) -> list[AnyEntity]:
    if answer.place != NEW_PLACE:
        return [Occurrence(id=new_id(), event=event.id, scene=choices.scenes[answer.place])]
    wanted = name_key(answer.new_place)
    same = [scene for scene in draft.scenes if name_key(scene.name) == wanted]
    if same:
        return [Occurrence(id=new_id(), event=event.id, scene=same[0].id)]
    scene = Scene(id=new_id(), name=answer.new_place, invented=("name",))
    return [scene, Occurrence(id=new_id(), event=event.id, scene=scene.id)]


def _parts(
    event: Event, role: Character, answer: RoleAnswer, company: Sequence[str]
) -> list[AnyEntity]:
    own = Participation(
        id=new_id(),
        character=role.id,
        event=event.id,
        part=Part.ACTS,
        emotion=answer.emotion,
        impact=answer.consequence,
    )
    others = [
        Participation(id=new_id(), character=person, event=event.id, part=Part.IS_AFFECTED)
        for person in company
    ]
    return [own, *others]


def _opened(draft: Snapshot, answer: RoleAnswer) -> list[AnyEntity]:
    title = answer.opens[:80].strip()
    if _says_nothing(answer.opens):
        return []
    if any(are_alike(title, thread.title) for thread in draft.threads):
        return []
    planted = Thread(id=new_id(), title=title, state=ThreadState.PLANTED, planted_in=draft.chapter)
    return [planted]


def _closed(draft: Snapshot, answer: RoleAnswer, choices: Choices) -> list[AnyEntity]:
    thread = _answered(draft, answer, choices)
    if thread is None or thread.state is not ThreadState.PLANTED:
        return []
    values = {"state": ThreadState.PAID_OFF, "paid_off_in": draft.chapter}
    invented = tuple(sorted({*thread.invented, *values}))
    return [thread.model_copy(update={**values, "invented": invented})]


def _answered(draft: Snapshot, answer: RoleAnswer, choices: Choices) -> Thread | None:
    """Return the thread that a move pays off, if any."""
    title = named(answer.closes)
    return draft.get(Thread, choices.threads[title]) if title else None


def _links(draft: Snapshot, event: Event, answer: RoleAnswer, choices: Choices) -> list[AnyEntity]:
    """Return the links to what caused a move, and to what it pays off."""
    cause = named(answer.because_of)
    causes = [choices.events[cause]] if cause else []
    thread = _answered(draft, answer, choices)
    prepared = _planting(draft, thread, causes) if thread is not None else []
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


def _planting(draft: Snapshot, thread: Thread, causes: Sequence[str]) -> list[str]:
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


def _grown(person: Character, answer: RoleAnswer) -> Character:
    field_ = named(answer.changed)
    if not field_ or _says_nothing(answer.change):
        return person
    invented = tuple(sorted({*person.invented, field_}))
    return person.model_copy(update={field_: answer.change, "invented": invented})


def _tied(
    draft: Snapshot, role: Character, answer: RoleAnswer, toward: str, is_met: bool
) -> Relationship:
    meeting, reason = answer.relationship, answer.consequence
    for relationship in draft.relationships:
        if (relationship.source, relationship.target, relationship.tie) == (
            role.id,
            toward,
            meeting.tie,
        ):
            invented = tuple(sorted({*relationship.invented, "reason", "strength"}))
            told = {"strength": meeting.strength, "reason": reason, "invented": invented}
            return relationship.model_copy(update=told)
    return Relationship(
        id=new_id(),
        source=role.id,
        target=toward,
        tie=meeting.tie,
        strength=meeting.strength,
        awareness=Awareness.MUTUAL if is_met else Awareness.ONE_SIDED,
        reason=reason,
        invented=("reason", "strength", "tie"),
    )
