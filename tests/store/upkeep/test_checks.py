"""Damage shows: to chapters, to what they hold, to texts, and to the file itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils

from store.database.migrations import MIGRATIONS
from store.errors import NotFound
from store.models.form import Form
from store.models.health import LIBRARY
from store.models.manuscript import WritingPlan
from store.models.story import Branch, Story
from store.open import Store
from store.upkeep.checks import NEWEST, check_library, check_newest, check_story
from tests.packed import teach
from tests.statements import recorded
from tests.store.builders import CHAPTER_ONE, MARA, adding, begin, changing, go_on

CHAPTERS = 12


@pytest.fixture
def told(store: Store, branch: Branch) -> Branch:
    """Return a branch with chapters and texts, from which another one starts."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    mara = MARA
    for chapter in range(2, CHAPTERS + 1):
        change = changing(mara, status=f"awake {chapter}")
        go_on(store, branch.id, change, f"Chapter {chapter}")
        mara = change.changes[0].after or mara  # type: ignore[assignment]
    for chapter in (1, CHAPTERS):
        plan = WritingPlan(
            id=f"plan-{chapter}", branch=branch.id, chapter=chapter, attempt=1, form=Form.NOVEL
        )
        draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door")
        store.manuscript.update_draft_text(draft.id, "The door was locked.")
        store.manuscript.finish_draft(draft.id)
        store.manuscript.save_text(branch.id, chapter, "The door stood open.")
    fork = store.library.fork(branch.id, 1, "What if")
    go_on(store, fork.id, changing(MARA, status="away"), "Away")
    store.prototype.undo(fork.id)
    store.manuscript.approve_draft(fork.id, 1)
    return branch


def by_hand(store: Store, sql: str) -> None:
    """Change rows as somebody does who opens the library with another program."""
    with closing(sqlite3.connect(store.database.path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        teach(connection)
        assert connection.execute(sql).rowcount > 0


def test_story_that_is_as_it_was_written_is_sound(store: Store, told: Branch) -> None:
    assert store.health.of(told.story) is None
    assert all(check_newest(store, one.id) == () for one in store.library.branches(told.story))
    assert store.health.of(told.story) is None

    health = check_story(store, told.story)

    assert health.is_sound
    assert health.found_sound is not None
    assert store.health.all() == {told.story: health}


OF_CHAPTER = f"branch = (SELECT id FROM branches WHERE parent IS NULL) AND chapter = {CHAPTERS}"
NEW = [
    (f"UPDATE commits SET title = 'Another' WHERE {OF_CHAPTER}", "Chapter 12 is not as it was"),
    (f"UPDATE commits SET told = 3 WHERE {OF_CHAPTER}", "Chapter 12 is not as it was"),
    (
        f"UPDATE commits SET delta = altered(delta, 'awake', 'asleep') WHERE {OF_CHAPTER}",
        "Chapter 12 is not as it was",
    ),
    (
        f"UPDATE characters SET status = 'asleep' WHERE chapter = {CHAPTERS}",
        "Chapter 12 is not as it was",
    ),
    (
        f"UPDATE characters SET removed = 1 WHERE chapter = {CHAPTERS}",
        "Chapter 12 is not as it was",
    ),
    (f"DELETE FROM characters WHERE chapter = {CHAPTERS}", "Chapter 12 is not as it was"),
    (
        f"UPDATE drafts SET text = 'Gone.' WHERE chapter = {CHAPTERS} AND version = 2",
        "The text of chapter 12, version 2, is not as it was",
    ),
    (
        f"UPDATE drafts SET title = 'Gone' WHERE chapter = {CHAPTERS} AND version = 1",
        "The text of chapter 12, version 1, is not as it was",
    ),
]
OLD = [
    ("UPDATE commits SET title = 'Another' WHERE chapter = 3", "Chapter 3 is not as it was"),
    ("UPDATE characters SET status = 'asleep' WHERE chapter = 3", "Chapter 3 is not as it was"),
    ("UPDATE events SET summary = 'Nothing happens.'", "Chapter 1 is not as it was"),
    ("UPDATE characters SET traits = 'none' WHERE chapter = 0", "Chapter 0 is not as it was"),
    ("DELETE FROM commits WHERE chapter = 4", "is not as it was"),
    ("UPDATE plans SET scenes = 'none'", "Chapter 1 is not as it was"),
    (
        "UPDATE drafts SET text = 'Gone.' WHERE chapter = 1 AND version = 1",
        "The text of chapter 1, version 1, is not as it was",
    ),
    ("UPDATE drafts SET text = 'Gone.' WHERE version = 3", "(branch “What if”), is not as it was"),
]


@pytest.mark.parametrize(("sql", "words"), NEW)
def test_damage_to_the_newest_chapters_shows_when_a_story_opens(
    store: Store, told: Branch, sql: str, words: str
) -> None:
    by_hand(store, sql)
    found = check_newest(store, told.id)
    assert words in " ".join(found)
    health = store.health.of(told.story)
    assert health is not None
    assert health.problems == found


@pytest.mark.parametrize(("sql", "words"), [*NEW, *OLD])
def test_damage_shows_when_a_story_is_checked(
    store: Store, told: Branch, sql: str, words: str
) -> None:
    sound = check_story(store, told.story)
    by_hand(store, sql)
    health = check_story(store, told.story)
    assert words in " ".join(health.problems)
    assert all(problem.endswith(".") for problem in health.problems)
    assert health.found_sound == sound.found_sound
    assert store.health.of(told.story) == health


def test_check_when_a_story_opens_takes_no_longer_for_a_longer_story(
    store: Store, told: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = recorded(monkeypatch)
    store.database.release()
    check_newest(store, told.id)
    few = len(asked)
    mara = next(one for one in store.prototype.cast(told.id) if one.id == MARA.id)
    for chapter in range(CHAPTERS + 1, 3 * CHAPTERS):
        change = changing(mara, status=f"awake {chapter}")
        go_on(store, told.id, change)
        mara = change.changes[0].after or mara  # type: ignore[assignment]
    asked.clear()
    check_newest(store, told.id)
    assert 0 < len(asked) <= few
    assert NEWEST < CHAPTERS


def test_text_of_unknown_fingerprint_is_not_damaged(store: Store, told: Branch) -> None:
    by_hand(store, "UPDATE drafts SET fingerprint = NULL")
    by_hand(store, "UPDATE drafts SET text = 'Who knows?'")
    assert check_story(store, told.story).is_sound


def test_texts_from_before_get_a_fingerprint(new_path: Path) -> None:
    connection = sqlite3.connect(new_path, isolation_level=None)
    former = sqlite_utils.Database(connection)
    until = next(at for at, one in enumerate(MIGRATIONS) if one.__name__ == "m021_health")
    for number, migration in enumerate(MIGRATIONS[:until], start=1):
        migration(former)
        former.table("migrations").insert(
            {"number": number, "name": migration.__name__, "applied": ""}
        )
    connection.execute("INSERT INTO stories VALUES ('s', '', '{}', '{}', '', '', NULL, NULL)")
    connection.execute("INSERT INTO branches (id, story, name) VALUES ('b', 's', 'Main')")
    connection.execute(
        "INSERT INTO drafts (id, branch, chapter, version, form, title, text, state, created, words)"
        " VALUES ('d', 'b', 1, 1, 'novel', 'T', 'Once.', 'edited', '2020-01-01T00:00:00+00:00', 1)"
    )
    connection.close()
    store = Store.open(new_path)
    [draft] = store.manuscript.versions("b", 1)
    assert store.database.rows("SELECT fingerprint FROM drafts") == [
        {"fingerprint": draft.fingerprint}
    ]
    assert store.manuscript.damaged("b") == []
    store.close()


def test_every_version_of_a_text_has_its_fingerprint(store: Store, told: Branch) -> None:
    assert store.database.rows("SELECT id FROM drafts WHERE fingerprint IS NULL") == []
    assert all(store.manuscript.damaged(one.id) == [] for one in store.library.branches(told.story))


def test_text_that_the_writer_types_on_in_stays_sound(store: Store, told: Branch) -> None:
    """A version is not begun at each pause: its text and its fingerprint change together."""
    text = "The lamp."
    store.manuscript.save_text(told.id, CHAPTERS, text)
    count = len(store.manuscript.versions(told.id, CHAPTERS))

    for more in (" It went", " out."):
        store.manuscript.replace_text(told.id, CHAPTERS, text, text + more)
        text += more

    assert len(store.manuscript.versions(told.id, CHAPTERS)) == count
    assert store.manuscript.damaged(told.id) == []
    assert check_story(store, told.story).is_sound


def test_check_of_the_library_names_the_file_and_every_story(store: Store, told: Branch) -> None:
    other = store.library.create_story(title="Other")
    begin(store, store.library.main_branch(other.id).id)
    store.library.delete(other.id)
    by_hand(store, "UPDATE events SET title = 'Nothing'")
    said: list[tuple[int, int]] = []

    found = check_library(store, lambda *one: said.append(one))

    assert [one.subject for one in found] == [LIBRARY, told.story, other.id]
    assert [one.is_sound for one in found] == [True, False, True]
    assert said == [(0, 2), (1, 2), (2, 2)]
    assert set(store.health.all()) == {LIBRARY, told.story, other.id}


@pytest.mark.usefixtures("told")
def test_page_that_was_overwritten_shows(store: Store, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    with closing(sqlite3.connect(broken)) as copy:
        store.database.read().conn.backup(copy)
        [[page]] = copy.execute("SELECT rootpage FROM sqlite_master WHERE name = 'drafts_in_order'")
        [[size]] = copy.execute("PRAGMA page_size")
    content = bytearray(broken.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    broken.write_bytes(content)
    damaged = Store.open(broken)
    file, *_ = check_library(damaged)
    assert not file.is_sound
    assert "The file of the library" in file.problems[0]
    damaged.close()


def test_story_that_is_not_there_cannot_be_checked(store: Store) -> None:
    with pytest.raises(NotFound):
        check_story(store, "none")


def test_story_that_has_not_begun_is_sound(store: Store, story: Story) -> None:
    branch = store.library.main_branch(story.id)

    assert check_newest(store, branch.id) == ()
    assert check_story(store, story.id).is_sound
