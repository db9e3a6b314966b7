"""Edits of the Story Prototype as values: a field changed, an entity added or removed. Pure."""

from __future__ import annotations

from typing import TypeVar

from store.errors import ChangedElsewhere
from store.models.base import Entity, Record
from store.models.prototype import REFERENCES, AnyEntity, Snapshot

R = TypeVar("R", bound=Record)


def with_fields(record: R, **values: object) -> R:
    """Return a record with some fields replaced; a field that changes loses its mark *invented*.

    Raises:
        ValidationError: if a field cannot hold its value.
    """
    kept = {name: getattr(record, name) for name in type(record).model_fields}
    edited = type(record).model_validate({**kept, **values})
    if not isinstance(edited, Entity):
        return edited
    touched = {name for name in values if getattr(edited, name) != getattr(record, name)}
    left = tuple(name for name in edited.invented if name not in touched)
    return edited.model_copy(update={"invented": left})


def with_text(record: R, field: str, found: str, typed: str) -> R:
    """Return a record with a text replaced that was `found` when the writer began to type.

    Raises:
        ChangedElsewhere: if it is neither that nor what was typed.
        ValidationError: if the field cannot hold the text.
    """
    edited = with_fields(record, **{field: typed})
    now = getattr(record, field)
    if now not in {found, found.strip(), getattr(edited, field)}:
        raise ChangedElsewhere(now)
    return edited


def with_entity(snapshot: Snapshot, entity: AnyEntity) -> Snapshot:
    """Return the snapshot with an entity added, or replaced if its id is known."""
    return snapshot.model_copy(update={"entities": {**snapshot.entities, entity.id: entity}})


def without_entity(snapshot: Snapshot, entity_id: str) -> Snapshot:
    """Return the snapshot without an entity and whatever refers to it, directly or not."""
    gone = {entity_id}
    while (
        more := {id_ for id_, entity in snapshot.entities.items() if _refers(entity, gone)} - gone
    ):
        gone |= more
    kept = {id_: entity for id_, entity in snapshot.entities.items() if id_ not in gone}
    return snapshot.model_copy(update={"entities": kept})


def free_name(wanted: str, taken: set[str]) -> str:
    """Return `wanted`, or the first of "wanted 2", "wanted 3" ... that is not taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _refers(entity: AnyEntity, ids: set[str]) -> bool:
    return any(getattr(entity, field) in ids for field in REFERENCES.get(entity.kind, {}))
