"""Merge one branch into another: a three-way Delta, with questions about conflicts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from store.deltas.checks import (
    loose_references,
    names_given,
    names_kept,
    validate,
    without_misfits,
)
from store.deltas.delta import canonical, diff
from store.errors import DeltaInvalid
from store.models.base import Record
from store.models.delta import Change, Delta
from store.models.prototype import AnyEntity, Snapshot
from store.text import name_key

Side = Literal["ours", "theirs"]
Answers = Mapping[str, Side]

PRESENCE = "presence"
"""In place of a field, if the question is whether an entity is there at all."""

_MARKS = frozenset({"id", "kind", "invented", "locked"})
"""Fields that raise no questions: ours win."""


class Conflict(Record):
    """Something that both branches changed since they parted, each in its own way.

    `field` is a field of the entity, or `PRESENCE` if one branch removed what the other changed. A
    side without the entity is None.
    """

    entity: str
    field: str
    base: AnyEntity | None
    ours: AnyEntity | None
    theirs: AnyEntity | None

    @property
    def key(self) -> str:
        """The key under which an answer to this conflict is kept."""
        return f"{self.entity}.{self.field}"


class Sides(Record):
    """The story when two branches parted, and as it is now on ours and on theirs."""

    base: Snapshot
    ours: Snapshot
    theirs: Snapshot


def conflicts(sides: Sides) -> list[Conflict]:
    """Return what must be decided before the branches can be merged, in story order."""
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
    """Return the Delta that merges theirs into ours.

    What only they changed is taken over; what both changed is as the answers say. What would refer
    to something missing on our side is left out. A person whose name is taken on our side gets a
    number after it. Their new events come after ours, in their own order.

    Raises:
        DeltaInvalid: if a conflict has no answer, or the result does not fit.
    """
    open_ones = [one for one in conflicts(sides) if one.key not in answers]
    if open_ones:
        raise DeltaInvalid([f"{len(open_ones)} questions are still open."])
    theirs = diff(sides.base, sides.theirs)
    wanted = [_taken(change, sides, answers) for change in theirs.changes]
    changes = [one for one in wanted if one is not None]
    # What refers to something missing stays out, and so does a removal of what ours still needs.
    held = without_misfits(changes, sides.ours, loose_references)
    delta = canonical(_renamed(_placed(held, sides), sides.ours))
    problems = validate(delta, sides.ours)
    if problems:
        raise DeltaInvalid(problems)
    return delta


def _taken(change: Change, sides: Sides, answers: Answers) -> Change | None:
    """Return what one of their changes becomes on our side; None if nothing."""
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


def _placed(delta: Delta, sides: Sides) -> Delta:
    """Return the Delta with its new events after those that our newest chapter tells."""
    first = 1 + max((one.position for one in sides.ours.events_of(sides.ours.chapter)), default=-1)
    added = {one.id for one in delta.additions()}
    new = (one for one in sides.theirs.events if one.id in added)
    return _with(
        delta,
        {one.id: one.model_copy(update={"position": at}) for at, one in enumerate(new, first)},
    )


def _renamed(delta: Delta, ours: Snapshot) -> Delta:
    """Return the Delta with another name for each person whose name is taken."""
    taken = names_kept(delta, ours)
    renamed: dict[str, AnyEntity] = {}
    for person in names_given(delta):
        name, count = person.name, 2
        while name_key(name) in taken:
            name, count = f"{person.name[:70]} ({count})", count + 1
        taken.add(name_key(name))
        renamed[person.id] = person.model_copy(update={"name": name})
    return _with(delta, renamed)


def _with(delta: Delta, entities: Mapping[str, AnyEntity]) -> Delta:
    """Return a Delta that leaves some entities in another state."""
    changes = (
        Change(before=one.before, after=entities.get(one.id, one.after)) for one in delta.changes
    )
    return Delta(changes=tuple(changes))
