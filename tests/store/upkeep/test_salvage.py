"""Whatever can be read of a damaged library is saved, and what is gone is said."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from store.errors import LibraryUnavailable
from store.formats.bundle import export_bundle, import_bundle
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.plot import Event
from store.models.proposals import Candidate, Goal, Score
from store.models.story import Branch, Brief, Story
from store.open import Store
from store.texts.notes import NewNote
from store.upkeep.salvage import salvage
from tests.store.builders import CHAPTER_ONE, MARA, adding, begin, changing, go_on
from tests.store.formats.test_bundle import chain, without_ids
from tests.store.upkeep.test_backups import overwritten

CHAPTERS = 30
TEXT = "The lamp burned on through the night of the gale, and nobody came. "


@pytest.fixture
def library(store: Store, tmp_path: Path, branch: Branch) -> Path:
    """Return a library of two stories, with branches, candidates and texts, that nobody has open."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    for chapter in range(2, CHAPTERS + 1):
        event = Event(id=f"event-{chapter}", title=f"Event {chapter}", summary=TEXT * 8)
        go_on(store, branch.id, adding(event), f"Chapter {chapter}")
    for chapter in range(1, CHAPTERS + 1):
        tell(store, branch.id, chapter)
    goal = Goal(id="g", branch=branch.id, chapter=1, round=1, position=0, title="Goal", text="Go.")
    store.proposals.save_goals([goal])
    scores = (Score(rule="conflict", weight=0.5, value=4), Score(rule="pace", weight=0.5, value=2))
    store.proposals.save_candidate(
        Candidate(
            id="chapter-1",
            branch=branch.id,
            chapter=1,
            round=1,
            goal="g",
            title="The door",
            delta=adding(*CHAPTER_ONE),
            scores=scores,
        )
    )
    fork = store.library.fork(branch.id, 3, "What if")
    go_on(store, fork.id, changing(MARA, status="away"), "Away")
    tell(store, branch.id, CHAPTERS)
    store.versions.name(branch.id, CHAPTERS, 1, "Before the gale")
    store.notes.add(branch.id, CHAPTERS, NewNote("note", 0, "the night", "Which one?"))
    other = store.library.create_story(Brief(premise="A second one."), "The Ferry")
    begin(store, store.library.main_branch(other.id).id)
    store.library.delete(other.id)
    store.close()
    path = tmp_path / "damaged" / "library.db"
    path.parent.mkdir()
    shutil.copy(store.database.path, path)
    return path


def tell(store: Store, branch: str, chapter: int) -> None:
    attempt = store.manuscript.next_attempt(branch, chapter)
    plan = WritingPlan(
        id=f"plan-{chapter}-{attempt}",
        branch=branch,
        chapter=chapter,
        attempt=attempt,
        form=Form.NOVEL,
    )
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), f"Title {chapter}")
    store.manuscript.update_draft_text(draft.id, f"Text {chapter}.{attempt}. {TEXT * 20}")
    store.manuscript.finish_draft(draft.id)


def by_hand(library: Path, sql: str) -> None:
    with closing(sqlite3.connect(library)) as connection, connection:
        assert connection.execute(sql).rowcount > 0


def saved_texts(store: Store, story: str) -> list[str]:
    branch = store.library.main_branch(story).id
    return [draft.text for draft in store.manuscript.versions(branch)]


def test_sound_library_is_saved_as_it_is(library: Path, tmp_path: Path) -> None:
    saved = salvage(library, tmp_path / "new.db")
    assert (saved.stories, saved.texts, saved.gone) == (2, CHAPTERS + 1, ())
    old, new = Store.open(library), Store.open(tmp_path / "new.db")
    [was, deleted], [now, gone] = (
        [store.library.story(one) for one in store.library.story_ids()] for store in (old, new)
    )
    assert chain(new, now) == chain(old, was)
    [name] = [
        one.name for one in new.manuscript.versions(new.library.main_branch(now.id).id) if one.name
    ]
    assert name == "Before the gale"
    [placed] = new.notes.of(new.library.main_branch(now.id).id, CHAPTERS)
    assert (placed.note.text, placed.at) == ("Which one?", 0)
    assert without_ids(export_bundle(new, now.id)) == without_ids(export_bundle(old, was.id))
    assert (gone.title, gone.deleted is None) == (deleted.title, False)
    old.close()
    new.close()


def test_chapters_after_a_damaged_one_are_named_and_their_texts_saved(
    library: Path, tmp_path: Path
) -> None:
    by_hand(library, "UPDATE commits SET title = 'Another' WHERE title = 'Chapter 20'")
    saved = salvage(library, tmp_path / "new.db")
    assert saved.stories == 2
    [words] = saved.gone
    assert "the plot of chapters 20, 21, 22" in words
    assert "whole up to chapter 19" in words
    store = Store.open(tmp_path / "new.db")
    [card] = store.library.stories()
    assert card.chapters == 19
    assert len(store.library.branches(card.story.id)) == 2
    assert len(saved_texts(store, card.story.id)) == CHAPTERS + 1
    store.prototype.verify(card.branch)
    store.close()


def test_text_that_was_altered_is_saved_and_named(library: Path, tmp_path: Path) -> None:
    by_hand(library, "UPDATE drafts SET text = 'Gone.' WHERE chapter = 7")
    saved = salvage(library, tmp_path / "new.db")
    assert saved.gone == (
        "The text of chapter 7, version 1, is not as it was written; it is kept as it is.",
    )
    assert "Gone." in saved.text_file.read_text("utf-8")


def test_lost_index_costs_nothing(library: Path, tmp_path: Path) -> None:
    library.write_bytes(overwritten(library, "drafts_in_order"))
    saved = salvage(library, tmp_path / "new.db")
    assert (saved.stories, saved.texts, saved.gone) == (2, CHAPTERS + 1, ())


@pytest.mark.parametrize("table", ["commits", "drafts", "stories", "branches", "candidates"])
def test_lost_table_costs_no_more_than_what_it_held(
    library: Path, tmp_path: Path, table: str
) -> None:
    library.write_bytes(overwritten(library, table, b"\xa5"))
    saved = salvage(library, tmp_path / "new.db")
    assert any("cannot be read any more" in words for words in saved.gone)
    assert saved.texts == (0 if table == "drafts" else CHAPTERS + 1)
    written = saved.text_file.read_text("utf-8")
    assert written.count("## ") == (0 if table == "drafts" else CHAPTERS)
    store = Store.open(tmp_path / "new.db")
    chapters = [card.chapters for card in store.library.stories()]
    expected = {"commits": [0], "stories": [0, CHAPTERS], "branches": []}
    assert sorted(chapters) == expected.get(table, [CHAPTERS])
    store.close()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_noise", [True, False])
def test_overwritten_pages_in_the_middle(
    library: Path, tmp_path: Path, seed: int, is_noise: bool
) -> None:
    """Wherever they are, a library comes of it that is sound, and every text that can be read."""
    dice = Random(seed)
    content = bytearray(library.read_bytes())
    size = 4_096
    for _ in range(3):
        page = dice.randrange(len(content) // size // 2, len(content) // size)
        content[page * size : (page + 1) * size] = dice.randbytes(size) if is_noise else bytes(size)
    library.write_bytes(content)
    saved = salvage(library, tmp_path / "new.db")
    store = Store.open(tmp_path / "new.db")
    for story in store.library.story_ids():
        for branch in store.library.branches(story):
            store.prototype.verify(branch.id)
            assert store.manuscript.damaged(branch.id) == []
    store.close()
    assert saved.texts >= CHAPTERS // 2
    assert saved.stories == 2


def test_lost_part_of_the_list_of_tables_leaves_those_before_it(
    library: Path, tmp_path: Path
) -> None:
    content = bytearray(library.read_bytes())
    size = 4_096
    at = next(
        page
        for page in range(2, len(content) // size)
        if b"CREATE TABLE stale_marks" in content[page * size : (page + 1) * size]
    )
    content[at * size : (at + 1) * size] = bytes(size)
    library.write_bytes(content)
    saved = salvage(library, tmp_path / "new.db")
    assert saved.gone
    assert saved.stories == 2
    assert saved.texts == CHAPTERS + 1


@pytest.mark.parametrize("share", [0.9, 0.6])
def test_truncated_file(library: Path, tmp_path: Path, share: float) -> None:
    content = library.read_bytes()
    library.write_bytes(content[: int(len(content) * share)])
    saved = salvage(library, tmp_path / "new.db")
    assert saved.gone
    assert saved.stories == 2
    assert saved.texts > 0 or share < 0.9
    Store.open(tmp_path / "new.db").close()


def test_what_was_never_a_library_gives_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "diary.db").write_text("Dear diary, " * 900)
    saved = salvage(tmp_path / "diary.db", tmp_path / "new.db")
    assert (saved.stories, saved.texts) == (0, 0)
    assert len(saved.gone) > 5


def test_nothing_is_written_over(library: Path, tmp_path: Path) -> None:
    before = library.read_bytes()
    with pytest.raises(LibraryUnavailable, match="already"):
        salvage(library, library)
    with pytest.raises(LibraryUnavailable, match="cannot be salvaged"):
        salvage(library.parent, tmp_path / "new.db")
    salvage(library, tmp_path / "new.db")
    assert library.read_bytes() == before


class Killed(BaseException):
    """The process ended here."""


def test_library_that_is_saved_in_part_has_no_name_yet(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new.db"
    imported: list[bool] = []

    def import_one(store: Store, content: str | bytes) -> Story:
        if imported:
            raise Killed
        imported.append(target.exists())
        return import_bundle(store, content)

    monkeypatch.setattr("store.upkeep.salvage.import_bundle", import_one)
    with pytest.raises(Killed):
        salvage(library, target)
    assert imported == [False]
    assert not target.exists()

    monkeypatch.undo()
    assert salvage(library, target).stories == 2
    assert {file.name for file in tmp_path.glob("new*")} == {"new.db", "new texts.md"}
