"""What a chapter did to something, by comparing it with the chapter before. Pure."""

from __future__ import annotations

from pages.components.drawing import Mark
from store.delta import diff
from store.description import Sentence, describe
from store.models.prototype import AnyEntity, Snapshot


def mark_of(entity: AnyEntity, before: Snapshot | None) -> Mark:
    """Return whether `before` lacks an entity or has it otherwise; without one, nothing is new.

    That a field is no longer marked as invented is not a change to the story.
    """
    if before is None:
        return Mark.AS_BEFORE
    earlier = before.entities.get(entity.id)
    if earlier is None:
        return Mark.NEW
    is_same = earlier.model_copy(update={"invented": entity.invented}) == entity
    return Mark.AS_BEFORE if is_same else Mark.CHANGED


def sentences(before: Snapshot | None, now: Snapshot) -> list[Sentence]:
    """Return what `now` has otherwise than `before`, in a writer's words; None: everything."""
    earlier = before or Snapshot()
    return describe(diff(earlier, now), earlier)
