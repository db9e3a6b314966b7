"""What a chapter did to something, by comparing it with the chapter before. Pure."""

from __future__ import annotations

from pages.components.drawing import Mark
from store.deltas.delta import diff
from store.deltas.sentences import Sentence, describe
from store.models.prototype import AnyEntity, Snapshot

_NOT_STORY = ("invented", "locked")
"""Fields that say something of the writing, not of the story."""


def mark_of(entity: AnyEntity, before: Snapshot | None) -> Mark:
    """Return whether `before` lacks an entity or has it otherwise; without one, nothing is new.

    That a field is no longer marked as invented, or is locked, is not a change to the story.
    """
    if before is None:
        return Mark.AS_BEFORE
    earlier = before.entities.get(entity.id)
    if earlier is None:
        return Mark.NEW
    # Most of what stands in two chapters is one and the same object: that is the quicker answer.
    return Mark.AS_BEFORE if earlier is entity or _is_same(earlier, entity) else Mark.CHANGED


def sentences(before: Snapshot | None, now: Snapshot) -> list[Sentence]:
    """Return what `now` has otherwise than `before`, in a writer's words; None: everything."""
    earlier = before or Snapshot()
    return describe(diff(earlier, now), earlier)


def _is_same(earlier: AnyEntity, entity: AnyEntity) -> bool:
    ours = {field: getattr(entity, field) for field in _NOT_STORY}
    return earlier.model_copy(update=ours) == entity
