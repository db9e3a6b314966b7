"""A story's text is counted against its story and its writer's pages, with no model at hand."""

from __future__ import annotations

from graph_flow.workbench.beside.counting import CountingService
from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.plot import ThreadState
from store.open import Store
from tests.graph_flow.telling.evaluation.conftest import book
from tests.graph_flow.telling.evaluation.counts.test_own_pages import GERMAN, pages
from tests.store.builders import CAST, CHAPTER_ONE, THREAD, adding, altered, begin, go_on

WORN = f"{GERMAN[700]} {GERMAN[40]} {GERMAN[900]}"


def imported(store: Store, texts: list[str]) -> str:
    chapters = tuple(ReadChapter("", one) for one in texts)
    return keep_as_story(store, ReadBook("Older", "", "Deutsch", chapters)).id


def told(store: Store, texts: list[str]) -> str:
    """Make a story of one plotted chapter, and write texts as an agent does; return its branch."""
    branch = store.library.main_branch(store.library.create_story().id).id
    begin(store, branch, adding(*CAST))
    planted = altered(THREAD, state=ThreadState.PLANTED, planted_in=1)
    go_on(store, branch, adding(*(one for one in CHAPTER_ONE if one != THREAD), planted), "One")
    for at, text in enumerate(texts, start=1):
        if at > 1:
            go_on(store, branch, adding(), f"{at}")
        plan = WritingPlan(id=new_id(), branch=branch, chapter=at, attempt=1, form=Form.NOVEL)
        draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), f"Chapter {at}")
        store.manuscript.update_draft_text(draft.id, text)
        store.manuscript.finish_draft(draft.id)
    return branch


def test_a_chapter_is_set_against_its_story(store: Store) -> None:
    branch = told(store, ["Mara climbed to the lamp room.", "Nobody came."])
    service = CountingService(store)

    first, second = service.count(service.of_branch(branch)).chapters

    assert first.naming is not None
    assert first.naming.named == ("Mara", "Lamp room")
    assert second.naming is not None
    assert second.naming.share is None
    assert first.threads is not None
    assert second.threads is not None
    assert [
        (one.threads.count, one.threads.oldest_age) for one in (first, second) if one.threads
    ] == [
        (1, 0),
        (1, 1),
    ]


def test_what_agents_wrote_is_set_against_what_the_writer_wrote(store: Store) -> None:
    branch = told(store, pages(GERMAN, 4, 3, 1_000, phrase=WORN))
    service = CountingService(store)
    none = service.count(service.of_branch(branch))
    assert not none.own.is_known
    assert none.overused(1) is None

    imported(store, pages(GERMAN, 3, 10, 2_000))
    found = service.count(service.of_branch(branch))

    assert [one.words for one in found.own.phrases] == [WORN]
    assert found.overused(1) is not None
    assert found.overused(1) > 100  # type: ignore[operator]


def test_a_writer_s_book_is_set_against_their_other_ones(store: Store) -> None:
    texts = pages(GERMAN, 4, 8, 2_000, phrase=WORN)
    branch = store.library.main_branch(imported(store, texts)).id
    service = CountingService(store)
    assert not service.count(service.of_branch(branch)).own.is_known

    imported(store, pages(GERMAN, 3, 10, 2_000))

    assert [one.words for one in service.count(service.of_branch(branch)).own.phrases] == [WORN]


def test_a_book_in_files_is_not_set_against_itself(store: Store) -> None:
    texts = pages(GERMAN, 4, 8, 2_000, phrase=WORN)
    imported(store, texts)
    service = CountingService(store)
    of_files = service.of_book(book(texts))

    found = service.count(of_files)

    assert not found.own.is_known
    assert not found.has_story
    assert found.chapters[0].naming is None
    assert service.count(of_files) is found, "it is counted once"


def test_what_a_chapter_repeats_is_named_with_where_it_stood_first(store: Store) -> None:
    line = "The lamp was out and nobody had come."
    branch = told(store, ["It rained.", line, f"{line} So it was. {line}"])
    service = CountingService(store)

    [found, *_] = service.repeated(service.of_branch(branch), 3)

    assert (found.words, found.count, found.earlier) == ("the lamp was out and nobody", 2, 2)
    assert service.repeated(service.of_branch(branch), 1) == []
