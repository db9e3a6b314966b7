"""Records as rows: what is kept can be read again."""

from __future__ import annotations

import pytest

from store.database.rows import from_row, to_row
from store.errors import RecordInvalid
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import PlannedScene, WritingPlan


def plan() -> WritingPlan:
    scene = PlannedScene(scene=None, events=("e1",), point_of_view=None, beat="She asks.")
    return WritingPlan(
        id=new_id(), branch="b", chapter=1, attempt=1, form=Form.NOVEL, scenes=(scene,)
    )


def test_record_is_read_again_as_it_was() -> None:
    kept = plan()

    assert from_row(WritingPlan, to_row(kept)) == kept


def test_record_that_a_copy_made_unreadable_is_not_kept() -> None:
    kept = plan()
    [scene] = kept.scenes
    too_long = scene.model_copy(update={"beat": "x" * 20_001})

    for broken in (
        kept.model_copy(update={"withheld": "x" * 1_001}),
        kept.model_copy(update={"scenes": (too_long,)}),
        kept.model_copy(update={"chapter": "soon"}),
    ):
        with pytest.raises(RecordInvalid, match="was not saved"):
            to_row(broken)
