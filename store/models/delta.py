"""The Delta: a typed list of changes to the Story Prototype. It is the only way anything becomes canon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import model_validator

from store.models.base import Record
from store.models.prototype import AnyEntity, EntityKind

Operation = Literal["add", "change", "remove"]


class Change(Record):
    """One entity before and after: added if `before` is None, removed if `after` is None."""

    before: AnyEntity | None = None
    after: AnyEntity | None = None

    @model_validator(mode="after")
    def _is_about_one_entity(self) -> Self:
        if self.before is None and self.after is None:
            raise ValueError("a change needs a before or an after")
        ends = {(end.id, end.kind) for end in (self.before, self.after) if end is not None}
        if len(ends) > 1:
            raise ValueError("before and after must be the same entity")
        return self

    @property
    def entity(self) -> AnyEntity:
        """The entity as it is after the change, or as it was when the change removes it."""
        entity = self.after or self.before
        if entity is None:  # only if validation was bypassed
            raise ValueError("a change needs a before or an after")
        return entity

    @property
    def id(self) -> str:
        """The id of the entity that changes."""
        return self.entity.id

    @property
    def kind(self) -> EntityKind:
        """The kind of the entity that changes."""
        return self.entity.kind

    @property
    def operation(self) -> Operation:
        """Whether the change adds, changes or removes."""
        if self.before is None:
            return "add"
        return "change" if self.after is not None else "remove"

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that differ; all of them for an addition or a removal."""
        names = type(self.entity).model_fields
        return tuple(
            name
            for name in names
            if name not in {"id", "kind"}
            and getattr(self.before, name, None) != getattr(self.after, name, None)
        )


class Delta(Record):
    """Changes that are committed together or not at all; at most one for each entity."""

    changes: tuple[Change, ...] = ()

    @model_validator(mode="after")
    def _changes_each_entity_once(self) -> Self:
        ids = [change.id for change in self.changes]
        if len(ids) != len(set(ids)):
            raise ValueError("a Delta may change each entity only once")
        return self

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not self.changes

    def additions(self) -> Iterator[AnyEntity]:
        """Yield the entities that this Delta adds."""
        return (change.entity for change in self.changes if change.operation == "add")
