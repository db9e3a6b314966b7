"""Edits of a writing plan as values. Pure."""

from __future__ import annotations

from pages.components.editing import with_fields
from store.models.telling import PlannedScene, WritingPlan


def with_scene(plan: WritingPlan, position: int, **values: object) -> WritingPlan:
    """Return the plan with fields of one scene replaced."""
    scenes = list(plan.scenes)
    scenes[position] = with_fields(scenes[position], **values)
    return with_fields(plan, scenes=tuple(scenes))


def with_scene_moved(plan: WritingPlan, position: int, by: int) -> WritingPlan:
    """Return the plan with one scene told earlier (`by` < 0) or later; at an end it stays."""
    scenes: list[PlannedScene] = list(plan.scenes)
    scene = scenes.pop(position)
    scenes.insert(max(0, min(len(scenes), position + by)), scene)
    return with_fields(plan, scenes=tuple(scenes))


def without_recollection(plan: WritingPlan, position: int) -> WritingPlan:
    """Return the plan without one of the things to recall."""
    return with_fields(plan, recall=plan.recall[:position] + plan.recall[position + 1 :])


def without_cue(plan: WritingPlan, position: int) -> WritingPlan:
    """Return the plan without one of the threads to touch."""
    return with_fields(plan, threads=plan.threads[:position] + plan.threads[position + 1 :])
