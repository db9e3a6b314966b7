"""The writer's own pages: what they wrote or imported, and nothing that an agent has made."""

from __future__ import annotations

from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.open import Store
from tests.store.builders import begin


def own(store: Store, story: str | None = None) -> list[str]:
    return [one.text for one in store.own_pages.newest_first(story)]


def imported(store: Store, *texts: str) -> str:
    chapters = tuple(ReadChapter("", one) for one in texts)
    return keep_as_story(store, ReadBook("A Book", "", "English", chapters)).id


def test_imported_and_typed_chapters_are_own_until_an_agent_writes_them(store: Store) -> None:
    book = imported(store, "The first page.", "The second page.")
    story = store.library.create_story()
    branch = store.library.main_branch(story.id).id
    begin(store, branch)
    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    assert own(store, story.id) == [], "a chapter without a word is none"
    store.manuscript.save_text(branch, 1, "Typed by hand.")

    assert sorted(own(store)) == ["The first page.", "The second page.", "Typed by hand."]
    assert sorted(own(store, book)) == ["The first page.", "The second page."]

    newest = store.manuscript.require(branch, 1)
    store.manuscript.save_revision(newest, "Revised by an agent.")
    assert own(store, story.id) == []
    plan = WritingPlan(id=new_id(), branch=branch, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "One")
    store.manuscript.update_draft_text(draft.id, "Written by an agent.")
    store.manuscript.finish_draft(draft.id)
    store.manuscript.save_text(branch, 1, "Written by an agent, and edited.")
    assert own(store, story.id) == []


def test_of_a_chapter_on_several_branches_the_newest_counts(store: Store) -> None:
    book = imported(store, "The first page.")
    main = store.library.main_branch(book).id
    before = store.own_pages.stamp()
    store.manuscript.save_text(main, 1, "The first page, again and longer.")

    assert own(store) == ["The first page, again and longer."]
    assert store.own_pages.stamp() != before


def test_what_was_put_away_does_not_count(store: Store) -> None:
    store.library.delete(imported(store, "The first page."))

    assert own(store) == []
