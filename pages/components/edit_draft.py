"""What a writer has typed but not saved: fields touched, things added and taken away. Pure.

A draft holds single fields, not whole things. So what somebody else changes meanwhile in other
fields stays, and where both changed the same one it can be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pages.components.editing import with_fields, without_entity
from store.deltas.delta import diff
from store.models.delta import Delta
from store.models.prototype import AnyEntity, Snapshot


class Touch(NamedTuple):
    """A field as the writer found it, and as it is to be."""

    found: object
    wanted: object


class Place(NamedTuple):
    """A field of a thing."""

    id: str
    field: str


@dataclass(frozen=True)
class Draft:
    """An edit under way. `subject` is the id of what it is about; it may be new."""

    subject: str
    touched: Mapping[Place, Touch] = field(default_factory=dict)
    added: Mapping[str, AnyEntity] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the subject comes into the story with this edit."""
        return self.subject in self.added

    def change(self, snapshot: Snapshot, id_: str, **values: object) -> Draft:
        """Return the draft with fields of one thing as they are to be.

        Raises:
            ValidationError: if a value is not one that its field can hold.
            KeyError: if the thing is neither in the snapshot nor in the draft.
        """
        if id_ in self.added:
            return replace(self, added={**self.added, id_: with_fields(self.added[id_], **values)})
        standing = snapshot.entities[id_]
        edited = with_fields(self._edited(standing), **values)
        touched = dict(self.touched)
        for name in values:
            place = Place(id_, name)
            found = touched[place].found if place in touched else getattr(standing, name)
            touched[place] = Touch(found, getattr(edited, name))
        return replace(self, touched=touched)

    def add(self, entity: AnyEntity) -> Draft:
        """Return the draft with something new in it."""
        return replace(self, added={**self.added, entity.id: entity})

    def remove(self, id_: str) -> Draft:
        """Return the draft without something, and without what was typed about it."""
        touched = {place: touch for place, touch in self.touched.items() if place.id != id_}
        if id_ in self.added:
            added = {key: entity for key, entity in self.added.items() if key != id_}
            return replace(self, touched=touched, added=added)
        return replace(self, touched=touched, removed=(*self.removed, id_))

    def applied(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot as it is to be.

        Raises:
            ValidationError: if fields that fit what the writer found do not fit what stands now.
        """
        entities = {**snapshot.entities, **self.added}
        for id_ in {place.id for place in self.touched} & set(snapshot.entities):
            entities[id_] = self._edited(snapshot.entities[id_])
        first = {**dict.fromkeys(self.added, snapshot.chapter), **snapshot.first_chapter}
        edited = snapshot.model_copy(update={"entities": entities, "first_chapter": first})
        for id_ in self.removed:
            edited = without_entity(edited, id_)
        return edited

    def delta(self, snapshot: Snapshot) -> Delta:
        """Return what saving this draft changes in a snapshot.

        Raises:
            ValidationError: as `applied`.
        """
        return diff(snapshot, self.applied(snapshot))

    def moved(self, snapshot: Snapshot) -> list[Place]:
        """Return the fields that somebody else changed meanwhile, to something else."""
        return [
            place
            for place, touch in self.touched.items()
            if place.id in snapshot.entities
            and getattr(snapshot.entities[place.id], place.field) not in touch
        ]

    def lost(self, snapshot: Snapshot) -> list[str]:
        """Return the ids of what was edited here and taken away elsewhere."""
        return sorted({place.id for place in self.touched} - set(snapshot.entities))

    def renewed(self, snapshot: Snapshot) -> Draft:
        """Return the draft as if the writer had found everything as it stands now."""
        touched = {
            place: Touch(getattr(snapshot.entities[place.id], place.field), touch.wanted)
            for place, touch in self.touched.items()
            if place.id in snapshot.entities
        }
        return replace(self, touched=touched)

    def _edited(self, standing: AnyEntity) -> AnyEntity:
        values = {
            place.field: touch.wanted
            for place, touch in self.touched.items()
            if place.id == standing.id
        }
        return with_fields(standing, **values) if values else standing
