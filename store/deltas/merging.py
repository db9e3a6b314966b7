"""Bring one branch into another: a three-way Delta, and questions where both changed the same. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from store.deltas.checks import validate
from store.deltas.delta import canonical, diff
from store.deltas.names import name_key, references
from store.errors import DeltaInvalid
from store.models.base import Record
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.plot import Event
from store.models.prototype import REFERENCES, AnyEntity, Snapshot

Side = Literal["ours", "theirs"]
Answers = Mapping[str, Side]

PRESENCE = "presence"
"""Stands for a field where the question is whether an entity is there at all."""

_MARKS = frozenset({"id", "kind", "invented", "locked"})
"""Fields about which nobody is asked: ours hold."""


class Conflict(Record):
    """What both branches changed, each in its own way since they parted.

    `field` is a field of the entity, or `PRESENCE` where one branch removed what the other changed.
    A side on which the entity is not there is None.
    """

    entity: str
    field: str
    base: AnyEntity | None
    ours: AnyEntity | None
    theirs: AnyEntity | None

    @property
    def key(self) -> str:
        """What an answer to this conflict is kept under."""
        return f"{self.entity}.{self.field}"


class Sides(Record):
    """The story as it was when two branches parted, as ours is now, and as theirs is."""

    base: Snapshot
    ours: Snapshot
    theirs: Snapshot


def conflicts(sides: Sides) -> list[Conflict]:
    """Return what must be decided before the branches can be brought together, in story order."""
    return [
        conflict
        for change in diff(sides.base, sides.theirs).changes
        for conflict in _conflicts_of(change, sides)
    ]


def _conflicts_of(change: Change, sides: Sides) -> Iterator[Conflict]:
    ours = sides.ours.entities.get(change.id)
    if change.before is None or ours in (change.before, change.after):
        return

    def about(field: str) -> Conflict:
        return Conflict(
            entity=change.id, field=field, base=change.before, ours=ours, theirs=change.after
        )

    if ours is None or change.after is None:
        yield about(PRESENCE)
        return
    for field in change.fields:
        values = {_value(one, field) for one in (change.before, ours, change.after)}
        if field not in _MARKS and len(values) == 3:
            yield about(field)


def _value(entity: AnyEntity, field: str) -> object:
    return getattr(entity, field)


def merge(sides: Sides, answers: Answers) -> Delta:
    """Return the Delta that brings theirs into ours.

    What only they changed is taken over; what both changed is as the answers say. Something that
    would refer to what is not there on our side stays out. A person whose name is taken on our side
    gets a number after it. Their new events come after
    ours, in their order.

    Raises:
        DeltaInvalid: if a conflict has no answer, or what is brought together does not fit.
    """
    open_ones = [one for one in conflicts(sides) if one.key not in answers]
    if open_ones:
        raise DeltaInvalid([f"{len(open_ones)} questions are still open."])
    theirs = diff(sides.base, sides.theirs)
    wanted = [_taken(change, sides, answers) for change in theirs.changes]
    changes = _without_dangling([one for one in wanted if one is not None], sides.ours)
    delta = canonical(Delta(changes=tuple(_renamed(_placed(changes, sides), sides.ours))))
    problems = validate(delta, sides.ours)
    if problems:
        raise DeltaInvalid(problems)
    return delta


def _taken(change: Change, sides: Sides, answers: Answers) -> Change | None:
    """Return what one of their changes becomes on our side; None: nothing."""
    ours = sides.ours.entities.get(change.id)
    if change.before is None:
        return change if ours is None else None
    if ours is None or change.after is None:
        is_theirs = ours == change.before or answers.get(f"{change.id}.{PRESENCE}") == "theirs"
        return _changed(ours, change.after) if is_theirs else None
    values = {
        field: getattr(change.after, field)
        for field in change.fields
        if _is_theirs(field, change, ours, answers)
    }
    return _changed(ours, ours.model_copy(update=values))


def _is_theirs(field: str, change: Change, ours: AnyEntity, answers: Answers) -> bool:
    if getattr(ours, field) == getattr(change.before, field):
        return True
    return answers.get(f"{change.id}.{field}") == "theirs"


def _changed(before: AnyEntity | None, after: AnyEntity | None) -> Change | None:
    return None if before == after else Change(before=before, after=after)


def _without_dangling(changes: list[Change], ours: Snapshot) -> list[Change]:
    """Leave out what refers to what is not there, and removals of what ours still refers to."""
    while True:
        standing = dict(ours.entities)
        for change in changes:
            standing.pop(change.id, None)
            if change.after is not None:
                standing[change.id] = change.after
        lost = {id_ for id_, entity in standing.items() if _is_loose(entity, standing)}
        if not lost:
            return changes
        needed = {
            target
            for id_ in lost & ours.entities.keys()
            for target in references(standing[id_]).values()
        }
        changes = [one for one in changes if one.id not in lost | needed]


def _is_loose(entity: AnyEntity, standing: Mapping[str, AnyEntity]) -> bool:
    kinds = REFERENCES.get(entity.kind, {})
    return any(
        target not in standing or standing[target].kind != kinds[field]
        for field, target in references(entity).items()
    )


def _placed(changes: list[Change], sides: Sides) -> Iterator[Change]:
    """Yield the changes, with their new events after those that our newest chapter tells."""
    first = 1 + max((one.position for one in sides.ours.events_of(sides.ours.chapter)), default=-1)
    new = [one.id for one in sides.theirs.events]
    added = {one.id for one in changes if one.before is None}
    order = {id_: first + at for at, id_ in enumerate(one for one in new if one in added)}
    for change in changes:
        if isinstance(change.after, Event) and change.id in order:
            event = change.after.model_copy(update={"position": order[change.id]})
            yield Change(after=event)
        else:
            yield change


def _renamed(changes: Iterator[Change], ours: Snapshot) -> Iterator[Change]:
    """Yield the changes, with another name for a person whose name somebody else has."""
    moved = list(changes)
    ids = {one.id for one in moved}
    taken = {name_key(one.name) for one in ours.of(Character) if one.id not in ids}
    for change in moved:
        after = change.after
        if not isinstance(after, Character):
            yield change
            continue
        name, count = after.name, 2
        while name_key(name) in taken:
            name, count = f"{after.name[:70]} ({count})", count + 1
        taken.add(name_key(name))
        renamed = after if name == after.name else after.model_copy(update={"name": name})
        yield Change(before=change.before, after=renamed)
