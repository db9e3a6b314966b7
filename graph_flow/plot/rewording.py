"""A plot as the writer reworks it: lines reworded, and lines struck out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Set

from pydantic import Field

from store.deltas.names import references
from store.models.base import Entity, Record
from store.models.delta import Change, Delta
from store.models.fields import shown_fields
from store.models.plot import Scene
from store.models.prototype import ENTITY_TYPES, AnyEntity, EntityKind

REWORDABLE: Mapping[EntityKind, frozenset[str]] = {
    kind: frozenset(name for name, field in shown_fields(model).items() if field.is_rewordable)
    for kind, model in ENTITY_TYPES.items()
}
"""The fields of a candidate's changes that the writer can reword, by kind."""

Value = str | int


class CandidateEdit(Record):
    """What a writer changes in a candidate. `values` holds new values by the entity's id and field.

    `struck` holds the ids of entities whose changes are struck out, with all that depends on them.
    """

    title: str
    values: dict[str, dict[str, Value]] = Field(default_factory=dict)
    struck: frozenset[str] = frozenset()


def edited(delta: Delta, rework: CandidateEdit) -> Delta:
    """Return a Delta with a writer's values, without what was struck out.

    Raises:
        ValidationError: if a value is not valid for its field.
    """
    gone = _gone(delta, rework.struck)
    changes = [_changed(change, rework) for change in delta.changes if change.id not in gone]
    return Delta(changes=tuple(one for one in changes if one.before != one.after))


def _gone(delta: Delta, struck: Set[str]) -> set[str]:
    """Return the ids of the lines struck out, and of what refers to their additions."""
    added = {entity.id for entity in delta.additions()}
    gone = set(struck)
    while more := {
        change.id
        for change in delta.changes
        if change.id not in gone and not _ends(change).isdisjoint(gone & added)
    }:
        gone |= more
    return gone | _deserted(delta, gone)


def _deserted(delta: Delta, gone: Set[str]) -> set[str]:
    """Return the new places where nothing happens any more."""
    used = {end for change in delta.changes if change.id not in gone for end in _ends(change)}
    left = {end for change in delta.changes if change.id in gone for end in _ends(change)}
    return {one.id for one in delta.additions() if isinstance(one, Scene)} & left - used


def _ends(change: Change) -> set[str]:
    return set(references(change.after).values()) if change.after is not None else set()


def _changed(change: Change, rework: CandidateEdit) -> Change:
    after = change.after
    if after is None:
        return change
    given = rework.values.get(change.id, {})
    allowed = REWORDABLE[change.kind]
    values = {field: value for field, value in given.items() if field in allowed}
    return Change(before=change.before, after=_with(after, values)) if values else change


def _with(entity: AnyEntity, values: Mapping[str, Value]) -> AnyEntity:
    """Return an entity with the writer's values, no longer marked as invented by agents."""
    new = type(entity).model_validate({**dict(entity), **values})
    touched = {field for field in values if getattr(new, field) != getattr(entity, field)}
    return new.model_copy(update={"invented": _without(entity, touched)})


def _without(entity: Entity, fields: Set[str]) -> tuple[str, ...]:
    return tuple(field for field in entity.invented if field not in fields)
