"""PlotWeave without the model: who takes part, what a role may name, what its move changes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from graph_flow.answers.weaving import NEW_PLACE, RoleAnswer, named
from graph_flow.knowledge import Knowledge, Memory, named_in
from store.delta import apply
from store.ids import new_id
from store.locks import without_locked
from store.models.cast import Awareness, Character, Life, Relationship
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

_ALIKE = 0.72
"""Two goals whose texts match to this share are taken for the same path."""


@dataclass(frozen=True)
class Choices:
    """What a role may name in its answer: the words it sees, each with the id behind it."""

    others: Mapping[str, str]
    scenes: Mapping[str, str]
    events: Mapping[str, str]


class Woven(NamedTuple):
    """A draft after a role's move, and in sentences where the move tried to change what is locked."""

    draft: Snapshot
    refused: tuple[str, ...]


def are_alike(one: str, other: str) -> bool:
    """Return whether two goals say the same thing in nearly the same words."""
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= _ALIKE


def cast_relay(snapshot: Snapshot, goal: str, count: int, turn: int) -> list[Character]:
    """Return the people who take part in a relay, in the order in which they speak.

    The dead and the missing do not, unless nobody else is left. Those whom the goal names come
    first, then those who acted least lately. The order is rotated by `turn`, so that the last
    speaker is not the same in every relay.
    """
    last_act = {person.id: -1 for person in snapshot.characters}
    for part in snapshot.of(Participation):
        if part.part is Part.ACTS:
            told = snapshot.told_in(part.event)
            last_act[part.character] = max(last_act.get(part.character, -1), told)
    named = named_in(goal, snapshot.characters)
    living = [person for person in snapshot.characters if person.life is Life.LIVING]
    ranked = sorted(
        living or snapshot.characters,
        key=lambda person: (person.id not in named, last_act[person.id]),
    )
    chosen = ranked[:count]
    shift = turn % len(chosen) if chosen else 0
    return chosen[shift:] + chosen[:shift]


def choices_for(
    snapshot: Snapshot,
    known: Knowledge,
    relay: Sequence[Character],
    remembered: Sequence[Memory] | None = None,
) -> Choices:
    """Return what a role may name: people it knows or meets here, places and events it knows.

    `remembered` are the events that it is reminded of; None: all that it knows.
    """
    met = {person.id for person in known.people} | {person.id for person in relay}
    met.discard(known.character.id)
    lived = {memory.scene.id for memory in known.memories if memory.scene}
    memories = known.memories if remembered is None else remembered
    return Choices(
        others={person.name: person.id for person in snapshot.characters if person.id in met},
        scenes={
            scene.name: scene.id
            for scene in snapshot.scenes
            if scene.id in lived or snapshot.told_in(scene.id) == 0
        },
        events={f"E{at}": memory.event.id for at, memory in enumerate(memories, start=1)},
    )


def add_move(draft: Snapshot, role: Character, answer: RoleAnswer, choices: Choices) -> Woven:
    """Return the draft with what one role adds: its event, who is in it, and what that changes.

    `draft.chapter` is the chapter that is being woven. What the writer has locked stays as it is.
    """
    position = len(draft.events_of(draft.chapter))
    event = Event(
        id=new_id(),
        title=answer.title,
        summary=answer.action,
        consequences=answer.consequence,
        position=position,
    )
    company = [choices.others[name] for name in dict.fromkeys(answer.together_with)]
    additions: list[AnyEntity] = [event, *_placing(draft, event, answer, choices)]
    additions += _parts(event, role, answer, company)
    cause = named(answer.because_of)
    if cause:
        additions.append(
            EventLink(
                id=new_id(), source=choices.events[cause], target=event.id, link=LinkKind.CAUSES
            )
        )
    additions += _opened(draft, answer)
    changed: list[AnyEntity] = [_grown(draft.get(Character, role.id), answer)]
    toward = named(answer.relationship.toward)
    if toward:
        meets = choices.others[toward]
        changed.append(_tied(draft, role, answer, meets, meets in company))
    delta, refused = without_locked(_delta(draft, additions, changed), draft)
    return Woven(apply(draft, delta, draft.chapter), refused)


def _delta(draft: Snapshot, additions: Sequence[AnyEntity], changed: Sequence[AnyEntity]) -> Delta:
    changes = [
        *(Change(after=entity) for entity in additions),
        *(Change(before=draft.entities.get(entity.id), after=entity) for entity in changed),
    ]
    return Delta(changes=tuple(change for change in changes if change.before != change.after))


def _placing(
    draft: Snapshot, event: Event, answer: RoleAnswer, choices: Choices
) -> list[AnyEntity]:
    if answer.place != NEW_PLACE:
        return [Occurrence(id=new_id(), event=event.id, scene=choices.scenes[answer.place])]
    same = [scene for scene in draft.scenes if scene.name.casefold() == answer.new_place.casefold()]
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
    if answer.opens.casefold().strip(" .") in {"", "nothing", "none", "no"}:
        return []
    if any(are_alike(title, thread.title) for thread in draft.threads):
        return []
    planted = Thread(id=new_id(), title=title, state=ThreadState.PLANTED, planted_in=draft.chapter)
    return [planted]


def _grown(person: Character, answer: RoleAnswer) -> Character:
    field = named(answer.changed)
    if not field:
        return person
    invented = tuple(sorted({*person.invented, field}))
    return person.model_copy(update={field: answer.change, "invented": invented})


def _tied(
    draft: Snapshot, role: Character, answer: RoleAnswer, toward: str, is_met: bool
) -> Relationship:
    meeting, reason = answer.relationship, answer.consequence
    for tie in draft.relationships:
        if (tie.source, tie.target, tie.tie) == (role.id, toward, meeting.tie):
            invented = tuple(sorted({*tie.invented, "reason", "strength"}))
            told = {"strength": meeting.strength, "reason": reason, "invented": invented}
            return tie.model_copy(update=told)
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
