"""A small story in every format and form; the embedded model's is taken away so in a browser test."""

from __future__ import annotations

from pathlib import Path

from store.formats.exports import DATA, DOCUMENTS
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch
from store.open import Store
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on
from tests.store.formats.taken_away import READERS, expect_every_form, expect_every_format

TEXT = "Mara climbed the *grey* stairs.\n\nThe lamp was out & nobody <knew>.\n\n“Who?” she said."


def told(store: Store, branch: str) -> None:
    begin(store, branch)
    go_on(store, branch, adding(*CHAPTER_ONE), "The door")
    plan = WritingPlan(id=new_id(), branch=branch, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door & so on")
    store.manuscript.update_draft_text(draft.id, TEXT)
    store.manuscript.finish_draft(draft.id)


def test_every_format_is_read_by_another_program_and_comes_back(
    store: Store, branch: Branch, tmp_path: Path
) -> None:
    told(store, branch.id)
    expect_every_format(store, branch.id, tmp_path)
    expect_every_form(store, branch.id, 1, tmp_path)


def test_no_format_is_left_out() -> None:
    assert set(READERS) == {one.key for one in (*DOCUMENTS, *DATA)}
