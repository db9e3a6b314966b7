"""Versions of a text: listed without their texts, named, and restored."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from store.errors import NotFound
from store.formats.bundle import export_bundle, import_bundle
from store.models.form import Form
from store.models.story import Branch
from store.open import Store
from tests.store.builders import LAMP_ROOM, adding, begin, go_on

DAY = date(2026, 1, 1)


@pytest.fixture
def chapter(store: Store, branch: Branch) -> Branch:
    """A branch with a chapter of three versions."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(LAMP_ROOM), "The lamp room")
    store.manuscript.begin_by_hand(branch.id, 1, Form.NOVEL)
    store.manuscript.save_text(branch.id, 1, "One.")
    store.manuscript.save_text(branch.id, 1, "One.\n\nTwo.")
    return branch


def names(store: Store, branch: str) -> list[str | None]:
    return [one.name for one in store.versions.listed(branch, 1)]


def test_versions_are_listed_without_their_texts(store: Store, chapter: Branch) -> None:
    listed = store.versions.listed(chapter.id, 1)
    drafts = store.manuscript.versions(chapter.id, 1)
    assert [(one.version, one.words, one.state, one.created) for one in listed] == [
        (one.version, one.words, one.state, one.created) for one in drafts
    ]
    plan = [
        str(row[3])
        for row in store.database.tuples(
            "EXPLAIN QUERY PLAN SELECT version, state, words, created, name, newest_branch"
            " FROM drafts WHERE branch = :branch AND chapter = 1",
            {"branch": chapter.id},
        )
    ]
    assert any("USING COVERING INDEX drafts_in_order" in step for step in plan), plan


def test_two_hundred_versions_are_listed_by_one_query(store: Store, chapter: Branch) -> None:
    for number in range(200):
        store.manuscript.save_text(chapter.id, 1, f"{number} " * 1_000)
    asked: list[str] = []
    store.database.read().conn.set_trace_callback(asked.append)
    assert len(store.versions.listed(chapter.id, 1)) == 203
    assert len(asked) == 1


def test_the_newest_text_is_found_without_reading_the_others(store: Store, chapter: Branch) -> None:
    asked: list[str] = []
    store.database.read().conn.set_trace_callback(asked.append)
    assert store.manuscript.require(chapter.id, 1).version == 3
    plan = [str(row[3]) for row in store.database.tuples(f"EXPLAIN QUERY PLAN {asked[0]}", {})]
    looked = [step for step in plan if "drafts" in step or "SEARCH t " in step]
    assert "USING COVERING INDEX drafts_in_order" in looked[0], plan
    assert "(branch=? AND chapter=? AND version=?)" in looked[1], plan
    assert not [step for step in plan if "ORDER BY" in step], plan


def test_a_version_has_a_name_until_it_is_taken_away(store: Store, chapter: Branch) -> None:
    before = store.versions.get(chapter.id, 1, 2)
    named = store.versions.name(chapter.id, 1, 2, "  Before the storm ")
    assert named.name == "Before the storm"
    assert named.fingerprint == before.fingerprint
    assert names(store, chapter.id) == [None, "Before the storm", None]
    store.versions.name(chapter.id, 1, 2, " ")
    assert names(store, chapter.id) == [None, None, None]


def test_a_name_too_long_or_for_no_version_is_refused(store: Store, chapter: Branch) -> None:
    with pytest.raises(ValidationError):
        store.versions.name(chapter.id, 1, 2, "x" * 81)
    with pytest.raises(NotFound):
        store.versions.name(chapter.id, 1, 9, "Nine")
    assert store.versions.name(chapter.id, 1, 2, "x" * 80).name == "x" * 80


def test_what_is_typed_after_a_version_was_named_is_another_one(
    store: Store, chapter: Branch
) -> None:
    store.versions.name(chapter.id, 1, 3, "Whole")
    store.manuscript.replace_text(chapter.id, 1, "One.\n\nTwo.", "One.\n\nTwo. Three.", DAY)
    assert names(store, chapter.id) == [None, "Whole", None, None]
    assert store.versions.get(chapter.id, 1, 3).text == "One.\n\nTwo."
    store.manuscript.replace_text(chapter.id, 1, "One.\n\nTwo. Three.", "One.\n\nTwo. Four.", DAY)
    assert len(names(store, chapter.id)) == 4


def test_a_named_version_that_is_approved_or_followed_keeps_its_name_to_itself(
    store: Store, chapter: Branch
) -> None:
    store.versions.name(chapter.id, 1, 3, "Whole")
    store.manuscript.approve_draft(chapter.id, 1)
    assert names(store, chapter.id)[0] == "Whole"
    store.manuscript.save_text(chapter.id, 1, "Another.")
    assert names(store, chapter.id)[:2] == [None, "Whole"]


def test_a_name_stays_on_the_branch_where_it_was_given(store: Store, chapter: Branch) -> None:
    store.versions.name(chapter.id, 1, 1, "Shared")
    fork = store.library.fork(chapter.id, 1, "What if")
    deeper = store.library.fork(fork.id, 1, "What if not")

    store.versions.name(deeper.id, 1, 2, "Deep")
    store.versions.name(chapter.id, 1, 3, "Main")

    assert names(store, chapter.id) == ["Main", None, "Shared"]
    assert names(store, fork.id) == [None, None, "Shared"]
    assert names(store, deeper.id) == [None, "Deep", "Shared"]
    texts = [store.versions.get(deeper.id, 1, one).text for one in (1, 2, 3)]
    assert texts == ["", "One.", "One.\n\nTwo."]


def test_names_are_in_a_story_file(store: Store, chapter: Branch) -> None:
    store.versions.name(chapter.id, 1, 2, "Before the storm")
    copy = import_bundle(store, export_bundle(store, chapter.story))
    assert names(store, store.library.main_branch(copy.id).id) == [None, "Before the storm", None]


def test_a_version_that_is_restored_has_the_paragraphs_it_had(
    store: Store, chapter: Branch
) -> None:
    known = store.versions.get(chapter.id, 1, 3).paragraphs
    store.manuscript.save_text(chapter.id, 1, "Nothing of it.")
    restored = store.versions.restore(chapter.id, 1, 3)
    assert (restored.version, restored.text, restored.paragraphs) == (5, "One.\n\nTwo.", known)
    assert store.versions.get(chapter.id, 1, 4).text == "Nothing of it."
    assert store.versions.restore(chapter.id, 1, 5) == restored
