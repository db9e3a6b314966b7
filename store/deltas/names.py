"""What a writer calls the parts of a story: labels in place of ids. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from store.models.cast import Character, Relationship
from store.models.delta import Delta
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    Occurrence,
    Participation,
    Scene,
    Spine,
    Thread,
)
from store.models.prototype import REFERENCES, AnyEntity, Snapshot


def references(entity: AnyEntity) -> dict[str, str]:
    """Return the ids that an entity refers to, by field."""
    return {field: getattr(entity, field) for field in REFERENCES.get(entity.kind, {})}


class Names:
    """Labels for the entities of a snapshot and of a Delta to it."""

    def __init__(self, snapshot: Snapshot, delta: Delta) -> None:
        self._standing = snapshot.entities
        self._changing: Mapping[str, AnyEntity] = {
            change.id: change.entity for change in delta.changes
        }

    def find(self, entity_id: str) -> AnyEntity | None:
        """Return an entity as the Delta leaves it, or as it is; None if neither knows it."""
        return self._changing.get(entity_id) or self._standing.get(entity_id)

    def of(self, entity_id: str) -> str:
        """Return the label of an entity by its id."""
        entity = self.find(entity_id)
        return "someone or something unknown" if entity is None else self.label(entity)

    def label(self, entity: AnyEntity) -> str:
        """Return what a writer calls an entity."""
        match entity:
            case Character() | Scene():
                return entity.name
            case Event():
                return f"“{entity.title}”"
            case Thread():
                return f"the thread “{entity.title}”"
            case Foundation():
                return "the foundation of the story"
            case Spine():
                return "the spine of the story"
        return self._edge_label(entity)

    def _edge_label(self, entity: Relationship | Participation | Occurrence | EventLink) -> str:
        match entity:
            case Relationship():
                return f"the {entity.words} of {self.of(entity.source)} towards {self.of(entity.target)}"
            case Participation():
                return f"the part of {self.of(entity.character)} in {self.of(entity.event)}"
            case Occurrence():
                return f"the place of {self.of(entity.event)}"
            case EventLink():
                return f"the link from {self.of(entity.source)} to {self.of(entity.target)}"
