"""The list of export formats: each makes its file, and no two files of a story have one name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.errors import NotFound
from store.formats.book.interactive.composing import NoWayNotTaken
from store.formats.bundle import import_bundle
from store.formats.exports import (
    DATA,
    DOCUMENTS,
    INTERACTIVE,
    WHOLE_STORY,
    BookFormat,
    ExportFormat,
    Source,
)
from store.formats.exports import FORMATS as EVERY_FORMAT
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch
from store.open import Store
from tests.store.builders import CHAPTER_ONE, LAMP_ROOM, adding, begin, go_on

FORMATS: tuple[ExportFormat, ...] = (*DOCUMENTS, *INTERACTIVE, WHOLE_STORY, *DATA)


def test_formats_are_told_apart_by_label_and_by_file() -> None:
    assert len({form.label for form in FORMATS}) == len(FORMATS)
    assert len({form.suffix for form in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.suffix)
def test_every_format_makes_a_file_of_a_branch_and_of_no_other(
    store: Store, branch: Branch, form: ExportFormat
) -> None:
    begin(store, branch.id)
    chapter = go_on(store, branch.id, adding(*CHAPTER_ONE)).chapter
    go_on(store, store.library.fork(branch.id, 0, "What if").id, adding(LAMP_ROOM))
    plan = WritingPlan(id="p", branch=branch.id, chapter=chapter, attempt=1, form=Form.NOVEL)
    store.manuscript.update_draft_text(store.manuscript.start_draft(plan, "One").id, "It is dark.")

    assert form.export(Source(store, branch.id))
    assert form.about
    assert "/" in form.media_type
    with pytest.raises(NotFound):
        form.export(Source(store, "none"))


@pytest.mark.parametrize("form", INTERACTIVE, ids=lambda form: form.suffix)
def test_story_told_in_one_way_only_is_no_interactive_fiction(
    store: Store, branch: Branch, form: ExportFormat
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))

    with pytest.raises(NoWayNotTaken):
        form.export(Source(store, branch.id))


@pytest.mark.parametrize("form", DATA, ids=lambda form: form.suffix)
def test_data_is_as_of_a_chapter(store: Store, branch: Branch, form: ExportFormat) -> None:
    begin(store, branch.id)

    before = form.export(Source(store, branch.id))

    go_on(store, branch.id, adding(*CHAPTER_ONE))

    assert form.export(Source(store, branch.id, 0)) == before


def test_whole_story_is_taken_by_any_of_its_branches(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    other = store.library.fork(branch.id, 0, "What if")

    content = WHOLE_STORY.export(Source(store, other.id))

    assert content == WHOLE_STORY.export(Source(store, branch.id))
    assert len(json.loads(content)["branches"]) == 2
    assert len(store.library.branches(import_bundle(store, content.decode()).id)) == 2


def test_readme_names_every_format() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    [line] = [one for one in readme.splitlines() if one.startswith("| `tellwright export")]

    assert all(f"`{key}`" in line for key in EVERY_FORMAT)


def test_formats_for_scripts_are_not_offered_for_prose() -> None:
    books = [one for one in DOCUMENTS if isinstance(one, BookFormat)]

    assert {one.key for one in books if not one.suits(Form.NOVEL)} == {"fountain", "fdx"}
    assert all(one.suits(Form.SCREENPLAY) for one in books)
