"""Edits of a writing plan."""

from __future__ import annotations

import pytest

from pages.components.write.plan import (
    with_scene,
    with_scene_moved,
    without_cue,
    without_recollection,
)
from store.models.form import Form
from store.models.manuscript import PlannedScene, Recollection, ThreadCue, ThreadMove, WritingPlan

PLAN = WritingPlan(
    id="p",
    branch="b",
    chapter=1,
    attempt=1,
    form=Form.NOVEL,
    scenes=tuple(PlannedScene(beat=beat) for beat in ("a", "b", "c")),
    recall=(Recollection(event="x"), Recollection(event="y")),
    threads=(ThreadCue(thread="t", move=ThreadMove.PLANT),),
)


def beats(plan: WritingPlan) -> str:
    return "".join(scene.beat for scene in plan.scenes)


def test_one_scene_is_changed() -> None:
    edited = with_scene(PLAN, 1, beat="B", point_of_view="mara")

    assert beats(edited) == "aBc"
    assert edited.scenes[1].point_of_view == "mara"
    assert beats(PLAN) == "abc"


@pytest.mark.parametrize(
    ("position", "by", "order"),
    [(0, 1, "bac"), (2, -1, "acb"), (0, -1, "abc"), (2, 1, "abc"), (0, 9, "bca")],
)
def test_scene_is_told_earlier_or_later(position: int, by: int, order: str) -> None:
    assert beats(with_scene_moved(PLAN, position, by)) == order


def test_recollections_and_cues_are_left_out() -> None:
    assert [item.event for item in without_recollection(PLAN, 0).recall] == ["y"]
    assert without_cue(PLAN, 0).threads == ()
