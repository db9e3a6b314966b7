"""The story as of a chapter, and what it is held against so that differences stand out. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pages.components.changes import mark_of
from pages.components.drawing import Mark
from pages.components.story_index import StoryIndex
from store.models.prototype import AnyEntity, Snapshot


class Viewpoint(NamedTuple):
    """A snapshot, sorted, and what it is held against; without a `before` nothing stands out.

    What only `before` has is shown as ended; not on a `side` of a comparison, for there the other
    side shows it. What only the left side has is what ends.
    """

    now: StoryIndex
    before: Snapshot | None = None
    side: Literal["left", "right"] | None = None

    def mark(self, entity: AnyEntity) -> Mark:
        """Return what came to an entity between the two."""
        if entity.id not in self.now.snapshot.entities:
            return Mark.ENDED
        mark = mark_of(entity, self.before)
        return Mark.ENDED if mark is Mark.NEW and self.side == "left" else mark

    def ended(self) -> list[AnyEntity]:
        """Return what is shown though only `before` has it."""
        if self.before is None or self.side is not None:
            return []
        standing = self.now.snapshot.entities
        return [entity for id_, entity in self.before.entities.items() if id_ not in standing]
